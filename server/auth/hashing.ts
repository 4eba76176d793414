/**
 * Computes slow hashes in threads of their own. In Node's own threads the hashes would delay the disk, which uses the same
 * threads. The processor bounds how many hashes are computed at once, and the askers bound how many wait. The hashes are no
 * tasks of workers.ts: the first token of a server would wait for those threads ten times as long as for its hash, and every
 * login would wait behind exports.
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
  /** The hash of the secret with a fresh salt, `scrypt$N$r$p$salt$key`. For secrets that the operator sets. */
  hash(secret: string, kind: SecretKind): Promise<string>;
  /** A hash that no secret gives, at the cost of that kind. It stands for the hash of an unknown client or user. */
  decoy(kind: SecretKind): string;
  /**
   * Whether the secret gives the hash, at the cost that the hash names. Throws AppError SERVER_BUSY at once if too many hashes
   * wait already, of that address or of all.
   */
  verify(secret: string, hash: string, asked: Asked): Promise<boolean>;
  /** Refuses the hashes that wait. */
  close(): Promise<void>;
}

/** On whose account a hash is computed. */
export interface Asked {
  readonly kind: SecretKind;
  /** The address that the request came from. */
  readonly address: string;
}

export interface HashingOptions {
  readonly threads?: number;
  readonly limits?: Readonly<Record<SecretKind, HashLimits>>;
  readonly costs?: SecretCosts;
}

/** Leaves one core for everything else. */
const mostThreads = (): number => Math.max(1, Math.min(4, availableParallelism() - 1));

/**
 * The hash of a password takes a third of a second, that of a client's secret a hundredth. A caller who would wait for longer than
 * a few seconds is told to come again.
 */
const usualLimits = {
  password: { perAddress: 16, total: 256 },
  client: { perAddress: 256, total: 1024 },
} as const;
/** Seconds after which a refused caller may come again. */
const busySeconds = 3;

interface Task {
  readonly derivation: Derivation;
  readonly settle: PromiseWithResolvers<Buffer>;
}

/** The program of a thread. It is a text, so that no packager changes it. */
const threadSource = `
const { scryptSync } = require('node:crypto');
const { parentPort } = require('node:worker_threads');
parentPort.on('message', ({ secret, salt, bytes, options }) => {
  parentPort.postMessage(scryptSync(secret, salt, bytes, options));
});`;

/** Threads of servers of this process that have ended: the next one takes them over, as a thread takes longer to start than to hash. */
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
  /** The operator's come first, and there is no bound to them. */
  const own: Task[] = [];
  let closed = false;

  const end = (worker: Worker): Task | undefined => {
    const task = busy.get(worker);
    busy.delete(worker);
    return task;
  };
  const start = (): Worker => {
    const worker = spare.pop() ?? new Worker(threadSource, { eval: true });
    // A process that has nothing else to do may end.
    worker.unref();
    worker.on('message', (key: Uint8Array) => {
      const task = end(worker);
      idle.push(worker);
      task?.settle.resolve(Buffer.from(key));
      work();
    });
    // No memory for it, or a hash that was kept with a cost that cannot be.
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
