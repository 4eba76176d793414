/**
 * Manages the process of a model: starts it on demand, stops it when idle, kills it when it hangs, restarts it after a
 * crash.
 */
import type { Language } from '../../../src/contract/shared.ts';
import { AppError } from '../../../src/contract/errors.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import { createOrder } from '../../../src/domain/in-order.ts';
import { abortable } from '../../runtime/processes/abortable.ts';
import type { LaunchProcess } from '../../runtime/processes/own-process.ts';
import { estimateMemory, modelTooLarge } from './memory.ts';
import { crash } from './model-failures.ts';
import type { InstalledModel } from './models.ts';
import type { DecodedTokens } from './model-messages.ts';
import { launchModel } from './running-model.ts';
import type { RunningModel } from './running-model.ts';

export interface ModelProcessOptions {
  readonly model: InstalledModel;
  readonly threads: number;
  /** ms without work after which the process stops. */
  readonly idleMs: number;
  /** Memory of the computer in bytes. */
  readonly memory: number;
  readonly launch: LaunchProcess;
  readonly clock: Clock;
}

export interface ModelStream {
  hear(sound: Float32Array): Promise<readonly DecodedTokens[]>;
  finish(): Promise<readonly DecodedTokens[]>;
  /** Discards the stream. */
  drop(): void;
}

export interface ModelProcess {
  /** Throws ENGINE_UNAVAILABLE if the computer has too little memory for the model. */
  requireMemory(): void;
  /** Loads the model. Rejects with ENGINE_UNAVAILABLE. */
  load(): Promise<void>;
  /**
   * Transcribes a whole piece of at most a minute; pieces are queued. Rejects with an error that `isCrash` detects if
   * the process crashed or hung, and with ENGINE_UNAVAILABLE if the model cannot be loaded.
   */
  decode(piece: Float32Array, language: Language | undefined, signal: AbortSignal): Promise<DecodedTokens>;
  /** Rejects as `decode`, and so do the stream's calls. */
  open(language: Language): Promise<ModelStream>;
  /** The process id; `undefined` if none runs. */
  readonly pid: number | undefined;
  close(): Promise<void>;
}

export function createModelProcess(options: ModelProcessOptions): ModelProcess {
  const { model, threads, idleMs, launch, clock } = options;
  const memory = { id: model.manifest.id, needed: estimateMemory(model.manifest), available: options.memory };
  let running: RunningModel | undefined;
  let streams = 0;
  let closed = false;
  let users = 0;
  let cancelIdle = (): void => {};
  /** Pieces are transcribed one at a time. */
  const inOrder = createOrder();

  function requireMemory(): void {
    if (memory.needed > memory.available) throw modelTooLarge(memory);
  }

  function start(): RunningModel {
    requireMemory();
    const started = launchModel({ model, threads, launch, clock, memory }, () => {
      // The next call starts another process.
      if (running === started) running = undefined;
    });
    return started;
  }

  /** Keeps a loaded process in use while `work` runs. */
  async function withProcess<T>(work: (process: RunningModel) => Promise<T>): Promise<T> {
    if (closed) throw new AppError('ENGINE_UNAVAILABLE', { message: 'The server is stopping.' });
    users += 1;
    cancelIdle();
    try {
      const process = (running ??= start());
      await process.loaded;
      return await work(process);
    } finally {
      users -= 1;
      if (users === 0 && !closed) cancelIdle = clock.schedule(clock.now() + idleMs, end);
    }
  }

  function end(): void {
    cancelIdle();
    running?.end();
  }

  return {
    requireMemory,
    load: () => withProcess(async () => {}),
    get pid() {
      return running?.pid;
    },
    async decode(piece, language, signal) {
      const heard = inOrder(async () => {
        signal.throwIfAborted();
        return withProcess((process) => process.ask({ piece, language }));
      });
      const [decoded] = await abortable(heard, signal);
      if (!decoded) throw crash();
      return decoded;
    },
    async open(language) {
      const stream = ++streams;
      const inUse = Promise.withResolvers<void>();
      const opened = Promise.withResolvers<RunningModel>();
      // The process stays in use until the stream ends.
      void withProcess(async (process) => {
        await process.ask({ stream, open: language });
        opened.resolve(process);
        await inUse.promise;
      }).catch(opened.reject);
      const process = await opened.promise;
      return {
        hear: (sound) => process.ask({ stream, sound }),
        finish: () => process.ask({ stream, finish: true }),
        drop() {
          process.drop(stream);
          inUse.resolve();
        },
      };
    },
    async close() {
      closed = true;
      const last = running;
      end();
      await last?.ended;
    },
  };
}
