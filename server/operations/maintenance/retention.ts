/**
 * Moves finished documents to the trash after their retention. Never removes anything open: exams that are not completed or
 * cancelled, unsigned reports, jobs that have not ended, and what belongs to them.
 */
import { jobStatuses } from '../../../src/contract/job.ts';
import { worklistStatuses } from '../../../src/contract/worklist.ts';
import { hasEnded } from '../../../src/domain/job-state.ts';
import { isOver } from '../../../src/domain/worklist-state.ts';
import { countRetirable, retireSegments } from '../audit/retire-segments.ts';
import type { OperationDeps } from '../deps.ts';
import type { Documents } from '../../storage/collections.ts';
import { serviceActor } from '../../storage/actor.ts';
import type { Conditions, Store, StoredDocument, Transaction } from '../../storage/store.ts';
import { removeBlob } from '../../records/uploads/remove-blob.ts';
import { emptyTrash, moveAudioToTrash, moveToTrash } from './trash.ts';
import { lastElement } from '../../../src/domain/elements.ts';

/** How long finished documents are kept after their last change, in ms; default: forever. */
export interface Retention {
  /** Completed and cancelled exams, with their reports, history and jobs. */
  readonly completed?: number | undefined;
  /** The dictated audio of signed reports. */
  readonly audio?: number | undefined;
  /** Entries of the audit trail, by their own time. */
  readonly audit?: number | undefined;
}

/** Maximum of documents per transaction: few, so that other transactions do not wait long. */
const batch = 100;

type Deps = Pick<OperationDeps, 'store' | 'clock' | 'blobs' | 'log'>;

/** Documents and audio removed in one transaction. */
interface RemovedDocuments {
  items: number;
  records: number;
  jobs: number;
  readonly audio: string[];
}

const noRemovals = (): RemovedDocuments => ({ items: 0, records: 0, jobs: 0, audio: [] });

/** Counts of a real or simulated removal. */
export interface RemovalCounts {
  readonly items: number;
  readonly records: number;
  readonly jobs: number;
  readonly audio: number;
}

/** Processes all expired documents; yields the removals of each transaction. */
async function* walk(deps: Deps, { completed, audio }: Retention): AsyncGenerator<RemovedDocuments, void> {
  const now = deps.clock.now();
  const passes: readonly (readonly [number | undefined, Pass])[] = [
    [completed, removeExams],
    [completed, removeReports],
    [completed, removeJobs],
    [audio, removeSignedAudio],
  ];
  for (const [keptMs, pass] of passes) if (keptMs !== undefined) yield* pass(deps, now - keptMs);
}

async function sumRemovals(all: AsyncIterable<RemovedDocuments>): Promise<RemovalCounts> {
  const total = { items: 0, records: 0, jobs: 0, audio: 0 };
  for await (const removed of all) {
    total.items += removed.items;
    total.records += removed.records;
    total.jobs += removed.jobs;
    total.audio += removed.audio.length;
  }
  return total;
}

const isEmpty = (removal: RemovalCounts): boolean => Object.values(removal).every((count) => count === 0);

/**
 * Moves expired documents and audio to the trash in small transactions, and logs their numbers; deletes what was in the trash long
 * enough. Returns whether anything was deleted permanently.
 */
export async function purge(deps: Deps, retention: Retention): Promise<boolean> {
  const isEmptied = await emptyTrash(deps);
  const total = await sumRemovals(walk(deps, retention));
  if (!isEmpty(total)) deps.log({ level: 'info', event: 'retention_removed', ...total });
  return isEmptied;
}

/** Counts of what a purge would remove now, without changing anything. */
export const rehearsePurge = (deps: Deps, retention: Retention): Promise<RemovalCounts> =>
  sumRemovals(walk({ ...deps, store: createRehearsalStore(deps.store) }, retention));

const undone = new Error('a rehearsal');

/** A store whose transactions return their result, but are rolled back. */
function createRehearsalStore(store: Store): Store {
  return {
    ...store,
    async transact<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
      let result!: T;
      try {
        return await store.transact<T>(async (tx) => {
          result = await work(tx);
          throw undone;
        });
      } catch (error) {
        if (error === undone) return result;
        throw error;
      }
    },
  };
}

/** Logs what a purge will remove, and when, so that the operator can correct a wrong clock before. */
export async function announcePurge(
  deps: Deps,
  retention: Retention,
  { wait, reason }: { readonly wait: number; readonly reason: string },
): Promise<void> {
  const total = await rehearsePurge(deps, retention);
  const { audit } = retention;
  const audit_entries = audit === undefined ? 0 : await countRetirable(deps.store, deps.clock, audit);
  if (isEmpty(total) && audit_entries === 0) return;
  const due_at = new Date(deps.clock.now() + wait).toISOString();
  deps.log({
    level: reason === 'begun' ? 'info' : 'warn',
    event: 'retention_waits',
    reason,
    due_at,
    ...total,
    ...(audit_entries > 0 && { audit_entries }),
  });
}

/** Removes segments of the audit trail past their retention. Returns whether there were any. */
async function purgeTrail({ store, clock, blobs, log }: Deps, keptMs: number): Promise<boolean> {
  const { entries, blobs: unnamed } = await retireSegments(store, clock, keptMs);
  for (const blob of unnamed) await removeBlob({ blobs, log }, blob);
  if (entries > 0) log({ level: 'info', event: 'audit_entries_removed', entries });
  return entries > 0;
}

/** Minimum interval between compactions in ms, because a compaction rewrites all stored documents. */
const compactEvery = 24 * 3600 * 1000;

/**
 * Purges, then compacts the store so that removed documents also leave the disk: at the first purge, because the last run may have
 * ended before its compaction, and later within a day.
 */
export function createPurge(deps: Deps, retention: Retention): () => Promise<void> {
  let isDue = true;
  let last = -Infinity;
  return async () => {
    if (Object.values(retention).every((keptMs) => keptMs === undefined)) return void (await emptyTrash(deps));
    if (await purge(deps, retention)) isDue = true;
    if (retention.audit !== undefined && (await purgeTrail(deps, retention.audit))) isDue = true;
    const now = deps.clock.now();
    // A clock that was set back must not postpone the compaction forever.
    if (!isDue || Math.abs(now - last) < compactEvery) return;
    await deps.store.compact();
    isDue = false;
    last = now;
  };
}

/** Removes documents unchanged since an instant (ms since 1970), one transaction at a time. */
type Pass = (deps: Deps, before: number) => AsyncGenerator<RemovedDocuments, void>;

const actor = () => serviceActor('retention');

/** Condition of documents unchanged since that instant. */
const changedBefore = (before: number) => ({ changed: { from: -Infinity, to: before - 1 } });

/** Processes candidates from newest to oldest, and calls `remove` with each candidate's state in the transaction. */
async function* inBatches<C extends 'items' | 'records' | 'jobs'>(
  { store }: Deps,
  collection: C,
  candidates: Conditions<C>,
  remove: (tx: Transaction, document: Documents[C], removed: RemovedDocuments) => Promise<void>,
): AsyncGenerator<RemovedDocuments, void> {
  for (let before: string | undefined; ;) {
    const documents = await store.find(collection, {
      ...candidates,
      limit: batch,
      ...(before !== undefined && { before }),
    });
    if (documents.length === 0) return;
    before = lastElement(documents).id;
    yield await store.transact(async (tx) => {
      const removed = noRemovals();
      for (const { id } of documents) {
        const present = await tx.get(collection, id);
        if (present) await remove(tx, present, removed);
      }
      return removed;
    }, actor);
  }
}

async function* removeExams(deps: Deps, before: number): AsyncGenerator<RemovedDocuments, void> {
  const isSpent = ({ status, updated_at: at }: Documents['items']): boolean => isOver(status) && isBefore(at, before);
  for (const status of worklistStatuses.filter(isOver)) {
    const candidates = { is: { status }, during: changedBefore(before) };
    yield* inBatches(deps, 'items', candidates, async (tx, item, removed) => {
      if (!isSpent(item)) return;
      const records = await tx.find('records', { is: { space: item.space, item: item.id } });
      if (!records.every((record) => isSigned(record, before)) || (await hasOpenJob(tx, item.id))) return;
      const documents: StoredDocument[] = [{ collection: 'items', document: item }];
      for (const document of await tx.find('history', { is: { item: item.id } }))
        documents.push({ collection: 'history', document });
      for (const record of records) documents.push(...(await withVersions(tx, record)));
      removed.audio.push(...moveToTrash(tx, deps.clock, 'exam', documents));
      removed.records += records.length;
      removed.items += 1;
    });
  }
}

/** Signed reports without an exam, or whose exam was deleted. */
async function* removeReports(deps: Deps, before: number): AsyncGenerator<RemovedDocuments, void> {
  const candidates = { is: { status: 'final' }, during: changedBefore(before) };
  yield* inBatches(deps, 'records', candidates, async (tx, record, removed) => {
    if (!isSigned(record, before) || (await belongsToAnExam(tx, record.worklist_item_id))) return;
    removed.audio.push(...moveToTrash(tx, deps.clock, 'report', await withVersions(tx, record)));
    removed.records += 1;
  });
}

/** Ended jobs whose exam and report were deleted or never existed. */
async function* removeJobs(deps: Deps, before: number): AsyncGenerator<RemovedDocuments, void> {
  for (const status of jobStatuses.filter(hasEnded)) {
    const candidates = { is: { status }, during: changedBefore(before) };
    yield* inBatches(deps, 'jobs', candidates, async (tx, job, removed) => {
      const record = job.record_id === null ? undefined : await tx.get('records', job.record_id);
      if (record || (await belongsToAnExam(tx, job.worklist_item_id))) return;
      removed.audio.push(...moveToTrash(tx, deps.clock, 'job', [{ collection: 'jobs', document: job }]));
      removed.jobs += 1;
    });
  }
}

/** Removes the audio of signed reports; the report stays, with the description of its source. */
async function* removeSignedAudio(deps: Deps, before: number): AsyncGenerator<RemovedDocuments, void> {
  const candidates = { is: { status: 'final', sound: 'kept' }, during: changedBefore(before) };
  yield* inBatches(deps, 'records', candidates, async (tx, record, removed) => {
    if (record.audio_blob === null || !isSigned(record, before)) return;
    removed.audio.push(...moveAudioToTrash(tx, deps.clock, record));
  });
}

const isBefore = (at: string, before: number): boolean => Date.parse(at) < before;

const isSigned = ({ status, updated_at: at }: Documents['records'], before: number): boolean =>
  status === 'final' && isBefore(at, before);

async function belongsToAnExam(tx: Transaction, item: string | null): Promise<boolean> {
  return item !== null && (await tx.get('items', item)) !== undefined;
}

const hasOpenJob = async (tx: Transaction, item: string): Promise<boolean> =>
  (await tx.find('jobs', { is: { item } })).some(({ status }) => !hasEnded(status));

async function withVersions(tx: Transaction, record: Documents['records']): Promise<StoredDocument[]> {
  const versions = await tx.find('versions', { is: { record: record.id } });
  return [
    { collection: 'records', document: record },
    ...versions.map((document) => ({ collection: 'versions' as const, document })),
  ];
}
