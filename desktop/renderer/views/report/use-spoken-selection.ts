/** Words that a person selected in a report during its dictation: what they say next replaces them, as typing does. */
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { matchCommand } from '../../../../src/domain/voice-commands.ts';
import type { Language } from '../../../../src/contract/shared.ts';
import type { ShownSection } from '../../../../src/reporting/live/hand-edits.ts';
import { nextPlace } from '../../../../src/reporting/live/speech-targets.ts';
import type { Place } from '../../../../src/reporting/live/words.ts';
import type { LiveWords } from '../../../bridge/live.ts';
import { mounted } from '../../parts/mounted.ts';
import { replaceText } from './fill-fields.ts';

interface Selection {
  readonly field: HTMLTextAreaElement;
  readonly text: string;
  /** The speech from there on replaces the words; `undefined`: the dictation has not reached them yet. */
  readonly from: Place | undefined;
}

export interface SpokenSelection {
  /** Whether words of the field are selected. */
  has(field: HTMLTextAreaElement): boolean;
  /** The speech from this place on goes to the field. */
  begin(field: HTMLTextAreaElement, from: Place): void;
}

const readSelection = ({ value, selectionStart, selectionEnd }: HTMLTextAreaElement): string =>
  value.slice(selectionStart, selectionEnd);

/** `select`: the person selected words of a field. */
export function useSpokenSelection(
  { words, shown, language }: { words: LiveWords; shown: readonly ShownSection[]; language: Language },
  {
    text,
    isActive,
    select,
  }: {
    text: RefObject<HTMLElement | null>;
    isActive: boolean;
    select: (field: HTMLTextAreaElement) => void;
  },
): SpokenSelection {
  const selected = useRef<Selection | null>(null);
  const chosen = useRef(select);
  chosen.current = select;
  useLayoutEffect(() => {
    if (!isActive) return undefined;
    const look = (): void => {
      const field = globalThis.document.activeElement;
      if (!(field instanceof HTMLTextAreaElement) || !mounted(text).contains(field)) return;
      const now = readSelection(field);
      // Words that arrive move the selection, and are no choice of the person.
      if (now === (selected.current?.field === field ? selected.current.text : '')) return;
      selected.current = now.trim() === '' ? null : { field, text: now, from: undefined };
      if (selected.current) chosen.current(field);
    };
    globalThis.document.addEventListener('selectionchange', look);
    return () => {
      globalThis.document.removeEventListener('selectionchange', look);
      selected.current = null;
    };
  }, [isActive]);
  useLayoutEffect(() => {
    const { field, text: chosenText, from } = selected.current ?? {};
    if (!field || from === undefined) return;
    const section = shown.find(({ key }) => key === field.closest('[data-section]')?.getAttribute('data-section'));
    // Words that may still change are at negative places.
    const isSaid = section?.units.some(({ heard }) => heard.some((part) => part.from >= from)) === true;
    if (!isSaid) return;
    // A command is about the selection, and is left out.
    if (matchCommand(words.latest, language)) {
      selected.current = { field, text: chosenText ?? '', from: nextPlace(words) };
      return;
    }
    selected.current = null;
    if (readSelection(field) !== chosenText) return;
    // The words that were said bring their own space.
    const { value, selectionStart: start, selectionEnd: end } = field;
    replaceText(field, value[start - 1] === ' ' ? start - 1 : start, end, '');
  }, [words, shown]);
  return {
    has: (field) => selected.current?.field === field,
    begin(field, from) {
      if (selected.current?.field === field) selected.current = { ...selected.current, from };
    },
  };
}
