/** An item while it is being put together from what a foreign format says. */
import { coreFieldNames } from '../contract/exam.ts';
import { WorklistItemInput } from '../contract/worklist.ts';
import { mended, onOneLine } from '../domain/characters.ts';
import { identifierNames } from '../domain/normalise.ts';
import { kinds } from './kinds.ts';
import type { KindName, Times } from './kinds.ts';
import { problem } from './reading.ts';
import type { ItemReading, Position, Reading } from './reading.ts';

/** Where a value of an item comes from, in the words of its format: one row of a mapping table. */
export interface Mapping {
  /** A field of the contract, or `metadata.` and a name. */
  readonly to: string;
  readonly kind: KindName;
  /** The first that is there is taken. */
  readonly from: readonly string[];
}

/** What a format says at a place: `undefined` nothing, `null` that the value is to be deleted. */
export type Lookup = (source: string) => string | null | undefined;

/** Without them, or with a wrong one, an item is not what it was meant to be. */
const neededOfItems: ReadonlySet<string> = new Set<string>([...coreFieldNames, ...identifierNames]);

export interface Draft {
  /** Fields on which the whole depends. */
  readonly needed: ReadonlySet<string>;
  readonly fields: Record<string, unknown>;
  readonly metadata: Record<string, unknown>;
  readonly warnings: string[];
  fault: { message: string; hint: string } | undefined;
}

export const newDraft = (needed = neededOfItems): Draft => ({
  needed,
  fields: {},
  metadata: {},
  warnings: [],
  fault: undefined,
});

/**
 * Fills a draft by a table. A value that is not what it should be is left out with a warning; where the item depends on
 * it, the whole item is a problem.
 */
export function fill(
  draft: Draft,
  mappings: readonly Mapping[],
  lookup: Lookup,
  times: Times,
  nameOf: (source: string) => string = (source) => source,
): void {
  for (const { to, kind, from } of mappings) {
    for (const source of from) {
      const value = lookup(source);
      if (value === undefined || value === '') continue;
      put(draft, { to, kind, source: () => nameOf(source) }, value, times);
      break;
    }
  }
}

interface Target {
  readonly to: string;
  readonly kind: KindName;
  /** Where the value comes from, for messages. */
  readonly source: () => string;
}

function put(draft: Draft, { to, kind, source }: Target, text: string | null, times: Times): void {
  const name = to.startsWith('metadata.') ? to.slice('metadata.'.length) : undefined;
  if (text === null) {
    // The fields that an item needs keep their stored value.
    if (name !== undefined) draft.metadata[name] = null;
    else if (!draft.needed.has(to)) draft.fields[to] = null;
    return;
  }
  const { expected, convert } = kinds[kind];
  const isReadable = !text.includes('\ufffd');
  const converted = isReadable ? convert(text, times) : undefined;
  if (converted === undefined) {
    const message = `${to}: what stands in ${source()} is not ${isReadable ? expected : 'in the character set that is named'}`;
    if (draft.needed.has(to))
      draft.fault ??= { message: `${message}.`, hint: `Mend ${source()} where the file was made.` };
    else draft.warnings.push(`${message}; it was left out.`);
    return;
  }
  if (converted.note !== undefined) draft.warnings.push(`${to}: ${source()} ${converted.note}.`);
  const { value } = converted;
  if (name !== undefined) draft.metadata[name] = typeof value === 'string' ? mended('prose', value) : value;
  else draft.fields[to] = typeof value === 'string' && isLine(to) ? onOneLine(value) : value;
}

/** A name or a title; in an identifier, a line end is a fault of the file. */
const isLine = (field: string): boolean => WorklistItemInput.properties?.[field]?.['x-text'] === 'line';

/** `identifiedBy`: the places of the identifiers, for who has to mend an item without any. */
export function finished(
  { fields, metadata, warnings, fault }: Draft,
  position: Position,
  identifiedBy: string,
  ofOrder: Pick<ItemReading, 'status' | 'order' | 'orders'> = {},
): Reading {
  if (fault) return problem(position, fault.message, fault.hint);
  if (identifierNames.every((name) => fields[name] === undefined)) {
    return problem(
      position,
      'It has neither an accession number nor a study UID.',
      `They are read from ${identifiedBy}.`,
    );
  }
  return {
    kind: 'item',
    item: Object.keys(metadata).length > 0 ? { ...fields, metadata } : fields,
    position,
    ...(warnings.length > 0 && { warnings }),
    ...ofOrder,
  };
}
