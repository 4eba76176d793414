/** The words of a report during its dictation, each with its heard parts. */
import { tokenise } from '../words/token.ts';
import type { Span } from '../words/token.ts';

/**
 * Identifies a character of the transcript for good: whatever is heard later, and wherever its sound is moved to.
 * Negative for speech that may still change.
 */
export type Place = number;

/** The range from `from` up to, not including, `to`. */
export interface Places {
  readonly from: Place;
  readonly to: Place;
}

/** Contiguous speech. */
export interface HeardPart {
  readonly from: Place;
  readonly text: string;
}

/** Dictated words of a section: as they were said, from the place `from` on, or jointly for the parts `heard`. */
export type LiveRun = Span & ({ readonly from: Place } | { readonly heard: readonly HeardPart[] });

export interface LiveSection {
  readonly key: string;
  readonly title: string;
  readonly text: string;
  /** In the order of the text. */
  readonly runs: readonly LiveRun[];
}

export interface LiveReport {
  readonly sections: readonly LiveSection[];
  /** The heard parts of the current sound, whether or not a section has them. */
  readonly heard: readonly Places[];
}

/** A word, or words that were written together: a number with its unit, an autotext. */
export interface Unit {
  /** The text between the word before and this one. */
  readonly gap: string;
  readonly text: string;
  readonly heard: readonly HeardPart[];
}

/** More characters than anybody says in one stretch of sound. */
export const placesOfStretch = 100_000_000;
/** The place of the first character of speech in progress. */
export const partialPlaces: Place = -placesOfStretch;

export const placesOf = ({ from, text }: HeardPart): Places => ({ from, to: from + text.length });
export const overlap = (a: Places, b: Places): boolean => a.from < b.to && b.from < a.to;

/** Whether the word may still change. */
export const isPartial = ({ heard }: Pick<Unit, 'heard'>): boolean => heard.some(({ from }) => from < 0);

/** The section as its words; `tail` is the text after the last one. */
export function splitUnits({ text, runs }: LiveSection): { readonly units: Unit[]; readonly tail: string } {
  const units: Unit[] = [];
  let end = 0;
  const add = (span: Span, heard: readonly HeardPart[]): void => {
    units.push({ gap: text.slice(end, span.start), text: text.slice(span.start, span.end), heard });
    end = span.end;
  };
  for (const run of runs) {
    if ('heard' in run) {
      add(run, run.heard);
      continue;
    }
    for (const { kind, start, end: last } of tokenise(text.slice(run.start, run.end))) {
      if (kind !== 'word' && kind !== 'figure') continue;
      const span = { start: run.start + start, end: run.start + last };
      add(span, [{ from: run.from + start, text: text.slice(span.start, span.end) }]);
    }
  }
  return { units, tail: text.slice(end) };
}

/** The heard parts of the word, as they were said. */
export const asSaid = ({ gap, heard }: Unit): Unit[] =>
  heard
    .flatMap(({ from, text }) =>
      Array.from(text.matchAll(/\S+/gu), ({ 0: word, index }): HeardPart => ({ from: from + index, text: word })),
    )
    .map((part, at) => ({ gap: at === 0 ? gap : ' ', text: part.text, heard: [part] }));

/** The sections, with those of `all` that have no dictated words, in the order of `all`; others keep their place. */
export function withEmpty<S extends LiveSection>(
  sections: readonly S[],
  all: readonly Pick<LiveSection, 'key' | 'title'>[],
): (S | { key: string; title: string; text: ''; runs: never[] })[] {
  const isIn = (list: readonly Pick<LiveSection, 'key'>[], key: string): boolean =>
    list.some((each) => each.key === key);
  const whole = all.map(
    ({ key, title }) => sections.find((each) => each.key === key) ?? { key, title, text: '' as const, runs: [] },
  );
  sections.forEach((section, at) => {
    if (isIn(all, section.key)) return;
    const before = sections.slice(0, at).findLast(({ key }) => isIn(whole, key));
    whole.splice(before ? whole.findIndex(({ key }) => key === before.key) + 1 : 0, 0, section);
  });
  return whole;
}
