/** Decides where a measurement of the viewer goes: never over other words, and never twice. Pure data and functions. */
import type { BroughtText } from '../../../../src/contract/inserted-text.ts';
import type { Measurement } from '../../../../src/contract/measurement.ts';
import { addendumKey } from '../../../../src/domain/record-state.ts';
import { findMeasurementText, isWholeMeasurement } from '../../../../src/reporting/measurement-text.ts';
import type { MeasuredWords } from '../../../../src/reporting/versions/measurements.ts';

/** A text that can be edited. */
export interface OpenText {
  readonly section: string;
  readonly text: string;
}

export interface MeasurementPlace {
  readonly section: string;
  readonly start: number;
  readonly end: number;
}

/** The measurements in the words of an exam. */
export interface KnownMeasurements {
  /** In words that were put in since the last save, the newest last. */
  readonly unsaved: readonly BroughtText[];
  /** In the saved report. */
  readonly saved: readonly MeasuredWords[];
}

export type Placing =
  /** The words have these values. */
  | { readonly kind: 'known' }
  /** Nothing can be edited now. */
  | { readonly kind: 'wait' }
  /** The previous words are replaced. */
  | { readonly kind: 'correct'; readonly at: MeasurementPlace }
  /** A person changed or removed the previous words, so nobody can say what to replace. */
  | { readonly kind: 'changed'; readonly previous: string }
  | { readonly kind: 'insert' };

const sameValues = (a: Measurement | undefined, b: Measurement): boolean =>
  JSON.stringify(a?.values) === JSON.stringify(b.values);

/** The unsaved measurements without those that the report has: it says better where they are. */
export const withoutSaved = ({ unsaved, saved }: KnownMeasurements): readonly BroughtText[] =>
  unsaved.filter(({ viewer: own }) => saved.every(({ viewer }) => viewer.id !== own?.id || !sameValues(own, viewer)));

/** Without those whose words are in no text: their page ended before it had saved them. */
export const withoutLost = (known: KnownMeasurements, texts: readonly OpenText[]): KnownMeasurements => ({
  ...known,
  unsaved: known.unsaved.filter(({ text }) => texts.some((open) => findMeasurementText(open.text, text).length > 0)),
});

export function decidePlacing(measurement: Measurement, known: KnownMeasurements, texts: readonly OpenText[]): Placing {
  const { id } = measurement;
  const own = { saved: known.saved.find(({ viewer }) => viewer.id === id), unsaved: findUnsaved(known, id) };
  const previous = own.unsaved ?? own.saved;
  if (previous && sameValues(previous.viewer, measurement)) return { kind: 'known' };
  if (texts.length === 0) return { kind: 'wait' };
  // An addendum repeats what has changed since the signature.
  const isAddendum = texts.every(({ section }) => section === addendumKey);
  if (!previous || (isAddendum && previous.section !== addendumKey)) return { kind: 'insert' };
  const at = findMeasurement(id, known, texts);
  return at ? { kind: 'correct', at } : { kind: 'changed', previous: previous.text };
}

/** Where the words of a measurement are; `undefined`: nobody can say. */
export function findMeasurement(
  id: string,
  known: KnownMeasurements,
  texts: readonly OpenText[],
): MeasurementPlace | undefined {
  const saved = known.saved.find(({ viewer }) => viewer.id === id);
  const unsaved = findUnsaved(known, id);
  if (unsaved && unsaved.text !== saved?.text) return findUnsavedPlace(unsaved, texts);
  if (!saved?.place) return undefined;
  const { section, place, text } = saved;
  const open = texts.find((each) => each.section === section);
  const isThere = open?.text.slice(place.start, place.end) === text && isWholeMeasurement(open.text, place);
  return isThere ? { section, ...place } : undefined;
}

/** The words of a measurement that are still in the report, which may be signed. */
export function findWords(id: string, known: KnownMeasurements, texts: readonly OpenText[]): string | undefined {
  const place = findMeasurement(id, known, texts);
  const open = texts.find(({ section }) => section === place?.section);
  const saved = known.saved.find(({ viewer }) => viewer.id === id);
  return place ? open?.text.slice(place.start, place.end) : saved?.place ? saved.text : undefined;
}

const findUnsaved = ({ unsaved }: KnownMeasurements, id: string): BroughtText | undefined =>
  unsaved.findLast(({ viewer }) => viewer?.id === id);

/** The only place in its section, or else in all of them: a person may have moved the sentence. */
function findUnsavedPlace({ section, text }: BroughtText, texts: readonly OpenText[]): MeasurementPlace | undefined {
  const places = texts.flatMap((each) =>
    findMeasurementText(each.text, text).map((place) => ({ section: each.section, ...place })),
  );
  const near = places.filter((place) => place.section === section);
  const found = near.length === 0 ? places : near;
  return found.length === 1 ? found[0] : undefined;
}
