/** A snapshot: all documents as of one commit, written in pieces during other work. */
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { syncHandleData } from '../../../src/node/files/sync-handle.ts';
import { createBreaks } from '../../runtime/breaks.ts';
import type { Pace } from '../../runtime/breaks.ts';
import type { Copy } from '../transactions/tables.ts';
import type { PackedInTable } from '../tables/table.ts';
import { createContentWriter, readContent } from './content.ts';
import { listDataFiles, formatName } from './data-files.ts';
import { createFrameBuffer, encodeHeader, newHeader, createOpener, readFrames } from './frame.ts';
import type { Header } from './frame.ts';
import { besideOf, discardDataFile, writeBeside } from './header-copies.ts';
import { foundAt } from '../data-directory/place.ts';
import type { Place } from '../data-directory/place.ts';
import { createPrivateFile, discard, temporaryBeside, unlessMissing } from '../data-directory/private-files.ts';
import type { FileSystem } from '../data-directory/private-files.ts';
import { syncDirectory } from '../../../src/node/files/replace-file.ts';
import type { Sealing } from '../../../src/node/files/sealing.ts';
import { ofFile } from '../../../src/node/system-error.ts';

export interface SnapshotOptions {
  readonly directory: string;
  readonly fs: FileSystem;
  readonly sealing: Sealing | undefined;
  /** The sequence of the last commit in it. */
  readonly sequence: number;
  readonly schema: number;
  /** The place of the directory. While the directory is displaced, nothing is written or removed. */
  readonly place: Place;
  /** Gives it up. */
  readonly signal?: AbortSignal;
  /** Default: somebody waits for the snapshot. */
  readonly pace?: Pace;
}

export interface PreparedSnapshot {
  readonly documents: number;
  /** Gives the snapshot its name, durably. If `publish` rejects, the file may or may not have its name. */
  publish(): Promise<void>;
  /** Resolves to whether no start can find the snapshot. */
  discard(): Promise<boolean>;
}

/** Bytes of documents in a frame, about. */
const frameLength = 32 * 1024;
/** Bytes in one write, about. */
const writeLength = 256 * 1024;
/** Synced by and by, so that a commit's own sync does not have to wait for all of it. */
const syncLength = 4 * writeLength;

/** Writes a snapshot to a temporary file and syncs the file. Leaves nothing behind if it rejects. */
export async function prepareSnapshot(options: SnapshotOptions, copy: Copy): Promise<PreparedSnapshot> {
  const { directory, fs, sequence, place } = options;
  place.check();
  const name = formatName('snapshot', sequence);
  const path = join(directory, name);
  const temporary = temporaryBeside(path);
  const header = newHeader('snapshot', { schema: options.schema, sequence, sealed: options.sealing !== undefined });
  const documents = await createPrivateFile(fs, temporary, (handle) => fill(handle, header, options, copy));
  try {
    await verify(temporary, header, options, documents);
    // It replaces what is there: never that of another directory.
    place.check();
    await writeBeside(fs, directory, name, header);
  } catch (error) {
    await discard(fs, temporary);
    throw ofFile(path, error);
  }
  let named = false;
  return {
    documents,
    async publish() {
      place.check();
      named = true;
      await fs.rename(temporary, path);
      await syncDirectory(directory, fs);
    },
    async discard() {
      await discard(fs, temporary);
      // Never that of another directory, which lies there now.
      if (!foundAt(place)) return !named;
      await discard(fs, join(directory, besideOf(name)));
      if (!named) return true;
      try {
        await fs.unlink(path).catch(unlessMissing);
        await syncDirectory(directory, fs);
        return true;
      } catch {
        return false;
      }
    },
  };
}

/** Gives the number of documents. */
async function fill(handle: FileHandle, header: Header, { sealing, signal, pace }: SnapshotOptions, copy: Copy) {
  const frames = createFrameBuffer(header, sealing);
  const content = createContentWriter();
  const breathe = createBreaks(pace);
  let number = 0;
  let written = 0;
  let synced = 0;

  const write = async (bytes: Buffer): Promise<void> => {
    await handle.writeFile(bytes);
    written += bytes.length;
    if (written - synced < syncLength) return;
    await syncHandleData(handle);
    synced = written;
  };

  await write(encodeHeader(header));
  let total = 0;
  for (const { collection, size, packed } of copy) {
    for (const some of inGroups(packed())) {
      const changes = some.map((packed) => ({ collection, id: '', packed }));
      frames.add(++number, content.changes(changes));
      if (frames.length >= writeLength) await write(frames.take());
      const turn = breathe();
      if (turn) await turn;
      signal?.throwIfAborted();
    }
    total += size;
  }
  frames.add(++number, content.total(total));
  await write(frames.take());
  return total;
}

/**
 * Reads the snapshot back: what it replaces is removed, so it has to hold each document in a form that a start can read.
 * Rejects as a disk that cannot read what was written.
 */
async function verify(
  path: string,
  header: Header,
  { fs, sealing, signal, pace }: SnapshotOptions,
  documents: number,
): Promise<void> {
  const breathe = createBreaks(pace);
  const open = createOpener(header, sealing);
  const handle = await fs.open(path, 'r');
  try {
    const { size } = await handle.stat();
    let number = 0;
    let count = 0;
    let total: number | undefined;
    for await (const frame of readFrames(handle, header, size)) {
      if (!frame.payload || frame.sequence !== ++number) throw unlikeWritten();
      const content = readContent(open(frame));
      count += content.changes;
      ({ total } = content);
      const turn = breathe();
      if (turn) await turn;
      signal?.throwIfAborted();
    }
    if (count !== documents || total !== documents) throw unlikeWritten();
  } finally {
    await handle.close();
  }
}

const unlikeWritten = (): Error =>
  Object.assign(new Error('The snapshot is not what was written.'), { code: 'EIO', syscall: 'read' });

/** As many at a time as fill a frame. */
function* inGroups(documents: Iterable<PackedInTable>): Generator<readonly PackedInTable[], void> {
  let group: PackedInTable[] = [];
  let length = 0;
  for (const document of documents) {
    group.push(document);
    length += document.end - document.start;
    if (length < frameLength) continue;
    yield group;
    group = [];
    length = 0;
  }
  if (group.length > 0) yield group;
}

/** So that one bad block does not cost the data. */
export const snapshotsKept = 2;

/** Removes snapshots older than the last `snapshotsKept`, and the journals that only those would need. */
export async function removeSuperseded(around: Removing): Promise<void> {
  const { snapshots, journals } = await listDataFiles(around.fs, around.directory);
  const kept = snapshots.at(-snapshotsKept)?.sequence ?? 0;
  await removeBefore(around, kept, [...snapshots, ...journals]);
}

/** Removes the snapshots and journals that lead up to commit `sequence`. */
export async function removeFormer(around: Removing, sequence: number): Promise<void> {
  const { snapshots, journals } = await listDataFiles(around.fs, around.directory);
  await removeBefore(around, sequence, [...snapshots, ...journals]);
}

type Removing = Pick<SnapshotOptions, 'directory' | 'fs' | 'place'>;

async function removeBefore(
  { directory, fs, place }: Removing,
  sequence: number,
  files: readonly { name: string; sequence: number }[],
): Promise<void> {
  place.check();
  for (const file of files) if (file.sequence < sequence) await discardDataFile(fs, directory, file.name);
}
