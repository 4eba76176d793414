/** What was read of a file as one sequence of entries: each an item ready to be sent, or something that could not be read. */
import { withInstructions } from '../domain/item-instructions.ts';
import { normaliseItem } from '../domain/normalise.ts';
import type { identifierNames } from '../domain/normalise.ts';
import { formats } from '../worklist-files/formats.ts';
import type { FormatName } from '../domain/worklist-formats.ts';
import type { ItemReading, Position, Reading } from '../worklist-files/reading.ts';
import { orderChangeOf, withOrders } from './order-changes.ts';
import type { OrderChange } from './order-changes.ts';

export interface Place {
  /** As it was typed; empty where a person handed over content without a name. */
  readonly file: string;
  readonly position: Position;
  /** Counts the entries of all files, from 0. */
  readonly index: number;
}

export interface Item extends Place {
  readonly kind: 'item';
  /** What it is matched by, normalised. */
  readonly accession: string | null;
  readonly study: string | null;
  /** What was left out or taken for granted. */
  readonly warnings: readonly string[] | undefined;
  /** What the file says of its order, and what else the exam can then be found by. */
  readonly order: (OrderChange & { readonly patientId: unknown }) | undefined;
}

export interface Unread extends Place {
  readonly kind: 'unread';
  readonly accession: null;
  readonly message: string;
  readonly hint: string | undefined;
}

export type Entry = Item | Unread;

type Fields = ItemReading['item'];

/** An entry with what is sent of it: not kept any longer than until it is part of a request. */
export interface Content {
  readonly entry: Entry;
  /** Absent of what could not be read. */
  readonly fields?: Fields;
}

export interface ItemOptions {
  readonly format: FormatName;
  /** Exams of other patients are taken over. */
  readonly acceptsPatientChange?: boolean;
  /** The last change to the fields before they are sent. */
  readonly change?: (fields: Fields) => Fields;
}

export function contentOf(
  reading: Reading,
  place: Pick<Place, 'file' | 'index'>,
  { change = (fields) => fields, ...sending }: ItemOptions,
): Content {
  const { position } = reading;
  if (reading.kind === 'problem') {
    const { message, hint } = reading;
    return { entry: { kind: 'unread', ...place, position, accession: null, message, hint } };
  }
  const fields = change(asSent(reading, sending));
  const order = orderChangeOf(reading);
  const entry: Item = {
    kind: 'item',
    ...place,
    position,
    accession: identifierOf(fields, 'accession_number'),
    study: identifierOf(fields, 'study_uid'),
    warnings: reading.warnings,
    order: order && { ...order, patientId: fields['patient_id'] },
  };
  return { entry, fields };
}

/** The item as the service is to take it. What a foreign format has no value for stays, also in the metadata. */
export function asSent(
  { item, orders }: ItemReading,
  { format, acceptsPatientChange = false }: Omit<ItemOptions, 'change'>,
): Fields {
  const fields = withOrders(item, orders);
  const keepsAbsent = formats[format].isForeign && 'metadata' in fields;
  if (!keepsAbsent && !acceptsPatientChange) return fields;
  return withInstructions(fields, {
    ...(keepsAbsent && { keep_absent: true }),
    ...(acceptsPatientChange && { accept_patient_change: true }),
  });
}

/** Identifiers that are normal as they are: nearly all. */
const plain = /^[\w.-]+$/;

function identifierOf(item: Fields, name: (typeof identifierNames)[number]): string | null {
  const value = item[name];
  if (typeof value !== 'string') return null;
  if (plain.test(value)) return value;
  return (normaliseItem({ [name]: value })!.fields[name] as string | undefined) ?? null;
}
