/**
 * Runs long computations in threads, so that they do not block requests. Clients take turns, each may have a limited number of
 * waiting tasks, and a task is aborted when nobody waits for its result any more.
 */
import { fileURLToPath } from 'node:url';
import { performance } from 'node:perf_hooks';
import type { MessagePort } from 'node:worker_threads';
import type { Piscina } from 'piscina';
import { AppError } from '../../../src/contract/errors.ts';
import { FairQueue } from '../queue/fair-queue.ts';
import type { Turn } from '../queue/fair-queue.ts';
import { valueAt } from '../../../src/domain/elements.ts';
import type { ThreadTask } from './thread-task.ts';

export interface RunOptions {
  /** The client that requested the task; its tasks run one at a time. */
  readonly client: string;
  /** Aborted when the result is no longer needed. */
  readonly signal: AbortSignal;
  /** Ports in the input that move to the thread. */
  readonly transfer?: readonly MessagePort[];
  /** Limit of this task in ms of real time. */
  readonly limitMs?: number;
}

export interface Workers {
  /** Runs the task in a thread. SERVER_BUSY: the client has too many waiting tasks, or the task exceeds a limit or is aborted. */
  run<In, Out>(task: ThreadTask<In, Out>, input: In, options: RunOptions): Promise<Out>;
  /** Aborts all tasks. */
  close(): Promise<void>;
}

export interface WorkersOptions {
  /** Maximum of threads. They start when needed, and end when idle. */
  readonly threads?: number;
  /** Maximum of waiting tasks per client. */
  readonly waiting?: number;
  /** Limit of each task in ms of real time. */
  readonly limitMs?: number;
  readonly memoryMiB?: number;
  /** Idle time in ms after which a thread ends. */
  readonly idleMs?: number;
  /** Whether the threads yield the processors to all other work. */
  readonly yields?: boolean;
}

/** For yielding threads: a tenth of the CPU time of a normal thread. */
const niceness = 10;
/** Share of time above which the main thread counts as busy. */
const busy = 0.9;
/** Rest of yielding threads next to a busy one, relative to their work: processors that share a cache slow each other down. */
const restFactor = 2;

interface Work {
  readonly client: string;
  start(turn: Turn): void;
}

export function createWorkers({
  threads = 2,
  waiting: mostWaiting = 32,
  limitMs = 30_000,
  memoryMiB = 512,
  idleMs = 30_000,
  yields = false,
}: WorkersOptions = {}): Workers {
  // Each client has one thread at a time, so that its slow tasks leave a thread to others.
  const queue = new FairQueue({ perLane: 1, total: threads });
  const works = new Map<string, Work>();
  const waiting = new Map<string, number>();
  const closing = new AbortController();
  let arrivals = 0;
  let pool: Promise<Piscina> | undefined;

  const open = async (): Promise<Piscina> => {
    const { Piscina } = await import('piscina');
    return new Piscina({
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: idleMs,
      // Tasks wait for messages on their own ports, so threads must not sleep until the pool sends a message.
      atomics: 'disabled',
      resourceLimits: { maxOldGenerationSizeMb: memoryMiB },
      // On Linux, priorities are per thread (nice(2)); elsewhere this would affect the whole process.
      niceIncrement: yields && process.platform === 'linux' ? niceness : 0,
    });
  };

  const count = (client: string, by: 1 | -1): void => {
    const now = (waiting.get(client) ?? 0) + by;
    if (now > 0) waiting.set(client, now);
    else waiting.delete(client);
  };
  const pump = (): void => {
    for (let turn = queue.take(Infinity); turn; turn = queue.take(Infinity)) {
      const work = valueAt(works, turn.id);
      works.delete(turn.id);
      count(work.client, -1);
      work.start(turn);
    }
  };
  /** Resolves on the client's turn. Rejects if the result is no longer needed. */
  const waitForTurn = (client: string, signal: AbortSignal): Promise<Turn> =>
    new Promise((resolve, reject) => {
      const due = ++arrivals;
      const id = String(due);
      const abort = (): void => {
        if (!works.delete(id)) return;
        queue.drop(id);
        count(client, -1);
        reject(createAborted());
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
    async run<In, Out>(
      { module, exportName: name }: ThreadTask<In, Out>,
      input: In,
      { client, signal, transfer, limitMs: ms = limitMs }: RunOptions,
    ): Promise<Out> {
      const over = AbortSignal.any([signal, closing.signal]);
      if (over.aborted) throw createAborted();
      if ((waiting.get(client) ?? 0) >= mostWaiting) throw tooBusy();
      const turn = await waitForTurn(client, over);
      const limit = AbortSignal.timeout(ms);
      const began = performance.eventLoopUtilization();
      try {
        const threadPool = await (pool ??= open());
        const transferList = transfer && [...transfer];
        return (await threadPool.run(input, {
          filename: fileURLToPath(module),
          name,
          signal: AbortSignal.any([over, limit]),
          ...(transferList && { transferList }),
        })) as Out;
      } catch (cause) {
        if (limit.aborted) throw tooLong(ms);
        if (over.aborted) throw createAborted(cause);
        throw (cause as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooMuch() : cause;
      } finally {
        const { active, idle, utilization } = performance.eventLoopUtilization(began);
        const rest = yields && utilization > busy ? restFactor * (active + idle) : 0;
        const next = (): void => {
          turn.end();
          pump();
        };
        if (rest === 0) next();
        else setTimeout(next, rest).unref();
      }
    },
    async close() {
      closing.abort();
      await (await pool)?.destroy();
    },
  };
}

const createAborted = (cause?: unknown): AppError =>
  new AppError('SERVER_BUSY', { message: 'The request was aborted.', retryAfter: 1, cause });
const tooBusy = (): AppError =>
  new AppError('SERVER_BUSY', { message: 'Too many requests of this client are waiting already.', retryAfter: 5 });
const tooLong = (ms: number): AppError => overLimit(`The request took longer than ${ms / 1000} s and was aborted.`);
const tooMuch = (): AppError => overLimit('The request needs more memory than one request may use.');

const overLimits = new WeakSet<AppError>();
function overLimit(message: string): AppError {
  const error = new AppError('SERVER_BUSY', { message, retryAfter: 60 });
  overLimits.add(error);
  return error;
}
/** Whether a task exceeded its limit of time or memory: it would do so again. */
export const isOverLimit = (error: unknown): boolean => error instanceof AppError && overLimits.has(error);
