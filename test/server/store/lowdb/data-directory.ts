/** A data directory of the embedded store, looked at from outside. */
import { cp, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLowdbStore } from '../../../support/lowdb-store.ts';
import type { LowdbStoreOptions } from '../../../support/lowdb-store.ts';
import type { Store } from '../../../../server/store/store.ts';

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
