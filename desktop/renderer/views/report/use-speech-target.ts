/**
 * Decides which section receives the words of a dictation during recording. A person who enters another section may
 * only want to correct a word there, so the words follow at the next pause, or at once if a shortcut chose the section.
 */
import { effect } from '@preact/signals';
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { sentencePauseMs } from '../../../../src/domain/dictation/level.ts';
import type { Language } from '../../../../src/contract/shared.ts';
import type { ShownSection } from '../../../../src/reporting/live/hand-edits.ts';
import {
  nextPlace,
  nextTakePlace,
  placeAfterPause,
  targetAfterLast,
  targetAt,
} from '../../../../src/reporting/live/speech-targets.ts';
import type { SpeechPause } from '../../../../src/reporting/live/speech-targets.ts';
import type { Place } from '../../../../src/reporting/live/words.ts';
import type { LiveWords } from '../../../bridge/live.ts';
import type { TypedEdits } from '../../state/recorder/open-typed-edits.ts';
import { openRecorder } from '../../state/recorder/recorders.ts';
import { isReportWindow } from '../../state/route.ts';
import { fieldId, sectionChosen, showIn, speechReturned } from './keyboard-navigation.ts';
import { mounted } from '../../parts/mounted.ts';
import { useSpokenSelection } from './use-spoken-selection.ts';

/** A pending change of the target section. */
interface PendingChange {
  readonly field: HTMLTextAreaElement;
  readonly key: string;
  /** `null`: the person is still speaking. */
  readonly pause: SpeechPause | null;
  /** Number of phrases when the person entered the section. */
  readonly phrases: number;
}

/** The section that receives words now, with its words. */
interface CurrentTarget {
  readonly words: LiveWords;
  readonly shown: readonly ShownSection[];
  /** Key of the section that receives words. */
  readonly here: string | undefined;
}

export interface SpeechTargetChoice {
  /** Key of the section that receives words after the next pause. */
  readonly next: string | null;
  /** Key of the section that receives words, though none have arrived since the pause. */
  readonly here: string | undefined;
  /** The person placed the caret in the field. */
  aim(field: HTMLTextAreaElement): void;
}

const keyOf = (field: HTMLTextAreaElement): string | null =>
  field.closest('[data-section]')?.getAttribute('data-section') ?? null;

export function useSpeechTarget(
  standing: CurrentTarget,
  {
    writing,
    text,
    aimed,
    isRecorded,
    isOpen,
    language,
  }: {
    writing: TypedEdits;
    text: RefObject<HTMLElement | null>;
    /** Key of the section that the person entered before the take; absent: the words are shown next to a report. */
    aimed: RefObject<string | null> | undefined;
    isRecorded: boolean;
    isOpen: boolean;
    language: Language;
  },
): SpeechTargetChoice {
  const now = useRef(standing);
  now.current = standing;
  const [going, setGoing] = useState<PendingChange | null>(null);
  const latest = useRef(going);
  const go = (next: PendingChange | null): void => {
    latest.current = next;
    setGoing(next);
  };
  const move = (field: HTMLTextAreaElement, from: Place): void => {
    go(null);
    const key = keyOf(field);
    const section = now.current.shown.find((each) => each.key === key);
    selection.begin(field, from);
    if (section) writing.speakInto(now.current.words, targetAt(from, section, field.selectionStart));
  };
  /** After a pause the target changes once the words from before it have arrived. */
  const follow = (): void => {
    const { words, here } = now.current;
    const { field, key, pause = null, phrases = 0 } = latest.current ?? {};
    // The person named the section aloud.
    if (field && key === here && !selection.has(field)) return go(null);
    const from = pause ? placeAfterPause(words, words.phrases, pause) : undefined;
    if (field && from !== undefined) move(field, from);
    // The recorder is in the other window; a pause has been made once another phrase is complete.
    else if (field && isReportWindow.peek() && words.phrases.length > phrases) move(field, nextPlace(words));
  };

  const selection = useSpokenSelection(
    { ...standing, language },
    {
      text,
      isActive: isRecorded && isOpen && aimed !== undefined,
      select(field) {
        const key = keyOf(field);
        if (key !== null) go({ field, key, pause: null, phrases: now.current.words.phrases.length });
      },
    },
  );
  const itemId = standing.words.item_id;
  useLayoutEffect(() => {
    if (!isRecorded || !aimed) return undefined;
    return effect(() => {
      const { phase, take, listening } = openRecorder(itemId).state.value;
      if (phase !== 'recording' || !take || !latest.current || latest.current.pause) return;
      if (listening.pauseMs < sentencePauseMs) return;
      const spokenTo = listening.hasVoice ? take.captured - listening.pauseMs / 1000 : null;
      go({ ...latest.current, pause: { at: take.captured, spokenTo } });
      follow();
    });
  }, [isRecorded, itemId]);
  useLayoutEffect(follow, [standing.words, standing.here]);
  useLayoutEffect(() => {
    if (!isRecorded || !isOpen || !aimed) return undefined;
    const choose = ({ target }: Event): void => {
      if (target instanceof HTMLTextAreaElement) move(target, nextPlace(now.current.words));
    };
    const goOn = ({ target }: Event): void => {
      if (!(target instanceof HTMLTextAreaElement)) return;
      go(null);
      const { words, shown: sections } = now.current;
      const section = sections.find(({ key }) => key === keyOf(target));
      if (section) writing.speakInto(words, targetAfterLast(nextPlace(words), section));
    };
    const shown = mounted(text);
    shown.addEventListener(sectionChosen, choose);
    shown.addEventListener(speechReturned, goOn);
    return () => {
      shown.removeEventListener(sectionChosen, choose);
      shown.removeEventListener(speechReturned, goOn);
    };
  }, [isRecorded, isOpen]);
  // A take starts in the section where the person placed the caret before it started, or before the last one ended.
  useLayoutEffect(() => {
    if (!aimed) return;
    if (!isRecorded) {
      if (latest.current) aimed.current = latest.current.key;
      go(null);
      return;
    }
    const key = aimed.current;
    if (!isOpen || !key) return;
    aimed.current = null;
    const field = text.current?.querySelector(`#${CSS.escape(fieldId(key))}`);
    if (!(field instanceof HTMLTextAreaElement)) return;
    // This field replaces the one of the typed report.
    if (globalThis.document.activeElement === globalThis.document.body)
      showIn(field, field.value.length, field.value.length);
    const { words } = now.current;
    move(field, words.phrases.length > 0 ? nextPlace(words) : nextTakePlace(words));
  }, [isRecorded, isOpen]);

  return {
    next: going && !going.pause && going.key !== standing.here ? going.key : null,
    here: going?.pause ? going.key : standing.here,
    aim(field) {
      const key = keyOf(field);
      if (!isRecorded) {
        if (aimed) aimed.current = key;
      } else if (key === null || key === now.current.here) go(null);
      else if (latest.current?.key !== key) go({ field, key, pause: null, phrases: now.current.words.phrases.length });
    },
  };
}
