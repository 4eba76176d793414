/** An item while it is being put together from what a foreign format says. */
import { textOf } from '../../contract/messages/message.ts';
import type { Message, Param } from '../../contract/messages/message.ts';
import { fileMessage } from '../../contract/messages/files.ts';
import { coreFieldNames } from '../../contract/exam.ts';
import { WorklistItemInput } from '../../contract/worklist.ts';
import { mendText, onOneLine } from '../../domain/characters.ts';
import { identifierNames } from '../../domain/normalise.ts';
import { readOrder } from '../../domain/orders.ts';
import type { Order } from '../../domain/orders.ts';
import { encodedOnce } from './code-pages.ts';
import { kinds } from './kinds.ts';
import type { ConvertedValue, KindName, Times } from './kinds.ts';
import { problem } from './reading.ts';
import { remembering } from './remembering.ts';
import type { Rewrite } from './rewrites.ts';
import type { ItemReading, PlaceFault, Position, Reading } from './reading.ts';

/** Where a value of an item comes from, in the words of its format: one row of a mapping table. */
export interface Mapping {
  /** A field of the contract, or `metadata.` and a name. */
  readonly to: string;
  readonly kind: KindName;
  /** The first that is there, and is what it should be, is taken. */
  readonly from: readonly string[];
  /** Changes the text before it becomes a value. */
  readonly rewrite?: Rewrite;
  /** Meanings of values, by the value in small letters. */
  readonly values?: ReadonlyMap<string, string>;
  /** The field whose value is taken where none is there. */
  readonly copy?: string;
  /** The value where that has none either. */
  readonly otherwise?: string;
}

/** Looks up the value of a field at a place: `undefined` if there is none, `null` if the stored value is to be deleted. */
export type Lookup = (source: string, to: string) => string | null | undefined;

/** Without them, or with a wrong one, an item is not what it was meant to be. */
const neededOfItems: ReadonlySet<string> = new Set<string>([...coreFieldNames, ...identifierNames]);

export interface Draft {
  /** Fields on which the whole depends. */
  readonly needed: ReadonlySet<string>;
  readonly fields: Record<string, unknown>;
  readonly metadata: Record<string, unknown>;
  readonly warnings: Message[];
  fault: { message: Message; hint: Message; place?: string; fault?: PlaceFault } | undefined;
  /** The modality is that of a mapping, since no place has one. */
  isModalityPreset?: true;
}

export const newDraft = (needed = neededOfItems): Draft => ({
  needed,
  fields: {},
  metadata: {},
  warnings: [],
  fault: undefined,
});

/**
 * Fills a draft by a table. A value that is not what it should be gives way to the next place, with a warning; where no other has
 * one it is left out, and where the item depends on it, the whole item is a problem.
 */
export function fill(
  draft: Draft,
  mappings: readonly Mapping[],
  lookup: Lookup,
  times: Times,
  nameOf: (source: string) => Param = (source) => source,
): void {
  const copied: (readonly [Mapping, EmptyField])[] = [];
  for (const mapping of mappings) {
    const empty = takePlace(draft, mapping, lookup, times, nameOf);
    if (!empty) continue;
    if (mapping.copy === undefined) takePreset(draft, mapping, empty, times);
    else copied.push([mapping, empty]);
  }
  // A copy takes what the other field has become.
  for (const [mapping, empty] of copied) copyField(draft, mapping, empty, times);
}

/** No place has a value of the field; `wrong`: the first that has another. */
interface EmptyField {
  readonly wrong: WrongValue | undefined;
}

function copyField(draft: Draft, mapping: Mapping, empty: EmptyField, times: Times): void {
  // A copy has become what it is already.
  const { copy = '', rewrite: _, values: __, ...plain } = mapping;
  const value = valueIn(draft, copy);
  const from = value === undefined || value === null ? [] : [copy];
  const left = takePlace(
    draft,
    { ...plain, from },
    () => String(value),
    times,
    (name) => name,
  );
  if (left) takePreset(draft, mapping, { wrong: empty.wrong ?? left.wrong }, times);
}

/** `undefined`: there is none; `null`: it is to be deleted. */
const valueIn = ({ fields, metadata }: Draft, to: string): unknown => {
  const name = metadataName(to);
  return name === undefined ? fields[to] : metadata[name];
};

/** Takes the value of the first place that has one. */
function takePlace(
  draft: Draft,
  mapping: Mapping,
  lookup: Lookup,
  times: Times,
  nameOf: (source: string) => Param,
): EmptyField | undefined {
  const { to, from } = mapping;
  let wrong: WrongValue | undefined;
  for (const source of from) {
    const text = lookup(source, to);
    if (text === undefined || text === '') continue;
    if (text === null) {
      clear(draft, to);
      return undefined;
    }
    const once = encodedOnce(text);
    if (once !== undefined) draft.warnings.push(fileMessage('utf8_twice', { field: to, source: nameOf(source) }));
    const result = converted(mapping, once ?? text, times);
    if (result === undefined) continue;
    if ('expected' in result) {
      wrong ??= { field: to, source: nameOf(source), what: result.expected };
      continue;
    }
    if (wrong) draft.warnings.push(fileMessage('other_taken', { ...wrong, other: nameOf(source) }));
    const later = to === 'exam_datetime' ? findMuchLater(mapping, source, result.value, lookup, times) : undefined;
    if (later) {
      const places = { field: to, source: nameOf(source), other: nameOf(later.source) };
      draft.warnings.push(fileMessage('later_time_taken', places));
      times.onFound?.(to, textOf(nameOf(later.source)));
      put(draft, to, later.value);
      return undefined;
    }
    if (result.note !== undefined) draft.warnings.push(fileMessage(result.note, { field: to, source: nameOf(source) }));
    times.onFound?.(to, textOf(nameOf(source)));
    put(draft, to, result.value);
    return undefined;
  }
  return { wrong };
}

function takePreset(draft: Draft, mapping: Mapping, { wrong }: EmptyField, times: Times): void {
  const { to, otherwise } = mapping;
  const preset = otherwise === undefined ? undefined : convertPreset(mapping, otherwise, times);
  if (wrong) refuse(draft, wrong, preset !== undefined);
  if (preset === undefined || draft.fault) return;
  put(draft, to, preset);
  if (to === 'modality') draft.isModalityPreset = true;
}

/** In ms. */
const year = 366 * 24 * 3600_000;

/** The time at a later place of the table that is over a year after the one found: that of an exam, and the other a remnant. */
function findMuchLater(
  mapping: Mapping,
  taken: string,
  value: unknown,
  lookup: Lookup,
  times: Times,
): { readonly source: string; readonly value: unknown } | undefined {
  for (const source of mapping.from.slice(mapping.from.indexOf(taken) + 1)) {
    const text = lookup(source, mapping.to);
    const result = text === undefined || text === null || text === '' ? undefined : converted(mapping, text, times);
    if (!result || 'expected' in result) continue;
    if (Date.parse(String(result.value)) - Date.parse(String(value)) > year) return { source, value: result.value };
  }
  return undefined;
}

/** A place that holds no value of its field. */
export interface WrongValue {
  readonly field: string;
  readonly source: Param;
  readonly what: Message;
}

/** A default is written as it is stored. */
function convertPreset({ rewrite: _, ...mapping }: Mapping, otherwise: string, times: Times): unknown {
  const result = converted(mapping, otherwise, times);
  return result && 'value' in result ? result.value : undefined;
}

/** `undefined` where the text says too little to be a value. */
function converted(
  { kind, rewrite, values }: Mapping,
  written: string,
  times: Times,
): ConvertedValue | { readonly expected: Message } | undefined {
  if (written.includes('\ufffd')) return { expected: fileMessage('in_set') };
  const rewritten = rewrite?.(written);
  if (rewritten && 'expected' in rewritten) return { expected: fileMessage(rewritten.expected) };
  const text = rewritten?.text ?? written;
  const { expected, convert, says } = kinds[kind];
  const meant = values?.get(text.trim().toLowerCase());
  if (meant === undefined && says?.(text) === false) return undefined;
  const result = convert(meant ?? text, times);
  if (result === undefined) return { expected: fileMessage(expected) };
  const { value } = result;
  const translated = typeof value === 'string' && meant === undefined ? values?.get(value.toLowerCase()) : undefined;
  return translated === undefined ? result : { ...result, value: translated };
}

export function refuse(draft: Draft, wrong: WrongValue, hasPreset: boolean) {
  const { field, source } = wrong;
  if (!draft.needed.has(field)) draft.warnings.push(fileMessage('left_out', wrong));
  else if (hasPreset) draft.warnings.push(fileMessage('default_taken', wrong));
  else {
    const [code, example] = findMending(field);
    draft.fault ??= {
      message: fileMessage('not_expected', wrong),
      hint: draft.needed !== neededOfItems ? fileMessage('mend', { source }) : fileMessage(code, { source, example }),
      place: textOf(source),
      fault: field === 'modality' ? 'value' : 'type',
    };
  }
}

/** Code of the hint for a field with a wrong value, and the lines of a mapping that it shows. */
function findMending(field: string): readonly ['mend_date' | 'mend_map_or_leave' | 'mend_or_map', string] {
  if (field === 'exam_datetime')
    return ['mend_date', '{"dates": {"exam_datetime": ["YYYYMMDDHHmm", "DD/MM/YYYY HH:mm"]}}'];
  return [field === 'study_uid' ? 'mend_map_or_leave' : 'mend_or_map', `{"fields": {"${field}": ["PLACE"]}}`];
}

/** Where the values of a mapping go. */
interface Target {
  /** The name in the metadata; `undefined`: it is a field. */
  readonly metadataName: string | undefined;
  /** A name or a title; in an identifier, a line end is a fault of the file. */
  readonly isLine: boolean;
}

/** Every value is put somewhere. */
const findTarget = remembering((to): Target => ({
  metadataName: readMetadataName(to),
  isLine: WorklistItemInput.properties?.[to]?.['x-text'] === 'line',
}));

const metadataName = (to: string): string | undefined => findTarget(to).metadataName;

const readMetadataName = (to: string): string | undefined =>
  to.startsWith('metadata.')
    ? to.slice('metadata.'.length)
    : // A field that the contract does not have.
      to in asMetadata && !(to in WorklistItemInput.properties)
      ? to
      : undefined;

/** Facts that are kept as metadata by services whose contract has no field for them. */
const asMetadata: Readonly<Record<string, true>> = { accession_issuer: true, exam_status: true };

function clear(draft: Draft, to: string): void {
  const name = metadataName(to);
  // The fields that an item needs keep their stored value.
  if (name !== undefined) draft.metadata[name] = null;
  else if (!draft.needed.has(to)) draft.fields[to] = null;
}

/** Sets a field, or a name in the metadata. */
export function put(draft: Draft, to: string, value: unknown): void {
  const { metadataName: name, isLine } = findTarget(to);
  if (name !== undefined) draft.metadata[name] = typeof value === 'string' ? mendText('prose', value) : value;
  else draft.fields[to] = typeof value === 'string' && isLine ? onOneLine(value) : value;
}

/** The order of a draft; `undefined` if nothing distinguishes it from other orders. */
export const orderIn = ({ fields, metadata }: Pick<Draft, 'fields' | 'metadata'>, status: Order['status']) =>
  readOrder(metadata, status, fields);

/** `hintAtIdentifiers` says where the identifiers are read from; `undefined`: the item may be without any. */
export function finished(
  { fields, metadata, warnings, fault }: Draft,
  position: Position,
  hintAtIdentifiers: (() => Message) | undefined,
  ofOrder: Pick<ItemReading, 'status' | 'order' | 'orders' | 'resources' | 'table' | 'isDescribedByModality'> = {},
): Reading {
  const item = Object.keys(metadata).length > 0 ? { ...fields, metadata } : fields;
  if (fault) {
    const { message, hint, ...where } = fault;
    return problem(position, message, hint, { ...where, subject: item });
  }
  if (hintAtIdentifiers && identifierNames.every((name) => fields[name] === undefined)) {
    return problem(position, fileMessage('no_identifier'), hintAtIdentifiers(), {
      isUnidentified: true,
      subject: item,
    });
  }
  const order = ofOrder.orders ? undefined : orderIn({ fields, metadata }, ofOrder.status ?? (ofOrder.order && 'open'));
  return {
    kind: 'item',
    item,
    position,
    ...(warnings.length > 0 && { warnings }),
    ...(order && { orders: [order] }),
    ...ofOrder,
  };
}
