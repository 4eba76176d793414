/** Answers a query by the indexes of a table, the newest documents first. */
import type { CollectionName } from '../collections.ts';
import { isNamed, createMatcher } from '../transactions/conditions.ts';
import type { Query } from '../store.ts';
import { maxDocuments } from './chunk.ts';
import type { Chunk } from './chunk.ts';
import { hashOfName } from './key-index.ts';
import { getScope } from './declared.ts';
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
  const { groups } = locateConditions(table, query);
  if (groups.length === 0) return yield table.size;
  let { before } = query;
  for (;;) {
    const chunk = table.chunks[chunkBefore(table, before)];
    if (!chunk) return;
    const count = countInChunk(chunk, groups, before);
    before = chunk.minId;
    yield count;
  }
}

function countInChunk(chunk: Chunk, groups: ChunkConditions['groups'], before: string | undefined): number {
  const numbered = groups.map(({ at, names }) => chunk.groups[at]!.findAny(names));
  if (numbered.includes(undefined)) return 0;
  const end = before === undefined ? chunk.count : chunk.positionOf(before);
  let count = 0;
  next: for (let position = 0; position < end; position++) {
    const slot = chunk.slotAt(position);
    for (let i = 0; i < numbered.length; i++) {
      const { numbers, wanted } = numbered[i]!;
      if (!wanted.includes(numbers[slot]!)) continue next;
    }
    count += 1;
  }
  return count;
}

/** The oldest document that meets the conditions, which are of groups alone, and whose id passes; only that one is read. */
export function oldestIn(
  table: Table,
  query: AnyQuery,
  passes: (id: string) => boolean = () => true,
): AnyDocument | undefined {
  const { groups } = locateConditions(table, query);
  for (const chunk of table.chunks) {
    const numbered = groups.map(({ at, names }) => chunk.groups[at]!.findAny(names));
    if (numbered.includes(undefined)) continue;
    for (let position = 0; position < chunk.count; position++) {
      const slot = chunk.slotAt(position);
      const isSought = numbered.every((group) => group!.wanted.includes(group!.numbers[slot]!));
      if (isSought && passes(chunk.idOf(slot))) return table.documentAt(chunk, slot);
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
  const key = table.keys.find(({ name }) => name === index)!;
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
  const others = further.of(hash).toSorted().toReversed();
  for (let row = rows.newest(hash); row >= 0; row = rows.nextOlder(row)) {
    while (others.length > 0 && others[0]! > table.idOf(row)) yield table.rowOf(others.shift()!);
    if (others[0] === table.idOf(row)) others.shift();
    yield row;
  }
  for (const id of others) yield table.rowOf(id);
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
    const chunk = nextChunk(table, conditions, before);
    if (!chunk) return;
    // Other work may run after each slice; what was prepared is there when the rest is queried again.
    while (conditions.sought && table.prepareWords(chunk)) yield { documents: [], from: before ?? afterAll };
    const documents = findInChunk(table, chunk, conditions, { before, limit, matches });
    // With as many as were asked for, the rest of the chunk was not looked at.
    before = documents.length === limit ? documents.at(-1)!.id : chunk.minId;
    yield { documents, from: before };
  }
}

/** Comes after every id. */
const afterAll = '\uffff';

/** The last chunk that can hold a document before that id and what is sought. */
function nextChunk(table: Table, { groups, instants, sought }: ChunkConditions, before: string | undefined) {
  for (let at = chunkBefore(table, before); at >= 0; at--) {
    const chunk = table.chunks[at]!;
    if (sought && !chunk.words!.mayHave(sought)) continue;
    if (groups.some(({ at: group, names }) => !chunk.groups[group]!.findAny(names))) continue;
    if (instants.some(({ at: instant, from, to }) => !mayBeDuring(chunk.instants[instant]!, from, to))) continue;
    return chunk;
  }
  return undefined;
}

const mayBeDuring = ({ first, last }: Chunk['instants'][number], from: number, to: number): boolean =>
  first <= to && last >= from;

/** The last chunk that can hold an id before that one; -1 where there is none. */
function chunkBefore(table: Table, before: string | undefined): number {
  if (before === undefined || table.size === 0) return table.chunks.length - 1;
  const at = table.chunkOf(before);
  return table.chunks[at]!.minId < before ? at : at - 1;
}

/** The conditions of a query, by the places of their indexes. */
interface ChunkConditions {
  readonly groups: readonly { readonly at: number; readonly names: readonly string[] }[];
  readonly instants: readonly { readonly at: number; readonly from: number; readonly to: number }[];
  readonly sought: Sought | undefined;
}

function locateConditions(table: Table, { is = {}, during = {}, text }: AnyQuery): ChunkConditions {
  const names = is as Names;
  const periods = during as Readonly<Record<string, { from: number; to: number } | undefined>>;
  const sought = text === undefined ? undefined : soughtIn(text);
  return {
    groups: table.groups.flatMap(({ name }, at) =>
      names[name] === undefined ? [] : [{ at, names: [names[name]].flat() }],
    ),
    instants: table.instants.flatMap(({ name }, at) => (periods[name] ? [{ at, ...periods[name] }] : [])),
    sought: sought && sought.words.length > 0 ? sought : undefined,
  };
}

interface InChunk {
  readonly before: string | undefined;
  readonly limit: number;
  readonly matches: Matches;
}

function findInChunk(
  table: Table,
  chunk: Chunk,
  { groups, instants, sought }: ChunkConditions,
  { before, limit, matches }: InChunk,
): AnyDocument[] {
  const found: AnyDocument[] = [];
  const numbered = groups.map(({ at, names }) => chunk.groups[at]!.findAny(names));
  const columns = instants.map(({ at }) => chunk.instants[at]!);
  const wordCounts = sought && countWords(table, chunk, sought);
  if (sought && !wordCounts) return found;
  const end = before === undefined ? chunk.count : chunk.positionOf(before);

  next: for (let position = end - 1; position >= 0; position--) {
    const slot = chunk.slotAt(position);
    if (wordCounts && wordCounts[slot] !== sought.lookups.length) continue;
    for (let i = 0; i < numbered.length; i++) {
      const { numbers, wanted } = numbered[i]!;
      if (!wanted.includes(numbers[slot]!)) continue next;
    }
    for (let i = 0; i < columns.length; i++) {
      const at = columns[i]!.get(slot);
      if (!(at >= instants[i]!.from && at <= instants[i]!.to)) continue next;
    }
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
  return chunk.words!.search(sought, table.textsIn(chunk), counts) ? counts : undefined;
}
