/** Converts a sent item to a stored item: a new one, or a stored one with the changes merged in. */
import { isDeepStrictEqual } from 'node:util';
import type { coreFieldNames } from '../../../src/contract/exam.ts';
import type { WorklistItem, WorklistItemInput } from '../../../src/contract/worklist.ts';
import { isFit } from '../../../src/domain/characters.ts';
import { isIsoDateTime, isLocalTime } from '../../../src/domain/iso-time.ts';
import { modalityCodes } from '../../../src/contract/modalities.ts';
import { isPlainObject, mergeMetadata, normaliseItem } from '../../../src/domain/normalise.ts';
import { isReportBegun, reportedFields } from '../../../src/domain/item-report.ts';
import { ordersName } from '../../../src/domain/order-numbers.ts';
import {
  describeOrders,
  isOpen,
  mergeOrders,
  numberedApart,
  numberIn,
  ordersIn,
  renumberOrders,
  withoutStamps,
} from '../../../src/domain/orders.ts';
import type { askedFields, Order } from '../../../src/domain/orders.ts';
import { displayName } from '../../../src/domain/person-name.ts';
import type { Documents } from '../../storage/collections.ts';
import { unnumbered } from '../../storage/store.ts';
import type { CheckedItem } from '../check-item.ts';
import { mergeFhir } from '../fhir-resources.ts';
import { credibleOrders, numberedOrders, ordersOf } from './message-orders.ts';

type StoredItem = Documents['items'];
type NewFields = WorklistItemInput & Pick<WorklistItem, (typeof coreFieldNames)[number]>;

/** Origin and time of an item. */
export interface Arrival {
  readonly space: string;
  readonly source_system: string | null;
  /** The sender's name in the history. */
  readonly who: string;
  /** ISO 8601. */
  readonly at: string;
  /** Whether the sender may change the status of exams; by default not. */
  readonly mayManage?: boolean;
}

/**
 * Creates an item from a valid one with the five core fields. Copies field by field, so that all items have one shape
 * in V8: reading these objects dominates the cost of a batch.
 */
export function createItem(id: string, sent: CheckedItem, arrival: Arrival): StoredItem {
  const fields = sent.fields as NewFields;
  const item: StoredItem = {
    id,
    space: arrival.space,
    accession_number: fields.accession_number ?? null,
    study_uid: fields.study_uid ?? null,
    patient_id: fields.patient_id,
    patient_name: fields.patient_name,
    modality: fields.modality,
    exam_datetime: fields.exam_datetime,
    exam_description: fields.exam_description,
    display_name: displayName(fields.patient_name),
    patient_sex: fields.patient_sex ?? null,
    patient_birth_date: fields.patient_birth_date ?? null,
    patient_age: fields.patient_age ?? null,
    exam_room: fields.exam_room ?? null,
    referring_physician: fields.referring_physician ?? null,
    hospital_name: fields.hospital_name ?? null,
    location: fields.location ?? null,
    procedure_id: fields.procedure_id ?? null,
    series_count: fields.series_count ?? null,
    images_count: fields.images_count ?? null,
    metadata: mergeItemMetadata(null, sent, mergeSentOrders(undefined, sent, arrival)),
    status: 'new',
    reason: null,
    source_system: arrival.source_system,
    record_id: null,
    assigned_to: null,
    created_at: arrival.at,
    updated_at: arrival.at,
    version: 1,
    commit: unnumbered,
  };
  if (fields.accession_issuer) item.accession_issuer = fields.accession_issuer;
  if (fields.exam_status) item.exam_status = fields.exam_status;
  if (sent.patient_told) item.patient_told = sent.patient_told;
  if (sent.exam_status_told) item.exam_status_told = sent.exam_status_told;
  const fhir = mergeFhir(item, sent);
  if (fhir) item.fhir = fhir;
  return item;
}

/**
 * Merges the sent item into `stored`. Returns `stored` if nothing changed, and an item of the same version if only
 * stamps or FHIR ids are new. Missing fields keep their value. Completed and cancelled exams may be corrected, too. The
 * status never changes here: only a change of status reinstates an exam.
 */
export function mergeItem(stored: StoredItem, sent: CheckedItem, arrival: Arrival): StoredItem {
  const item = withChanges(stored, sent, arrival);
  const hasProgress = sent.fields['exam_status'] !== undefined;
  const beside = {
    patient_told: sent.patient_told ?? item.patient_told,
    exam_status_told: hasProgress ? sent.exam_status_told : item.exam_status_told,
    fhir: mergeFhir(item, sent),
  };
  const { patient_told, exam_status_told, fhir, ...others } = item;
  if (isDeepStrictEqual(beside, { patient_told, exam_status_told, fhir })) return item;
  const known = Object.entries(beside).filter(([, value]) => value !== undefined);
  return { ...others, ...Object.fromEntries(known) };
}

function withChanges(stored: StoredItem, sent: CheckedItem, arrival: Arrival): StoredItem {
  const changes: Record<string, unknown> = {};
  const orders = mergeSentOrders(stored, sent, arrival);
  const isAside = orders !== undefined && isAboutOthers(orders);
  const fields = orders ? mergeFields(stored, isAside ? {} : sent.fields, orders) : sent.fields;
  for (const name of Object.keys(fields)) {
    const value = fields[name];
    if (name !== 'metadata' && value !== (stored[name as keyof StoredItem] ?? null)) changes[name] = value;
  }
  // The issuer belonged to the previous number.
  if ('accession_number' in changes && stored.accession_issuer && fields['accession_issuer'] === undefined) {
    changes['accession_issuer'] = null;
  }
  const merged = isAside
    ? { ...stored.metadata, [ordersName]: orders.after }
    : mergeItemMetadata(stored.metadata, sent, orders);
  const metadata = withoutForeignSystems({ ...stored, ...changes, metadata: merged }, stored, sent.fields['metadata']);
  if (metadata !== stored.metadata && !isDeepStrictEqual(metadata, stored.metadata)) changes['metadata'] = metadata;
  if (Object.keys(changes).length === 0) return stored;
  // A repeated message with the same content makes no version.
  if (isMetadataAlone(changes) && isDeepStrictEqual(withoutOrderStamps(metadata), withoutOrderStamps(stored.metadata)))
    return { ...stored, metadata };
  const name = changes['patient_name'];
  return {
    ...stored,
    ...changes,
    ...(typeof name === 'string' && { display_name: displayName(name) }),
    ...(isReportBegun(stored) && reportedFields.some((field) => field in changes) && { corrected_at: arrival.at }),
    source_system: arrival.source_system ?? stored.source_system,
    updated_at: arrival.at,
    version: stored.version + 1,
  };
}

/** Facts about the giver of a number, by the field of the number; they belong to others once number and giver change. */
const giverFacts = {
  patient_id: ['patient_id_system', 'patient_id_type'],
  accession_number: ['accession_system'],
} as const;

/** The metadata of the changed item without facts about givers of its previous numbers. */
function withoutForeignSystems(changed: StoredItem, stored: StoredItem, sentMetadata: unknown): StoredItem['metadata'] {
  const giver = {
    patient_id: ({ metadata }: StoredItem) => metadata?.['patient_id_issuer'],
    accession_number: ({ accession_issuer }: StoredItem) => accession_issuer,
  };
  const stale = (['patient_id', 'accession_number'] as const).flatMap((field) => {
    const isSame = giver[field](changed) !== undefined && giver[field](changed) === giver[field](stored);
    return changed[field] === stored[field] || isSame ? [] : giverFacts[field];
  });
  const isSent = (name: string): boolean => isPlainObject(sentMetadata) && Object.hasOwn(sentMetadata, name);
  const gone = stale.filter((name) => changed.metadata && Object.hasOwn(changed.metadata, name) && !isSent(name));
  if (gone.length === 0) return changed.metadata;
  return Object.fromEntries(
    Object.entries(changed.metadata ?? {}).filter(([name]) => !gone.some((each) => each === name)),
  );
}

function mergeItemMetadata(
  stored: StoredItem['metadata'],
  sent: CheckedItem,
  orders: Orders | undefined,
): StoredItem['metadata'] {
  const metadata = mergeMetadata(stored, sent, sent.instructions.keep_absent);
  if (!orders) return metadata;
  if (orders.after.length > 0) return { ...metadata, [ordersName]: orders.after };
  const { [ordersName]: _, ...others } = metadata ?? {};
  return stored === null && Object.keys(others).length === 0 ? null : others;
}

const isMetadataAlone = (changes: Readonly<Record<string, unknown>>): boolean =>
  'metadata' in changes && Object.keys(changes).length === 1;

function withoutOrderStamps(metadata: StoredItem['metadata']): StoredItem['metadata'] {
  const orders = ordersIn(metadata);
  return orders ? { ...metadata, [ordersName]: withoutStamps(orders) } : metadata;
}

/** The exam's orders before the message, those of the message, and the result. */
interface Orders {
  readonly before: readonly Order[];
  readonly incoming: readonly Order[];
  readonly after: readonly Order[];
}

/** Orders that the message doesn't name stay. If an exam has several accession numbers, each of its orders has one. */
function mergeSentOrders(stored: StoredItem | undefined, sent: CheckedItem, { at }: Arrival): Orders | undefined {
  const sentOrders = ordersOf(sent);
  if (!sentOrders) return undefined;
  const incoming = credibleOrders(sentOrders, at);
  const known = ordersIn(stored?.metadata) ?? [];
  const own = stored && numberIn(stored);
  const present = numberIn(sent.fields) ?? own;
  if (!present || ![...known, ...incoming].some(({ accession_number: number }) => number !== undefined))
    return { before: known, incoming, after: mergeOrders(known, incoming) };
  const numbered = own ? numberedOrders(stored, own) : known;
  const before = sent.moved ? renumberOrders(numbered, sent.moved.from, sent.moved.to) : numbered;
  return { before, incoming, after: numberedApart(mergeOrders(before, incoming), present) };
}

/** Cancelled orders don't describe an exam that another order keeps open. */
const isAboutOthers = ({ incoming, after }: Orders): boolean =>
  incoming.length > 0 && !incoming.some(isOpen) && after.some(isOpen);

/**
 * Several orders describe their exam together; a message that doesn't change that keeps the description. Modality and
 * time are those of an open order.
 */
function mergeFields(stored: StoredItem, sent: CheckedItem['fields'], orders: Orders): CheckedItem['fields'] {
  const { before, incoming, after } = orders;
  if (incoming.length === 0 || after.length < 2) return sent;
  const fields: Record<string, unknown> = { ...sent };
  const description = normaliseOrderField('exam_description', describeOrders(after));
  if (description !== undefined) {
    if (description === normaliseOrderField('exam_description', describeOrders(before)))
      delete fields['exam_description'];
    else fields['exam_description'] = description;
  }
  if (!isAboutOthers(orders)) return fields;
  for (const name of ['modality', 'exam_datetime'] as const) {
    const values = after.filter(isOpen).map((order) => normaliseOrderField(name, order[name]));
    const [first] = values;
    if (!values.includes(undefined) && !values.includes(stored[name])) fields[name] = first;
  }
  return fields;
}

/** Normalises an order's value for the exam; `undefined` if an exam cannot have it. */
function normaliseOrderField(name: (typeof askedFields)[number], text: string | undefined): string | undefined {
  const value = text === undefined ? undefined : normaliseItem({ [name]: text })?.fields[name];
  return typeof value === 'string' && mayHave[name](value) ? value : undefined;
}

const mayHave: Readonly<Record<(typeof askedFields)[number], (value: string) => boolean>> = {
  exam_description: (value) => isFit('line', value),
  modality: (value) => modalityCodes.includes(value),
  exam_datetime: (value) => isIsoDateTime(value) && !isLocalTime(value),
};
