/** A fresh start: of everything, or of what one space holds. */
import type { Reset } from '../../src/contract/maintenance.ts';
import { builtIn } from '../oauth/accounts.ts';
import type { CollectionName } from '../store/collections.ts';
import type { Reader, StoredDocument, Transaction } from '../store/store.ts';
import { removeBlob } from '../uploads/remove-blob.ts';
import { noCounts } from './backup.ts';
import type { Counts } from './backup.ts';
import type { Care } from './care.ts';
import { namedAmong } from './orphans.ts';

/** Everything but the signing key and the built-in test client with its user and its logins. */
export async function resetAll(care: Care): Promise<Reset> {
  const { store, jobs } = care;
  const documents = noCounts();
  for (const collection of Object.keys(documents) as CollectionName[]) {
    documents[collection] = await store.count(collection);
  }
  const before = await namedAmong(store, await care.blobs.list());
  const kept = await store.transact(lasting);
  await jobs.stop();
  try {
    await store.replace(
      (async function* () {
        yield* kept;
      })(),
    );
  } finally {
    await care.renew();
  }
  for (const { collection } of kept) documents[collection]! -= 1;
  for (const blob of before) await removeBlob(care, blob);
  return { space: null, documents };
}

/** What outlives a reset. */
async function lasting(reader: Reader): Promise<StoredDocument[]> {
  const found: StoredDocument[] = [];
  const settings = await reader.find('settings', {});
  found.push(...settings.map((document) => ({ collection: 'settings' as const, document })));
  const client = await reader.get('clients', builtIn.id);
  if (!client) return found;
  found.push({ collection: 'clients', document: client });
  for (const grant of await reader.find('grants', { is: { client: client.id } })) {
    found.push({ collection: 'grants', document: grant });
    const tokens = await reader.find('refresh_tokens', { is: { grant: grant.id } });
    found.push(...tokens.map((document) => ({ collection: 'refresh_tokens' as const, document })));
  }
  const users = await reader.find('users', { is: { space: client.space } });
  found.push(...users.map((document) => ({ collection: 'users' as const, document })));
  return found;
}

/** Exams, records, jobs and what was announced of them; clients, people and webhooks stay. */
export async function resetSpace(care: Care, space: string): Promise<Reset> {
  const { documents, audio } = await care.store.transact((tx) => emptySpace(tx, space));
  await care.renew();
  for (const blob of audio) await removeBlob(care, blob);
  return { space, documents };
}

async function emptySpace(tx: Transaction, space: string): Promise<{ documents: Counts; audio: string[] }> {
  const documents = noCounts();
  const remove = (collection: CollectionName, found: readonly { id: string }[]): void => {
    for (const { id } of found) tx.remove(collection, id);
    documents[collection]! += found.length;
  };
  const ofSpace = { is: { space } };
  const items = await tx.find('items', ofSpace);
  for (const { id } of items) remove('history', await tx.find('history', { is: { item: id } }));
  remove('items', items);
  const records = await tx.find('records', ofSpace);
  for (const { id } of records) remove('versions', await tx.find('versions', { is: { record: id } }));
  remove('records', records);
  const jobs = await tx.find('jobs', ofSpace);
  remove('jobs', jobs);
  for (const { client_id: client } of await tx.find('webhooks', ofSpace)) {
    remove('deliveries', await tx.find('deliveries', { is: { client } }));
  }
  const audio = [...records.map(({ audio_blob: blob }) => blob), ...jobs.map((job) => job.audio?.blob ?? null)];
  return { documents, audio: audio.filter((blob) => blob !== null) };
}
