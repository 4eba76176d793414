/** The measurements of a report, each once: those of its text, and those that a viewer brought. */
import type { Measurement } from '../../../../src/contract/measurement.ts';
import { normalForm } from '../../../../src/domain/normal-form.ts';
import { measurementFigure } from '../../../../src/reporting/measurement-text.ts';
import type { Report } from '../../../../src/reporting/report-head.ts';
import { readMeasurements } from '../../../../src/reporting/report-measurements.ts';
import type { ReportMeasurement } from '../../../../src/reporting/report-measurements.ts';
import type { PlacedMeasurement } from '../../../../src/reporting/versions/measurements.ts';
import { findDesignator } from './coding-schemes.ts';
import { codeMeasurement, codePlace, codeUnit } from '../measurement-codes.ts';
import type { CodedMeasurement, Concept } from '../measurement-codes.ts';
import { fits } from './values.ts';

export interface MeasuredValue {
  readonly quantity: Concept;
  /** At most 16 characters. */
  readonly value: string;
  readonly unit: Concept;
}

export interface MeasurementGroup extends Pick<CodedMeasurement, 'site' | 'finding' | 'side'> {
  /** Its name, unique in the report; it stays as long as the measurement does. */
  readonly name: string;
  readonly values: readonly MeasuredValue[];
  /** The sentence that says it. Absent: it says it in words that are not read. */
  readonly sentence?: string;
  readonly viewer?: Measurement;
}

/** In the order of the report. Leaves out values without a known unit. */
export function listMeasurementGroups({
  record,
  measurements = [],
}: Pick<Report, 'record' | 'measurements'>): MeasurementGroup[] {
  const names = new Map<string, number>();
  /** Equal measurements of a section are counted. */
  const distinguish = (name: string): string => {
    const count = (names.get(name) ?? 0) + 1;
    names.set(name, count);
    return count === 1 ? name : `${name} (${count})`;
  };
  return record.sections.flatMap((section) => {
    const text = normalForm(section.text);
    const read = readMeasurements(section, record.language).flatMap(({ start, end, measurements: all }) =>
      all.map((each) => ({ each, sentence: text.slice(start, end) })),
    );
    // Places of the viewer's words are those of the text, and places of measurements those of its normal form.
    const placed = measurements.filter((each) => each.section === section.key);
    const isSame = text === section.text;
    const overlaps = (words: PlacedMeasurement, { start, end }: ReportMeasurement): boolean =>
      isSame && words.place.start < end && words.place.end > start;
    const ofViewer = placed.flatMap((words) => {
      const group = readViewer(
        words,
        read.find(({ each }) => overlaps(words, each)),
      );
      return group ? [{ at: words.place.start, words, group }] : [];
    });
    const ofText = read.flatMap(({ each, sentence }) => {
      const coded = ofViewer.some(({ words }) => overlaps(words, each)) ? undefined : codeMeasurement(each);
      if (!coded) return [];
      const { values, quantity, unit, ...where } = coded;
      const name = `${section.key} ${values.join(' x ')} ${unit.code}`;
      const group = { name, values: values.map((value) => ({ quantity, value, unit })), sentence, ...where };
      return [{ at: each.start, group }];
    });
    return [...ofViewer, ...ofText]
      .toSorted((a, b) => a.at - b.at)
      .map(({ group }) => ({ ...group, name: distinguish(group.name) }));
  });
}

function readViewer(
  { viewer }: PlacedMeasurement,
  read: { readonly each: ReportMeasurement; readonly sentence: string } | undefined,
): MeasurementGroup | undefined {
  const values = viewer.values.flatMap((value) => readValue(value, viewer) ?? []);
  if (values.length === 0) return undefined;
  const { site, ...where } = codePlace({ side: read?.each.side, measured: read?.each.measured });
  const measuredAt = findConcept(viewer.sites) ?? site;
  return {
    name: viewer.id,
    values,
    viewer,
    ...(read && { sentence: read.sentence }),
    ...where,
    ...(measuredAt && { site: measuredAt }),
  };
}

/** The figure that the text has: it was signed. */
function readValue(value: Measurement['values'][number], { codes, title }: Measurement): MeasuredValue | undefined {
  const figure = measurementFigure(value, 'en-US');
  const known = codeUnit(value.unit);
  const unit =
    known?.unit ??
    (value.code === undefined || !fits(value.code, 64)
      ? undefined
      : { system: 'UCUM', code: value.code, meaning: value.unit });
  if (!unit || figure.length > 16) return undefined;
  const named = value.title ?? title;
  const quantity =
    findConcept(value.codes) ??
    findConcept(codes) ??
    known?.quantity ??
    ({ system: '99LAUDIO', code: 'measurement', meaning: named ?? 'Measurement' } as const);
  return { quantity, value: figure, unit };
}

/** DCM: a group of measurements, which names none of them. */
const measurementGroup = '125007';

/** The first code of a system that DICOM lists. */
function findConcept(codes: Measurement['codes'] = []): Concept | undefined {
  for (const { code, system: name = '', display } of codes) {
    const system = findDesignator(name);
    if (system !== undefined && code !== measurementGroup && fits(code, 64))
      return { system, code, meaning: display ?? code };
  }
  return undefined;
}
