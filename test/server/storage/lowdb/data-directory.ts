/** A data directory of the embedded store, looked at from outside. */
import { cp, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { blockLength, headerLength } from '../../../../server/storage/lowdb/frame.ts';
import { explored } from '../../../support/explored.ts';
import { nodeFileSystem } from '../../../../server/storage/data-directory/private-files.ts';
import type { FileSystem } from '../../../../server/storage/data-directory/private-files.ts';
import { systemError } from '../../../support/hooked-file-system.ts';
import { openLowdbStore } from '../../../support/lowdb-store.ts';
import type { LowdbStoreOptions } from '../../../support/lowdb-store.ts';
import type { Store } from '../../../../server/storage/store.ts';

export const put = (store: Store, ...ids: string[]): Promise<void> =>
  store.transact(async (tx) => ids.forEach((id) => tx.put('settings', { id, value: id })));

/** Ids of the settings, oldest first. */
export const kept = async (store: Store): Promise<string[]> =>
  (await store.find('settings', {})).map(({ id }) => id).toReversed();

/** What a power failure may leave: the system had not yet written down what was acknowledged. */
export const forgetAcknowledged = (directory: string): Promise<void> => rm(join(directory, 'acknowledged'));

/** The files that hold documents. */
export const dataFiles = async (directory: string): Promise<string[]> =>
  (await readdir(directory)).filter((name) => name.endsWith('.laudio')).toSorted();

/** From where each field of a header and of a frame lasts to the next: see frame.ts. */
const headerFields = [0, 8, 10, 12, 16, 24, 40, 44, blockLength - 1].flatMap((at) => [at, blockLength + at]);
const frameFields = [0, 4, 8, 16];

/**
 * Bytes of a file with frames that end there, at which it is cut off or changed: where a field begins, in the midst of each
 * payload, and the last one of each frame. An exploring run takes all.
 */
export function bytesOf(ends: readonly number[]): readonly number[] {
  const length = ends.at(-1)!;
  if (explored.isOn) return Array.from({ length }, (_, at) => at);
  const places = ends.flatMap((end, n) => {
    const begin = n === 0 ? headerLength : ends[n - 1]!;
    return [...frameFields.map((field) => begin + field), Math.floor((begin + 16 + end) / 2), end - 1];
  });
  return [...new Set([...headerFields, ...places])].toSorted((a, b) => a - b);
}

/** Told each call to the disk; gives how many calls ago it was the turn of the one that fails: 0 for that one, less before. */
export type Turn = (call: string, path: string) => number;

/**
 * Runs the trial without a fault, and then once for each of the calls that it made to the disk, which fails. The gate takes the
 * first and the last call of each kind on files of each kind.
 */
export async function failingAtEach(
  trial: (turn: Turn, where: string) => Promise<void>,
  isTried: (call: string) => boolean = () => true,
): Promise<void> {
  const calls: { readonly call: string; readonly kind: string; readonly at: number }[] = [];
  await trial((call, path) => {
    const file = basename(path)
      .replace(/\.[\da-f-]+\.tmp$/, '.tmp')
      .replace(/-[\da-zA-Z]+/, '');
    calls.push({ call, kind: `${call} ${file}`, at: calls.length });
    return -Infinity;
  }, 'no call');
  if (calls.length === 0) throw new Error('it made no call to the disk');
  const tried = calls.filter(({ call }) => isTried(call));
  const kinds = Map.groupBy(tried, ({ kind }) => kind);
  const ends = new Set([...kinds.values()].flatMap((alike) => [alike[0]!, alike.at(-1)!]));
  for (const { at, kind } of explored.isOn ? tried : ends) {
    let count = 0;
    await trial(() => count++ - at, `call ${at}, ${kind}`);
  }
}

/** The real file system, over a disk that refuses to read these bytes of a file. */
export function unreadableAt(path: string, from: number, to: number): FileSystem {
  return {
    ...nodeFileSystem,
    open: async (name, ...parameters) => {
      const handle = await nodeFileSystem.open(name, ...parameters);
      if (name !== path) return handle;
      return new Proxy(handle, {
        get(target, property) {
          const value: unknown = Reflect.get(target, property, target);
          if (typeof value !== 'function') return value;
          return async (...given: unknown[]) => {
            const [, , length, position] = given as [Buffer, number, number, number];
            if (property === 'read' && position < to && position + length > from) {
              throw Object.assign(systemError('EIO'), { syscall: 'read' });
            }
            return (value as (...all: unknown[]) => unknown).apply(target, given);
          };
        },
      });
    },
  };
}

/** Copies the directory as a crash at this moment would leave it; it is gone when `look` is over. */
export async function asCrashed<T>(directory: string, look: (copy: string) => Promise<T>): Promise<T> {
  const copy = await mkdtemp(join(tmpdir(), 'laudio-crashed-'));
  try {
    // A file that goes while the others are copied was not needed any more, but then another one is: all over again.
    for (let whole = false; !whole;) whole = await copied(directory, copy);
    return await look(copy);
  } finally {
    await rm(copy, { recursive: true });
  }
}

/** What a process that starts after a crash finds. */
export const afterCrash = (directory: string, options: Partial<LowdbStoreOptions> = {}): Promise<string[]> =>
  asCrashed(directory, (copy) => foundIn(copy, options));

export async function foundIn(directory: string, options: Partial<LowdbStoreOptions> = {}): Promise<string[]> {
  const store = await openLowdbStore({ directory, ...options });
  try {
    return await kept(store);
  } finally {
    await store.close();
  }
}

async function copied(directory: string, copy: string): Promise<boolean> {
  await rm(copy, { recursive: true });
  await mkdir(copy);
  try {
    // First, for what it tells is in the others only if they are looked at later.
    const acknowledged = 'acknowledged';
    const before = (await readdir(directory)).includes(acknowledged) ? [acknowledged] : [];
    for (const name of before) await cp(join(directory, name), join(copy, name));
    const others = (await readdir(directory)).filter((name) => !name.startsWith('lock') && name !== acknowledged);
    for (const name of others) await cp(join(directory, name), join(copy, name), { recursive: true });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
