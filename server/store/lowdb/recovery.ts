/** What the files of a data directory say together: the newest snapshot that is whole, and every commit after it. */
import type { CollectionName } from '../collections.ts';
import { damaged, isDamage, openDataFile, unfinished } from './data-files.ts';
import type { DataFile, DataFiles, OpenDataFile, Surroundings } from './data-files.ts';
import { headerLength } from './frame.ts';
import type { Header } from './frame.ts';
import { keep } from '../migrations.ts';
import type { KeptDocument, KeptDocuments } from '../migrations.ts';

/** A document put, or the id of one removed. */
export type JournalChange = readonly [collection: CollectionName, document: KeptDocument | string];

/** What the last frame of a snapshot holds. */
export interface Trailer {
  readonly documents: number;
}

/** What the others hold: documents of one collection. */
export type SnapshotFrame = readonly [collection: string, ...documents: KeptDocument[]];

export interface Recovered {
  readonly documents: KeptDocuments;
  readonly schema: number;
  /** Of the last commit. */
  readonly sequence: number;
  /** The journal that goes on, and how much of it is good; what follows was being written when the process ended. */
  readonly last:
    | { readonly file: DataFile; readonly header: Header; readonly size: number; readonly torn: number }
    | undefined;
  /** Snapshots newer than the one that was used. */
  readonly unreadable: readonly UnreadableFile[];
  /** Whether any of the files read is not encrypted. */
  readonly plain: boolean;
  /** Bytes of the snapshot, and of all journals after it. */
  readonly snapshotBytes: number;
  readonly journalBytes: number;
}

export interface UnreadableFile {
  readonly file: DataFile;
  readonly error: Error;
}

interface Base {
  readonly documents: KeptDocuments;
  readonly sequence: number;
  /** `undefined` where there was no snapshot. */
  readonly header: Header | undefined;
  readonly bytes: number;
}

/**
 * `undefined` where nothing is kept. Throws `damaged` where a commit is missing or cannot be read, for it may have been
 * acknowledged; only what is broken off at the end of the last journal was not.
 */
export async function recover(around: Surroundings, files: DataFiles): Promise<Recovered | undefined> {
  if (files.snapshots.length + files.journals.length === 0) return undefined;
  const unreadable: UnreadableFile[] = [];
  const base = await newestBase(around, files, unreadable);
  const journals = files.journals.filter(({ sequence }) => sequence >= base.sequence);
  let { sequence } = base;
  let schema = base.header?.schema;
  let plain = base.header?.sealed === false;
  let journalBytes = 0;
  let last: Recovered['last'];
  for (const [index, file] of journals.entries()) {
    // Without its snapshot a journal is of no use; what is to be said is what the snapshot lacks.
    if (file.sequence !== sequence) {
      throw (
        unreadable[0]?.error ??
        damaged(file.name, 0, `the commits from ${sequence + 1} to ${file.sequence} are missing`)
      );
    }
    const journal = await openDataFile(around, file);
    const next = journals[index + 1];
    if (journal === unfinished) {
      if (next) throw damaged(file.name, 0, 'it has no header');
      // It has no commits: it is made again when there is one. The one before it has ended for good.
      last = undefined;
      break;
    }
    try {
      if (journal.header.schema !== (schema ??= journal.header.schema)) {
        throw damaged(file.name, 0, 'its schema is not that of its snapshot');
      }
      plain ||= !journal.header.sealed;
      const end = await replay(journal, base.documents, { sequence, until: next?.sequence });
      ({ sequence } = end);
      journalBytes += end.size;
      last = { file, header: journal.header, size: end.size, torn: journal.size - end.size };
    } finally {
      await journal.close();
    }
  }
  const newest = files.snapshots.at(-1)?.sequence ?? 0;
  if (sequence < newest) throw unreadable[0]!.error;
  const { documents, bytes } = base;
  return {
    documents,
    schema: schema ?? around.schema,
    sequence,
    last,
    unreadable,
    plain,
    snapshotBytes: bytes,
    journalBytes,
  };
}

/** Where there is no snapshot yet, all begins with nothing. */
async function newestBase(around: Surroundings, files: DataFiles, unreadable: UnreadableFile[]): Promise<Base> {
  for (const file of files.snapshots.toReversed()) {
    const documents: KeptDocuments = new Map();
    try {
      const { header, bytes } = await readSnapshot(around, file, documents);
      return { documents, sequence: file.sequence, header, bytes };
    } catch (error) {
      if (!isDamage(error)) throw error;
      unreadable.push({ file, error });
    }
  }
  return { documents: new Map(), sequence: 0, header: undefined, bytes: 0 };
}

/** Adds the documents of a snapshot. Throws `damaged` where it is not whole. */
export async function readSnapshot(around: Surroundings, file: DataFile, documents: KeptDocuments) {
  const snapshot = await openDataFile(around, file);
  if (snapshot === unfinished) throw damaged(file.name, 0, 'it has no header');
  try {
    let number = 0;
    let count = 0;
    let trailer: Trailer | undefined;
    for await (const frame of snapshot.frames()) {
      if (!frame.payload) throw damaged(file.name, frame.offset, 'what is there cannot be read');
      if (trailer || frame.sequence !== ++number) throw damaged(file.name, frame.offset, 'frames are missing');
      const content = snapshot.content(frame) as SnapshotFrame | Trailer;
      if (isTrailer(content)) trailer = content;
      else count += keepAll(documents, content);
    }
    if (trailer?.documents !== count) throw damaged(file.name, snapshot.size, 'its end is missing');
    return { header: snapshot.header, bytes: snapshot.size };
  } finally {
    await snapshot.close();
  }
}

export const isTrailer = (content: SnapshotFrame | Trailer): content is Trailer => !Array.isArray(content);

/** Gives their number. */
export function keepAll(documents: KeptDocuments, [collection, ...added]: SnapshotFrame): number {
  for (const document of added) keep(documents, collection, document);
  return added.length;
}

export function applyChange(documents: KeptDocuments, [collection, change]: JournalChange): void {
  if (typeof change === 'string') documents.get(collection)?.delete(change);
  else keep(documents, collection, change);
}

/**
 * Applies the commits of a journal, up to that with which the next journal begins: what is written after it was refused.
 * Gives the last sequence, and where it ends.
 */
async function replay(
  journal: OpenDataFile,
  documents: KeptDocuments,
  { sequence, until }: { sequence: number; until: number | undefined },
): Promise<{ sequence: number; size: number }> {
  const { name } = journal.file;
  let size = headerLength;
  let torn: number | undefined;
  for await (const frame of journal.frames()) {
    if (sequence === until) break;
    if (!frame.payload) {
      torn = frame.offset;
      continue;
    }
    if (torn !== undefined) {
      throw damaged(name, torn, `what is there cannot be read, but commit ${frame.sequence} after it can`);
    }
    if (frame.sequence !== sequence + 1) {
      throw damaged(name, frame.offset, `the commits from ${sequence + 1} to ${frame.sequence - 1} are missing`);
    }
    for (const change of journal.content(frame) as JournalChange[]) applyChange(documents, change);
    ({ sequence, end: size } = frame);
  }
  if (until !== undefined && sequence !== until) {
    throw damaged(name, size, `the commits from ${sequence + 1} to ${until} are missing`);
  }
  return { sequence, size };
}
