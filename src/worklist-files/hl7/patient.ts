/** What an ADT message changes of a patient (HL7 v2.5.1 chapter 3): facts, or which ids are one person. */
import { entryOf } from '../../domain/entry-of.ts';
import { fill, newDraft } from '../draft.ts';
import type { Mapping } from '../draft.ts';
import type { Times } from '../kinds.ts';
import { problem } from '../reading.ts';
import type { NamedPatient, PatientReading, Position, Reading } from '../reading.ts';
import { mergedMappings, patientMappings } from './fields.ts';
import type { Message, Segment } from './message.ts';
import { lookupIn } from './places.ts';

/** By trigger event: whether MRG names whose exams move. */
const events: Readonly<Record<string, 'changes' | 'merges'>> = {
  A08: 'changes',
  A31: 'changes',
  A18: 'merges',
  A30: 'merges',
  A34: 'merges',
  A36: 'merges',
  A39: 'merges',
  A40: 'merges',
  A47: 'merges',
};

const needed: ReadonlySet<string> = new Set(['patient_id']);

export function readPatients(
  message: Message,
  event: string,
  { position, times }: { position: Position; times: Times },
): readonly Reading[] {
  const kind = entryOf(events, event);
  if (!kind) {
    const named = /^\w{3}$/.test(event) ? ` (ADT^${event})` : '';
    const hint = `Of ADT, ${Object.keys(events).join(', ')} are read.`;
    return [problem(position, `It changes no patient${named}.`, hint, { place: 'MSH-9.2', isForeign: true })];
  }
  const groups = groupsOf(message.segments);
  if (groups.length === 0) return [problem(position, 'It names no patient (PID).', 'Is the message cut off?')];
  return groups.flatMap((segments) => {
    const told = named({ ...message, segments }, patientMappings, 'PID-3', { position, times });
    if (told.problem) return [told.problem];
    const common = { kind: 'patient' as const, event, patient: told.patient, position, ...warningsOf(told.warnings) };
    if (kind === 'changes') return [common];
    return mergesIn({ ...message, segments }, common, times);
  });
}

const warningsOf = (warnings: readonly string[]) => (warnings.length > 0 ? { warnings } : {});

/** A40 has a PID, and what belongs to it, for each of several patients. */
function groupsOf(segments: readonly Segment[]): Segment[][] {
  const groups: Segment[][] = [];
  for (const segment of segments) {
    if (segment.name === 'PID') groups.push([segment]);
    else groups.at(-1)?.push(segment);
  }
  return groups;
}

/** One reading for each MRG, and for each id in it. */
function mergesIn(message: Message, common: PatientReading, times: Times): readonly Reading[] {
  const { position } = common;
  const merges = message.segments.filter(({ name }) => name === 'MRG');
  if (merges.length === 0) {
    return [problem(position, 'It merges patients, but names no other (MRG).', 'MRG-1 holds the id that is given up.')];
  }
  return merges.flatMap((merge) =>
    (merge.fields[1] ?? '').split(message.separators.repetition).map((id): Reading => {
      const one = { ...merge, fields: merge.fields.with(Math.min(1, merge.fields.length - 1), id) };
      const told = named({ ...message, segments: [one] }, mergedMappings, 'MRG-1', { position, times });
      if (told.problem) return told.problem;
      const { patient_id, patient_id_issuer, patient_name } = told.patient;
      return {
        ...common,
        merged: { patient_id, ...(patient_id_issuer && { patient_id_issuer }), ...(patient_name && { patient_name }) },
      };
    }),
  );
}

type Told =
  | { readonly patient: NamedPatient; readonly warnings: readonly string[]; readonly problem?: undefined }
  | { readonly problem: Reading };

function named(
  message: Message,
  mappings: readonly Mapping[],
  place: string,
  { position, times }: { position: Position; times: Times },
): Told {
  const draft = newDraft(needed);
  fill(draft, mappings, lookupIn(message), times);
  if (draft.fault) return { problem: problem(position, draft.fault.message, draft.fault.hint, { place }) };
  const { patient_id_issuer: issuer } = draft.metadata;
  const patient = { ...draft.fields, ...(typeof issuer === 'string' && { patient_id_issuer: issuer }) };
  if (!isNamed(patient))
    return { problem: problem(position, `The patient has no id (${place}).`, undefined, { place }) };
  // A name is never deleted.
  const { patient_name, ...others } = patient;
  return { patient: patient_name ? patient : others, warnings: draft.warnings };
}

const isNamed = (patient: Readonly<Record<string, unknown>>): patient is Record<string, unknown> & NamedPatient =>
  typeof patient['patient_id'] === 'string' && patient['patient_id'] !== '';
