/**
 * Checks whose exam an item is. An item is refused if it names another patient than the exam that it matches, because
 * two patients under one accession number must never become one. A sender can request the change explicitly. See
 * patient-identity.ts.
 */
import type { FieldError } from '../../../src/contract/errors.ts';
import type { HistoryEntry, IngestOutcome, WorklistItemInput } from '../../../src/contract/worklist.ts';
import { ordersName } from '../../../src/domain/order-numbers.ts';
import { numbersAlone } from '../../../src/domain/orders.ts';
import { matchPatient, patientFields } from '../../../src/domain/patient-identity.ts';
import type { PatientField, PatientMatch } from '../../../src/domain/patient-identity.ts';
import { isLater } from '../../../src/domain/message-stamp.ts';
import type { MessageStamp } from '../../../src/domain/message-stamp.ts';
import type { Ids } from '../../storage/ids.ts';
import type { Documents } from '../../storage/collections.ts';
import type { Reader } from '../../storage/store.ts';
import { withNote } from '../check-item.ts';
import type { CheckedItem } from '../check-item.ts';
import { matchesAny, issuerIn, Patients } from './adt-patients.ts';
import type { Person, AdtPatient } from './adt-patients.ts';
import type { Arrival } from '../ingest/merge.ts';
import { ordersOf } from '../ingest/message-orders.ts';

type StoredItem = Documents['items'];
export type Warning = NonNullable<IngestOutcome['warnings']>[number];

export interface PatientVerdict {
  readonly problems: readonly FieldError[];
  /** The stored item to merge into, without the data of a previous patient. */
  readonly base: StoredItem;
  readonly warning: Warning | undefined;
  /** Why the item's patient data is ignored: the sender didn't know of a later change. */
  readonly ignoredBecause?: string;
}

const givenUp = 'The patient’s id was given up by a merge; the exam keeps the patient of the merge.';
const staying = 'The patient’s id was given up by a merge; the exam is of the patient who stays.';
const another = 'The patient’s id was given up by a merge, and is another person’s now: name and birth date differ.';
const outdated = 'A later message about the patient arrived before; the exam has its data.';

/** Fields that describe the patient but don't identify. */
const additionalFacts = ['patient_sex', 'patient_age'] as const;

/** The item's stamp, and what ADT says of its patient. */
interface PatientContext {
  readonly stamp: MessageStamp | undefined;
  readonly idHolder: AdtPatient | 'another' | undefined;
  readonly previousPatients: PreviousPatients;
}

/** Compares the patient of a stored exam with that of a matching item. Rarely reads a document. */
export async function checkPatient(
  reader: Reader,
  stored: StoredItem,
  sent: CheckedItem,
  { stamp, idHolder, previousPatients }: PatientContext,
): Promise<PatientVerdict> {
  // A field with an error is not compared.
  const isAtFault = sent.errors.some(({ field }) => (patientFields as readonly string[]).includes(field));
  const match = isAtFault ? samePatient : matchPatient(stored, sent.fields as WorklistItemInput);
  const isLate = stamp !== undefined && stored.patient_told !== undefined && isLater(stored.patient_told, stamp);
  const kept = { problems: none, base: stored, warning: undefined };
  if (match.patient === 'same')
    return isLate && !isAtFault && differsFrom(stored, sent) ? { ...kept, ignoredBecause: outdated } : kept;
  const isAsked = sent.instructions.accept_patient_change === true;
  // An order from before a merge doesn't name another patient.
  if (!isAsked) {
    const previous = await previousPatients.of(stored, sent);
    if (previous.some(({ isMerged }) => isMerged) && matchesAny([stored, ...previous], sent.fields as Person))
      return { ...kept, ignoredBecause: givenUp };
    if (idHolder !== 'another' && idHolder?.event !== undefined && isOfPatient(stored, idHolder))
      return { ...kept, ignoredBecause: givenUp };
    if (
      isLate &&
      (match.patient === 'corrected' || (previous.length > 0 && matchesAny(previous, sent.fields as Person)))
    )
      return { ...kept, ignoredBecause: outdated };
  }
  const isLeft =
    match.patient === 'another' && (await isLeftByMerge(reader, stored, sent, { match, previousPatients }));
  if (match.patient === 'corrected' || isLeft) {
    const differs = match.patient === 'corrected' ? match.fields : match.differs;
    const message = `The patient was corrected: ${differs.map((field) => fieldNames[field]).join(', ')}.`;
    return { problems: none, base: stored, warning: { code: 'PATIENT_CORRECTED', message } };
  }
  const problem =
    isAsked || isPlacedAnew(stored, sent)
      ? ((await checkSignedDocument(reader, stored)) ?? checkComplete(sent))
      : createMismatch(match.differs, stored, sent);
  if (problem) return { problems: [problem], base: stored, warning: undefined };
  const { patient_told: _, ...exam } = stored;
  const orders = numbersAlone(stored);
  const metadata = orders.length > 0 ? { [ordersName]: orders } : null;
  return {
    problems: none,
    base: { ...exam, patient_birth_date: null, patient_sex: null, patient_age: null, metadata },
    warning: {
      code: 'PATIENT_CHANGED',
      message: `${changed}; the data of the previous patient was removed.${warnInProgress(stored)}`,
    },
  };
}

/**
 * The order of a wrong patient was cancelled, and its number reused for the right one. If a report was begun, a person
 * has to decide, because it is about the previous patient.
 */
const isPlacedAnew = (stored: StoredItem, sent: CheckedItem): boolean =>
  stored.status === 'cancelled' &&
  stored.record_id === null &&
  (sent.order === 'placed' || ordersOf(sent)?.some(({ status }) => status === 'open') === true) &&
  checkComplete(sent) === undefined;

/** Whether name and birth date differ only because a merge changed just the id of an exam that was over. */
async function isLeftByMerge(
  reader: Reader,
  stored: StoredItem,
  { fields }: CheckedItem,
  { match, previousPatients }: { readonly match: AnotherPatient } & Pick<PatientContext, 'previousPatients'>,
): Promise<boolean> {
  const issuer = issuerIn(stored.metadata);
  // A cancellation has no issuer.
  const isOfOther = match.differs.includes('patient_id') || (issuerIn(fields['metadata']) ?? issuer) !== issuer;
  if (isOfOther || !(await previousPatients.isByMerge(stored))) return false;
  const identity = { patient_id: stored.patient_id, patient_id_issuer: issuer };
  const { facts } = (await new Patients(reader, stored.space).exactly(identity)) ?? {};
  return facts?.patient_name !== undefined && matchesAny([facts], fields as Person);
}

/** The history reason for a merged id (HL7 ADT^A40 and similar). */
export const mergeReason = (event: string): string => `${merged}${event}).`;
const merged = 'The patient’s ids were merged (ADT^';
const changed = 'The exam is another patient’s now';

/** Whether the item's patient data differs from the exam's. */
const differsFrom = (stored: StoredItem, { fields }: CheckedItem): boolean =>
  [...patientFields, ...additionalFacts].some((name) => fields[name] !== undefined && fields[name] !== stored[name]);

const isOfPatient = ({ patient_id, metadata }: StoredItem, { identity }: AdtPatient): boolean =>
  patient_id === identity.patient_id && issuerIn(metadata) === identity.patient_id_issuer;

type AnotherPatient = Extract<PatientMatch, { patient: 'another' }>;

interface PreviousPerson extends Person {
  /** The person's id was merged. */
  readonly isMerged: boolean;
}

/** Previous values in a history entry. */
type PreviousFacts = { readonly [Name in PatientField]?: string | null } & { readonly isMerged: boolean };

/** Previous patients of exams. A request reads the history of each exam once. */
export class PreviousPatients {
  readonly #reader: Reader;
  readonly #known = new Map<string, Promise<readonly PreviousFacts[]>>();

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  /** Previous people with the sent id. Some systems hear of a new id later than others. */
  async of(stored: StoredItem, { fields }: CheckedItem): Promise<PreviousPerson[]> {
    const persons: PreviousPerson[] = [];
    let { patient_id, patient_name, patient_birth_date }: Pick<StoredItem, PatientField> = stored;
    for (const { isMerged, ...before } of await this.#changesOf(stored)) {
      patient_id = before.patient_id ?? patient_id;
      patient_name = before.patient_name ?? patient_name;
      if (before.patient_birth_date !== undefined) patient_birth_date = before.patient_birth_date;
      if (patient_id === (fields['patient_id'] ?? patient_id))
        persons.push({ patient_name, patient_birth_date, isMerged });
    }
    return persons;
  }

  /** Whether the exam got its current patient id by a merge. */
  async isByMerge(stored: StoredItem): Promise<boolean> {
    const changes = await this.#changesOf(stored);
    return changes.find(({ patient_id: id }) => id !== undefined)?.isMerged ?? false;
  }

  #changesOf({ id }: StoredItem): Promise<readonly PreviousFacts[]> {
    const known = this.#known.get(id) ?? this.#read(id);
    this.#known.set(id, known);
    return known;
  }

  async #read(item: string): Promise<readonly PreviousFacts[]> {
    const all: PreviousFacts[] = [];
    for (const { reason, changes } of await this.#reader.find('history', { is: { item } })) {
      if (!changes) continue;
      // Earlier entries are about another patient.
      if (reason?.startsWith(changed)) break;
      if (changes.every(({ field }) => field === 'study_uid')) continue;
      const before: { readonly [Name in PatientField]?: string | null } = Object.fromEntries(
        changes.map((change) => [change.field, change.before]),
      );
      all.push({ ...before, isMerged: before.patient_id !== undefined && Boolean(reason?.startsWith(merged)) });
    }
    return all;
  }
}

/** Removes the patient from an item whose exam keeps its own. */
export function withoutPatient(sent: CheckedItem, stored: StoredItem, why: string): CheckedItem {
  const { patient_id: _, patient_name, patient_birth_date, patient_sex, patient_age, ...fields } = sent.fields;
  // Metadata that replaces the stored one keeps the current issuer.
  const issuer = issuerIn(fields['metadata']) === null ? null : issuerIn(stored.metadata);
  return withNote({ ...sent, fields: withIssuer(fields, issuer ?? undefined) }, why);
}

/** Gives the item the ADT patient: the current holder of the id, with the latest facts. */
export function withAdtPatient(sent: CheckedItem, idHolder: AdtPatient | 'another'): CheckedItem {
  if (idHolder === 'another') return withNote(sent, another);
  const { identity, facts, stamp, event } = idHolder;
  const { patient_age: age, ...fields } = sent.fields;
  const { resources: _, ...item } = sent;
  const isMerged = event !== undefined;
  const described = { ...fields, ...(!isMerged && age !== undefined && { patient_age: age }), ...facts };
  return withNote(
    {
      // FHIR resources of a merged id may be outdated.
      ...(isMerged ? item : sent),
      fields: isMerged
        ? withIssuer({ ...described, patient_id: identity.patient_id }, identity.patient_id_issuer ?? undefined)
        : described,
      patient_told: stamp,
    },
    isMerged ? staying : outdated,
  );
}

function withIssuer(fields: CheckedItem['fields'], issuer: string | undefined): CheckedItem['fields'] {
  const given = (fields['metadata'] ?? {}) as Record<string, unknown>;
  // System and type belong to the id that was given up.
  const { patient_id_issuer: _, patient_id_system: _system, patient_id_type: _type, ...metadata } = given;
  if (issuer !== undefined) return { ...fields, metadata: { ...metadata, patient_id_issuer: issuer } };
  return fields['metadata'] === undefined ? fields : { ...fields, metadata };
}

/** Stamps the patient of an item. */
export function withPatientStamp(
  sent: CheckedItem,
  stamp: MessageStamp | undefined,
  stored: StoredItem | undefined,
): CheckedItem {
  if (!stamp || sent.patient_told || sent.fields['patient_id'] === undefined) return sent;
  return stored?.patient_told && isLater(stored.patient_told, stamp) ? sent : { ...sent, patient_told: stamp };
}

/** The history entry of a new exam whose patient differs from the sender's. */
export function createAdtEntry(
  ids: Ids,
  received: CheckedItem,
  item: StoredItem,
  { event }: AdtPatient,
  arrival: Arrival,
): ReturnType<typeof createPatientEntry> {
  const named = Object.fromEntries(
    [...patientFields, ...additionalFacts].map((field) => [field, received.fields[field] ?? null]),
  );
  const message = event === undefined ? outdated : mergeReason(event);
  return createPatientEntry(ids, { ...item, ...named }, item, { code: 'PATIENT_CORRECTED', message }, arrival);
}

/** Warns if somebody already works with the previous patient's data. */
function warnInProgress({ record_id, status }: StoredItem): string {
  if (record_id !== null) return ' The exam has a draft: check whose it is.';
  return status === 'in_progress' ? ' Somebody is reporting on the exam: tell them.' : '';
}

const none: readonly FieldError[] = [];
const samePatient = { patient: 'same' } as const;

const fieldNames: Readonly<Record<PatientField, string>> = {
  patient_id: 'id',
  patient_name: 'name',
  patient_birth_date: 'birth date',
};

function createMismatch(
  differs: readonly [PatientField, ...PatientField[]],
  stored: StoredItem,
  { fields }: CheckedItem,
): FieldError {
  const others =
    differs.length > 1
      ? `${differs.map((field) => fieldNames[field]).join(' and ')} differ`
      : `the id differs${formatDifference(stored.patient_id, String(fields['patient_id']))}, and name and birth date do not show that it is the same patient`;
  return {
    field: differs[0],
    message: `the exam with this accession number or study UID is another patient’s: ${others}`,
    code: 'PATIENT_MISMATCH',
  };
}

/** Points out ids that differ only in formatting, to help fix the file. */
function formatDifference(stored: string, sent: string): string {
  const bare = (id: string): string => id.replace(/^0+|[\s.-]/g, '').toUpperCase();
  return bare(stored) === bare(sent) ? ' in zeros, spaces, dashes or capitals alone' : '';
}

/** A signed report belongs to its patient. Returns an error if the exam has one. */
export async function checkSignedDocument(
  reader: Reader,
  { record_id: id }: StoredItem,
): Promise<FieldError | undefined> {
  const record = id === null ? undefined : await reader.get('records', id);
  if (!record || record.status === 'draft') return undefined;
  return {
    field: 'patient_id',
    message: 'the exam is another patient’s and has a signed document, which cannot become this patient’s',
    code: 'PATIENT_MISMATCH',
  };
}

/**
 * The item must have id and name of the new patient: an exam needs both, and no data of the previous patient may stay.
 */
function checkComplete({ fields }: CheckedItem): FieldError | undefined {
  const missing = (['patient_id', 'patient_name'] as const).find((name) => fields[name] === undefined);
  if (missing === undefined) return undefined;
  return {
    field: missing,
    message: `${missing} is required where another patient is accepted`,
    code: 'FIELD_REQUIRED',
  };
}

/** The history entry of a corrected or changed patient. */
export const createPatientEntry = (...said: Parameters<typeof createStudyEntry>): ReturnType<typeof createStudyEntry> =>
  createEntry([...patientFields, ...additionalFacts], ...said);

/** The history entry of a changed study. */
export const createStudyEntry = (
  ids: Ids,
  before: StoredItem,
  after: StoredItem,
  warning: Warning,
  arrival: Arrival,
): StoredEntry => createEntry(['study_uid'], ids, before, after, warning, arrival);

type StoredEntry = HistoryEntry & { space: string; item_id: string };

function createEntry(
  fields: readonly (PatientField | (typeof additionalFacts)[number] | 'study_uid')[],
  ids: Ids,
  before: StoredItem,
  after: StoredItem,
  warning: Warning,
  { who, at, source_system }: Arrival,
): StoredEntry {
  const changed = fields.filter((field) => before[field] !== after[field]);
  return {
    id: ids('his'),
    item_id: after.id,
    space: after.space,
    at,
    who,
    from: after.status,
    to: after.status,
    reason: warning.message,
    source_system,
    changes: changed.map((field) => ({ field, before: before[field] ?? null, after: after[field] ?? null })),
  };
}
