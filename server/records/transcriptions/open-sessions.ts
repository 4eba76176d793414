/** The sessions of stored transcriptions: each is opened once, and discarded with its audio and words. */
import type { CollectionName } from '../../storage/collections.ts';
import { removeBlob } from '../uploads/remove-blob.ts';
import { openSession } from './session.ts';
import type { SessionDeps } from './session.ts';
import type { StoredTranscription } from './stored-transcription.ts';
import type { Session } from './transcriptions.ts';

export interface OpenSessions {
  has(id: string): boolean;
  /** Opens the session unless it is open. */
  open(stored: StoredTranscription): Promise<Session>;
  /** Ends the session and deletes the stored transcription, with its audio and words. */
  discard(id: string): Promise<void>;
  /** Closes all sessions; the store is not changed. */
  closeAll(): Promise<void>;
}

/** Documents per transaction. */
const step = 200;

export function createOpenSessions(deps: SessionDeps): OpenSessions {
  const { store } = deps;
  const sessions = new Map<string, Promise<Session>>();

  async function discard(id: string): Promise<void> {
    const session = sessions.get(id);
    sessions.delete(id);
    await store.transact(async (tx) => tx.remove('transcriptions', id));
    await (await session?.catch(() => undefined))?.close();
    await removeAll(deps, 'phrases', id);
    for (const blob of await removeAll(deps, 'sounds', id)) await removeBlob(deps, blob);
  }

  return {
    has: (id) => sessions.has(id),
    open(stored) {
      const present = sessions.get(stored.id);
      if (present) return present;
      const opening = openSession(deps, stored, () => void discard(stored.id).catch(() => undefined));
      opening.catch(() => sessions.delete(stored.id));
      sessions.set(stored.id, opening);
      return opening;
    },
    discard,
    async closeAll() {
      const all = [...sessions.values()];
      sessions.clear();
      await Promise.all(all.map(async (session) => (await session.catch(() => undefined))?.close()));
    },
  };
}

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
