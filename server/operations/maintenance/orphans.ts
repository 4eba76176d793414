/** Removes audio without a document, which a crash between writing audio and document leaves behind. */
import { madeAt } from '../../storage/ids.ts';
import type { OperationDeps } from '../deps.ts';
import { createBreaks } from '../../runtime/breaks.ts';
import type { Reader, Store } from '../../storage/store.ts';
import { removeBlob } from '../../records/uploads/remove-blob.ts';
import type { HeldBlobs } from './held-blobs.ts';

/** Age in ms below which audio is never an orphan: it may belong to a request in progress. */
const graceMs = 3600 * 1000;

/** Blobs per transaction: few, so that other transactions do not wait long. */
const batch = 100;

/** The blobs that a durable document refers to: a record whose deletion is not durable yet still needs its audio. */
export async function findNamed(store: Store, blobs: readonly string[]): Promise<Set<string>> {
  const named = new Set<string>();
  const breathe = createBreaks();
  for (let from = 0; from < blobs.length; from += batch) {
    const piece = blobs.slice(from, from + batch);
    const inUse = await store.transact((tx) => findNamedIn(tx, piece));
    for (const blob of inUse) named.add(blob);
    await breathe();
  }
  return named;
}

/** One query a collection, for those blobs that none before has named. */
async function findNamedIn(reader: Reader, blobs: readonly string[]): Promise<Set<string>> {
  const pieces = await Promise.all(blobs.map((blob) => reader.get('sounds', blob)));
  const named = new Set(blobs.filter((_, at) => pieces[at] && pieces[at].content === undefined));
  for (const collection of ['records', 'jobs', 'trash', 'audit_segments'] as const) {
    const left = blobs.filter((blob) => !named.has(blob));
    const found = await reader.findEach(collection, 'audio', '', left);
    for (const [at, blob] of left.entries()) if (found[at]) named.add(blob);
  }
  return named;
}

export interface OrphanDeps extends Pick<OperationDeps, 'store' | 'clock' | 'log'> {
  readonly blobs: HeldBlobs;
}

/** Removes audio older than an hour without a document; returns the number of blobs. Removes nothing during a hold. */
export async function collectOrphans(deps: OrphanDeps): Promise<number> {
  const { store, blobs, clock, log } = deps;
  const before = clock.now() - graceMs;
  const old = (await blobs.list()).filter((blob) => madeAt(blob) < before);
  if (old.length === 0) return 0;
  // Documents are read after the list of blobs, so that newer documents count.
  const named = await findNamed(store, old);
  const orphans = old.filter((blob) => !named.has(blob));
  if (orphans.length === 0 || (await blobs.isHeld())) return 0;
  for (const blob of orphans) await removeBlob(deps, blob);
  log({ level: 'info', event: 'orphans_removed', audio: orphans.length });
  return orphans.length;
}
