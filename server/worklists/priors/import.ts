/**
 * Imports priors: reports are handled independently, and the request is one commit. Reports are recognised by their own
 * identifiers; an equal one changes nothing, a newer one replaces the stored one, which is kept as a previous version.
 */
import { isDeepStrictEqual } from 'node:util';
import { AppError, validationFailed } from '../../../src/contract/errors.ts';
import type { FieldError } from '../../../src/contract/errors.ts';
import { maxPriorLength } from '../../../src/contract/prior.ts';
import type { Prior, PriorInput, PriorSection } from '../../../src/contract/prior.ts';
import { maxBatchItems, nothingTaken } from '../../../src/contract/worklist.ts';
import type { IngestError, IngestOutcome, IngestResult } from '../../../src/contract/worklist.ts';
import { parseInstant, normaliseIsoDateTime } from '../../../src/domain/iso-time.ts';
import { normalForm } from '../../../src/domain/normal-form.ts';
import { isPlainObject } from '../../../src/domain/normalise.ts';
import { displayName } from '../../../src/domain/person-name.ts';
import { keyOfTitle, sectionsOfText } from '../../../src/reporting/priors/sections.ts';
import { refusedItem } from '../../../src/domain/refused-item.ts';
import { isTestPatientName } from '../../../src/domain/test-data.ts';
import type { Ids } from '../../storage/ids.ts';
import { createBreaks } from '../../runtime/breaks.ts';
import { reportKey } from '../../storage/collections.ts';
import type { Documents } from '../../storage/collections.ts';
import type { Reader, Transaction } from '../../storage/store.ts';
import type { ItemValidator } from '../check-item.ts';
import type { Arrival } from '../ingest/merge.ts';
import { comparePatients } from './same-patient.ts';

type StoredPrior = Documents['priors'];

export interface PriorRules {
  /** Validates a report against `PriorInput`. */
  readonly validate: ItemValidator;
  /** Whether only test patients are allowed. */
  readonly testMode: boolean;
}

/** A normalised report with its errors. */
interface ReadPrior {
  readonly facts: Facts;
  readonly errors: readonly FieldError[];
}

/** The sender's fields. */
type Facts = Omit<
  Prior,
  'id' | 'origin' | 'display_name' | 'source_system' | 'worklist_item_id' | 'version' | 'created_at' | 'updated_at'
>;

/** Reads the reports of a body. VALIDATION_FAILED if there are none, PAYLOAD_TOO_LARGE if there are too many. */
export async function readPriors(body: unknown, rules: PriorRules): Promise<ReadPrior[]> {
  const list: unknown = isPlainObject(body) ? body['items'] : body;
  const unknown = isPlainObject(body) ? Object.keys(body).filter((name) => name !== 'items') : [];
  if (unknown.length > 0) {
    throw validationFailed(
      unknown.map((field) => ({ field, message: `${field} is not a field of this request`, code: 'UNKNOWN_FIELD' })),
    );
  }
  if (!Array.isArray(list) || list.length === 0) {
    throw validationFailed([
      { field: 'items', message: 'the request must hold a list of reports', code: 'FIELD_REQUIRED' },
    ]);
  }
  if (list.length > maxBatchItems) {
    throw new AppError('PAYLOAD_TOO_LARGE', {
      message: `A request may hold at most ${maxBatchItems} reports.`,
      details: { limit_items: maxBatchItems },
      hint: 'Send them in several requests.',
    });
  }
  const read: ReadPrior[] = [];
  const breathe = createBreaks();
  for (const value of list) {
    read.push(readPrior(value, rules));
    const pause = breathe();
    if (pause) await pause;
  }
  return read;
}

function readPrior(value: unknown, { validate, testMode }: PriorRules): ReadPrior {
  const input = normalise(value);
  const errors = validate(input);
  if (errors.length > 0) return { facts: noFacts, errors };
  const sent = input as PriorInput;
  const problems: FieldError[] = [];
  const report = (field: string, message: string, code: FieldError['code']) =>
    void problems.push({ field, message, code });
  const { status = 'final', text, sections, ...said } = sent;
  if (!said.report_id && !said.accession_number)
    report('report_id', 'report_id or accession_number is required', 'FIELD_REQUIRED');
  if (text !== undefined && sections !== undefined)
    report('sections', 'sections replace text: send one of the two', 'INVALID_VALUE');
  const parts = sections ? sections.map(namedSection) : sectionsOfText(text ?? '');
  if (status !== 'withdrawn' && parts.every((part) => part.text === '' && part.title === null))
    report('text', 'text or sections is required: the report has no words', 'FIELD_REQUIRED');
  if (parts.reduce((sum, part) => sum + part.text.length, 0) > maxPriorLength)
    report('text', `the report must not be longer than ${maxPriorLength} characters`, 'TOO_LONG');
  if (testMode && !isTestPatientName(said.patient_name)) {
    const message = 'test clients may only send test patients, for example Test Patient or TESTE^PACIENTE';
    report('patient_name', message, 'TEST_DATA_REQUIRED');
  }
  const author = said.author ? displayName(said.author) : null;
  const facts: Facts = { ...noOptional, ...said, author, status, sections: parts };
  return { facts, errors: problems };
}

const namedSection = ({ title = null, text }: NonNullable<PriorInput['sections']>[number]): PriorSection => ({
  key: title === null ? null : keyOfTitle(title),
  title: title === '' ? null : title,
  text: text.trim(),
});

const noOptional = {
  report_id: null,
  accession_number: null,
  study_uid: null,
  patient_birth_date: null,
  patient_id_issuer: null,
  modality: null,
  reported_at: null,
  author: null,
  hospital_name: null,
  language: null,
};
const noFacts = {} as Facts;

/** Trims and normalises texts and times; optional fields without a value are dropped. */
function normalise(value: unknown): unknown {
  if (!isPlainObject(value)) return value;
  const named = Object.entries(value).map(([name, given]): [string, unknown] => {
    if (typeof given !== 'string') return [name, Array.isArray(given) ? structuredClone(given) : given];
    const text = normalForm(given).trim();
    if (name === 'modality') return [name, text.toUpperCase()];
    if (name === 'exam_datetime' || name === 'reported_at') return [name, normaliseIsoDateTime(text) ?? text];
    return [name, text];
  });
  return Object.fromEntries(
    named.filter(([name, given]) => !Object.hasOwn(noOptional, name) || (given !== '' && given !== null)),
  );
}

/** Applies the reports in order. VALIDATION_FAILED with each refused report if none is valid. */
export async function importPriors(
  tx: Transaction,
  ids: Ids,
  reports: readonly ReadPrior[],
  arrival: Arrival,
): Promise<IngestResult> {
  const counts = { inserted: 0, updated: 0, deduped: 0 };
  const problemsOfAll: FieldError[] = [];
  const errors: IngestError[] = [];
  const items: IngestOutcome[] = [];
  for (const [index, { facts, errors: wrong }] of reports.entries()) {
    const found = wrong.length > 0 ? undefined : await storedReport(tx, facts, arrival);
    const problems = wrong.length > 0 ? wrong : found?.problem ? [found.problem] : [];
    if (problems.length > 0) {
      for (const problem of problems)
        problemsOfAll.push({ ...problem, field: `items.${index}${problem.field && '.'}${problem.field}` });
      errors.push(refusedItem(index, problems as [FieldError, ...FieldError[]], facts.accession_number ?? null));
      continue;
    }
    const outcome = applyReport(tx, ids, facts, found?.prior, arrival);
    counts[outcome.status] += 1;
    items.push(outcome);
  }
  if (items.length === 0) throw nothingTaken(problemsOfAll, errors);
  return { batch_id: ids('bat'), processed: reports.length, ...counts, errors, items };
}

interface ReportLookup {
  readonly prior?: StoredPrior;
  readonly problem?: FieldError;
}

/** The stored report with those identifiers, or why it cannot be meant. */
async function storedReport(
  reader: Reader,
  facts: Facts,
  { space, source_system: system }: Arrival,
): Promise<ReportLookup> {
  const { report_id: report, accession_number: accession } = facts;
  const byReport =
    report === null ? undefined : (await reader.findEach('priors', 'report', space, [reportKey(report, system)]))[0];
  if (byReport) return samePatientIn(byReport, facts, 'report_id');
  if (accession === null) return {};
  const [byAccession] = await reader.findEach('priors', 'accession', space, [accession]);
  // An exam may have several reports with their own ids.
  const isOther =
    !byAccession || byAccession.source_system !== system || (report !== null && byAccession.report_id !== null);
  return isOther ? {} : samePatientIn(byAccession, facts, 'accession_number');
}

function samePatientIn(prior: StoredPrior, facts: Facts, field: 'report_id' | 'accession_number'): ReportLookup {
  const person = ({ patient_id_issuer: issuer, ...named }: Facts | StoredPrior) => ({ ...named, issuer });
  if (comparePatients(person(prior), person(facts))) return { prior };
  const message = `the report with this ${field} is another patient’s`;
  return { problem: { field, message, code: 'PATIENT_MISMATCH' } };
}

function applyReport(
  tx: Transaction,
  ids: Ids,
  facts: Facts,
  before: StoredPrior | undefined,
  { space, source_system, at, who }: Arrival,
): IngestOutcome {
  const { accession_number } = facts;
  if (!before) {
    const id = ids('pri');
    tx.put('priors', {
      ...facts,
      id,
      space,
      origin: 'imported',
      display_name: displayName(facts.patient_name),
      source_system,
      worklist_item_id: null,
      version: 1,
      created_at: at,
      updated_at: at,
    });
    return { id, accession_number, status: 'inserted' };
  }
  // Fields that another transport omits are kept.
  const known = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null)) as Partial<Facts>;
  const isTombstone = facts.status === 'withdrawn' && facts.sections.length === 0;
  const after: StoredPrior = {
    ...before,
    ...known,
    ...(isTombstone && { sections: before.sections }),
    display_name: displayName(facts.patient_name),
  };
  const unchanged = (message: string): IngestOutcome => ({ accession_number, status: 'deduped', message });
  if (isDeepStrictEqual(after, before)) return unchanged('Known already; nothing changed.');
  if (isOlder(facts, before)) return unchanged('A newer state of this report is stored; nothing changed.');
  const { id, version } = before;
  tx.put('priors', { ...after, version: version + 1, updated_at: at });
  tx.put('prior_versions', {
    id: `${id}.${String(version).padStart(6, '0')}`,
    prior_id: id,
    version,
    status: before.status,
    until: at,
    who,
    reported_at: before.reported_at ?? null,
    author: before.author ?? null,
    sections: before.sections,
  });
  return { id, accession_number, status: 'updated' };
}

const ranks: Readonly<Record<Prior['status'], number>> = { preliminary: 0, final: 1, corrected: 2, withdrawn: 3 };

/** Compares times if both have one and they differ, otherwise statuses. */
function isOlder(sent: Facts, stored: StoredPrior): boolean {
  if (sent.reported_at && stored.reported_at) {
    const difference = parseInstant(sent.reported_at) - parseInstant(stored.reported_at);
    if (difference !== 0) return difference < 0;
  }
  return ranks[sent.status] < ranks[stored.status];
}
