/** The parts that several servers share that work over one store: its documents, its audio, and who they are. */
import type { BlobStore } from '../../server/storage/blobs/blob-store.ts';
import { createLoneCounters } from '../../server/storage/counters.ts';
import type { Counters } from '../../server/storage/counters.ts';
import { createMemoryBlobs } from '../../server/storage/memory/memory-blobs.ts';
import { createMemoryStore } from '../../server/storage/memory/memory-documents.ts';
import type { Members } from '../../server/storage/members.ts';
import type { Store } from '../../server/storage/store.ts';
import type { Clock } from '../../src/domain/clock.ts';
import { createMemberHub } from './member-hub.ts';
import type { MemberHub } from './member-hub.ts';

export interface Cluster {
  readonly hub: MemberHub;
  readonly store: Store;
  /** The parts that a server opens. Closing them closes nothing that others use. */
  open(): { readonly store: Store; readonly members: Members; readonly counters: Counters };
  openBlobs(): BlobStore;
}

export function createCluster(clock: Clock): Cluster {
  const hub = createMemberHub();
  const store = createMemoryStore({ clock });
  const blobs = createMemoryBlobs();
  const counters = createLoneCounters(clock);
  const close = async (): Promise<void> => {};
  return {
    hub,
    store,
    open: () => ({ store: { ...store, close }, members: hub.join(), counters }),
    openBlobs: () => ({ ...blobs, close }),
  };
}
