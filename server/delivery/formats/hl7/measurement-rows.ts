/** The measurements of a report as observations: numbers, and codes of their place and side, with one OBX-4. */
import { normalForm } from '../../../../src/domain/normal-form.ts';
import type { Report } from '../../../../src/reporting/report-head.ts';
import { readMeasurements } from '../../../../src/reporting/report-measurements.ts';
import { codeMeasurement, findingConcepts } from '../measurement-codes.ts';
import type { Concept } from '../measurement-codes.ts';
import type { Field } from './segments.ts';

interface Row {
  readonly type: 'NM' | 'CWE';
  readonly identifier: Field;
  readonly value: Field;
  readonly sub: string;
  readonly unit?: Field;
  readonly notes?: readonly string[];
}

const coded = ({ code, meaning, system }: Concept): Field => [code, meaning, system];

/** OBX-4 counts the measurements; of several axes each has its own number after a full stop. */
export function measurementRows({ record }: Report): readonly Row[] {
  let count = 0;
  return record.sections.flatMap((section) => {
    const sentences = readMeasurements(section, record.language);
    const text = sentences.length === 0 ? '' : normalForm(section.text);
    return sentences.flatMap(({ start, end, measurements }) => {
      const sentence = text.slice(start, end);
      return measurements.flatMap((measurement): Row[] => {
        const known = codeMeasurement(measurement);
        if (!known) return [];
        count += 1;
        const sub = String(count);
        const numbers = known.values.map((value, axis): Row => ({
          type: 'NM',
          identifier: coded(known.quantity),
          value,
          sub: known.values.length === 1 ? sub : `${sub}.${axis + 1}`,
          unit: coded(known.unit),
          ...(axis === 0 && { notes: [sentence] }),
        }));
        const modifiers = [
          { concept: findingConcepts.site, value: known.site },
          { concept: findingConcepts.side, value: known.side },
        ].flatMap(({ concept, value }): Row[] =>
          value ? [{ type: 'CWE', identifier: coded(concept), value: coded(value), sub }] : [],
        );
        return [...numbers, ...modifiers];
      });
    });
  });
}
