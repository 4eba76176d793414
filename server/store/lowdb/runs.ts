/** What frames hold: documents with the same fields stand in a row, and the names of those stand once before them. */
import { keep } from '../migrations.ts';
import type { KeptDocument, KeptDocuments } from '../migrations.ts';
import type { FileKind } from './frame.ts';

/**
 * Documents of one collection that were put, each as its values in the order of the fields; or, without fields, the ids
 * of documents that were removed.
 */
export type Run =
  | readonly [collection: string, fields: readonly string[], ...documents: (readonly unknown[])[]]
  | readonly [collection: string, fields: null, ...ids: string[]];

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

/** The changes in their order. A field that is `undefined` is left out, as in any JSON. */
export function runsOf(changes: readonly Change[]): Run[] {
  const runs: [string, readonly string[] | null, ...unknown[]][] = [];
  let run: (typeof runs)[number] | undefined;
  for (const { collection, id, document } of changes) {
    const { fields, values } = document ? partsOf(document) : { fields: null, values: id };
    if (run?.[0] === collection && isSame(run[1], fields)) run.push(values);
    else runs.push((run = [collection, fields, values]));
  }
  return runs as unknown as Run[];
}

function partsOf(document: object): { fields: string[]; values: unknown[] } {
  const values: unknown[] = Object.values(document);
  if (!values.includes(undefined)) return { fields: Object.keys(document), values };
  const present = Object.entries(document).filter(([, value]) => value !== undefined);
  return { fields: present.map(([field]) => field), values: present.map(([, value]) => value) };
}

function isSame(a: readonly string[] | null, b: readonly string[] | null): boolean {
  if (!a || !b) return a === b;
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** Brings the documents up to date with the runs. Gives how many were put. */
export function applyRuns(documents: KeptDocuments, runs: readonly Run[]): number {
  for (const [collection, fields, ...rows] of runs) {
    if (fields) putRows(documents, collection, fields, rows as (readonly unknown[])[]);
    else for (const id of rows) documents.get(collection)?.delete(id as string);
  }
  return documentsIn(runs);
}

export const documentsIn = (runs: readonly Run[]): number =>
  runs.reduce((count, [, fields, ...rows]) => count + (fields ? rows.length : 0), 0);

function putRows(
  documents: KeptDocuments,
  collection: string,
  fields: readonly string[],
  rows: readonly (readonly unknown[])[],
): void {
  const empty = emptyWith(fields);
  for (const row of rows) {
    // Copied and then filled, for that is the fastest way to objects that are all of one compact shape.
    const document = { ...empty };
    for (let i = 0; i < fields.length; i++) document[fields[i]!] = row[i];
    keep(documents, collection, document as unknown as KeptDocument);
  }
}

const empties = new Map<string, Record<string, unknown>>();

function emptyWith(fields: readonly string[]): Record<string, unknown> {
  const names = JSON.stringify(fields);
  let empty = empties.get(names);
  if (!empty) {
    const members = fields.map((field) => `${JSON.stringify(field)}:null`);
    empties.set(names, (empty = JSON.parse(`{${members.join()}}`) as Record<string, unknown>));
  }
  return empty;
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
