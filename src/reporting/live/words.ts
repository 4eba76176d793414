/** The words of a report while somebody dictates it, each with what was heard for it. */
import { tokensOf } from '../words/token.ts';
import type { Span } from '../words/token.ts';

/**
 * Names a character of what was heard, for good: whatever is heard later, and wherever its sound is moved to. Below 0 where
 * what was heard may still change.
 */
export type Place = number;

/** From `from` up to, not including, `to`. */
export interface Places {
  readonly from: Place;
  readonly to: Place;
}

/** What was heard without a gap. */
export interface HeardPart {
  readonly from: Place;
  readonly text: string;
}

/** Words of a section that were heard: as they stand there, from the place `from` on, or together for the parts `heard`. */
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
  /** What was heard of the sound as it is now, whether or not it stands in a section. */
  readonly heard: readonly Places[];
}

/** A word, or words that were written together for what was heard: a number with its unit, an autotext. */
export interface Unit {
  /** What stands between the word before and this one. */
  readonly gap: string;
  readonly text: string;
  readonly heard: readonly HeardPart[];
}

/** More than anybody says in one stretch of sound. */
export const placesOfStretch = 100_000_000;
/** The place of the first character of what is being said. */
export const partialPlaces: Place = -placesOfStretch;

export const placesOf = ({ from, text }: HeardPart): Places => ({ from, to: from + text.length });
export const overlap = (a: Places, b: Places): boolean => a.from < b.to && b.from < a.to;

/** Whether the word may still change. */
export const isPartial = ({ heard }: Pick<Unit, 'heard'>): boolean => heard.some(({ from }) => from < 0);

/** The section as its words; `tail` stands after the last one. */
export function unitsOf({ text, runs }: LiveSection): { readonly units: Unit[]; readonly tail: string } {
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
    for (const { kind, start, end: last } of tokensOf(text.slice(run.start, run.end))) {
      if (kind !== 'word' && kind !== 'figure') continue;
      const span = { start: run.start + start, end: run.start + last };
      add(span, [{ from: run.from + start, text: text.slice(span.start, span.end) }]);
    }
  }
  return { units, tail: text.slice(end) };
}

/** What was heard for the word, as it was said. */
export const asSaid = ({ gap, heard }: Unit): Unit[] =>
  heard
    .flatMap(({ from, text }) =>
      Array.from(text.matchAll(/\S+/gu), ({ 0: word, index }): HeardPart => ({ from: from + index, text: word })),
    )
    .map((part, at) => ({ gap: at === 0 ? gap : ' ', text: part.text, heard: [part] }));

/** The sections with those of `all` that nobody has spoken into, in the order of `all`; what `all` lacks keeps its place. */
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
