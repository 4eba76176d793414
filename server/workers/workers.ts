/**
 * Work that takes the processor for long, in threads of its own, so that nobody else waits for it. Clients take turns, what
 * one of them may have waiting is bounded, and what nobody waits for any more is broken off.
 */
import { fileURLToPath } from 'node:url';
import type { MessagePort } from 'node:worker_threads';
import type { Piscina } from 'piscina';
import { AppError } from '../../src/contract/errors.ts';
import { FairQueue } from '../queue/fair-queue.ts';
import type { Turn } from '../queue/fair-queue.ts';

/** Each is a function of tasks.ts. What it is given and what it gives is copied from thread to thread. */
type Tasks = typeof import('./tasks.ts');
export type TaskName = keyof Tasks;
type Given<N extends TaskName> = Parameters<Tasks[N]>[0];
type Result<N extends TaskName> = Awaited<ReturnType<Tasks[N]>>;

export interface Asked {
  /** On whose account. */
  readonly client: string;
  /** Aborted when nobody waits for it any more. */
  readonly signal: AbortSignal;
  /** Goes to the thread instead of being copied. */
  readonly transfer?: readonly MessagePort[];
  /** For this work, in ms of real time. */
  readonly limitMs?: number;
}

export interface Workers {
  /**
   * Rejects with SERVER_BUSY where the client has too much waiting already, where the work takes longer or more memory than
   * any may, and where it was broken off.
   */
  run<N extends TaskName>(name: N, given: Given<N>, asked: Asked): Promise<Result<N>>;
  /** Breaks off what runs. */
  close(): Promise<void>;
}

export interface WorkersOptions {
  /** Threads at most; the first one starts with the first work, and ends when there is none. */
  readonly threads?: number;
  /** Works that may wait, of one client. */
  readonly waiting?: number;
  /** For one work, in ms of real time. */
  readonly limitMs?: number;
  readonly memoryMiB?: number;
}

/** ms without work after which a thread ends. */
const idleMs = 30_000;

interface Work {
  readonly client: string;
  start(turn: Turn): void;
}

export function createWorkers({
  threads = 2,
  waiting: mostWaiting = 32,
  limitMs = 30_000,
  memoryMiB = 512,
}: WorkersOptions = {}): Workers {
  // A client has one thread at a time: what it asks for, however slow, leaves one to the others.
  const queue = new FairQueue({ perLane: 1, total: threads });
  const works = new Map<string, Work>();
  const waiting = new Map<string, number>();
  const closing = new AbortController();
  let arrivals = 0;
  let pool: Promise<Piscina> | undefined;

  const open = async (): Promise<Piscina> => {
    const { Piscina } = await import('piscina');
    return new Piscina({
      filename: fileURLToPath(new URL(import.meta.url.replace(/workers(\.\w+)$/, 'tasks$1'))),
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: idleMs,
      // A thread that waits for messages of its own must not sleep on those of the pool.
      atomics: 'disabled',
      resourceLimits: { maxOldGenerationSizeMb: memoryMiB },
    });
  };

  const count = (client: string, by: 1 | -1): void => {
    const now = (waiting.get(client) ?? 0) + by;
    if (now > 0) waiting.set(client, now);
    else waiting.delete(client);
  };
  const pump = (): void => {
    for (let turn = queue.take(Infinity); turn; turn = queue.take(Infinity)) {
      const work = works.get(turn.id)!;
      works.delete(turn.id);
      count(work.client, -1);
      work.start(turn);
    }
  };
  /** When its turn has come. Rejects where nobody waits for it any more. */
  const turnOf = (client: string, signal: AbortSignal): Promise<Turn> =>
    new Promise((resolve, reject) => {
      const due = ++arrivals;
      const id = String(due);
      const abort = (): void => {
        if (!works.delete(id)) return;
        queue.drop(id);
        count(client, -1);
        reject(brokenOff());
      };
      const start = (turn: Turn): void => {
        signal.removeEventListener('abort', abort);
        resolve(turn);
      };
      works.set(id, { client, start });
      count(client, 1);
      signal.addEventListener('abort', abort, { once: true });
      queue.put({ id, lane: client, due });
      pump();
    });

  return {
    async run<N extends TaskName>(
      name: N,
      given: Given<N>,
      { client, signal, transfer, limitMs: ms = limitMs }: Asked,
    ): Promise<Result<N>> {
      const over = AbortSignal.any([signal, closing.signal]);
      if (over.aborted) throw brokenOff();
      if ((waiting.get(client) ?? 0) >= mostWaiting) throw tooBusy();
      const turn = await turnOf(client, over);
      const limit = AbortSignal.timeout(ms);
      try {
        const threadPool = await (pool ??= open());
        const transferList = transfer && [...transfer];
        return (await threadPool.run(given, {
          name,
          signal: AbortSignal.any([over, limit]),
          ...(transferList && { transferList }),
        })) as Result<N>;
      } catch (cause) {
        if (limit.aborted) throw tooLong(ms);
        if (over.aborted) throw brokenOff(cause);
        throw (cause as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooMuch() : cause;
      } finally {
        turn.end();
        pump();
      }
    },
    async close() {
      closing.abort();
      await (await pool)?.destroy();
    },
  };
}

const brokenOff = (cause?: unknown): AppError =>
  new AppError('SERVER_BUSY', { message: 'This was broken off.', retryAfter: 1, cause });
const tooBusy = (): AppError =>
  new AppError('SERVER_BUSY', { message: 'Too much that this client asked for is waiting already.', retryAfter: 5 });
const tooLong = (ms: number): AppError =>
  new AppError('SERVER_BUSY', { message: `This took longer than ${ms / 1000} s and was given up.`, retryAfter: 60 });
const tooMuch = (): AppError =>
  new AppError('SERVER_BUSY', { message: 'This takes more memory than one request may have.', retryAfter: 60 });
