/** Answers a query by the indexes of a table, the newest documents first. */
import type { CollectionName } from '../collections.ts';
import { isNamed, createMatcher } from '../transactions/conditions.ts';
import type { Period, Query } from '../store.ts';
import { maxDocuments } from './chunk.ts';
import type { Chunk } from './chunk.ts';
import type { GroupColumn, InstantColumn } from './columns.ts';
import { hashOfName } from './key-index.ts';
import { getScope } from './declared.ts';
import type { GroupIndex, InstantIndex } from './declared.ts';
import type { AnyDocument, Table } from './table.ts';
import { soughtIn } from './chunk-words.ts';
import type { Sought } from './chunk-words.ts';

type AnyQuery = Query<CollectionName>;
type Names = Readonly<Record<string, string | readonly string[] | undefined>>;
type Matches = (document: AnyDocument) => boolean;

/** A part of the answer to a query. */
export interface Step {
  /** Newest first; may be empty. */
  readonly documents: readonly AnyDocument[];
  /** The search has covered all documents from this id on. */
  readonly from: string;
}

/**
 * The documents that meet the conditions, in short steps, however large the table. A caller that lets other work run between
 * two steps must query again, for the documents before the last step's `from`. The limit only bounds a single step.
 */
export function findIn(table: Table, query: AnyQuery): Iterable<Step> {
  const matches = createMatcher(table.collection, query) as Matches;
  const names = (query.is ?? {}) as Names;
  const key = table.keys.find(({ name }) => names[name] !== undefined);
  if (!key) return findByChunks(table, query, matches);
  const within = key.within === undefined ? '' : (names[key.within] as string);
  return findInRows(table, listRows(table, key, hashOfName(within, names[key.name] as string)), query, matches);
}

/**
 * How many documents meet the conditions, which are of groups alone: the columns tell, and no document is read. In short steps, whose
 * sum is the answer; other work may run between two steps.
 */
export function* countIn(table: Table, query: AnyQuery): Generator<number, void> {
  const conditions = locateConditions(table, query);
  if (conditions.groups.size === 0) return yield table.size;
  let { before } = query;
  for (;;) {
    const chunk = table.chunks[chunkBefore(table, before)];
    if (!chunk) return;
    const selection = selectIn(chunk, conditions);
    const count = selection ? countSlots(chunk, selection, before) : 0;
    before = chunk.minId;
    yield count;
  }
}

function countSlots(chunk: Chunk, selection: Selection, before: string | undefined): number {
  const end = before === undefined ? chunk.count : chunk.positionOf(before);
  let count = 0;
  for (let position = 0; position < end; position++) if (isSelected(selection, chunk.slotAt(position))) count += 1;
  return count;
}

/** The oldest document that meets the conditions, which are of groups alone, and whose id passes; only that one is read. */
export function oldestIn(
  table: Table,
  query: AnyQuery,
  passes: (id: string) => boolean = () => true,
): AnyDocument | undefined {
  const conditions = locateConditions(table, query);
  for (const chunk of table.chunks) {
    const selection = selectIn(chunk, conditions);
    if (!selection) continue;
    for (const slot of chunk.slots()) {
      if (isSelected(selection, slot) && passes(chunk.idOf(slot))) return table.documentAt(chunk, slot);
    }
  }
  return undefined;
}

/** The newest document under each of the names of a key, in their order. */
export function newestUnder(
  table: Table,
  index: string,
  space: string,
  names: readonly string[],
): (AnyDocument | undefined)[] {
  const key = table.key(index);
  const within = key.within === undefined ? '' : space;
  return names.map((name) => {
    const hash = hashOfName(within, name);
    const isFound = (document: AnyDocument): boolean =>
      isNamed(key.of(document), name) && getScope(key, document) === within;
    if (key.additional.of(hash).length > 0) return firstIn(table, listRows(table, key, hash), isFound);
    // Few names have further rows, and every ingest looks names up: a generator takes several times as long.
    let row = key.rows.newest(hash);
    for (; row >= 0; row = key.rows.nextOlder(row)) {
      const document = table.documentIn(row);
      if (isFound(document)) return document;
    }
    return undefined;
  });
}

function firstIn(table: Table, rows: Iterable<number>, isFound: Matches): AnyDocument | undefined {
  for (const row of rows) {
    const document = table.documentIn(row);
    if (isFound(document)) return document;
  }
  return undefined;
}

/** The rows that may have a name with that hash, the newest first. */
function* listRows(
  table: Table,
  { rows, additional: further }: Table['keys'][number],
  hash: number,
): Generator<number, void> {
  /** The newest last. */
  const others = further.of(hash).toSorted();
  for (let row = rows.newest(hash); row >= 0; row = rows.nextOlder(row)) {
    const id = table.idOf(row);
    for (let other = others.at(-1); other !== undefined && other >= id; other = others.at(-1)) {
      others.pop();
      if (other !== id) yield table.rowOf(other);
    }
    yield row;
  }
  for (const id of others.toReversed()) yield table.rowOf(id);
}

/** The most documents read in one step. */
const readAtOnce = 64;

/** Few documents have the name: each is read and checked. */
function* findInRows(
  table: Table,
  rows: Iterable<number>,
  { before }: AnyQuery,
  matches: Matches,
): Generator<Step, void> {
  let documents: AnyDocument[] = [];
  let read = 0;
  for (const row of rows) {
    if (before !== undefined && table.idOf(row) >= before) continue;
    const document = table.documentIn(row);
    if (matches(document)) documents.push(document);
    if (++read % readAtOnce !== 0) continue;
    yield { documents, from: document.id };
    documents = [];
  }
  yield { documents, from: '' };
}

/** Searches chunk by chunk, by the columns and words of each chunk. */
function* findByChunks(table: Table, query: AnyQuery, matches: Matches): Generator<Step, void> {
  const conditions = locateConditions(table, query);
  const { limit = maxDocuments } = query;
  let { before } = query;
  for (;;) {
    const next = nextChunk(table, conditions, before);
    if (!next) return;
    const { chunk, selection } = next;
    // Other work may run after each slice; what was prepared is there when the rest is queried again.
    while (conditions.sought && table.prepareWords(chunk)) yield { documents: [], from: before ?? afterAll };
    const documents = findInChunk(table, chunk, { selection, sought: conditions.sought, before, limit, matches });
    // With as many as were asked for, the rest of the chunk was not looked at.
    const last = documents.length === limit ? documents.at(-1) : undefined;
    before = last?.id ?? chunk.minId;
    yield { documents, from: before };
  }
}

/** Comes after every id. */
const afterAll = '\uffff';

/** The last chunk that can hold a document before that id and what is sought. */
function nextChunk(table: Table, conditions: ColumnConditions, before: string | undefined) {
  const { sought } = conditions;
  for (let at = chunkBefore(table, before); at >= 0; at--) {
    const chunk = table.chunks[at];
    if (!chunk || (sought && chunk.words?.mayHave(sought) === false)) continue;
    const selection = selectIn(chunk, conditions);
    if (selection) return { chunk, selection };
  }
  return undefined;
}

/** The last chunk that can hold an id before that one; -1 where there is none. */
function chunkBefore(table: Table, before: string | undefined): number {
  if (before === undefined || table.size === 0) return table.chunks.length - 1;
  const at = table.chunkOf(before);
  const chunk = table.chunks[at];
  return chunk && chunk.minId < before ? at : at - 1;
}

/** The conditions of a query on the columns and words of chunks. */
interface ColumnConditions {
  readonly groups: ReadonlyMap<GroupIndex, readonly string[]>;
  readonly instants: ReadonlyMap<InstantIndex, Period>;
  readonly sought: Sought | undefined;
}

function locateConditions(table: Table, { is = {}, during = {}, text }: AnyQuery): ColumnConditions {
  const groups = new Map<GroupIndex, readonly string[]>();
  const instants = new Map<InstantIndex, Period>();
  for (const index of table.groups) {
    const names = (is as Names)[index.name];
    if (names !== undefined) groups.set(index, [names].flat());
  }
  for (const index of table.instants) {
    const period = (during as Readonly<Record<string, Period | undefined>>)[index.name];
    if (period) instants.set(index, period);
  }
  const sought = text === undefined ? undefined : soughtIn(text);
  return { groups, instants, sought: sought && sought.words.length > 0 ? sought : undefined };
}

/** The columns of a chunk that decide which of its slots meet the conditions. */
interface Selection {
  readonly groups: readonly { readonly column: GroupColumn; readonly selected: Uint8Array }[];
  readonly instants: readonly ({ readonly column: InstantColumn } & Period)[];
}

/** `undefined` if no slot of the chunk can meet the conditions. */
function selectIn(chunk: Chunk, conditions: ColumnConditions): Selection | undefined {
  const groups: Selection['groups'][number][] = [];
  const instants: Selection['instants'][number][] = [];
  for (const column of chunk.groups) {
    const names = conditions.groups.get(column.index);
    if (!names) continue;
    const selected = column.select(names);
    if (!selected) return undefined;
    groups.push({ column, selected });
  }
  for (const column of chunk.instants) {
    const period = conditions.instants.get(column.index);
    if (!period) continue;
    const { from, to } = period;
    if (!(column.first <= to && column.last >= from)) return undefined;
    instants.push({ column, from, to });
  }
  return { groups, instants };
}

/** Whether the document in the slot meets the conditions. */
function isSelected({ groups, instants }: Selection, slot: number): boolean {
  for (const { column, selected } of groups) if (!column.hasAny(slot, selected)) return false;
  for (const { column, from, to } of instants) {
    const at = column.get(slot);
    if (!(at >= from && at <= to)) return false;
  }
  return true;
}

interface ChunkSearch {
  readonly selection: Selection;
  readonly sought: Sought | undefined;
  readonly before: string | undefined;
  readonly limit: number;
  readonly matches: Matches;
}

function findInChunk(
  table: Table,
  chunk: Chunk,
  { selection, sought, before, limit, matches }: ChunkSearch,
): AnyDocument[] {
  const found: AnyDocument[] = [];
  const wordCounts = sought && countWords(table, chunk, sought);
  if (sought && !wordCounts) return found;
  const end = before === undefined ? chunk.count : chunk.positionOf(before);
  for (let position = end - 1; position >= 0; position--) {
    const slot = chunk.slotAt(position);
    if (wordCounts && wordCounts[slot] !== sought.lookups.length) continue;
    if (!isSelected(selection, slot)) continue;
    const document = table.documentAt(chunk, slot);
    if (sought && !sought.isExact && !matches(document)) continue;
    found.push(document);
    if (found.length >= limit) break;
  }
  return found;
}

const counts = new Uint8Array(maxDocuments);

/** How many of the words each slot has, good until the next time; `undefined` where none has all of them. */
function countWords(table: Table, chunk: Chunk, sought: Sought): Uint8Array | undefined {
  counts.fill(0);
  return chunk.words?.search(sought, table.textsIn(chunk), counts) ? counts : undefined;
}
