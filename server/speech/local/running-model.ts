/** The process that runs a model: it is killed when it hangs, and answers requests until it ends. */
import type { Clock } from '../../../src/domain/clock.ts';
import type { LaunchProcess } from '../../runtime/processes/own-process.ts';
import { soundRate } from '../sound/samples.ts';
import { outOfMemory } from './memory.ts';
import type { MemoryLack } from './memory.ts';
import { crash, createLoadError, endedWhileLoading } from './model-failures.ts';
import type { DecodedTokens, ModelRequest, ModelResponse, Question } from './model-messages.ts';
import type { InstalledModel } from './models.ts';

/** Time for a sign of life from a working process, also for a second of sound in a piece, and for loading a model. */
const limit = { signMs: 60_000, secondMs: 10_000, loadMs: 300_000 };

export interface RunningModel {
  readonly pid: number | undefined;
  /** Resolves once the model is loaded. Rejects with ENGINE_UNAVAILABLE. */
  readonly loaded: Promise<void>;
  readonly ended: Promise<unknown>;
  /** Rejects with `crash` if the process ends before it answers. */
  ask(question: Question): Promise<readonly DecodedTokens[]>;
  /** Discards a stream. */
  drop(stream: number): void;
  end(): void;
}

export interface RunningModelOptions {
  readonly model: InstalledModel;
  readonly threads: number;
  readonly launch: LaunchProcess;
  readonly clock: Clock;
  /** The memory that the model needs and the computer has. */
  readonly memory: MemoryLack;
}

/** Launches the process, which loads the model at once. `onEnd` is called when it takes no more requests. */
export function launchModel(
  { model, threads, launch, clock, memory }: RunningModelOptions,
  onEnd: () => void,
): RunningModel {
  const process = launch(moduleOfProcess(), { name: 'Laudio speech model' });
  const post = (request: ModelRequest): void => process.post(request);
  /** Pending requests by id. */
  const asked = new Map<number, PendingQuestion>();
  const loading = Promise.withResolvers<void>();
  let numbers = 0;
  let isOver = false;
  let isEndedHere = false;
  let callOff = (): void => {};
  const close = (): void => {
    isOver = true;
    onEnd();
  };
  const end = (): void => {
    isEndedHere = true;
    process.kill();
    close();
  };
  /** Kills the process unless it gives a sign of life in time. */
  const watch = (ms: number): void => {
    callOff();
    callOff = clock.schedule(clock.now() + ms, end);
  };
  loading.promise.catch(() => {});
  process.listen((given) => {
    const message = given as ModelResponse;
    if ('ready' in message) loading.resolve();
    if ('refused' in message)
      loading.reject(
        message.refused.reason === 'memory' ? outOfMemory(memory) : createLoadError(model.manifest.id, message.refused),
      );
    if ('heard' in message) asked.get(message.id)?.resolve(message.heard);
    if ('failed' in message) {
      asked.get(message.id)?.reject(message.failed === 'memory' ? outOfMemory(memory) : crash());
      if (message.failed === 'memory') end();
    }
    if ('id' in message) asked.delete(message.id);
    const [next] = asked.values();
    if (next) watch(next.ms);
    else callOff();
  });
  void process.ended.then(({ signal }) => {
    // SIGKILL from outside: the system ran out of memory.
    const isKilled = signal === 'SIGKILL' && !isEndedHere;
    callOff();
    close();
    loading.reject(isKilled ? outOfMemory(memory) : endedWhileLoading(memory));
    for (const { reject } of asked.values()) reject(isKilled ? outOfMemory(memory) : crash());
    asked.clear();
  });
  watch(limit.loadMs);
  post({ load: { model, threads } });
  // If loading fails, the process is ended.
  loading.promise.catch(end);
  return {
    get pid() {
      return process.pid;
    },
    loaded: loading.promise,
    ended: process.ended,
    ask(question) {
      if (isOver) return Promise.reject(crash());
      const id = ++numbers;
      const answer = Promise.withResolvers<readonly DecodedTokens[]>();
      const ms = allowTime(question);
      if (asked.size === 0) watch(ms);
      asked.set(id, { ...answer, ms });
      post({ id, ...question });
      return answer.promise;
    },
    drop: (stream) => post({ drop: stream }),
    end,
  };
}

interface PendingQuestion extends PromiseWithResolvers<readonly DecodedTokens[]> {
  /** Time for its answer. */
  readonly ms: number;
}

/** A large model on a busy computer takes longer than the sound; its process is no hanging one. */
const allowTime = (question: Question): number =>
  'piece' in question ? Math.max(limit.signMs, (limit.secondMs * question.piece.length) / soundRate) : limit.signMs;

/** The process's module; `.ts` in the sources, `.js` in the build. */
const moduleOfProcess = (): URL => new URL(import.meta.url.replace(/running-model(\.\w+)$/, 'recogniser-process$1'));
