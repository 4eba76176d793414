/** Opens the spelling thread. */
import type { Section } from '../../../../src/contract/document.ts';
import type { Place } from '../../../../src/reporting/versions/word-positions.ts';

export interface SpellingQuestion {
  /** Address of the dictionary. */
  readonly address: string;
  /** Texts whose words are correct; absent: the previous ones. */
  readonly known?: readonly string[];
  readonly sections?: readonly Pick<Section, 'key' | 'text'>[];
  /** A word to suggest corrections for; absent: none. */
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

/** Answers arrive in the order of the requests. A thread that fails to start never answers. */
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
