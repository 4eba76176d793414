/**
 * What a patient's system says of a patient, applied to the exams that are stored: facts that changed (HL7 ADT^A08, A31) and ids
 * that turned out to be one person's (A40, A34). Both leave an entry in the history of each exam.
 */
import { isDeepStrictEqual } from 'node:util';
import type { MessageChanges, MessageError } from '../../../src/contract/channel.ts';
import type { FieldError } from '../../../src/contract/errors.ts';
import { normaliseItem } from '../../../src/domain/normalise.ts';
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
import { isOneOf, issuerIn, Patients } from './known-patients.ts';
import type { Identity, StoredPatient } from './known-patients.ts';
import { updatedItem } from '../ingest/merge.ts';
import type { Arrival } from '../ingest/merge.ts';
import { checkSignedDocument, mergeReason, patientEntry } from './patient.ts';
import { putItem } from '../put-item.ts';

export interface PatientOutcome {
  readonly changes: MessageChanges;
  readonly warnings: string[];
  readonly refused: MessageError[];
}

type StoredItem = Documents['items'];
type NamedIdentity = Pick<NamedPatient, 'patient_id' | 'patient_id_issuer'>;

/** What is changed by a message, and when it came and was made. */
interface Change {
  readonly tx: Transaction;
  readonly ids: Ids;
  readonly arrival: Arrival;
  readonly event: string;
  readonly told: MessageStamp;
}

/** Of an exam that is over a merge changes the id alone: its document was signed with the facts of then. */
export async function changePatient(
  tx: Transaction,
  ids: Ids,
  { event, patient, merged, visit, stamp: made }: PatientReading,
  { arrival, rules }: { readonly arrival: Arrival; readonly rules: ItemRules },
): Promise<PatientOutcome> {
  const [sent, given] = [patient, merged].map((named) => named && checked(named, rules)) as [CheckedItem, CheckedItem?];
  const errors = [sent, given].flatMap((each) => each?.errors ?? []);
  if (errors.length > 0) return refusal(errors);
  const former = merged ?? patient;
  const found = await examsOf(tx, arrival.space, former);
  if (former.patient_id_issuer === undefined && issuersIn(found).size > 1)
    return refusal([ambiguous(merged !== undefined)]);
  const named = found.filter((exam) => isOf(exam, patient, merged));
  const change: Change = { tx, ids, arrival, event, told: dropWrongStamp(made, arrival.at) as MessageStamp };
  const warnings =
    named.length < found.length
      ? ['Exams of that id that may be of another patient were left: one side names no issuer.']
      : [];
  const outcome = visit
    ? await moveVisit(change, sent, { given, visit, exams: named })
    : given
      ? await merge(change, sent, { given, exams: named })
      : await correct(change, sent, named);
  return { ...outcome, warnings: [...outcome.warnings, ...warnings] };
}

/** What became of exams. */
interface Counts {
  updated: number;
  deduped: number;
  /** Those whose patient a later message told of. */
  outdated: number;
}

const outcomeOf = ({ updated, deduped, outdated }: Counts, warnings: readonly string[] = []): PatientOutcome => ({
  changes: { inserted: 0, updated, deduped: deduped + outdated, statuses: 0 },
  warnings: outdated > 0 && warnings.length === 0 ? [late] : [...warnings],
  refused: [],
});

const late = 'A later message told of the patient already; what was told since stays.';
const nobody = 'No open exam of that patient is stored: there was nothing to change.';
const unheard = 'The patient’s id was given up by a merge; nothing changed.';

async function correct(change: Change, sent: CheckedItem, named: readonly StoredItem[]): Promise<PatientOutcome> {
  const patient = await tellPatient(change, sent);
  const exams = named.filter(({ status }) => !isOver(status));
  if (exams.length === 0) return outcomeOf(noCounts(), [patient?.merge?.into ? unheard : nobody]);
  return outcomeOf(correctExams(change, sent, exams));
}

/** The exams of an id that is given up become those of the patient who stays, and the open exams of that one are corrected. */
async function merge(
  change: Change,
  sent: CheckedItem,
  { given, exams: named }: { readonly given: CheckedItem; readonly exams: readonly StoredItem[] },
): Promise<PatientOutcome> {
  const { tx, arrival } = change;
  const before = await new Patients(tx, arrival.space).exactly(identityOf(given));
  const target = identityOf(sent);
  const isSame = isDeepStrictEqual(target, identityOf(given));
  const isLate = before?.merge !== undefined && isLater(before.merge, change.told);
  // Somebody else may have the id since it was given up.
  const persons = before?.merge?.into ? [before.facts, factsOf(sent)] : [];
  const exams = isLate || isSame ? [] : named.filter((exam) => isOneOf(persons, exam));
  if (!isLate && !isSame) await giveUp(change, { given, before, target, exams });
  await tellPatient(change, sent, true);
  const patients = new Patients(tx, arrival.space);
  const { stays } = await patients.whoStays((await patients.exactly(target))!);
  const counts = noCounts();
  for (const exam of exams) count(counts, exam, movedExam(change, exam, stays));
  const moved = new Set(exams.map(({ id }) => id));
  const own = (await examsOf(tx, arrival.space, identified(target))).filter(
    (exam) => !moved.has(exam.id) && !isOver(exam.status) && issuerIn(exam.metadata) === target.patient_id_issuer,
  );
  const corrected = correctExams(change, sent, own);
  const all: Counts = {
    updated: counts.updated + corrected.updated,
    deduped: counts.deduped,
    outdated: corrected.outdated,
  };
  if (isLate) return outcomeOf(all, [late]);
  return outcomeOf(all, exams.length > 0 || all.updated > 0 ? [] : [nobody]);
}

/** The exams of a visit become those of the patient who is named, and of the visit that is. The ids of both patients stay theirs. */
async function moveVisit(
  change: Change,
  sent: CheckedItem,
  { given, visit, exams: named }: VisitMove,
): Promise<PatientOutcome> {
  const exams = named.filter(({ metadata }) => metadata?.['visit_number'] === visit.from);
  if (exams.length === 0) return outcomeOf(noCounts(), [noVisit]);
  const isOther = given !== undefined && !isDeepStrictEqual(identityOf(given), identityOf(sent));
  if (isOther && sent.fields['patient_name'] === undefined) return refusal([unnamed]);
  const counts = noCounts();
  const problems: FieldError[] = [];
  for (const exam of exams) {
    const problem = isOther ? await checkSignedDocument(change.tx, exam) : undefined;
    if (problem) problems.push(problem);
    else {
      // Of the patient who keeps the exam nothing is told.
      const told = isOther ? change.told : {};
      const after = changedExam({ ...change, told }, exam, visited(sent, visit, isOther), visitReason(change.event));
      count(counts, exam, after);
    }
  }
  const outcome = outcomeOf(counts);
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

/** What a moved visit says of an exam. Of another patient nothing of the former one stays. */
function visited(sent: CheckedItem, { to }: VisitMove['visit'], isOther: boolean): CheckedItem {
  const { patient_id, patient_id_issuer: issuer } = identityOf(sent);
  const former = { patient_birth_date: null, patient_sex: null, patient_age: null };
  return {
    ...sent,
    fields: {
      ...(isOther && { patient_id, ...former, ...factsOf(sent) }),
      metadata: {
        ...(isOther && { patient_id_issuer: issuer }),
        ...(to !== undefined && { visit_number: to }),
      },
    },
  };
}

/** Keeps for exams to come that the id was given up, for whom, and who had it. */
async function giveUp(
  { tx, ids, arrival, event, told }: Change,
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
  tx.put('told_patients', { ...patient, facts, merge: { event, into, ...told }, expires_at: null });
}

const personOf = ({ patient_name, patient_birth_date }: StoredItem): StoredPatient['facts'] => ({
  patient_name,
  patient_birth_date: patient_birth_date ?? null,
});

/**
 * Keeps what is told of a patient for exams to come: as long as older messages may come, or for good where ids were merged. `isKept`:
 * the patient stays, and so has the id, whoever it was given up for before.
 */
async function tellPatient(
  { tx, ids, arrival, event, told }: Change,
  sent: CheckedItem,
  isKept = false,
): Promise<StoredPatient | undefined> {
  const identity = identityOf(sent);
  const before = await new Patients(tx, arrival.space).exactly(identity);
  if (!before && !isKept && told.told_at === undefined) return undefined;
  const isLate = before !== undefined && isLater(before, told);
  const facts = isLate ? { ...factsOf(sent), ...before.facts } : { ...before?.facts, ...factsOf(sent) };
  const isRevived = isKept && !(before?.merge && isLater(before.merge, told));
  const merged = isRevived ? { event, into: null, ...told } : before?.merge;
  const patient: StoredPatient = {
    ...(before ?? { id: ids('pat'), space: arrival.space, ...identity, expires_at: null }),
    facts,
    ...(!isLate && told),
    ...(merged && { merge: merged }),
  };
  patient.expires_at = merged ? null : endOf(patient);
  tx.put('told_patients', patient);
  return patient;
}

const endOf = ({ told_at }: MessageStamp): string | null =>
  told_at === undefined ? null : new Date(Date.parse(told_at) + maxDelay).toISOString();

function correctExams(change: Change, sent: CheckedItem, exams: readonly StoredItem[]): Counts {
  const counts = noCounts();
  for (const exam of exams) {
    if (exam.patient_told && isLater(exam.patient_told, change.told)) counts.outdated += 1;
    else count(counts, exam, changedExam(change, exam, sent, `The patient was corrected (ADT^${change.event}).`));
  }
  return counts;
}

/** Under the id of the patient who stays, with what was told of that one last. */
function movedExam(change: Change, exam: StoredItem, stays: StoredPatient): StoredItem {
  const { patient_id, patient_id_issuer: issuer, facts, told_at, told_by } = stays;
  const metadata = issuer !== null && { metadata: { patient_id_issuer: issuer } };
  const sent: CheckedItem = {
    fields: { patient_id, ...(!isOver(exam.status) && facts), ...metadata },
    extra: undefined,
    instructions: { keep_absent: true },
    errors: [],
  };
  const told = { ...(told_at !== undefined && { told_at }), ...(told_by !== undefined && { told_by }) };
  return changedExam({ ...change, told }, exam, sent, mergeReason(change.event));
}

function changedExam(
  { tx, ids, arrival, told }: Change,
  exam: StoredItem,
  sent: CheckedItem,
  message: string,
): StoredItem {
  const isTimed = told.told_at !== undefined;
  const after = updatedItem(exam, { ...withoutAbsent(sent), ...(isTimed && { patient_told: told }) }, arrival);
  if (after.version === exam.version) {
    if (after !== exam) tx.put('items', after);
    return after;
  }
  putItem(tx, after, 'updated');
  tx.put('history', patientEntry(ids, exam, after, { code: 'PATIENT_CORRECTED', message }, arrival));
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

/** A patient's facts are checked as those of an exam are, without the identifiers that only an exam has. */
function checked(
  { patient_id_issuer: issuer, ...facts }: NonNullable<PatientReading['merged']>,
  { validate, testMode }: ItemRules,
): CheckedItem {
  const fields = {
    ...normaliseItem(facts)!.fields,
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
 * Where one side names no issuer, more than the id has to agree: with a merge the name that is given up, with a change the name or
 * the birth date.
 */
const isOf = (exam: StoredItem, patient: NamedPatient, merged: PatientReading['merged']): boolean => {
  const { patient_id_issuer: issuer, patient_name: name } = merged ?? patient;
  if ((issuer === undefined) === (issuerOf(exam) === undefined)) return true;
  if (merged) return name === undefined || isSameName(exam.patient_name, name);
  return matchPatient(exam, patient).patient !== 'another';
};

/** The exams of whoever has that id from that issuer; where one side names no issuer, the id decides. */
async function examsOf(
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
