/**
 * Keeps what retention removed for some days, in case the clock or the setting was wrong. An entry contains an exam with everything
 * that belonged to it, a report, a job, or the audio of a report that stayed.
 */
import { AppError } from '../../../src/contract/errors.ts';
import type { TrashEntry } from '../../../src/contract/maintenance.ts';
import { isoNow } from '../../../src/domain/clock.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import type { OperationDeps } from '../deps.ts';
import { serviceActor } from '../../storage/actor.ts';
import type { Documents } from '../../storage/collections.ts';
import { noteAudio } from '../../storage/blobs/named-audio.ts';
import type { NamedAudio } from '../../storage/blobs/named-audio.ts';
import type { StoredDocument, Transaction } from '../../storage/store.ts';
import { removeBlob } from '../../records/uploads/remove-blob.ts';
import { putItem } from '../../worklists/put-item.ts';
import { elementAt } from '../../../src/domain/elements.ts';

type StoredEntry = Documents['trash'];

/** How long entries can be restored. */
export const trashDays = 7;
export const trashMs = trashDays * 24 * 3600 * 1000;

/**
 * Removes the documents, the first of which identifies the entry. Returns the names of their audio, which stays. Data of a patient
 * stays until it is brought back.
 */
export function moveToTrash(
  tx: Transaction,
  clock: Clock,
  kind: Exclude<StoredEntry['kind'], 'audio'>,
  documents: readonly StoredDocument[],
): string[] {
  for (const each of documents) removeDocument(tx, each);
  return put(tx, clock, kind, documents);
}

/** Removes the document and publishes that: followers keep copies. */
export function removeDocument(tx: Transaction, { collection, document }: StoredDocument): void {
  tx.remove(collection, document.id);
  if (collection === 'items') {
    const { space, id, accession_number, status, version } = document;
    tx.publish('items', { space, id, accession_number, status, version, change: 'removed' });
  } else if (collection === 'records') {
    const { space, id, worklist_item_id, version } = document;
    tx.publish('records', { space, id, worklist_item_id, version, change: 'deleted' });
  }
}

/** Adds documents to the entry of a restricted patient. */
export async function addToTrash(tx: Transaction, id: string, documents: readonly StoredDocument[]): Promise<void> {
  const entry = await tx.get('trash', id);
  if (!entry) return;
  const audio: NamedAudio = new Map();
  for (const each of documents) {
    removeDocument(tx, each);
    noteAudio(audio, each);
  }
  tx.put('trash', {
    ...entry,
    documents: [...entry.documents, ...documents],
    audio: [...new Set([...entry.audio, ...audio.keys()])],
  });
}

/** Removes the audio of a report. Returns its name. */
export function moveAudioToTrash(tx: Transaction, clock: Clock, record: Documents['records']): string[] {
  tx.put('records', { ...record, audio_blob: null });
  return put(tx, clock, 'audio', [{ collection: 'records', document: record }]);
}

function put(tx: Transaction, clock: Clock, kind: StoredEntry['kind'], documents: readonly StoredDocument[]): string[] {
  const named: NamedAudio = new Map();
  for (const each of documents) noteAudio(named, each);
  const { id, space } = elementAt(documents, 0).document as { id: string; space: string };
  const expires_at = kind === 'patient' ? null : new Date(clock.now() + trashMs).toISOString();
  const audio = [...named.keys()];
  tx.put('trash', { id, space, kind, removed_at: isoNow(clock), expires_at, documents: [...documents], audio });
  return audio;
}

/** Entries per transaction. */
const batch = 100;

/** Permanently removes entries that were kept long enough. Returns whether there were any. */
export async function emptyTrash({
  store,
  clock,
  blobs,
  log,
}: Pick<OperationDeps, 'store' | 'clock' | 'blobs' | 'log'>): Promise<boolean> {
  let removed = 0;
  for (let isDone = false; !isDone;) {
    const old = await store.transact(
      async (tx) => {
        const during = { expires: { from: -Infinity, to: clock.now() - 1 } };
        const found = await tx.find('trash', { during, limit: batch });
        for (const { id } of found) tx.remove('trash', id);
        return found;
      },
      () => serviceActor('retention'),
    );
    for (const blob of old.flatMap(({ audio }) => audio)) await removeBlob({ blobs, log }, blob);
    removed += old.length;
    isDone = old.length < batch;
  }
  if (removed > 0) log({ level: 'info', event: 'trash_emptied', entries: removed });
  return removed > 0;
}

export function toTrashEntry({ id, space, kind, removed_at, expires_at, documents }: StoredEntry): TrashEntry {
  const [item] = documents.filter(({ collection }) => collection === 'items');
  const { accession_number = null } = (item?.document ?? {}) as { accession_number?: string | null };
  return { id, space, kind, removed_at, expires_at, accession_number, documents: documents.length };
}

/** Restores an entry. It counts as changed now, so its retention restarts. NOT_FOUND, or IDENTIFIER_CONFLICT if its place is taken. */
export async function restoreEntry(
  tx: Transaction,
  { clock }: Pick<OperationDeps, 'clock'>,
  id: string,
): Promise<StoredEntry> {
  const entry = await tx.get('trash', id);
  if (!entry) throw refuseMissing();
  const updated_at = isoNow(clock);
  for (const { collection, document } of entry.documents as unknown as StoredDocument[]) {
    const present = await tx.get(collection, document.id);
    if (entry.kind === 'audio') await restoreAudio(tx, document as Documents['records'], updated_at);
    else if (present) throw refuseConflict(document.id);
    else if (collection === 'items') await restoreItem(tx, { ...document, updated_at });
    else if (collection === 'records' || collection === 'jobs')
      tx.put(collection, { ...document, updated_at } as never);
    else tx.put(collection, document);
  }
  tx.remove('trash', id);
  return entry;
}

async function restoreItem(tx: Transaction, item: Documents['items']): Promise<void> {
  const { space, accession_number, study_uid } = item;
  for (const name of [{ accession: accession_number }, { study: study_uid }]) {
    if (Object.values(name).includes(null)) continue;
    const [other] = await tx.find('items', { is: { space, ...name } as object, limit: 1 });
    if (other) throw refuseConflict(other.id);
  }
  putItem(tx, { ...item, version: item.version + 1 }, 'updated');
}

async function restoreAudio(
  tx: Transaction,
  { id, audio_blob }: Documents['records'],
  updated_at: string,
): Promise<void> {
  const record = await tx.get('records', id);
  if (!record) throw refuseMissing();
  if (record.audio_blob !== null) throw refuseConflict(id);
  tx.put('records', { ...record, audio_blob, updated_at });
}

const refuseMissing = (): AppError =>
  new AppError('NOT_FOUND', {
    message: 'The trash has no entry with this id, or what it belongs to no longer exists.',
    hint: 'laudio server trash list shows the entries.',
  });

const refuseConflict = (id: string): AppError =>
  new AppError('IDENTIFIER_CONFLICT', {
    message: 'A stored document has the same id, accession number or study; nothing was restored.',
    details: { id },
    hint: 'Delete that document first, or leave the entry in the trash.',
  });
