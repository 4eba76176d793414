/**
 * Ingest of worklist items (specification 2.1, 2.3 to 2.5, 3.3 and 4.2): each item is judged on its own; the batch is
 * one commit.
 */
import type { FieldError } from '../../src/contract/errors.ts';
import { AppError, validationFailed } from '../../src/contract/errors.ts';
import { maxMetadataWeight } from '../../src/contract/shared.ts';
import { maxBatchItems, nothingTaken } from '../../src/contract/worklist.ts';
import type { IngestError, IngestOutcome, IngestResult } from '../../src/contract/worklist.ts';
import { retiredModalities } from '../../src/domain/modalities.ts';
import { identifierNames, isPlainObject } from '../../src/domain/normalise.ts';
import type { NormalisedItem } from '../../src/domain/normalise.ts';
import { refusedItem } from '../../src/domain/refused-item.ts';
import { weightOf } from '../../src/domain/weight.ts';
import type { Ids } from '../ids.ts';
import { accessionKey } from '../store/collections.ts';
import type { Documents } from '../store/collections.ts';
import type { ItemChange } from '../store/feeds.ts';
import { createBreaks } from '../store/breaks.ts';
import type { Reader, Transaction } from '../store/store.ts';
import { inOrder, isIdentified, missingCoreFields, readItem, withoutNews } from './check-item.ts';
import type { CheckedItem, ItemRules } from './check-item.ts';
import { asFurtherOrder } from './further-order.ts';
import { newItem, updatedItem } from './merge.ts';
import type { Arrival } from './merge.ts';
import { createOrderSearch, withoutNumber } from './known-by-order.ts';
import type { FindByOrder } from './known-by-order.ts';
import { judgePatient, patientEntry, withoutPatient } from './patient.ts';
import type { PatientVerdict, Warning } from './patient.ts';
import { putItem } from './put-item.ts';
import { followStatus } from './sent-status.ts';
import type { StatusVerdict } from './sent-status.ts';
import { isOutdated, ordersToldIn } from './told-orders.ts';

type StoredItem = Documents['items'];

/** The items of a request, and the paths by which the errors of the request name their fields. */
export interface Batch {
  readonly items: readonly CheckedItem[];
  readonly pathOf: (index: number, field: string) => string;
}

/**
 * Reads a body of any of the three shapes and checks each item. Throws PAYLOAD_TOO_LARGE above 1,000 items and
 * VALIDATION_FAILED where the body holds no items.
 */
export async function readBatch(body: unknown, rules: ItemRules): Promise<Batch> {
  const { list, pathOf } = itemsOf(body);
  checkCount(list);
  const items: CheckedItem[] = [];
  const breathe = createBreaks();
  for (const value of list) {
    items.push(readItem(value, rules));
    const pause = breathe();
    if (pause) await pause;
  }
  return { items, pathOf };
}

/** The batch of items that are read already, as of a list. */
export function batchOf(items: readonly CheckedItem[]): Batch {
  checkCount(items);
  return { items, pathOf: inList };
}

function checkCount(list: readonly unknown[]): void {
  if (list.length > maxBatchItems) {
    throw new AppError('PAYLOAD_TOO_LARGE', {
      message: `A request may hold at most ${maxBatchItems} items.`,
      details: { limit_items: maxBatchItems },
      hint: 'Send them in several requests.',
    });
  }
  if (list.length === 0) {
    throw validationFailed([
      { field: 'items', message: 'the request must hold at least one item', code: 'FIELD_REQUIRED' },
    ]);
  }
}

const inList = (index: number, field: string): string => (field === '' ? `items.${index}` : `items.${index}.${field}`);

function itemsOf(body: unknown): { list: readonly unknown[]; pathOf: Batch['pathOf'] } {
  if (Array.isArray(body)) return { list: body, pathOf: inList };
  if (!isPlainObject(body)) {
    throw validationFailed([
      { field: '', message: 'the body must be an item or a list of items', code: 'INVALID_TYPE' },
    ]);
  }
  const wrapped = Object.hasOwn(body, 'items') ? body['items'] : undefined;
  if (Array.isArray(wrapped)) return { list: wrapped, pathOf: inList };
  if (wrapped !== undefined && !identifierNames.some((name) => Object.hasOwn(body, name))) {
    throw validationFailed([{ field: 'items', message: 'items must be a list of items', code: 'INVALID_TYPE' }]);
  }
  return { list: [body], pathOf: (_index, field) => field };
}

/**
 * Applies the batch in order: each item is inserted, updates the stored item that it matches, or changes nothing. Throws
 * VALIDATION_FAILED, with every error of every item and each refused item, where no item is valid.
 */
export async function ingest(tx: Transaction, ids: Ids, batch: Batch, arrival: Arrival): Promise<IngestResult> {
  const matches = await matchesOf(tx, arrival.space, batch.items);
  /** Few requests have any use for it. */
  let findByOrder: FindByOrder | undefined;
  const counts = { inserted: 0, updated: 0, deduped: 0 };
  const problemsOfAll: FieldError[] = [];
  const errors: IngestError[] = [];
  const outcomes: IngestOutcome[] = [];
  const changed: Match[] = [];
  /** Exams of which nothing is new but when their orders were told. */
  const retold = new Set<Match>();
  const history: Documents['history'][] = [];

  for (let index = 0; index < batch.items.length; index++) {
    const received = batch.items[index]!;
    const named = matches.find(index);
    const isOfOrder = !named.found && ordersToldIn(received) !== undefined;
    if (isOfOrder) findByOrder ??= createOrderSearch(tx, arrival.space);
    const ofOrder = isOfOrder ? await findByOrder!(received, matches.items()) : undefined;
    const known = ofOrder ? { found: matches.take(ofOrder), isConflict: false } : named;
    const { found } = known;
    const about = ofOrder ? withoutNumber(received) : found ? asFurtherOrder(received, found.item) : received;
    const news = found && isOutdated(about, found.item, arrival.at) ? withoutNews(about) : about;
    const patient = found && !known.isConflict ? await judgePatient(tx, found.item, news) : undefined;
    const sent = patient?.isFormer ? withoutPatient(news) : news;
    const { item, warning, problems, move } = apply(ids, sent, known, patient, arrival);
    if (!item) {
      for (const problem of problems) problemsOfAll.push({ ...problem, field: batch.pathOf(index, problem.field) });
      errors.push(errorOf(index, sent, problems));
      continue;
    }
    const status = item.version === found?.item.version ? 'deduped' : found ? 'updated' : 'inserted';
    counts[status]++;
    outcomes.push(
      outcomeOf(item, status, warning, { move, zone: sent.zone, notes: sent.notes, isOutdated: sent.isOutdated }),
    );
    if (found && warning) history.push(patientEntry(ids, found.item, item, warning, arrival));
    if (move?.outcome === 'moved') history.push(move.entry);
    if (status === 'deduped') {
      if (!found || item === found.item) continue;
      matches.set(found, item);
      retold.add(found);
      continue;
    }
    const match = found ?? { item, change: undefined };
    const isMoved = move?.outcome === 'moved' && status !== 'inserted';
    if (match.change === undefined) {
      match.change = isMoved ? 'status' : status;
      changed.push(match);
    } else if (isMoved && match.change === 'updated') match.change = 'status';
    matches.set(match, item);
  }

  if (outcomes.length === 0) throw nothingTaken(problemsOfAll, errors);
  for (const { item, change } of changed) putItem(tx, item, change!);
  for (const { item, change } of retold) if (!change) tx.put('items', item);
  for (const entry of history) tx.put('history', entry);
  return { batch_id: ids('bat'), processed: batch.items.length, ...counts, errors, items: outcomes };
}

/** A stored item in its state so far, and the change that the batch has made to the item. */
interface Match {
  item: StoredItem;
  change: ItemChange['change'] | undefined;
}

/**
 * The stored item that a sent item matches, and whether the two identifiers of the sent item match two stored items.
 */
interface Known {
  readonly found: Match | undefined;
  readonly isConflict: boolean;
}

/** The item after the merge, or the problems for which it is refused. */
type Applied =
  | {
      readonly item: StoredItem;
      readonly warning: Warning | undefined;
      readonly move?: StatusVerdict | undefined;
      readonly problems?: undefined;
    }
  | {
      readonly item?: undefined;
      readonly warning?: undefined;
      readonly move?: undefined;
      readonly problems: readonly FieldError[];
    };

function apply(
  ids: Ids,
  sent: CheckedItem,
  { found, isConflict }: Known,
  patient: PatientVerdict | undefined,
  arrival: Arrival,
): Applied {
  const problems = problemsOf(sent, found !== undefined, isConflict, patient?.problems);
  if (problems.length > 0) return { problems };
  const item = found && patient ? updatedItem(patient.base, sent, arrival) : newItem(ids('wli'), sent, arrival);
  if (found && isOutgrown(item, found.item)) return { problems: outgrown };
  const warning = patient?.warning;
  if (sent.status === undefined) return { item, warning };
  const move = followStatus(ids, item, { wanted: sent.status, order: sent.order }, arrival);
  if (move.outcome === 'refused') return { problems: [move.problem] };
  return { item: move.outcome === 'moved' ? move.item : item, warning, move };
}

type Identifier = (typeof identifierNames)[number];
const indexOf = { accession_number: 'accession', study_uid: 'study' } as const satisfies Record<Identifier, string>;

/**
 * Stored items by the identifiers of the batch, kept up to date while the batch is applied. One round of look-ups
 * serves all.
 */
async function matchesOf(reader: Reader, space: string, items: readonly CheckedItem[]) {
  const byAccession = new Map<string, Match>();
  const byStudy = new Map<string, Match>();
  const byIdentifier: Record<Identifier, Map<string, Match>> = { accession_number: byAccession, study_uid: byStudy };
  /** A document that both identifiers reach is one match, even where the store returns two copies. */
  const byId = new Map<string, Match>();

  const sent = items.map(identifiersOf);
  const take = (item: StoredItem): Match => {
    let match = byId.get(item.id);
    if (!match) byId.set(item.id, (match = { item, change: undefined }));
    return match;
  };

  await Promise.all(
    identifierNames.map(async (name) => {
      const values = sent.map((identifiers) => identifiers[name]).filter((value) => value !== undefined);
      if (values.length === 0) return;
      const stored = await reader.findEach('items', indexOf[name], space, values);
      stored.forEach((item, at) => item && byIdentifier[name].set(values[at]!, take(item)));
    }),
  );

  return {
    take,
    /** The exams that the batch has found or brought so far. */
    *items(): Generator<StoredItem> {
      for (const { item } of byId.values()) yield item;
    },
    /** For the item of that index. */
    find(index: number): Known {
      const { accession_number, study_uid } = sent[index]!;
      const first = accession_number === undefined ? undefined : byAccession.get(accession_number);
      const second = study_uid === undefined ? undefined : byStudy.get(study_uid);
      return { found: first ?? second, isConflict: first !== undefined && second !== undefined && first !== second };
    },
    set(match: Match, item: StoredItem): void {
      byId.set(item.id, match);
      for (const name of identifierNames) {
        const former = nameOf(match.item, name);
        const present = nameOf(item, name);
        if (former !== null && former !== present) byIdentifier[name].delete(former);
        if (present !== null) byIdentifier[name].set(present, match);
      }
      match.item = item;
    },
  };
}

/** The name of a stored item in the index of that identifier. */
const nameOf = (item: StoredItem, name: Identifier): string | null =>
  name === 'accession_number' ? accessionKey(item.accession_number, item.accession_issuer) : item[name];

/** The identifiers of the item that are present and valid, as their indexes name them. */
const identifiersOf = ({ fields, errors }: CheckedItem): Record<Identifier, string | undefined> => ({
  accession_number: issuedBy(
    usable('accession_number', fields['accession_number'], errors),
    usable('accession_issuer', fields['accession_issuer'], errors),
  ),
  study_uid: usable('study_uid', fields['study_uid'], errors),
});

const issuedBy = (number: string | undefined, issuer: string | undefined): string | undefined =>
  number === undefined ? undefined : accessionKey(number, issuer);

function usable(
  name: Identifier | 'accession_issuer',
  value: unknown,
  errors: readonly FieldError[],
): string | undefined {
  if (typeof value !== 'string') return undefined;
  return errors.some(({ field }) => field === name) ? undefined : value;
}

const nothing: readonly FieldError[] = [];

function problemsOf(
  item: CheckedItem,
  isKnown: boolean,
  isConflict: boolean,
  ofPatient: readonly FieldError[] = nothing,
): readonly FieldError[] {
  if (!isKnown && item.errors.length === 0 && !isIdentified(item)) return unknownOrder;
  const missing = isKnown || item.errors[0]?.field === '' ? nothing : missingCoreFields(item);
  if (isConflict) {
    const message = 'accession_number and study_uid belong to two different stored items';
    return inOrder([...item.errors, { field: 'study_uid', message, code: 'IDENTIFIER_CONFLICT' }]);
  }
  if (missing.length === 0 && ofPatient.length === 0) return item.errors;
  return inOrder([...item.errors, ...missing, ...ofPatient]);
}

const unknownOrder: readonly FieldError[] = [
  {
    field: identifierNames[0],
    message: `no exam of this patient has that order; another exam is named by ${identifierNames.join(' or ')}`,
    code: 'FIELD_REQUIRED',
  },
];

/** Each request adds little metadata, but many requests may add metadata to one item. */
const isOutgrown = (item: StoredItem, before: StoredItem): boolean =>
  item.metadata !== before.metadata && weightOf(item.metadata, mostMetadata) > mostMetadata;

/** Metadata and its `extra` may each be as large as in a request. */
const mostMetadata = 2 * maxMetadataWeight;
const outgrown: readonly FieldError[] = [
  { field: 'metadata', message: 'metadata would be too large together with what is stored', code: 'TOO_LONG' },
];

/** The entry for a refused item, with its accession number where that is a text. */
function errorOf(index: number, { fields }: NormalisedItem, problems: readonly FieldError[]): IngestError {
  const accession = fields['accession_number'];
  return refusedItem(
    index,
    problems as [FieldError, ...FieldError[]],
    typeof accession === 'string' ? accession : null,
  );
}

/** What became of the status that the item brought, the zone that was taken for its time, and what its reader says. */
interface Remarkable {
  readonly move: StatusVerdict | undefined;
  readonly zone: string | undefined;
  readonly notes: readonly string[] | undefined;
  readonly isOutdated: true | undefined;
}

/** Items that change nothing have their `id` too: an extension of the example in the specification (2.5). */
function outcomeOf(
  item: StoredItem,
  status: IngestOutcome['status'],
  ofPatient: Warning | undefined,
  about: Remarkable,
): IngestOutcome {
  const { id, accession_number } = item;
  const warnings = warningsAbout(item, status, ofPatient, about);
  const { move } = about;
  // Of most items there is no more to say.
  if (warnings.length === 0 && status !== 'deduped' && !move) return { id, accession_number, status };
  const messages = [
    ...(status === 'deduped' ? ['Known already; nothing changed.'] : []),
    ...warnings.map(({ message }) => message),
  ];
  return {
    id,
    accession_number,
    status,
    ...(move?.outcome === 'moved' && { previous_status: move.entry.from! }),
    ...(messages.length > 0 && { message: messages.join(' ') }),
    ...(warnings.length > 0 && { warnings }),
  };
}

const noWarnings: Warning[] = [];

function warningsAbout(
  item: StoredItem,
  status: IngestOutcome['status'],
  ofPatient: Warning | undefined,
  { move, zone, notes, isOutdated: isLate }: Remarkable,
): Warning[] {
  const retired = status === 'deduped' ? undefined : retiredModalities[item.modality];
  if (
    !ofPatient &&
    !move &&
    zone === undefined &&
    !notes &&
    !isLate &&
    item.status !== 'cancelled' &&
    retired === undefined
  )
    return noWarnings;
  const warnings: Warning[] = ofPatient ? [ofPatient] : [];
  if (move?.outcome === 'kept' && move.warning) warnings.push(move.warning);
  for (const message of notes ?? []) warnings.push({ code: 'ASSUMED', message });
  if (zone !== undefined) {
    warnings.push({ code: 'ZONE_ASSUMED', message: `exam_datetime has no offset; it was taken as ${zone}.` });
  }
  if (isLate)
    warnings.push({ code: 'OUTDATED', message: 'A later message told of the exam already; nothing changed.' });
  else if (item.status === 'cancelled' && !move) {
    warnings.push({ code: 'EXAM_CANCELLED', message: 'The exam was cancelled, and stays so.' });
  }
  if (retired !== undefined) {
    const successor = retired === null ? '' : `; ${retired} replaced it`;
    warnings.push({ code: 'MODALITY_RETIRED', message: `The modality ${item.modality} is retired${successor}.` });
  }
  return warnings;
}
