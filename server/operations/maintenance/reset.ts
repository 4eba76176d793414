/** Removes all data, or the data of one space. */
import type { Reset } from '../../../src/contract/maintenance.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import { builtIn } from '../../auth/accounts.ts';
import { endAccess } from '../../auth/grants.ts';
import { collectionNames } from '../../storage/collections.ts';
import type { CollectionName, Documents } from '../../storage/collections.ts';
import { serviceActor } from '../../storage/actor.ts';
import type { Conditions, Reader, StoredDocument, Transaction } from '../../storage/store.ts';
import { removeBlob } from '../../records/uploads/remove-blob.ts';
import { noCounts } from './backup.ts';
import type { Care } from './care.ts';
import { lastingCollections } from './withheld.ts';
import { findNamed } from './orphans.ts';

/** Removes everything except the audit trail, the signing key and the built-in test client with its user and logins. */
export async function resetAll(care: Care): Promise<Reset> {
  const { store, jobs } = care;
  const documents = noCounts();
  for (const collection of collectionNames) documents[collection] = await store.count(collection);
  const lasting = await store.transact(lastingDocuments);
  await jobs.stop();
  // Segments in the dump must remain until the end.
  const release = await care.blobs.hold();
  let superfluous: readonly string[] = [];
  try {
    const before = [...(await findNamed(store, await care.blobs.list()))];
    await store.replace(
      (async function* () {
        yield* lasting;
        for await (const each of store.dump()) if (lastingCollections.includes(each.collection)) yield each;
      })(),
    );
    const now = await findNamed(store, before);
    superfluous = before.filter((blob) => !now.has(blob));
  } finally {
    await release();
    await care.renew();
  }
  for (const { collection } of lasting) documents[collection] -= 1;
  for (const collection of lastingCollections) documents[collection] = 0;
  for (const blob of superfluous) await removeBlob(care, blob);
  return { space: null, documents };
}

/** Documents that survive a reset. */
async function lastingDocuments(reader: Reader): Promise<StoredDocument[]> {
  const documents: StoredDocument[] = [];
  const settings = await reader.find('settings', {});
  documents.push(...settings.map((document) => ({ collection: 'settings' as const, document })));
  const client = await reader.get('clients', builtIn.id);
  if (!client) return documents;
  documents.push({ collection: 'clients', document: client });
  for (const grant of await reader.find('grants', { is: { client: client.id } })) {
    documents.push({ collection: 'grants', document: grant });
    const tokens = await reader.find('refresh_tokens', { is: { grant: grant.id } });
    documents.push(...tokens.map((document) => ({ collection: 'refresh_tokens' as const, document })));
  }
  const users = await reader.find('users', { is: { space: client.space } });
  documents.push(...users.map((document) => ({ collection: 'users' as const, document })));
  return documents;
}

/** Documents of a space per transaction, each with its belongings. */
const step = 100;

/** Removes the content of the space; clients, users, webhooks, channels and templates remain. */
export async function resetSpace(care: Care, space: string): Promise<Reset> {
  const { reset, audio } = await emptySpace(care, space, { accounts: false });
  await care.renew();
  for (const blob of audio) await removeBlob(care, blob);
  return reset;
}

/** Removes the space with its clients, users, webhooks, channels and templates, without disturbing other spaces. */
export async function removeSpace(care: Care, space: string): Promise<Reset> {
  const { reset, audio } = await emptySpace(care, space, { accounts: true });
  // The built-in test client is created again.
  if (space === builtIn.id) await care.renew();
  for (const blob of audio) await removeBlob(care, blob);
  return reset;
}

/**
 * Removes exams, patient changes, records, jobs with their deliveries, messages of channels, macros, vocabulary and live
 * transcriptions, and with `accounts` also clients and users. Small transactions leave the data consistent, do not block others
 * long, and work with full memory. Resolves to the audio without a document.
 */
async function emptySpace(
  care: Care,
  space: string,
  { accounts }: { readonly accounts: boolean },
): Promise<{ reset: Reset; audio: readonly string[] }> {
  const { store, clock } = care;
  const documents = noCounts();
  const ofSpace = { is: { space } };
  const actor = () => serviceActor('maintenance.reset');
  const audio: (string | undefined | null)[] = [];

  async function empty<C extends CollectionName>(
    collection: C,
    conditions: Conditions<C>,
    { belongings = async () => nothing, onRemoved = () => {} }: EmptyOptions<C> = {},
  ): Promise<void> {
    for (let isDone = false; !isDone;) {
      const { found, all } = await store.transact(async (tx) => {
        const found = await tx.find(collection, { ...conditions, limit: step });
        const all: Belongings[] = [[collection, found]];
        for (const document of found) all.push(await belongings(tx, document));
        for (const [name, removed] of all) for (const { id } of removed) tx.remove(name, id);
        return { found, all };
      }, actor);
      for (const [name, removed] of all) documents[name] += removed.length;
      found.forEach(onRemoved);
      isDone = found.length < step;
    }
  }

  const receivers = [...(await store.find('webhooks', ofSpace)), ...(await store.find('subscriptions', ofSpace))];
  // First those who could add data again.
  if (accounts) {
    await empty('clients', ofSpace, { belongings: (tx, { id }) => endLogins(tx, clock, { client: id }) });
    await empty('users', ofSpace, { belongings: (tx, { id }) => endLogins(tx, clock, { user: id }) });
    await empty('webhooks', ofSpace);
    await empty('subscriptions', ofSpace);
    await empty('templates', ofSpace);
    await empty('channels', ofSpace);
  }
  await empty('messages', ofSpace);
  await empty('items', ofSpace, {
    belongings: async (tx, { id }) => ['history', await tx.find('history', { is: { item: id } })],
  });
  await empty('told_patients', ofSpace);
  await empty('records', ofSpace, {
    belongings: async (tx, { id }) => ['versions', await tx.find('versions', { is: { record: id } })],
    onRemoved: (record) => void audio.push(record.audio_blob),
  });
  await empty('priors', ofSpace, {
    belongings: async (tx, { id }) => ['prior_versions', await tx.find('prior_versions', { is: { prior: id } })],
  });
  await empty('jobs', ofSpace, { onRemoved: (job) => void audio.push(job.audio?.blob) });
  await empty('trash', ofSpace, { onRemoved: (entry) => void audio.push(...entry.audio) });
  for (const { id } of await store.find('transcriptions', ofSpace)) {
    const ofTranscription = { is: { transcription: id } };
    await empty('phrases', ofTranscription);
    await empty('sounds', ofTranscription, {
      onRemoved: (piece) => void audio.push(piece.content === undefined ? piece.id : undefined),
    });
  }
  await empty('transcriptions', ofSpace);
  await empty('macros', ofSpace);
  await empty('vocabulary', ofSpace);
  for (const client of new Set(receivers.map(({ client_id }) => client_id))) {
    await empty('deliveries', { is: { client } });
  }
  return { reset: { space, documents }, audio: audio.filter((blob) => typeof blob === 'string') };
}

type Belongings = readonly [collection: CollectionName, documents: readonly { readonly id: string }[]];
const nothing: Belongings = ['settings', []];

async function endLogins(tx: Transaction, clock: Clock, whose: Parameters<typeof endAccess>[2]): Promise<Belongings> {
  await endAccess(tx, clock, whose);
  return nothing;
}

interface EmptyOptions<C extends CollectionName> {
  /** The documents that are removed with a document, in the same transaction. */
  readonly belongings?: (tx: Transaction, document: Documents[C]) => Promise<Belongings>;
  /** Called with each removed document, after the commit. */
  readonly onRemoved?: (document: Documents[C]) => void;
}
