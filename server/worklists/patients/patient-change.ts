/**
 * Applies HL7 ADT messages to stored exams: changed facts (A08, A31) and merged ids (A40, A34). Both leave an entry in
 * the history of each exam.
 */
import { isDeepStrictEqual } from 'node:util';
import type { MessageChanges, MessageError } from '../../../src/contract/channel-message.ts';
import type { FieldError } from '../../../src/contract/errors.ts';
import { normaliseFields } from '../../../src/domain/normalise.ts';
import { matchPatient } from '../../../src/domain/patient-identity.ts';
import { isSameName } from '../../../src/domain/same-name.ts';
import { isTestPatientName } from '../../../src/domain/test-data.ts';
import { dropWrongStamp, isLater, maxDelay } from '../../../src/domain/message-stamp.ts';
import type { MessageStamp } from '../../../src/domain/message-stamp.ts';
import { isOver } from '../../../src/domain/worklist-state.ts';
import type { NamedPatient, PatientReading } from '../../../src/files/worklist/reading.ts';
import type { Ids } from '../../storage/ids.ts';
import type { Documents } from '../../storage/collections.ts';
import type { Transaction } from '../../storage/store.ts';
import type { CheckedItem, ItemRules } from '../check-item.ts';
import { matchesAny, issuerIn, Patients } from './adt-patients.ts';
import type { Identity, StoredPatient } from './adt-patients.ts';
import { mergeItem } from '../ingest/merge.ts';
import type { Arrival } from '../ingest/merge.ts';
import { checkSignedDocument, mergeReason, createPatientEntry } from './check-patient.ts';
import { putItem } from '../put-item.ts';

export interface PatientOutcome {
  readonly changes: MessageChanges;
  readonly warnings: string[];
  readonly refused: MessageError[];
}

type StoredItem = Documents['items'];
type NamedIdentity = Pick<NamedPatient, 'patient_id' | 'patient_id_issuer'>;

/** A message's context and stamp. */
interface ChangeContext {
  readonly tx: Transaction;
  readonly ids: Ids;
  readonly arrival: Arrival;
  readonly event: string;
  readonly stamp: MessageStamp;
}

/** For exams that are over, a merge changes only the id: their reports were signed with the previous facts. */
export async function changePatient(
  tx: Transaction,
  ids: Ids,
  { event, patient, merged, visit, stamp: made }: PatientReading,
  { arrival, rules }: { readonly arrival: Arrival; readonly rules: ItemRules },
): Promise<PatientOutcome> {
  const [sent, given] = [patient, merged].map((named) => named && checked(named, rules)) as [CheckedItem, CheckedItem?];
  const errors = [sent, given].flatMap((each) => each?.errors ?? []);
  if (errors.length > 0) return refusal(errors);
  const previous = merged ?? patient;
  const found = await findExams(tx, arrival.space, previous);
  if (previous.patient_id_issuer === undefined && issuersIn(found).size > 1)
    return refusal([ambiguous(merged !== undefined)]);
  const named = found.filter((exam) => mayBeSamePatient(exam, patient, merged));
  const change: ChangeContext = { tx, ids, arrival, event, stamp: dropWrongStamp(made, arrival.at) as MessageStamp };
  const warnings =
    named.length < found.length
      ? ['Exams of that id that may belong to another patient were not changed: one side names no issuer.']
      : [];
  const outcome = visit
    ? await moveVisit(change, sent, { given, visit, exams: named })
    : given
      ? await merge(change, sent, { given, exams: named })
      : await correct(change, sent, named);
  return { ...outcome, warnings: [...outcome.warnings, ...warnings] };
}

/** Numbers of changed exams. */
interface Counts {
  updated: number;
  deduped: number;
  /** Exams whose patient comes from a later message. */
  outdated: number;
}

const createOutcome = ({ updated, deduped, outdated }: Counts, warnings: readonly string[] = []): PatientOutcome => ({
  changes: { inserted: 0, updated, deduped: deduped + outdated, statuses: 0 },
  warnings: outdated > 0 && warnings.length === 0 ? [late] : [...warnings],
  refused: [],
});

const late = 'A later message about the patient arrived before; its data stays.';
const nobody = 'No open exam of that patient is stored: there was nothing to change.';
const unheard = 'The patient’s id was given up by a merge; nothing changed.';

async function correct(
  change: ChangeContext,
  sent: CheckedItem,
  named: readonly StoredItem[],
): Promise<PatientOutcome> {
  const before = await new Patients(change.tx, change.arrival.space).exactly(identityOf(sent));
  const isKept = before !== undefined || change.stamp.told_at !== undefined;
  const patient = isKept ? storePatient(change, sent, before) : undefined;
  const exams = named.filter(({ status }) => !isOver(status));
  if (exams.length === 0) return createOutcome(noCounts(), [patient?.merge?.into ? unheard : nobody]);
  return createOutcome(correctExams(change, sent, exams));
}

/** Moves the exams of the merged id to the surviving patient, and corrects that patient's open exams. */
async function merge(
  change: ChangeContext,
  sent: CheckedItem,
  { given, exams: named }: { readonly given: CheckedItem; readonly exams: readonly StoredItem[] },
): Promise<PatientOutcome> {
  const { tx, arrival } = change;
  const before = await new Patients(tx, arrival.space).exactly(identityOf(given));
  const target = identityOf(sent);
  const isSame = isDeepStrictEqual(target, identityOf(given));
  const isLate = before?.merge !== undefined && isLater(before.merge, change.stamp);
  // The id may belong to somebody else since the merge.
  const persons = before?.merge?.into ? [before.facts, factsOf(sent)] : [];
  const exams = isLate || isSame ? [] : named.filter((exam) => matchesAny(persons, exam));
  if (!isLate && !isSame) await storeMerge(change, { given, before, target, exams });
  const survivor = storePatient(change, sent, await new Patients(tx, arrival.space).exactly(target), true);
  const { stays } = await new Patients(tx, arrival.space).whoStays(survivor);
  const counts = noCounts();
  for (const exam of exams) count(counts, exam, moveExam(change, exam, stays));
  const moved = new Set(exams.map(({ id }) => id));
  const own = (await findExams(tx, arrival.space, identified(target))).filter(
    (exam) => !moved.has(exam.id) && !isOver(exam.status) && issuerIn(exam.metadata) === target.patient_id_issuer,
  );
  const corrected = correctExams(change, sent, own);
  const all: Counts = {
    updated: counts.updated + corrected.updated,
    deduped: counts.deduped,
    outdated: corrected.outdated,
  };
  if (isLate) return createOutcome(all, [late]);
  return createOutcome(all, exams.length > 0 || all.updated > 0 ? [] : [nobody]);
}

/** Moves the exams of a visit to the named patient and visit. Patient ids stay as they are. */
async function moveVisit(
  change: ChangeContext,
  sent: CheckedItem,
  { given, visit, exams: named }: VisitMove,
): Promise<PatientOutcome> {
  const exams = named.filter(({ metadata }) => metadata?.['visit_number'] === visit.from);
  if (exams.length === 0) return createOutcome(noCounts(), [noVisit]);
  const isOther = given !== undefined && !isDeepStrictEqual(identityOf(given), identityOf(sent));
  if (isOther && sent.fields['patient_name'] === undefined) return refusal([unnamed]);
  const counts = noCounts();
  const problems: FieldError[] = [];
  for (const exam of exams) {
    const problem = isOther ? await checkSignedDocument(change.tx, exam) : undefined;
    if (problem) problems.push(problem);
    else {
      // The message says nothing about the patient who keeps the exam.
      const stamp = isOther ? change.stamp : {};
      const after = changeExam(
        { ...change, stamp },
        exam,
        createVisitItem(sent, visit, isOther),
        visitReason(change.event),
      );
      count(counts, exam, after);
    }
  }
  const outcome = createOutcome(counts);
  return problems.length === 0 ? outcome : { ...outcome, refused: refusal(problems).refused };
}

interface VisitMove {
  readonly given: CheckedItem | undefined;
  readonly visit: NonNullable<PatientReading['visit']>;
  readonly exams: readonly StoredItem[];
}

const noVisit = 'No exam of that visit is stored: there was nothing to change.';
const visitReason = (event: string): string => `The visit was moved (ADT^${event}).`;
const unnamed: FieldError = {
  field: 'patient_name',
  message: 'patient_name is required where a visit moves to another patient',
  code: 'FIELD_REQUIRED',
};

/** The fields of a moved visit. Facts of the previous patient are removed. */
function createVisitItem(sent: CheckedItem, { to }: VisitMove['visit'], isOther: boolean): CheckedItem {
  const { patient_id, patient_id_issuer: issuer } = identityOf(sent);
  const previous = { patient_birth_date: null, patient_sex: null, patient_age: null };
  return {
    ...sent,
    fields: {
      ...(isOther && { patient_id, ...previous, ...factsOf(sent) }),
      metadata: {
        ...(isOther && { patient_id_issuer: issuer }),
        ...(to !== undefined && { visit_number: to }),
      },
    },
  };
}

/** Remembers the merge and the previous holder of the id, for later exams. */
async function storeMerge(
  { tx, ids, arrival, event, stamp }: ChangeContext,
  {
    given,
    before,
    target: into,
    exams,
  }: {
    readonly given: CheckedItem;
    readonly before: StoredPatient | undefined;
    readonly target: Identity;
    readonly exams: readonly StoredItem[];
  },
): Promise<void> {
  const [exam] = exams;
  const facts = exam ? personOf(exam) : { ...before?.facts, ...factsOf(given) };
  const patient = before ?? { id: ids('pat'), space: arrival.space, ...identityOf(given) };
  tx.put('told_patients', { ...patient, facts, merge: { event, into, ...stamp }, expires_at: null });
}

const personOf = ({ patient_name, patient_birth_date }: StoredItem): StoredPatient['facts'] => ({
  patient_name,
  patient_birth_date: patient_birth_date ?? null,
});

/**
 * Remembers a patient's facts for later exams: while older messages may arrive, or permanently after a merge.
 * `isSurvivor`: the patient keeps the id, even if it was given up before.
 */
function storePatient(
  { tx, ids, arrival, event, stamp }: ChangeContext,
  sent: CheckedItem,
  before: StoredPatient | undefined,
  isSurvivor = false,
): StoredPatient {
  const isLate = before !== undefined && isLater(before, stamp);
  const facts = isLate ? { ...factsOf(sent), ...before.facts } : { ...before?.facts, ...factsOf(sent) };
  const isRevived = isSurvivor && !(before?.merge && isLater(before.merge, stamp));
  const merged = isRevived ? { event, into: null, ...stamp } : before?.merge;
  const patient: StoredPatient = {
    ...(before ?? { id: ids('pat'), space: arrival.space, ...identityOf(sent), expires_at: null }),
    facts,
    ...(!isLate && stamp),
    ...(merged && { merge: merged }),
  };
  patient.expires_at = merged ? null : endOf(patient);
  tx.put('told_patients', patient);
  return patient;
}

const endOf = ({ told_at }: MessageStamp): string | null =>
  told_at === undefined ? null : new Date(Date.parse(told_at) + maxDelay).toISOString();

function correctExams(change: ChangeContext, sent: CheckedItem, exams: readonly StoredItem[]): Counts {
  const counts = noCounts();
  for (const exam of exams) {
    if (exam.patient_told && isLater(exam.patient_told, change.stamp)) counts.outdated += 1;
    else count(counts, exam, changeExam(change, exam, sent, `The patient was corrected (ADT^${change.event}).`));
  }
  return counts;
}

/** Moves an exam to the surviving patient, with the latest facts. */
function moveExam(change: ChangeContext, exam: StoredItem, stays: StoredPatient): StoredItem {
  const { patient_id, patient_id_issuer: issuer, facts, told_at, told_by } = stays;
  const metadata = issuer !== null && { metadata: { patient_id_issuer: issuer } };
  const sent: CheckedItem = {
    fields: { patient_id, ...(!isOver(exam.status) && facts), ...metadata },
    extra: undefined,
    instructions: { keep_absent: true },
    errors: [],
  };
  const stamp = { ...(told_at !== undefined && { told_at }), ...(told_by !== undefined && { told_by }) };
  return changeExam({ ...change, stamp }, exam, sent, mergeReason(change.event));
}

function changeExam(
  { tx, ids, arrival, stamp }: ChangeContext,
  exam: StoredItem,
  sent: CheckedItem,
  message: string,
): StoredItem {
  const isTimed = stamp.told_at !== undefined;
  const after = mergeItem(exam, { ...withoutAbsent(sent), ...(isTimed && { patient_told: stamp }) }, arrival);
  if (after.version === exam.version) {
    if (after !== exam) tx.put('items', after);
    return after;
  }
  putItem(tx, after, 'updated');
  tx.put('history', createPatientEntry(ids, exam, after, { code: 'PATIENT_CORRECTED', message }, arrival));
  return after;
}

const noCounts = (): Counts => ({ updated: 0, deduped: 0, outdated: 0 });

function count(counts: Counts, before: StoredItem, after: StoredItem): void {
  if (after.version === before.version) counts.deduped += 1;
  else counts.updated += 1;
}

const factNames = ['patient_name', 'patient_birth_date', 'patient_sex'] as const;
const factsOf = ({ fields }: CheckedItem): StoredPatient['facts'] =>
  Object.fromEntries(factNames.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]])));

const identityOf = ({ fields }: CheckedItem): Identity => ({
  patient_id: fields['patient_id'] as string,
  patient_id_issuer: issuerIn(fields['metadata']),
});
const identified = ({ patient_id, patient_id_issuer: issuer }: Identity): NamedIdentity => ({
  patient_id,
  ...(issuer !== null && { patient_id_issuer: issuer }),
});

const refusal = (errors: readonly FieldError[]): PatientOutcome => ({
  changes: { inserted: 0, updated: 0, deduped: 0, statuses: 0 },
  warnings: [],
  refused: errors.map(({ code, message, field }) => ({ code, message, ...(field !== '' && { place: field }) })),
});

/** Validates a patient's facts like those of an exam, but without the identifiers of an exam. */
function checked(
  { patient_id_issuer: issuer, ...facts }: NonNullable<PatientReading['merged']>,
  { validate, testMode }: ItemRules,
): CheckedItem {
  const fields = {
    ...normaliseFields({ ...facts }).fields,
    ...(issuer !== undefined && { metadata: { patient_id_issuer: issuer } }),
  };
  const errors = validate(fields);
  const name = fields['patient_name' as keyof typeof fields] as unknown;
  if (testMode && typeof name === 'string' && !isTestPatientName(name)) {
    const message = 'test clients may only send test patients, for example Test Patient or TESTE^PACIENTE';
    errors.push({ field: 'patient_name', message, code: 'TEST_DATA_REQUIRED' });
  }
  return { fields, extra: undefined, instructions: { keep_absent: true }, errors };
}

const withoutAbsent = (sent: CheckedItem): CheckedItem => ({
  ...sent,
  fields: Object.fromEntries(Object.entries(sent.fields).filter(([, value]) => value !== undefined)),
});

const issuerOf = ({ metadata }: StoredItem): string | undefined => issuerIn(metadata) ?? undefined;
const issuersIn = (exams: readonly StoredItem[]): ReadonlySet<string> =>
  new Set(exams.flatMap((exam) => issuerOf(exam) ?? []));

const ambiguous = (isMerge: boolean): FieldError => ({
  field: 'patient_id',
  message: `Patients of several issuers have this id; name the issuer (${isMerge ? 'MRG-1.4' : 'PID-3.4'}).`,
  code: 'IDENTIFIER_CONFLICT',
});

/**
 * If only one side has an issuer, more than the id has to match: after a merge the name that was given up, after a
 * change the name or birth date.
 */
const mayBeSamePatient = (exam: StoredItem, patient: NamedPatient, merged: PatientReading['merged']): boolean => {
  const { patient_id_issuer: issuer, patient_name: name } = merged ?? patient;
  if ((issuer === undefined) === (issuerOf(exam) === undefined)) return true;
  if (merged) return name === undefined || isSameName(exam.patient_name, name);
  return matchPatient(exam, patient).patient !== 'another';
};

/** The exams with that id and issuer; if one side has no issuer, the id decides. */
async function findExams(
  tx: Transaction,
  space: string,
  { patient_id, patient_id_issuer }: NamedIdentity,
): Promise<StoredItem[]> {
  const found = await tx.find('items', { is: { space, patient: patient_id } });
  return found.filter((exam) => {
    const issuer = issuerOf(exam);
    return patient_id_issuer === undefined || issuer === undefined || issuer === patient_id_issuer;
  });
}
