/**
 * The sessions of stored transcriptions: each is opened once, and discarded with its audio and words. The member that began a
 * transcription has its sound and words in memory, and a lease.
 */
import type { CollectionName } from '../../storage/collections.ts';
import { createLeaseSet, leasedStore } from '../../storage/members.ts';
import { removeBlob } from '../uploads/remove-blob.ts';
import { openSession } from './session.ts';
import type { SessionDeps } from './session.ts';
import type { StoredTranscription } from './stored-transcription.ts';
import type { Session } from './transcriptions.ts';

/** The kind of the leases of transcriptions. */
export const liveLease = 'live';

export interface OpenSessions {
  has(id: string): boolean;
  /** Whether this member has the transcription, or waits for it. */
  concerns(id: string): boolean;
  /** Whether a transcription that this member has opened, or taken over, may be of that login. */
  mayHaveGrant(id: string): boolean;
  /** Whether no other member has the transcription. */
  isOurs(id: string): Promise<boolean>;
  /** Opens the session unless it is open. `undefined`: another member has it. */
  open(stored: StoredTranscription): Promise<Session | undefined>;
  /** Shows an open session the stored transcription, which may have been changed elsewhere. */
  notice(stored: StoredTranscription): Promise<void>;
  /** Gives up the lease of a transcription that was removed elsewhere. */
  forget(id: string): Promise<void>;
  /** Ends the session and deletes the stored transcription, with its audio and words. */
  discard(id: string): Promise<void>;
  /** Closes all sessions; the store is not changed. */
  closeAll(): Promise<void>;
}

/** Documents per transaction. */
const step = 200;

export function createOpenSessions(deps: SessionDeps): OpenSessions {
  const { store } = deps;
  const sessions = new Map<string, Promise<Session | undefined>>();
  /** The login of each transcription that this member has had; `undefined`: it was taken over and not read yet. */
  const grants = new Map<string, string | undefined>();
  const leases = createLeaseSet(deps.members, liveLease, {
    begin: (id) => void takeOver(id).catch(() => undefined),
    end(id) {
      grants.delete(id);
      return close(take(id));
    },
  });

  /** Continues a transcription whose member has gone, from its stored sound and words. If that fails, the next call opens it. */
  async function takeOver(id: string): Promise<void> {
    grants.set(id, undefined);
    const stored = await store.get('transcriptions', id);
    if (stored) await open(stored);
    else await forget(id);
  }

  async function forget(id: string): Promise<void> {
    grants.delete(id);
    await leases.release(id);
  }

  async function isOurs(id: string): Promise<boolean> {
    await leases.answered(id);
    return leases.has(id);
  }

  async function openOwn(stored: StoredTranscription): Promise<Session | undefined> {
    const { id } = stored;
    if (!(await isOurs(id))) {
      sessions.delete(id);
      return undefined;
    }
    grants.set(id, stored.grant_id);
    const leased = leasedStore(store, (tx) => leases.confirm(id, tx));
    return openSession({ ...deps, store: leased }, stored, () => void discard(id).catch(() => undefined));
  }

  function open(stored: StoredTranscription): Promise<Session | undefined> {
    const present = sessions.get(stored.id);
    if (present) return present;
    const opening = openOwn(stored);
    opening.catch(() => sessions.delete(stored.id));
    sessions.set(stored.id, opening);
    return opening;
  }

  function take(id: string): Promise<Session | undefined> | undefined {
    const session = sessions.get(id);
    sessions.delete(id);
    return session;
  }

  async function discard(id: string): Promise<void> {
    const session = take(id);
    await store.transact(async (tx) => tx.remove('transcriptions', id));
    await close(session);
    await forget(id);
    await removeAll(deps, 'phrases', id);
    for (const blob of await removeAll(deps, 'sounds', id)) await removeBlob(deps, blob);
  }

  return {
    has: (id) => sessions.has(id),
    concerns: (id) => sessions.has(id) || leases.isClaimed(id),
    mayHaveGrant: (id) => [...grants.values()].some((grant) => grant === undefined || grant === id),
    isOurs,
    open,
    notice: async (stored) => (await sessions.get(stored.id)?.catch(() => undefined))?.notice(stored),
    forget,
    discard,
    async closeAll() {
      const all = [...sessions.values()];
      sessions.clear();
      grants.clear();
      await Promise.all(all.map(close));
      await leases.releaseAll();
    },
  };
}

const close = async (session: Promise<Session | undefined> | undefined): Promise<void> =>
  (await session?.catch(() => undefined))?.close();

/** Returns the blobs that the documents referred to. */
async function removeAll(
  { store }: Pick<SessionDeps, 'store'>,
  collection: Extract<CollectionName, 'phrases' | 'sounds'>,
  id: string,
): Promise<string[]> {
  const blobs: string[] = [];
  for (;;) {
    const found = await store.transact(async (tx) => {
      const documents = await tx.find(collection, { is: { transcription: id }, limit: step });
      for (const each of documents) tx.remove(collection, each.id);
      return documents;
    });
    for (const each of found) if ('sha256' in each) blobs.push(each.id);
    if (found.length < step) return blobs;
  }
}
