import { join } from 'node:path';
import { createFileBlobs, openLowdbStore } from '../support/lowdb-store.ts';
import { createSealing, dataKeyLength } from '../../server/storage/sealing/sealing.ts';
import type { Clock } from '../../src/domain/clock.ts';
import type { Store } from '../../server/storage/store.ts';

export interface StorePlace {
  readonly directory: string;
  /** Bytes of journal after which a snapshot is made. */
  readonly journalLimit?: number;
  /** Whether what is written is encrypted; default: not. */
  readonly sealed?: boolean;
  /** Default: the system's. */
  readonly clock?: Clock;
}

/** The store as the crash tests open it, in whatever process. */
export function openStore({ directory, journalLimit, sealed, clock }: StorePlace): Promise<Store> {
  const sealing = createSealing(new Uint8Array(dataKeyLength));
  return openLowdbStore({
    directory,
    journalLimit,
    ...(clock && { clock }),
    ...(sealed === true && { sealing: async () => sealing }),
  });
}

/** The store with the blobs in which segments of the audit trail lie. */
export async function openAuditPlace(place: Pick<StorePlace, 'directory' | 'sealed'>) {
  // Snapshots are made all the time.
  const store = await openStore({ ...place, journalLimit: 64 * 1024 });
  const sealing = place.sealed === true ? createSealing(new Uint8Array(dataKeyLength)) : undefined;
  return { store, blobs: await createFileBlobs(join(place.directory, 'audio'), { sealing }) };
}

/** Closed whatever comes of the work. */
export async function withStore<T>(place: StorePlace, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(place);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
