/** What frames hold: documents with the same fields stand in a row, and what they have in common stands once before them. */
import type { KeptDocument, KeptDocuments } from '../migrations.ts';
import type { FileKind } from './frame.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Documents of one collection that were put: one alone as it is; several as what all of them have, then the names of the
 * other fields and each document's values for those. Or, after `null`, the ids of documents that were removed.
 */
export type Run =
  | readonly [collection: string, document: Fields]
  | readonly [collection: string, common: Fields, fields: readonly string[], ...documents: (readonly unknown[])[]]
  | readonly [collection: string, removed: null, ...ids: string[]];

/** What the last frame of a snapshot holds, instead of runs. */
export interface Trailer {
  readonly documents: number;
}

export type Content = readonly Run[] | Trailer;

export const isTrailer = (content: Content): content is Trailer => !Array.isArray(content);

/** A document put, or removed where `document` is `undefined`. */
interface Change {
  readonly collection: string;
  readonly id: string;
  readonly document: object | undefined;
}

/** Changes of one kind that follow each other: documents with the same fields, or, without fields, ids. */
interface Group {
  readonly collection: string;
  readonly fields: readonly string[] | null;
  readonly first: object | undefined;
  readonly rows: unknown[];
}

/** The changes in their order. */
export function runsOf(changes: readonly Change[]): Run[] {
  const groups: Group[] = [];
  let group: Group | undefined;
  for (const { collection, id, document } of changes) {
    const { fields, row } = document ? partsOf(document) : { fields: null, row: id };
    if (group?.collection === collection && isSame(group.fields, fields)) group.rows.push(row);
    else groups.push((group = { collection, fields, first: document, rows: [row] }));
  }
  return groups.map(runOf);
}

/** A field that is `undefined` is left out, as in any JSON. */
function partsOf(document: object): { fields: string[]; row: unknown[] } {
  const row: unknown[] = Object.values(document);
  if (!row.includes(undefined)) return { fields: Object.keys(document), row };
  const present = Object.entries(document).filter(([, value]) => value !== undefined);
  return { fields: present.map(([field]) => field), row: present.map(([, value]) => value) };
}

function isSame(a: readonly string[] | null, b: readonly string[] | null): boolean {
  if (!a || !b) return a === b;
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

function runOf({ collection, fields, first, rows }: Group): Run {
  if (!fields) return [collection, null, ...(rows as string[])];
  if (rows.length === 1) return [collection, first as Fields];
  const values = rows as unknown[][];
  const columns = fields.map((_, column) => column).filter((column) => !isCommon(values, column));
  const common: Record<string, unknown> = { ...first };
  // The field keeps its place: what is read has its fields in the order in which they were written.
  for (const column of columns) common[fields[column]!] = null;
  const own = values.map((row) => columns.map((column) => row[column]));
  return [collection, common, columns.map((column) => fields[column]!), ...own];
}

function isCommon(rows: readonly (readonly unknown[])[], column: number): boolean {
  const value = rows[0]![column];
  for (let i = 1; i < rows.length; i++) if (rows[i]![column] !== value) return false;
  return true;
}

/** Brings the documents up to date with the runs. Gives how many were put or removed. */
export function applyRuns(documents: Pick<KeptDocuments, 'put' | 'remove'>, runs: readonly Run[]): number {
  for (const [collection, first, ...rest] of runs) {
    const put = (document: Fields): void => documents.put(collection, document as unknown as KeptDocument);
    if (!first) {
      for (const id of rest) documents.remove(collection, id as string);
    } else if (rest.length === 0) {
      put(first);
    } else {
      const [fields, ...rows] = rest as [readonly string[], ...(readonly unknown[])[]];
      for (const row of rows) put(filled(first, fields, row));
    }
  }
  return documentsIn(runs);
}

/** Documents that were put or removed. A snapshot has none that were removed. */
export const documentsIn = (runs: readonly Run[]): number =>
  runs.reduce((count, [, first, ...rest]) => count + (first ? Math.max(1, rest.length - 1) : rest.length), 0);

/** Copied and then filled: so all are of the one compact shape that the parser gave to what they have in common. */
function filled(common: Fields, fields: readonly string[], row: readonly unknown[]): Fields {
  const document: Record<string, unknown> = { ...common };
  for (let i = 0; i < fields.length; i++) document[fields[i]!] = row[i];
  return document;
}

type FormerChange = readonly [collection: string, document: KeptDocument | string];
type FormerFrame = readonly [collection: string, ...documents: KeptDocument[]];

/** What a frame of format 1 held, where each document was an object. */
export function contentOfFormat1(kind: FileKind, former: unknown): Content {
  if (kind === 'journal') return runsOf((former as FormerChange[]).map((change) => formerChange(...change)));
  if (!Array.isArray(former)) return former as Trailer;
  const [collection, ...documents] = former as unknown as FormerFrame;
  return runsOf(documents.map((document) => formerChange(collection, document)));
}

const formerChange = (collection: string, document: KeptDocument | string): Change =>
  typeof document === 'string'
    ? { collection, id: document, document: undefined }
    : { collection, id: document.id, document };
