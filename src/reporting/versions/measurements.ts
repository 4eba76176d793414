/** The measurements of a viewer that a report has, as they came. */
import type { Measurement } from '../../contract/measurement.ts';
import type { Span } from '../words/token.ts';
import type { TracedReport } from './edits.ts';

/** A measurement with the words that it brought. */
export interface MeasuredWords {
  readonly viewer: Measurement;
  readonly section: string;
  readonly text: string;
  /** Where they are; `null`: a person changed or removed them, and they are no longer the viewer's. */
  readonly place: Span | null;
}

/** Each measurement once: where its words are unchanged, or else its last ones. */
export function findMeasuredWords({ sections, provenance: { words, operations } }: TracedReport): MeasuredWords[] {
  const found = new Map<string, MeasuredWords>();
  for (const { id, viewer, target, after: text } of operations) {
    if (!viewer) continue;
    const runs = words.filter(({ operation }) => operation === id);
    const [first, last] = [runs[0], runs.at(-1)];
    const section = first?.section ?? target?.section ?? '';
    const place = first && last ? { start: first.start, end: last.end } : null;
    const written = place && sections.find(({ key }) => key === section)?.text.slice(place.start, place.end);
    const isUnchanged = written === text;
    if (isUnchanged || !found.get(viewer.id)?.place)
      found.set(viewer.id, { viewer, section, text, place: isUnchanged ? place : null });
  }
  return [...found.values()];
}

/** A measurement whose words are unchanged, and where they are. */
export type PlacedMeasurement = MeasuredWords & { readonly place: Span };

export const listMeasurements = (report: TracedReport): PlacedMeasurement[] =>
  findMeasuredWords(report).flatMap((words) => (words.place ? { ...words, place: words.place } : []));
