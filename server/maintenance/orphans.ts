/** Audio that no document names: what a crash between the two left behind. */
import { madeAt } from '../ids.ts';
import type { Services } from '../services.ts';
import { createBreaks } from '../store/breaks.ts';
import type { Reader, Store } from '../store/store.ts';
import { removeBlob } from '../uploads/remove-blob.ts';
import type { HeldBlobs } from './held-blobs.ts';

/** In ms: younger audio may belong to a request that is still running. */
const graceMs = 3600 * 1000;

/** Blobs asked for in one transaction: others do not wait long. */
const batch = 100;

/** Those of the blobs that a document names: one that is durable, since a record whose deletion fails needs its audio. */
export async function namedAmong(store: Store, blobs: readonly string[]): Promise<Set<string>> {
  const named = new Set<string>();
  const breathe = createBreaks();
  for (let from = 0; from < blobs.length; from += batch) {
    const piece = blobs.slice(from, from + batch);
    const found = await store.transact(async (tx) => {
      const areNamed = await Promise.all(piece.map((blob) => isNamed(tx, blob)));
      return piece.filter((_, at) => areNamed[at]);
    });
    for (const blob of found) named.add(blob);
    await breathe();
  }
  return named;
}

async function isNamed(reader: Reader, blob: string): Promise<boolean> {
  const query = { is: { audio: blob }, limit: 1 };
  return (await reader.find('records', query)).length > 0 || (await reader.find('jobs', query)).length > 0;
}

export interface OrphanDeps extends Pick<Services, 'store' | 'clock' | 'log'> {
  readonly blobs: HeldBlobs;
}

/** Removes audio that no document names and that is older than an hour; tells how many. Nothing while blobs are held. */
export async function collectOrphans(deps: OrphanDeps): Promise<number> {
  const { store, blobs, clock, log } = deps;
  const before = clock.now() - graceMs;
  const old = (await blobs.list()).filter((blob) => madeAt(blob) < before);
  if (old.length === 0) return 0;
  // Read after the list, so that what was named meanwhile is seen.
  const named = await namedAmong(store, old);
  const orphans = old.filter((blob) => !named.has(blob));
  if (orphans.length === 0 || blobs.held) return 0;
  for (const blob of orphans) await removeBlob(deps, blob);
  log({ level: 'info', event: 'orphans_removed', audio: orphans.length });
  return orphans.length;
}
