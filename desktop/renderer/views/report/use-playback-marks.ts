import { effect } from '@preact/signals';
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { TimedWord } from '../../../../src/reporting/versions/word-positions.ts';
import { onKey } from '../../state/keys.ts';
import type { OpenReport } from '../../state/report/document.ts';
import type { Listening } from '../../state/report/listening.ts';
import { highlightSpoken, findRange, findSelectedOffset } from './text-ranges.ts';
import { mounted } from '../../parts/mounted.ts';

/** The texts whose words are marked: `data-said-in` names the section, and is empty for the transcript. */
const textsIn = (page: HTMLElement): HTMLElement[] => [...page.querySelectorAll<HTMLElement>('[data-said-in]')];
const sectionOf = (text: HTMLElement): string => text.dataset['saidIn'] ?? '';

/** Marks the spoken word in the texts of a page, and plays from the word at the caret by a key. */
export function usePlaybackMarks(document: OpenReport): RefObject<HTMLDivElement | null> {
  const page = useRef<HTMLDivElement | null>(null);
  const listening = document.listening.value;
  useLayoutEffect(() => {
    if (!listening) return;
    let isFollowing = true;
    let frame = 0;
    const mark = (word: TimedWord | null): void => {
      const ranges = textsIn(mounted(page)).flatMap((text) => {
        const section = sectionOf(text);
        const spans =
          section === '' ? [word ?? []].flat() : (word?.places ?? []).filter((place) => place.section === section);
        return spans.flatMap((span) => findRange(text, span) ?? []);
      });
      highlightSpoken(ranges);
      const [first] = ranges;
      if (first && isFollowing) bringIntoView(mounted(page), first);
    };
    const end = effect(() => {
      const word = listening.word.value;
      // The words on the screen change after those of the report.
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => mark(word));
    });
    // A reader who scrolls away is not pulled back until the next playback.
    const leave = (): void => void (isFollowing = false);
    const follow = effect(() => void (listening.isPlaying.value && (isFollowing = true)));
    const element = mounted(page);
    for (const name of ['wheel', 'touchmove'] as const) element.addEventListener(name, leave, { passive: true });
    const endKey = onKey('listen', () => listenAtCaret(element, listening));
    return () => {
      end();
      follow();
      endKey();
      cancelAnimationFrame(frame);
      highlightSpoken([]);
      for (const name of ['wheel', 'touchmove'] as const) element.removeEventListener(name, leave);
    };
  }, [listening]);
  return page;
}

function bringIntoView(page: HTMLElement, range: Range): void {
  const [word, view] = [range.getBoundingClientRect(), page.getBoundingClientRect()];
  // A collapsed text has no position.
  if (word.height === 0 || (word.top >= view.top && word.bottom <= view.bottom)) return;
  page.scrollBy({ top: word.top - view.top - view.height / 3 });
}

/** Plays from the word at the caret or the selection; pauses playback; without either, resumes. */
function listenAtCaret(page: HTMLElement, listening: Listening): void {
  if (listening.isPlaying.peek()) return listening.pause();
  const field = window.document.activeElement;
  for (const text of textsIn(page)) {
    const isField = field instanceof HTMLTextAreaElement && text.parentElement === field.parentElement;
    const start = isField ? field.selectionStart : findSelectedOffset(text);
    if (start === undefined) continue;
    return hearAt(listening, sectionOf(text), start);
  }
  listening.toggle();
}

/** Plays from the word at this position of a section or of the transcript. */
export function hearAt(listening: Listening, section: string, start: number): void {
  if (section === '') listening.hearTranscript({ start, end: start });
  else listening.hearPlace({ section, start, end: start });
}
