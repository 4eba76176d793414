/** Opens the thread in which words are looked up. */
import type { Section } from '../../../../src/contract/document.ts';
import type { Place } from '../../../../src/reporting/versions/word-positions.ts';

export interface SpellingQuestion {
  /** Of the dictionary. */
  readonly address: string;
  /** Texts whose words are right; absent: those that were sent last. */
  readonly known?: readonly string[];
  readonly sections?: readonly Pick<Section, 'key' | 'text'>[];
  /** Absent: no suggestions are wanted. */
  readonly word?: string;
}

export interface SpellingAnswer {
  readonly misspelt: readonly Place[];
  readonly suggestions: readonly string[];
}

export interface SpellingThread {
  ask(question: SpellingQuestion): Promise<SpellingAnswer>;
  close(): void;
}

/** Answers come in the order of the questions. A thread that cannot be had never answers. */
export function openSpellingThread(): SpellingThread {
  const worker = new Worker(new URL('./spelling-worker.ts', import.meta.url), { type: 'module' });
  const waiting: ((answer: SpellingAnswer) => void)[] = [];
  worker.addEventListener('message', ({ data }: MessageEvent<SpellingAnswer>) => waiting.shift()?.(data));
  return {
    ask: (question) =>
      new Promise((resolve) => {
        waiting.push(resolve);
        worker.postMessage(question);
      }),
    close: () => worker.terminate(),
  };
}
