/**
 * Snapshots of everything under names: each a backup (backup-archive.ts) that the server keeps with its audio, in the same
 * blob store and encrypted where the audio is. A snapshot is a separate blob, which no document names, so that loading one
 * leaves the others.
 */
import type { Readable } from 'node:stream';
import type { Snapshot } from '../../src/contract/maintenance.ts';
import type { Sealing } from '../../src/node/files/sealing.ts';
import { sealStream } from './sealing/sealed-stream.ts';
import { openContent, refusing, sealBlob, sealedEnding, createStream } from './blobs/blobs.ts';
import type { BlobStore } from './blobs/blob-store.ts';

export interface Snapshots {
  /** Keeps the archive, instead of a former snapshot of that name, which is there until the new one is. */
  save(name: string, archive: AsyncIterable<Uint8Array>, now: number): Promise<Snapshot>;
  /** The newest first. */
  list(): Promise<Snapshot[]>;
  /** The archive; `undefined` where there is none of that name. */
  read(name: string): Promise<Readable | undefined>;
  /** Whether there was one. */
  remove(name: string): Promise<boolean>;
}

/** No id of a blob begins so: those have capital letters. */
const prefix = 'blb_snapshot_';
const form = new RegExp(`^${prefix}(\\d+)_([a-z0-9_]+)$`);

/** `blb_snapshot_1772443800000_before__import`: a name of the blob store has no hyphens. */
const formatBlobName = (name: string, now: number): string => `${prefix}${now}_${name.replaceAll('-', '__')}`;

export interface SavedSnapshot {
  readonly blob: string;
  readonly name: string;
  /** ms since 1970. */
  readonly at: number;
}

/** All blobs that hold snapshots, the newest first. `ending`: of the names of blobs, `.sealed` where they are encrypted. */
export async function findSnapshots(store: Pick<BlobStore, 'list'>, ending: string): Promise<SavedSnapshot[]> {
  const found: SavedSnapshot[] = [];
  for await (const each of store.list(prefix)) {
    const [blob, at, name] = (each.endsWith(ending) && form.exec(each.slice(0, each.length - ending.length))) || [];
    if (blob && name) found.push({ blob, at: Number(at), name: name.replaceAll('__', '-') });
  }
  return found.toSorted((one, other) => other.at - one.at);
}

/** Seals plain snapshots before the promise resolves, where the directory is encrypted from now on. */
export async function openSnapshots(store: BlobStore, sealing: Sealing | undefined): Promise<Snapshots> {
  const ending = sealing ? sealedEnding : '';

  const kept = (): Promise<SavedSnapshot[]> => findSnapshots(store, ending);
  /** The newest first: a save that was interrupted leaves the former one behind. */
  const named = async (name: string): Promise<SavedSnapshot[]> => (await kept()).filter((each) => each.name === name);

  if (sealing) {
    const plain: string[] = [];
    for await (const each of store.list(prefix)) if (form.test(each)) plain.push(each);
    for (const blob of plain) {
      await sealBlob(store, blob, sealing);
      await store.remove(blob);
    }
  }
  return {
    save: (name, archive, now) =>
      refusing(async () => {
        const previous = await named(name);
        // A clock that was set back, or is stopped, must not make the new one the older.
        const at = Math.max(now, (previous[0]?.at ?? 0) + 1);
        const blob = formatBlobName(name, at);
        await store.put(blob + ending, sealing ? sealStream(sealing, blob, archive) : archive);
        for (const each of previous) await store.remove(each.blob + ending);
        return { name, created_at: new Date(at).toISOString() };
      }),
    list: () =>
      refusing(async () => {
        const newest = new Map((await kept()).toReversed().map((each) => [each.name, each]));
        return Array.from(newest.values(), ({ name, at }) => ({
          name,
          created_at: new Date(at).toISOString(),
        })).toReversed();
      }),
    read: (name) =>
      refusing(async () => {
        const [newest] = await named(name);
        const blob = newest && (await store.open(newest.blob + ending));
        if (!newest || !blob) return undefined;
        const { size, read } = await openContent(blob, newest.blob, sealing);
        return createStream(read(0, size - 1), blob.close);
      }),
    remove: (name) =>
      refusing(async () => {
        const present = await named(name);
        for (const each of present) await store.remove(each.blob + ending);
        return present.length > 0;
      }),
  };
}
