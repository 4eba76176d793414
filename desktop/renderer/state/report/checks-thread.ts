/** Opens the thread in which drafts are checked. */
import type { CheckAnswer, CheckRequest } from './checker.ts';

export interface ChecksThread {
  ask(asked: CheckRequest): void;
  close(): void;
}

/** `onAnswer` is called once for each request, in order. A thread that fails to start answers nothing. */
export type OpenChecksThread = (onAnswer: (answered: CheckAnswer) => void) => ChecksThread;

export const openChecksThread: OpenChecksThread = (onAnswer) => {
  const worker = new Worker(new URL('./checks-worker.ts', import.meta.url), { type: 'module' });
  worker.addEventListener('message', ({ data }: MessageEvent<CheckAnswer>) => onAnswer(data));
  return { ask: (asked) => worker.postMessage(asked), close: () => worker.terminate() };
};
