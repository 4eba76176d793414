/**
 * Manages the process of a model: starts it on demand, stops it when idle, kills it when it hangs, restarts it after a
 * crash.
 */
import type { Language } from '../../../src/contract/shared.ts';
import { AppError } from '../../../src/contract/errors.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import { createOrder } from '../../../src/domain/in-order.ts';
import { abortable } from '../../runtime/processes/abortable.ts';
import type { LaunchProcess, OwnProcess } from '../../runtime/processes/own-process.ts';
import { installHint } from './addon.ts';
import { estimateMemory, describeMemory, outOfMemory, modelTooLarge } from './memory.ts';
import type { MemoryLack } from './memory.ts';
import type { InstalledModel } from './models.ts';
import type { DecodedTokens, ModelResponse, LoadFailure, ModelRequest } from './model-messages.ts';

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
  decode(piece: Float32Array, language: Language, signal: AbortSignal): Promise<DecodedTokens>;
  /** Rejects as `decode`, and so do the stream's calls. */
  open(language: Language): Promise<ModelStream>;
  /** The process id; `undefined` if none runs. */
  readonly pid: number | undefined;
  close(): Promise<void>;
}

const crashReason = 'model_process_ended';

/** The process ended while it was working. */
const crash = (): AppError =>
  new AppError('ENGINE_UNAVAILABLE', {
    message: 'The process of the speech model crashed. The next call restarts it.',
    details: { reason: crashReason },
    retryAfter: 1,
  });

/** Whether the process crashed at its work, which may be at fault. */
export const isCrash = (error: unknown): boolean =>
  error instanceof AppError && error.details?.['reason'] === crashReason;

/** Time for a sign of life from a working process, and for loading a model. */
const limit = { signMs: 60_000, loadMs: 300_000 };

interface RunningProcess {
  readonly process: OwnProcess;
  endProcess(): void;
  readonly loaded: Promise<void>;
  /** Pending requests by id. */
  readonly asked: Map<number, PromiseWithResolvers<readonly DecodedTokens[]>>;
  /** Kills the process unless it gives a sign of life in time. */
  expectSign(): void;
}

export function createModelProcess(options: ModelProcessOptions): ModelProcess {
  const { model, threads, idleMs, launch, clock } = options;
  const { id } = model.manifest;
  const lacking = { id, needed: estimateMemory(model.manifest), available: options.memory };
  let running: RunningProcess | undefined;
  let numbers = 0;
  let closed = false;
  let users = 0;
  let cancelIdle = (): void => {};
  /** Pieces are transcribed one at a time. */
  const inOrder = createOrder();

  function requireMemory(): void {
    if (lacking.needed > lacking.available) throw modelTooLarge(lacking);
  }

  function start(): RunningProcess {
    requireMemory();
    const process = launch(moduleOfProcess(), { name: 'Laudio speech model' });
    const asked: RunningProcess['asked'] = new Map();
    const loading = Promise.withResolvers<void>();
    let callOff = (): void => {};
    let isEndedHere = false;
    const endProcess = (): void => {
      isEndedHere = true;
      process.kill();
      // The next call starts another process.
      if (running === started) running = undefined;
    };
    const watch = (ms: number): void => {
      callOff();
      callOff = clock.schedule(clock.now() + ms, endProcess);
    };
    const expectSign = (): void => watch(limit.signMs);
    const started: RunningProcess = { process, endProcess, loaded: loading.promise, asked, expectSign };
    loading.promise.catch(() => {});
    process.listen((given) => {
      const message = given as ModelResponse;
      if ('ready' in message) loading.resolve();
      if ('refused' in message)
        loading.reject(
          message.refused.reason === 'memory' ? outOfMemory(lacking) : createLoadError(id, message.refused),
        );
      if ('heard' in message) asked.get(message.id)?.resolve(message.heard);
      if ('failed' in message) {
        asked.get(message.id)?.reject(message.failed === 'memory' ? outOfMemory(lacking) : crash());
        if (message.failed === 'memory') endProcess();
      }
      if ('id' in message) asked.delete(message.id);
      if (asked.size > 0) expectSign();
      else callOff();
    });
    void process.ended.then(({ signal }) => {
      // SIGKILL from outside: the system ran out of memory.
      const isKilled = signal === 'SIGKILL' && !isEndedHere;
      callOff();
      if (running === started) running = undefined;
      loading.reject(isKilled ? outOfMemory(lacking) : endedWhileLoading(lacking));
      for (const { reject } of asked.values()) reject(isKilled ? outOfMemory(lacking) : crash());
      asked.clear();
    });
    watch(limit.loadMs);
    process.post({ load: { model, threads } } satisfies ModelRequest);
    // If loading fails, the process is ended.
    loading.promise.catch(endProcess);
    return started;
  }

  /** Keeps a loaded process in use while `work` runs. */
  async function withProcess<T>(work: (process: RunningProcess) => Promise<T>): Promise<T> {
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
    running?.endProcess();
    running = undefined;
  }

  type Question = Exclude<ModelRequest, { load: unknown } | { drop: unknown }>;
  function request(to: RunningProcess, question: (number: number) => Question): Promise<readonly DecodedTokens[]> {
    if (running !== to) return Promise.reject(crash());
    const number = ++numbers;
    const answer = Promise.withResolvers<readonly DecodedTokens[]>();
    if (to.asked.size === 0) to.expectSign();
    to.asked.set(number, answer);
    to.process.post(question(number));
    return answer.promise;
  }

  return {
    requireMemory,
    load: () => withProcess(async () => {}),
    get pid() {
      return running?.process.pid;
    },
    async decode(piece, language, signal) {
      const heard = inOrder(async () => {
        signal.throwIfAborted();
        return withProcess((process) => request(process, (number) => ({ id: number, piece, language })));
      });
      const [decoded] = await abortable(heard, signal);
      if (!decoded) throw crash();
      return decoded;
    },
    async open(language) {
      const stream = ++numbers;
      const inUse = Promise.withResolvers<void>();
      const opened = Promise.withResolvers<RunningProcess>();
      // The process stays in use until the stream ends.
      void withProcess(async (process) => {
        await request(process, (number) => ({ id: number, stream, open: language }));
        opened.resolve(process);
        await inUse.promise;
      }).catch(opened.reject);
      const process = await opened.promise;
      const drop = (): void => {
        process.process.post({ drop: stream } satisfies ModelRequest);
        inUse.resolve();
      };
      return {
        hear: (sound) => request(process, (number) => ({ id: number, stream, sound })),
        finish: () => request(process, (number) => ({ id: number, stream, finish: true })),
        drop,
      };
    },
    async close() {
      closed = true;
      const last = running;
      end();
      await last?.process.ended;
    },
  };
}

/** The process's module; `.ts` in the sources, `.js` in the build. */
const moduleOfProcess = (): URL => new URL(import.meta.url.replace(/model-process(\.\w+)$/, 'recogniser-process$1'));

const endedWhileLoading = (lacking: MemoryLack): AppError =>
  new AppError('ENGINE_UNAVAILABLE', {
    message: `The process that loads the speech model ${lacking.id} ended.`,
    hint: `Check that its files are those of this model, and that the computer has memory for it: ${describeMemory(lacking)}.`,
    retryAfter: 60,
  });

/** Why the model cannot be loaded, and what to do. */
export function createLoadError(id: string, refusal: Exclude<LoadFailure, { reason: 'memory' }>): AppError {
  const sentences: Record<Exclude<LoadFailure['reason'], 'memory'>, { message: string; hint: string }> = {
    damaged: {
      message: `The speech model ${id} is damaged${'file' in refusal ? `: ${refusal.file} does not match its manifest` : ''}.`,
      hint: 'Install the model again.',
    },
    missing: {
      message: `The speech model ${id} lacks a file${'file' in refusal ? `: ${refusal.file}` : ''}.`,
      hint: 'Install the model again.',
    },
    addon: {
      message: 'The library of the local recogniser does not load on this computer.',
      hint: installHint,
    },
    load: {
      message: `The speech model ${id} cannot be loaded.`,
      hint: 'Check that its files are those of this model, and install the model again.',
    },
  };
  return new AppError('ENGINE_UNAVAILABLE', { ...sentences[refusal.reason], retryAfter: 3600 });
}
