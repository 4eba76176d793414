/** Audio that no document names: what a crash between the two left behind. */
import { madeAt } from '../ids.ts';
import type { Services } from '../services.ts';
import type { Reader } from '../store/store.ts';
import { removeBlob } from '../uploads/remove-blob.ts';
import type { HeldBlobs } from './held-blobs.ts';

/** In ms: younger audio may belong to a request that is still running. */
const graceMs = 3600 * 1000;

/** Every blob that a document names. */
export async function namedBlobs(reader: Reader): Promise<Set<string>> {
  const jobs = await reader.find('jobs', { where: ({ audio }) => audio !== null });
  const records = await reader.find('records', { where: ({ audio_blob: blob }) => blob !== null });
  return new Set([...jobs.map(({ audio }) => audio!.blob), ...records.map(({ audio_blob: blob }) => blob!)]);
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
  // Read after the list, so that what was named meanwhile is seen; and in a transaction, whose end says that what it
  // read is durable: a record whose deletion failed still needs its audio.
  const named = await store.transact(namedBlobs);
  const orphans = old.filter((blob) => !named.has(blob));
  if (orphans.length === 0 || blobs.held) return 0;
  for (const blob of orphans) await removeBlob(deps, blob);
  log({ level: 'info', event: 'orphans_removed', audio: orphans.length });
  return orphans.length;
}
