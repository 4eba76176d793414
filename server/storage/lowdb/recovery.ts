/** Recovers the documents from the files of a data directory: the newest whole snapshot, and every commit after it. */
import { acknowledgedName } from './acknowledged.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { damaged, isDamage, formatName, openDataFile, unfinished } from './data-files.ts';
import type { DataFile, DataFiles, OpenDataFile, Surroundings } from './data-files.ts';
import type { Growth } from './background-snapshot.ts';
import { framesFrom, knownFormat } from './frame.ts';
import type { Header } from './frame.ts';
import type { FoundHeader } from './header-copies.ts';
import { keepDocuments } from '../migrations.ts';
import type { KeptDocuments } from '../migrations.ts';

export interface RecoveredState {
  readonly documents: KeptDocuments;
  readonly schema: number;
  /** The sequence of the last commit. */
  readonly sequence: number;
  /** The journal that goes on, and how much of it is good; what follows was being written when the process ended. */
  readonly last:
    | { readonly file: DataFile; readonly header: Header; readonly size: number; readonly torn: number }
    | undefined;
  /** The files that were used and lack a copy of their header. */
  readonly worn: readonly WornFile[];
  /** Snapshots newer than the one that was used. */
  readonly unreadable: readonly UnreadableFile[];
  /** Whether any of the files read is not encrypted. */
  readonly plain: boolean;
  /** Whether any of them is of a former format. */
  readonly previousFormat: boolean;
  /** Documents of the snapshot. */
  readonly base: number;
  /** `false`: there is none yet, and the journals have everything. */
  readonly hasSnapshot: boolean;
  /** All journals after it. */
  readonly growth: Growth;
}

/** The newest journal, where there is one, ends with the commit `from`, though `to` was acknowledged. */
function endMissing(journal: DataFile | undefined, from: number, to: number): AppError {
  const missing = formatName('journal', from);
  const damage = `${lacking(from + 1, to)}, which ${from + 1 === to ? 'was' : 'were'} acknowledged`;
  return new AppError('DATA_DAMAGED', {
    message: journal
      ? `The file ${journal.name} in the data directory lacks its end: ${damage}.`
      : `The file ${missing} in the data directory is missing: ${damage}.`,
    hint: 'Nothing was changed. Put the file back, or see `laudio server check`, then `laudio server repair`.',
    details: journal
      ? { file: journal.name, offset: null, damage }
      : { file: acknowledgedName, offset: null, damage: `${damage}: there is no ${missing}` },
  });
}

export const lacking = (from: number, to: number): string =>
  from === to ? `commit ${from} is missing` : `the commits from ${from} to ${to} are missing`;

export interface UnreadableFile {
  readonly file: DataFile;
  readonly error: Error;
}

export interface WornFile extends FoundHeader {
  readonly file: DataFile;
}

const wornIn = ({ file, header, lostCopies }: WornFile): readonly WornFile[] =>
  lostCopies.length > 0 ? [{ file, header, lostCopies }] : [];

interface Base {
  /** `undefined`, like its header, where there was no snapshot. */
  readonly documents: KeptDocuments | undefined;
  readonly header: Header | undefined;
  readonly sequence: number;
  readonly count: number;
  readonly worn: readonly WornFile[];
}

/**
 * `undefined`: there are no files. Throws `damaged` if a commit is missing or cannot be read, for that commit may have been
 * acknowledged. An unfinished commit at the end of the last journal was not, unless the file `acknowledged` counts it.
 */
export async function recover(around: Surroundings, files: DataFiles): Promise<RecoveredState | undefined> {
  if (files.snapshots.length + files.journals.length + files.acknowledged === 0) return undefined;
  const unreadable: UnreadableFile[] = [];
  const base = await newestBase(around, files, unreadable);
  const journals = files.journals.filter(({ sequence }) => sequence >= base.sequence);
  let { sequence, documents } = base;
  let schema = base.header?.schema;
  let plain = base.header?.sealed === false;
  let previousFormat = base.header !== undefined && base.header.format < knownFormat;
  const worn = [...base.worn];
  let bytes = 0;
  let changes = 0;
  let last: RecoveredState['last'];
  for (const [index, file] of journals.entries()) {
    // Without its snapshot a journal is of no use; what is to be said is what the snapshot lacks.
    if (file.sequence !== sequence) {
      throw unreadable[0]?.error ?? damaged(file.name, 0, lacking(sequence + 1, file.sequence));
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
      worn.push(...wornIn(journal));
      plain ||= !journal.header.sealed;
      previousFormat ||= journal.header.format < knownFormat;
      documents ??= keepDocuments({ areNewest: schema === around.schema });
      const end = await replay(journal, documents, { sequence, until: next?.sequence });
      ({ sequence } = end);
      bytes += end.size;
      changes += end.documents;
      last = { file, header: journal.header, size: end.size, torn: journal.size - end.size };
    } finally {
      await journal.close();
    }
  }
  const newest = files.snapshots.at(-1)?.sequence ?? 0;
  const [firstUnreadable] = unreadable;
  if (firstUnreadable && sequence < newest) throw firstUnreadable.error;
  if (sequence < files.acknowledged) throw endMissing(journals.at(-1), sequence, files.acknowledged);
  return {
    documents: documents ?? keepDocuments({ areNewest: true }),
    schema: schema ?? around.schema,
    sequence,
    last,
    worn,
    unreadable,
    plain,
    previousFormat: previousFormat,
    base: base.count,
    hasSnapshot: base.header !== undefined,
    growth: { bytes, commits: sequence - base.sequence, documents: changes },
  };
}

/** Where there is no snapshot yet, all begins with nothing. */
async function newestBase(around: Surroundings, files: DataFiles, unreadable: UnreadableFile[]): Promise<Base> {
  for (const file of files.snapshots.toReversed()) {
    try {
      return { sequence: file.sequence, ...(await readSnapshot(around, file)) };
    } catch (error) {
      if (!isDamage(error)) throw error;
      unreadable.push({ file, error });
    }
  }
  return { documents: undefined, sequence: 0, header: undefined, count: 0, worn: [] };
}

/** Reads the documents of a snapshot. Throws `damaged` if the snapshot is not whole. */
export async function readSnapshot(around: Surroundings, file: DataFile) {
  const snapshot = await openDataFile(around, file);
  if (snapshot === unfinished) throw damaged(file.name, 0, 'it has no header');
  try {
    const documents = keepDocuments({ areNewest: snapshot.header.schema === around.schema });
    let number = 0;
    let count = 0;
    let total: number | undefined;
    for await (const frame of snapshot.frames()) {
      if (!frame.payload) throw damaged(file.name, frame.offset, 'what is there cannot be read');
      if (total !== undefined || frame.sequence !== ++number)
        throw damaged(file.name, frame.offset, 'frames are missing');
      const content = snapshot.content(frame);
      content.apply(documents);
      count += content.changes;
      ({ total } = content);
    }
    if (total !== count) throw damaged(file.name, snapshot.size, 'its end is missing');
    return { header: snapshot.header, documents, count, worn: wornIn(snapshot) };
  } finally {
    await snapshot.close();
  }
}

/**
 * Applies the commits of a journal, up to the commit with which the next journal begins: later commits were refused. Returns
 * the last sequence, the position of its end, and the number of put or removed documents.
 */
async function replay(
  journal: OpenDataFile,
  documents: KeptDocuments,
  { sequence, until }: { sequence: number; until: number | undefined },
): Promise<{ sequence: number; size: number; documents: number }> {
  const { name } = journal.file;
  let size = framesFrom(journal.header);
  let torn: number | undefined;
  let changes = 0;
  for await (const frame of journal.frames()) {
    if (sequence === until) break;
    if (!frame.payload) {
      // A disk may read tomorrow a place that it does not read today: it is never cut off.
      if (frame.unreadable) throw damaged(name, frame.offset, 'the disk does not read what is there');
      torn = frame.offset;
      continue;
    }
    if (torn !== undefined) {
      throw damaged(name, torn, `what is there cannot be read, but commit ${frame.sequence} after it can`);
    }
    if (frame.sequence !== sequence + 1) {
      throw damaged(name, frame.offset, lacking(sequence + 1, frame.sequence - 1));
    }
    const content = journal.content(frame);
    content.apply(documents);
    changes += content.changes;
    ({ sequence, end: size } = frame);
  }
  if (until !== undefined && sequence !== until) {
    throw damaged(name, size, lacking(sequence + 1, until));
  }
  return { sequence, size, documents: changes };
}
