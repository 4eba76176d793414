/** What was changed by hand in the words of dictations, by dictation: without the code that changes it, which the list need not load. */
import type { ReadonlySignal } from '@preact/signals';
import type { Section } from '../../../../src/contract/document.ts';
import type { HandEdit } from '../../../../src/reporting/live/hand-edits.ts';
import type { SpeechTarget } from '../../../../src/reporting/live/speech-targets.ts';
import type { Splice } from '../../../../src/reporting/live/typing.ts';
import type { LiveWords } from '../../../bridge/live.ts';

export interface HandWriting {
  /** `null`: what was typed before has not been read yet. */
  readonly edits: ReadonlySignal<readonly HandEdit[] | null>;
  /** Where the person wanted the words that were spoken next, in the order in which they wished. */
  readonly wishes: ReadonlySignal<readonly SpeechTarget[]>;
  /** What is said from now on goes where the wish says. */
  speakInto(words: LiveWords, wish: SpeechTarget): void;
  /** The person types in the section, over these words. */
  type(words: LiveWords, key: string, splice: Splice): void;
  /** The person typed these sections before anybody spoke. */
  adopt(words: LiveWords, sections: readonly Section[]): void;
  /** Takes back the last that was typed in the section; words that came since then stay. `false`: nothing was typed. */
  undo(words: LiveWords, key: string): boolean;
  redo(words: LiveWords, key: string): boolean;
  /** Stores the words as they are now, if any of them was changed by hand. */
  keep(words: LiveWords): void;
  close(): void;
}

const all = new Map<string, HandWriting>();

/** That of the dictation, made if there is none; it exists until the dictation is a report, or the login ends. */
export function openHandWriting(dictation: string, make: () => HandWriting): HandWriting {
  const known = all.get(dictation);
  if (known) return known;
  const made = make();
  all.set(dictation, made);
  return made;
}

export const keepHandWriting = (words: LiveWords): void => all.get(words.id)?.keep(words);

export function forgetHandWriting(dictation: string): void {
  all.get(dictation)?.close();
  all.delete(dictation);
}

export function forgetAllHandWriting(): void {
  for (const id of all.keys()) forgetHandWriting(id);
}
