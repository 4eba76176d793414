/** The measurements of a viewer that a report has, as they came. */
import type { Measurement } from '../../contract/measurement.ts';
import type { TracedReport } from './edits.ts';

/** Those whose words are unchanged; a measurement that a person changed is theirs, and no longer the viewer's. */
export function listMeasurements({ sections, provenance: { words, operations } }: TracedReport): Measurement[] {
  return operations.flatMap(({ id, viewer, after }) => {
    const runs = words.filter(({ operation }) => operation === id);
    const [first, last] = [runs[0], runs.at(-1)];
    if (!viewer || !first || !last) return [];
    const text = sections.find(({ key }) => key === first.section)?.text.slice(first.start, last.end);
    return text === after ? [viewer] : [];
  });
}
