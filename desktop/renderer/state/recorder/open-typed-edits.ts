/**
 * Typed edits to the words of dictations, keyed by dictation. Separate from the code that makes them, which the list
 * need not load.
 */
import type { ReadonlySignal } from '@preact/signals';
import type { Section } from '../../../../src/contract/document.ts';
import type { HandEdit } from '../../../../src/reporting/live/hand-edits.ts';
import type { SpeechTarget } from '../../../../src/reporting/live/speech-targets.ts';
import type { Splice } from '../../../../src/reporting/live/typing.ts';
import type { LiveWords } from '../../../bridge/live.ts';

export interface TypedEdits {
  /** `null`: earlier edits have not been read yet. */
  readonly edits: ReadonlySignal<readonly HandEdit[] | null>;
  /** Where the person directed the next spoken words, in order. */
  readonly wishes: ReadonlySignal<readonly SpeechTarget[]>;
  /** Directs the words spoken from now on to the target. */
  speakInto(words: LiveWords, wish: SpeechTarget): void;
  /** The person types in the section, over these words. */
  type(words: LiveWords, key: string, splice: Splice): void;
  /** Takes over sections that the person typed before speaking. */
  adopt(words: LiveWords, sections: readonly Section[]): void;
  /** Undoes the last edit in the section; words recognised since stay. `false`: there is nothing to undo. */
  undo(words: LiveWords, key: string): boolean;
  redo(words: LiveWords, key: string): boolean;
  /** Stores the words as they are now, if any of them was edited. */
  keep(words: LiveWords): void;
  close(): void;
}

const all = new Map<string, TypedEdits>();

/** The edits of the dictation, created if needed. They exist until the dictation is a report or the login ends. */
export function openTypedEdits(dictation: string, make: () => TypedEdits): TypedEdits {
  const known = all.get(dictation);
  if (known) return known;
  const made = make();
  all.set(dictation, made);
  return made;
}

export const keepTypedEdits = (words: LiveWords): void => all.get(words.id)?.keep(words);

export function forgetTypedEdits(dictation: string): void {
  all.get(dictation)?.close();
  all.delete(dictation);
}

export function forgetAllTypedEdits(): void {
  for (const id of all.keys()) forgetTypedEdits(id);
}
