/**
 * Computes slow hashes in dedicated threads. In Node's thread pool they would delay the disk. Concurrency is bounded by
 * the processor, the queue by kind and address. workers.ts is not used: its threads take ten times as long to start as
 * a hash takes, and logins would wait behind exports.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { AppError } from '../../src/contract/errors.ts';
import { createHashQueue } from './hash-queue.ts';
import type { HashLimits } from './hash-queue.ts';
import { decoyHash, toDerivation, readHash, secretCosts, writeHash } from '../runtime/secrets.ts';
import type { Derivation, SecretCosts, SecretKind } from '../runtime/secrets.ts';

export interface Hashing {
  /** Hashes a secret that the operator sets, with a new salt: `scrypt$N$r$p$salt$key`. */
  hash(secret: string, kind: SecretKind): Promise<string>;
  /** A hash that no secret matches, at the same cost. It is compared if the client or user is unknown. */
  decoy(kind: SecretKind): string;
  /**
   * Returns whether the secret matches the hash, at the cost that the hash names. Throws AppError SERVER_BUSY at once
   * if too many hashes of the address or the kind are pending.
   */
  verify(secret: string, hash: string, asked: Asked): Promise<boolean>;
  /** Refuses the pending hashes. */
  close(): Promise<void>;
}

/** The kind of a secret, and the requester. */
export interface Asked {
  readonly kind: SecretKind;
  /** The address of the request. */
  readonly address: string;
}

export interface HashingOptions {
  readonly threads?: number;
  readonly limits?: Readonly<Record<SecretKind, HashLimits>>;
  readonly costs?: SecretCosts;
}

/** Leaves one core for other work. */
const mostThreads = (): number => Math.max(1, Math.min(4, availableParallelism() - 1));

/**
 * A password takes a third of a second, a client secret a hundredth. Callers are refused instead of waiting for more
 * than a few seconds.
 */
const usualLimits = {
  password: { perAddress: 16, total: 256 },
  client: { perAddress: 256, total: 1024 },
} as const;
/** Retry-After of a refusal. */
const busySeconds = 3;

interface Task {
  readonly derivation: Derivation;
  readonly settle: PromiseWithResolvers<Buffer>;
}

/** The program of a thread; a string, so that bundlers leave it alone. */
const threadSource = `
const { scryptSync } = require('node:crypto');
const { parentPort } = require('node:worker_threads');
parentPort.on('message', ({ secret, salt, bytes, options }) => {
  parentPort.postMessage(scryptSync(secret, salt, bytes, options));
});`;

/**
 * Threads of closed servers in this process. The next server reuses them, because a thread starts slower than it
 * hashes.
 */
const spare: Worker[] = [];

/** The first hash starts the threads. */
export function createHashing({
  threads = mostThreads(),
  limits = usualLimits,
  costs = secretCosts,
}: HashingOptions = {}): Hashing {
  const asked = createHashQueue<Task>(limits);
  const idle: Worker[] = [];
  const busy = new Map<Worker, Task>();
  /** Hashes for the operator; they come first and are not bounded. */
  const own: Task[] = [];
  let closed = false;

  const end = (worker: Worker): Task | undefined => {
    const task = busy.get(worker);
    busy.delete(worker);
    return task;
  };
  const start = (): Worker => {
    const worker = spare.pop() ?? new Worker(threadSource, { eval: true });
    // The threads don't keep the process alive.
    worker.unref();
    worker.on('message', (key: Uint8Array) => {
      const task = end(worker);
      idle.push(worker);
      task?.settle.resolve(Buffer.from(key));
      work();
    });
    // Out of memory, or a stored hash with an impossible cost.
    worker.on('error', () => {
      end(worker)?.settle.reject(tooBusy());
      work();
    });
    return worker;
  };
  const work = (): void => {
    while (!closed && busy.size < threads) {
      const task = own.shift() ?? asked.next();
      if (!task) return;
      const worker = idle.pop() ?? start();
      busy.set(worker, task);
      worker.postMessage(task.derivation);
    }
  };

  return {
    async hash(secret, kind) {
      const cost = costs[kind];
      const salt = randomBytes(16);
      const settle = Promise.withResolvers<Buffer>();
      if (closed) throw tooBusy();
      own.push({ derivation: toDerivation(secret, salt, cost), settle });
      work();
      return writeHash({ cost, salt, key: await settle.promise });
    },
    decoy: (kind) => decoyHash(costs[kind]),
    verify(secret, text, { kind, address }) {
      const kept = readHash(text);
      if (!kept) return Promise.resolve(false);
      const settle = Promise.withResolvers<Buffer>();
      const task = { derivation: toDerivation(secret, kept.salt, kept.cost), settle };
      if (closed || !asked.add({ kind, address }, task)) throw tooBusy();
      work();
      return settle.promise.then((key) => key.length === kept.key.length && timingSafeEqual(key, kept.key));
    },
    async close() {
      closed = true;
      for (let task = own.shift() ?? asked.next(); task; task = own.shift() ?? asked.next())
        task.settle.reject(tooBusy());
      for (const { settle } of busy.values()) settle.reject(tooBusy());
      spare.push(...idle.splice(0).map((worker) => worker.removeAllListeners('message').removeAllListeners('error')));
      await Promise.all([...busy.keys()].map((worker) => worker.terminate()));
    },
  };
}

const tooBusy = (): AppError =>
  new AppError('SERVER_BUSY', {
    message: 'Too many are logging in at this moment.',
    hint: `Try again in ${busySeconds} seconds.`,
    retryAfter: busySeconds,
  });
