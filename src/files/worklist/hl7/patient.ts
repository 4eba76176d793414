/** Reads changes of patients from ADT messages (HL7 v2.5.1 chapter 3): facts, or ids of the same person. */
import type { Message as TextMessage } from '../../../contract/messages/message.ts';
import { fileMessage } from '../../../contract/messages/files.ts';
import type { WorklistMapping } from '../../../contract/worklist-mapping.ts';
import { findEntry } from '../../../domain/find-entry.ts';
import { fill, newDraft } from '../draft.ts';
import type { Mapping } from '../draft.ts';
import type { Times } from '../kinds.ts';
import { problem } from '../reading.ts';
import type { NamedPatient, PatientReading, Position, Reading } from '../reading.ts';
import { mappedTable } from '../mapping.ts';
import type { PlaceOf } from '../mapping.ts';
import { patientMappings } from './fields.ts';
import { readComponent, readField } from './message.ts';
import type { Message, Segment } from './message.ts';
import { preferredId } from './patient-ids.ts';
import { normalisePlace, lookupIn } from './places.ts';
import { readStamp } from './stamp.ts';

/** Keys are trigger events; `merges` moves all exams of the patient in MRG, `moves` those of a visit. */
const events: Readonly<Record<string, 'changes' | 'merges' | 'moves'>> = {
  A08: 'changes',
  A31: 'changes',
  A18: 'merges',
  A30: 'merges',
  A34: 'merges',
  A36: 'merges',
  A39: 'merges',
  A40: 'merges',
  A42: 'moves',
  A43: 'merges',
  A44: 'moves',
  A45: 'moves',
  A47: 'merges',
};

const needed: ReadonlySet<string> = new Set(['patient_id']);

/** Where the facts of a patient stand, and those of the one whose data the patient of a merge takes over. */
export type PatientTables = Readonly<Record<keyof typeof patientMappings, readonly Mapping[]>>;

/** Fields of MRG that correspond to fields of PID. */
const formerly: Readonly<Record<string, string>> = {
  'PID-2': 'MRG-4',
  'PID-3': 'MRG-1',
  'PID-4': 'MRG-2',
  'PID-5': 'MRG-7',
  'PID-18': 'MRG-3',
};
const findMrgPlace: PlaceOf = (source, to) => {
  const [, field = '', component = ''] = /^(PID-\d+)(?:\[\d+\])?(.*)$/s.exec(normalisePlace(source, to) ?? '') ?? [];
  const mrgField = findEntry(formerly, field);
  return mrgField && mrgField + component;
};

/** The issuer of an id is in the field of the id: PID-3 does not say who issued an id that a mapping takes from elsewhere. */
export function withIssuerOfId(mapping: WorklistMapping | undefined): WorklistMapping | undefined {
  const { patient_id: ids = [], ...fields } = mapping?.fields ?? {};
  const [id] = [ids].flat().flatMap((place) => normalisePlace(place, 'patient_id') ?? []);
  if (!mapping || !id?.endsWith('.1') || Object.hasOwn(fields, issuerName)) return mapping;
  const field = id.slice(0, -1);
  const places = {
    [issuerName]: `${field}4`,
    'metadata.patient_id_system': `${field}4.2`,
    'metadata.patient_id_type': `${field}5`,
  };
  return { ...mapping, fields: { ...places, ...mapping.fields } };
}
const issuerName = 'metadata.patient_id_issuer';

/** A mapping says where the facts stand in orders, and so here; of what it presets, only the issuer is a patient's. */
export function patientTables(mapping: WorklistMapping | undefined): PatientTables {
  const mapped = (table: readonly Mapping[], placeOf: PlaceOf): readonly Mapping[] =>
    mappedTable(table, mapping, placeOf)
      .slice(0, table.length)
      .map(({ otherwise, ...row }) =>
        row.to === 'metadata.patient_id_issuer' && otherwise !== undefined ? { ...row, otherwise } : row,
      );
  return { PID: mapped(patientMappings.PID, normalisePlace), MRG: mapped(patientMappings.MRG, findMrgPlace) };
}

interface ReadingOf {
  readonly position: Position;
  readonly times: Times;
  readonly tables: PatientTables;
}

export function readPatients(message: Message, event: string, reading: ReadingOf): readonly Reading[] {
  const { position } = reading;
  const kind = findEntry(events, event);
  if (!kind) {
    const unchanged = /^\w{3}$/.test(event)
      ? fileMessage('no_change_by', { event: `ADT^${event}` })
      : fileMessage('no_change');
    const hint = fileMessage('adt_read', { events: Object.keys(events).join(', ') });
    return [problem(position, unchanged, hint, { place: 'MSH-9.2', isForeign: true })];
  }
  const groups = groupByPatient(message.segments);
  if (groups.length === 0) return [problem(position, fileMessage('no_patient'), fileMessage('message_cut'))];
  const made = readStamp(message, reading.times);
  return groups.flatMap((segments) => {
    const result = named({ ...message, segments }, 'PID', reading);
    if (result.problem) return [result.problem];
    const { patient } = result;
    const common = { kind: 'patient' as const, event, patient, stamp: made, position, ...warningsOf(result.warnings) };
    const group = { ...message, segments };
    if (kind === 'moves') return movesIn(group, common, reading);
    return kind === 'changes' ? [common] : mergesIn(group, common, reading);
  });
}

const warningsOf = (warnings: readonly TextMessage[]) => (warnings.length > 0 ? { warnings } : {});

/** A40 has a PID, and what belongs to it, for each of several patients. */
function groupByPatient(segments: readonly Segment[]): Segment[][] {
  const groups: Segment[][] = [];
  for (const segment of segments) {
    if (segment.name === 'PID') groups.push([segment]);
    else groups.at(-1)?.push(segment);
  }
  return groups;
}

/** One reading for each MRG, and for each id in it. */
function mergesIn(message: Message, common: PatientReading, reading: ReadingOf): readonly Reading[] {
  const { position } = common;
  const merges = message.segments.filter(({ name }) => name === 'MRG');
  if (merges.length === 0) {
    return [problem(position, fileMessage('no_merged'), fileMessage('merged_id'))];
  }
  const ids = idsByIssuer(message, reading);
  /** The patient by the id of the issuer whose other id is given up. */
  const knownBy = (issuer: string): NamedPatient => {
    const id = ids.get(issuer);
    return id ? { ...common.patient, patient_id: id, patient_id_issuer: issuer } : common.patient;
  };
  return merges.flatMap((merge) =>
    (merge.fields[1] ?? '').split(message.separators.repetition).map((id): Reading => {
      const one = { ...merge, fields: merge.fields.with(Math.min(1, merge.fields.length - 1), id) };
      const result = named({ ...message, segments: [one] }, 'MRG', reading);
      if (result.problem) return result.problem;
      const { patient_id, patient_id_issuer, patient_name } = result.patient;
      return {
        ...common,
        patient: patient_id_issuer ? knownBy(patient_id_issuer) : common.patient,
        merged: { patient_id, ...(patient_id_issuer && { patient_id_issuer }), ...(patient_name && { patient_name }) },
      };
    }),
  );
}

/** One reading for each MRG: the exams of its visit (MRG-5), or of its account (MRG-3), are of the patient, and of the visit that PV1 names. */
function movesIn(message: Message, common: PatientReading, reading: ReadingOf): readonly Reading[] {
  const { position } = common;
  const numberIn = (segment: Segment | undefined, field: number): string =>
    readComponent(readField(segment, field), 1, message);
  const visits = message.segments.find(({ name }) => name === 'PV1');
  const to = numberIn(visits, 19) || numberIn(message.segments[0], 18);
  const merges = message.segments.filter(({ name }) => name === 'MRG');
  if (merges.length === 0)
    return [problem(position, fileMessage('no_visit', { place: 'MRG' }), fileMessage('message_cut'))];
  return merges.map((merge): Reading => {
    const from = numberIn(merge, 5) || numberIn(merge, 3);
    if (from === '') {
      return problem(position, fileMessage('no_visit', { place: 'MRG-5' }), undefined, {
        place: 'MRG-5',
        fault: 'missing',
      });
    }
    const visit = { from, ...(to !== '' && { to }) };
    if (numberIn(merge, 1) === '' && numberIn(merge, 4) === '') return { ...common, visit };
    const result = named({ ...message, segments: [merge] }, 'MRG', reading);
    if (result.problem) return result.problem;
    const { patient_id, patient_id_issuer } = result.patient;
    return { ...common, visit, merged: { patient_id, ...(patient_id_issuer && { patient_id_issuer }) } };
  });
}

/** The ids in PID-3 by their issuers: a patient may have one of each of several hospitals. */
function idsByIssuer(message: Message, { tables }: ReadingOf): ReadonlyMap<string, string> {
  const { repetition } = message.separators;
  const row = tables.PID.find(({ to, from }) => to === 'patient_id' && from[0] === 'PID-3.1');
  const ids = row ? readField(message.segments[0], 3).split(repetition) : [];
  const issued = Map.groupBy(ids, (id) => readComponent(id, 4, message));
  return new Map(
    [...issued].map(([issuer, all]) => {
      const id = readComponent(preferredId(all.join(repetition), message), 1, message);
      const rewritten = row?.rewrite?.(id);
      return [issuer, rewritten && 'text' in rewritten ? rewritten.text : id];
    }),
  );
}

type PatientResult =
  | { readonly patient: NamedPatient; readonly warnings: readonly TextMessage[]; readonly problem?: undefined }
  | { readonly problem: Reading };

const idPlaces = { PID: 'PID-3', MRG: 'MRG-1' } as const;

function named(message: Message, segment: keyof PatientTables, { position, times, tables }: ReadingOf): PatientResult {
  const place = idPlaces[segment];
  const draft = newDraft(needed);
  fill(draft, tables[segment], lookupIn(message), times);
  if (draft.fault)
    return { problem: problem(position, draft.fault.message, draft.fault.hint, { place, fault: 'type' }) };
  const { patient_id_issuer: issuer } = draft.metadata;
  const patient = { ...draft.fields, ...(typeof issuer === 'string' && { patient_id_issuer: issuer }) };
  if (!isNamed(patient))
    return {
      problem: problem(position, fileMessage('no_patient_id', { place }), undefined, { place, fault: 'missing' }),
    };
  // A name is never deleted.
  const { patient_name, ...others } = patient;
  return { patient: patient_name ? patient : others, warnings: draft.warnings };
}

const isNamed = (patient: Readonly<Record<string, unknown>>): patient is Record<string, unknown> & NamedPatient =>
  typeof patient['patient_id'] === 'string' && patient['patient_id'] !== '';
