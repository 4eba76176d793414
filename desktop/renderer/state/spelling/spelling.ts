/**
 * The words of a report that no dictionary contains. A separate thread looks them up after a pause in typing: no key
 * waits for it, and half-typed words are not marked.
 */
import { computed, effect, signal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import type { Section } from '../../../../src/contract/document.ts';
import type { Language } from '../../../../src/contract/shared.ts';
import type { Clock } from '../../../../src/domain/clock.ts';
import type { Place } from '../../../../src/reporting/versions/word-positions.ts';
import { moveCaret } from '../report/caret.ts';
import { dictionaryOf } from './dictionaries.ts';
import type { SpellingThread } from './spelling-thread.ts';

/** Length of the pause, in ms. */
const pauseMs = 500;

export interface SpellingDeps {
  readonly clock: Clock;
  /** The text of the report on the screen. */
  readonly sections: ReadonlySignal<readonly Section[]>;
  /**
   * Language of the report; `null`: nothing is checked, since there is no report, it can't be edited, or the check is
   * off.
   */
  readonly language: ReadonlySignal<Language | null>;
  /** Texts whose words are correct: names, the vocabulary, templates, the dictation. */
  readonly known: ReadonlySignal<readonly string[]>;
  readonly open: () => SpellingThread;
}

export interface Spelling {
  /** Whether a dictionary checks the words, so that the browser need not. */
  readonly isOn: ReadonlySignal<boolean>;
  readonly misspelt: ReadonlySignal<readonly Place[]>;
  suggest(word: string): Promise<readonly string[]>;
  close(): void;
}

export function followSpelling({ clock, sections, language, known, open }: SpellingDeps): Spelling {
  const address = computed(() => (language.value === null ? null : dictionaryOf(language.value)));
  const answer = signal<{ readonly of: readonly Section[]; readonly misspelt: readonly Place[] } | null>(null);
  let thread: SpellingThread | undefined;
  let asks = 0;
  /** The texts sent last. */
  let sent: readonly string[] | null = null;
  const ask = async (from: string, of: readonly Section[], right: readonly string[]): Promise<void> => {
    const turn = ++asks;
    thread ??= open();
    const fresh = sent === right ? {} : { known: right };
    sent = right;
    const texts = of.map(({ key, text }) => ({ key, text }));
    const { misspelt } = await thread.ask({ address: from, ...fresh, sections: texts });
    if (turn === asks) answer.value = { of, misspelt };
  };
  const endAsking = effect(() => {
    const [from, of, right] = [address.value, sections.value, known.value];
    if (from === null || of.length === 0) {
      asks += 1;
      answer.value = null;
      return undefined;
    }
    const isFirst = answer.peek() === null && asks === 0;
    return clock.schedule(clock.now() + (isFirst ? 0 : pauseMs), () => ask(from, of, right));
  });
  return {
    isOn: computed(() => address.value !== null),
    misspelt: computed(() => (answer.value ? carryOver(answer.value.misspelt, answer.value.of, sections.value) : [])),
    async suggest(word) {
      const from = address.peek();
      if (from === null) return [];
      thread ??= open();
      return (await thread.ask({ address: from, word })).suggestions;
    },
    close() {
      endAsking();
      thread?.close();
    },
  };
}

/** The current positions of the words, without those that were edited. */
function carryOver(found: readonly Place[], before: readonly Section[], now: readonly Section[]): readonly Place[] {
  if (before === now) return found;
  const textIn = (of: readonly Section[], section: string): string => of.find(({ key }) => key === section)?.text ?? '';
  return found.flatMap((place) => {
    const [was, is] = [textIn(before, place.section), textIn(now, place.section)];
    if (was === is) return place;
    const moved = {
      section: place.section,
      start: moveCaret(was, is, place.start),
      end: moveCaret(was, is, place.end),
    };
    const isBeside = /\p{L}/u.test((is[moved.start - 1] ?? '') + (is[moved.end] ?? ''));
    return !isBeside && is.slice(moved.start, moved.end) === was.slice(place.start, place.end) ? moved : [];
  });
}
