/**
 * Imaging systems write the same value in many ways; this module writes it in one. It trims strings and makes them NFC,
 * writes modalities in capitals, and date-times in ISO 8601 with their offsets. It refuses nothing: a value of the
 * wrong type stays for validation to name. Person names stay as sent; person-name.ts makes their display names.
 */
import { coreFieldNames } from '../contract/exam.ts';
import { WorklistItemInput } from '../contract/worklist.ts';
import { mendText } from './characters.ts';
import type { TextKind } from '../contract/schema.ts';
import { normaliseIsoDateTime } from './iso-time.ts';
import { normalForm } from './normal-form.ts';

/** An item split into the fields of the contract and all others, which the service stores under `metadata.extra`. */
export interface NormalisedItem {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly extra: Readonly<Record<string, unknown>> | undefined;
}

/** Every field of an item, in the order of the contract. */
export const itemFieldNames: readonly string[] = Object.keys(WorklistItemInput.properties ?? {});
export const identifierNames = ['accession_number', 'study_uid'] as const;

/** How to write one field. An empty value stays, clears the field (`null`) or counts as absent (`undefined`). */
interface FieldRule {
  readonly kind?: TextKind;
  /** `text` is mended, trimmed and NFC already. */
  readonly write?: (text: string) => string;
  readonly empty: 'kept' | null | undefined;
}

function inSmallLetters(text: string): string {
  return /^[a-z_]*$/i.test(text) ? text.toLowerCase() : text;
}

/** Rules of single fields. */
const ownWriting: Readonly<Record<string, (text: string) => string>> = {
  // Letters that a DICOM code string (VR CS) may hold; capitals of others might need NFC again.
  modality: (text) => (/^[a-z0-9 _]*$/i.test(text) ? text.toUpperCase() : text),
  exam_datetime: (text) => normaliseIsoDateTime(text) ?? text,
  exam_status: inSmallLetters,
  status: inSmallLetters,
  // DICOM PS3.5 9.1 pads with NUL; FHIR writes UIDs as URNs (RFC 3061). The bound keeps the expressions from long work.
  study_uid: (text) =>
    text.length > 256 ? text : text.replace(/(?<![\0\s])[\0\s]+$/, '').replace(/^(?:urn:oid:\s*)+/i, ''),
};

const rules = new Map<string, FieldRule>(
  itemFieldNames.map((name) => {
    const kind = WorklistItemInput.properties?.[name]?.['x-text'];
    const write = ownWriting[name];
    const isIdentifier = (identifierNames as readonly string[]).includes(name);
    const isCore = (coreFieldNames as readonly string[]).includes(name);
    return [
      name,
      {
        ...(kind && kind !== 'free' && { kind }),
        ...(write && { write }),
        empty: isIdentifier || name === 'status' ? undefined : isCore ? 'kept' : null,
      },
    ];
  }),
);

export const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `undefined` if the value is no object. */
export const normaliseItem = (value: unknown): NormalisedItem | undefined =>
  isPlainObject(value) ? normaliseFields(value) : undefined;

/**
 * An empty string or `null` is no identifier, and clears an optional field (`null`); in a core field it stays, since
 * those cannot be cleared.
 */
export function normaliseFields(value: Readonly<Record<string, unknown>>): NormalisedItem {
  const names = Object.keys(value);
  // Most items arrive in normal form.
  if (names.every((name) => isNormal(rules.get(name), value[name]))) return { fields: value, extra: undefined };
  const fields: Record<string, unknown> = {};
  const others: [string, unknown][] = [];
  for (const name of names) {
    const rule = rules.get(name);
    if (!rule) others.push([name, value[name]]);
    else {
      const normal = normaliseField(rule, value[name]);
      if (normal !== undefined) fields[name] = normal;
    }
  }
  // fromEntries defines properties, so that a field named __proto__ is one like any other.
  return { fields, extra: others.length === 0 ? undefined : Object.fromEntries(others) };
}

const isNormal = (rule: FieldRule | undefined, value: unknown): boolean =>
  rule !== undefined && value !== undefined && normaliseField(rule, value) === value;

function normaliseField({ kind, write, empty }: FieldRule, value: unknown): unknown {
  let normal = value;
  if (typeof value === 'string') {
    const seen = kind ? mendText(kind, value) : value;
    const text = (isComposed.test(seen) ? seen : normalForm(seen)).trim();
    normal = write ? write(text) : text;
  }
  return (normal === '' || normal === null) && empty !== 'kept' ? empty : normal;
}

/** Texts that are certainly NFC: the first combining mark is U+0300. */
const isComposed = /^[\0-\u02ff]*$/;

type Free = Readonly<Record<string, unknown>>;

/**
 * The metadata of an item after an ingest: metadata that the item brings replaces the stored metadata, `null` clears it, and
 * absent metadata leaves it. Only `extra` is merged name by name, because it holds fields, and absent fields stay. With
 * `keepAbsent` the metadata of the item is a merge patch (RFC 7396).
 */
export function mergeMetadata(
  stored: Free | null | undefined,
  { fields, extra }: Pick<NormalisedItem, 'fields' | 'extra'>,
  keepAbsent = false,
): Free | null {
  const given = fields['metadata'] as Free | null | undefined;
  if (given === null) return extra ? { extra } : null;
  if (given === undefined && !extra) return stored ?? null;
  const base = (given && keepAbsent ? applyPatch(stored, given) : given) ?? stored ?? {};
  const kept = mergeExtra(own(stored, 'extra'), own(given, 'extra'));
  // A sender's `extra` that is no object becomes a field of `extra`.
  const merged =
    extra && kept !== undefined && !isPlainObject(kept) ? { extra: kept, ...extra } : mergeExtra(kept, extra);
  return merged === undefined ? base : { ...base, extra: merged };
}

/** Objects are merged name by name, `null` removes a name, and anything else replaces. */
function applyPatch(stored: Free | null | undefined, patch: Free): Free {
  // The metadata of most new exams.
  if (!stored && !Object.values(patch).some((value) => value === null || isPlainObject(value))) return patch;
  const merged = new Map(Object.entries(stored ?? {}));
  for (const [name, value] of Object.entries(patch)) {
    const previous = merged.get(name);
    if (value === null) merged.delete(name);
    else merged.set(name, isPlainObject(value) ? applyPatch(isPlainObject(previous) ? previous : {}, value) : value);
  }
  return Object.fromEntries(merged);
}

const mergeExtra = (older: unknown, newer: unknown): unknown =>
  newer === undefined ? older : isPlainObject(older) && isPlainObject(newer) ? { ...older, ...newer } : newer;

const own = (object: Free | null | undefined, name: string): unknown =>
  object && Object.hasOwn(object, name) ? object[name] : undefined;

/** Whether objects and arrays nest more than `levels` deep, the value itself counted. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const inner of Object.values(value)) if (isDeeperThan(inner, levels - 1)) return true;
  return false;
}
