/**
 * The readings of a file as one sequence of entries. Each entry is an item ready to send, or an unreadable part of the
 * file.
 */
import type { Message, Sentence } from '../contract/messages/message.ts';
import { fileMessage } from '../contract/messages/files.ts';
import { takeInstructions, withInstructions } from '../domain/item-instructions.ts';
import { modalityCodes } from '../contract/modalities.ts';
import { normaliseItem } from '../domain/normalise.ts';
import type { identifierNames } from '../domain/normalise.ts';
import type { SentItem } from '../files/worklist/advice.ts';
import { formats } from '../files/worklist/formats.ts';
import type { FormatName } from '../domain/worklist-formats.ts';
import type { ItemReading, Position, Reading, SkippedReading } from '../files/worklist/reading.ts';
import { readOrderChange, withOrders } from './order-changes.ts';
import type { OrderChange, OrderedItem } from './order-changes.ts';

export interface Place {
  /** The path as typed; empty for content without a name. */
  readonly file: string;
  readonly position: Position;
  /** Counts the entries of all files, from 0. */
  readonly index: number;
}

export interface Item extends Place {
  readonly kind: 'item';
  /** The identifiers that the service matches by, normalised. */
  readonly accession: string | null;
  readonly study: string | null;
  /** The reader's omissions and assumptions. */
  readonly warnings: readonly Message[] | undefined;
  /** Used for hints if the service refuses the item. */
  readonly sent: SentItem;
  /** The fields as a service would store them, and the status that the order sets; for display. */
  readonly shown?: Fields;
  /** The order that the file states, and the exam's additional identifiers. */
  readonly order: (OrderChange & { readonly patientId: unknown }) | undefined;
}

export interface Unread extends Place {
  readonly kind: 'unread';
  readonly accession: null;
  readonly message: Sentence;
  readonly hint: Sentence | undefined;
}

export type Entry = Item | Unread;

type Fields = ItemReading['item'];

/** An entry with its content; the content is dropped once a request holds it. */
export interface Content {
  readonly entry: Entry;
  /** Absent for an unreadable entry. */
  readonly fields?: Fields;
}

export interface ItemOptions {
  readonly format: FormatName;
  /** Accepts items that move a stored exam to another patient. */
  readonly acceptsPatientChange?: boolean;
  /** Keeps the fields with the entry, for display. */
  readonly showsFields?: boolean;
  /** Changes the fields last, before sending. */
  readonly change?: (fields: Fields) => Fields;
}

/** An entry of a file that the rules of a mapping let through. */
export type SentReading = Exclude<Reading, SkippedReading>;

export function readContent(
  reading: SentReading,
  place: Pick<Place, 'file' | 'index'>,
  { change = (fields) => fields, showsFields = false, ...sending }: ItemOptions,
): Content {
  const { position } = reading;
  if (reading.kind === 'problem') {
    const { message, hint } = reading;
    return { entry: { kind: 'unread', ...place, position, accession: null, message, hint } };
  }
  if (reading.kind === 'patient') {
    const message = fileMessage('only_patient', { event: `ADT^${reading.event}` });
    const hint = fileMessage('to_channel');
    return { entry: { kind: 'unread', ...place, position, accession: null, message, hint } };
  }
  const fields = change(asSent(reading, sending));
  const order = readOrderChange(reading);
  const entry: Item = {
    kind: 'item',
    ...place,
    position,
    accession: readIdentifier(fields, 'accession_number'),
    study: readIdentifier(fields, 'study_uid'),
    warnings: reading.warnings,
    sent: describeSent(reading, fields, sending.format),
    ...(showsFields && { shown: { ...storedAs(fields), ...(order?.status && { status: order.status }) } }),
    order: order && { ...order, patientId: fields['patient_id'] },
  };
  return { entry, fields };
}

/** The facts that help to advise if the service refuses the item; `fields`: as they are sent. */
export const describeSent = (
  { table, status }: Pick<ItemReading, 'table' | 'status'>,
  fields: Fields,
  format: FormatName,
): SentItem => ({
  format,
  ...(table !== undefined && { table }),
  ...(status === 'cancelled' && { isCancelled: true }),
  ...oddModality(fields['modality']),
});

const storedAs = (fields: Fields): Fields => takeInstructions(normaliseItem(fields)?.fields ?? fields).fields;

/**
 * The item for the service. Fields without a value in a foreign format keep their stored value, also in the metadata;
 * so do other orders.
 */
export function asSent(
  reading: OrderedItem,
  { format, acceptsPatientChange = false }: Omit<ItemOptions, 'change' | 'showsFields'>,
): Fields {
  const fields = withOrders(reading);
  const keepsAbsent = fields !== reading.item || (formats[format].isForeign && 'metadata' in fields);
  const { isDescribedByModality = false } = reading;
  if (!keepsAbsent && !acceptsPatientChange && !isDescribedByModality) return fields;
  return withInstructions(fields, {
    ...(keepsAbsent && { keep_absent: true }),
    ...(acceptsPatientChange && { accept_patient_change: true }),
    ...(isDescribedByModality && { describe_by_modality: true }),
  });
}

const known: ReadonlySet<unknown> = new Set(modalityCodes);
/** Only text that looks like a code: no patient's text may become a part of a hint. */
const oddModality = (modality: unknown): { modality?: string } =>
  typeof modality === 'string' && !known.has(modality.trim().toUpperCase()) && /^[\w ./-]{1,16}$/.test(modality)
    ? { modality }
    : {};

/** Matches identifiers that are already normalised: nearly all. */
const plain = /^[\w.-]+$/;

function readIdentifier(item: Fields, name: (typeof identifierNames)[number]): string | null {
  const value = item[name];
  if (typeof value !== 'string') return null;
  if (plain.test(value)) return value;
  const normal: unknown = normaliseItem({ [name]: value })?.fields[name];
  return typeof normal === 'string' ? normal : null;
}
