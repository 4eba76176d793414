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
  verify(secret: string, hash: string, asked: HashRequest): Promise<boolean>;
  /** Refuses the pending hashes. */
  close(): Promise<void>;
}

/** The kind of a secret, and the requester. */
export interface HashRequest {
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
const defaultThreads = (): number => Math.max(1, Math.min(4, availableParallelism() - 1));

/**
 * A password takes a third of a second, a client secret a hundredth. Callers are refused instead of waiting for more
 * than a few seconds.
 */
const defaultLimits = {
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
  threads = defaultThreads(),
  limits = defaultLimits,
  costs = secretCosts,
}: HashingOptions = {}): Hashing {
  const asked = createHashQueue<Task>(limits);
  const idle: Worker[] = [];
  const busy = new Map<Worker, Task>();
  /** Hashes for the operator; they come first and are not bounded. */
  const operatorTasks: Task[] = [];
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
      startPending();
    });
    // Out of memory, or a stored hash with an impossible cost.
    worker.on('error', () => {
      end(worker)?.settle.reject(serverBusy());
      startPending();
    });
    return worker;
  };
  const startPending = (): void => {
    while (!closed && busy.size < threads) {
      const task = operatorTasks.shift() ?? asked.next();
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
      if (closed) throw serverBusy();
      operatorTasks.push({ derivation: toDerivation(secret, salt, cost), settle });
      startPending();
      return writeHash({ cost, salt, key: await settle.promise });
    },
    decoy: (kind) => decoyHash(costs[kind]),
    verify(secret, text, { kind, address }) {
      const kept = readHash(text);
      if (!kept) return Promise.resolve(false);
      const settle = Promise.withResolvers<Buffer>();
      const task = { derivation: toDerivation(secret, kept.salt, kept.cost), settle };
      if (closed || !asked.add({ kind, address }, task)) throw serverBusy();
      startPending();
      return settle.promise.then((key) => key.length === kept.key.length && timingSafeEqual(key, kept.key));
    },
    async close() {
      closed = true;
      for (let task = operatorTasks.shift() ?? asked.next(); task; task = operatorTasks.shift() ?? asked.next())
        task.settle.reject(serverBusy());
      for (const { settle } of busy.values()) settle.reject(serverBusy());
      spare.push(...idle.splice(0).map((worker) => worker.removeAllListeners('message').removeAllListeners('error')));
      await Promise.all([...busy.keys()].map((worker) => worker.terminate()));
    },
  };
}

const serverBusy = (): AppError =>
  new AppError('SERVER_BUSY', {
    message: 'Too many logins at the same time.',
    hint: `Try again in ${busySeconds} seconds.`,
    retryAfter: busySeconds,
  });
