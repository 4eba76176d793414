/** The sizes of blobs that another service keeps: a list of millions takes minutes, and the service may be down. */
import type { Clock } from '../../../src/domain/clock.ts';
import type { BlobStore, BlobUsage } from './blob-store.ts';

/** How long in ms a caller waits for a count. One that took longer is reused. */
const slowMs = 1000;
const reusedMs = 3600 * 1000;

/** `undefined`: nothing has been counted yet. A slow count is repeated hourly, without a wait. */
export function createUsageMeter(store: Pick<BlobStore, 'usage'>, clock: Clock): () => Promise<BlobUsage | undefined> {
  let last: { readonly usage: BlobUsage; readonly at: number; readonly isSlow: boolean } | undefined;
  let counting: Promise<void> | undefined;

  async function count(): Promise<void> {
    const begun = clock.elapsed();
    try {
      const usage = await store.usage();
      const at = clock.elapsed();
      last = { usage, at, isSlow: at - begun >= slowMs };
    } catch {
      // The last count stays; the log and /readyz have the failure.
    } finally {
      counting = undefined;
    }
  }

  return async () => {
    const isDue = !last?.isSlow || clock.elapsed() - last.at >= reusedMs;
    if (isDue) counting ??= count();
    if (counting && !last?.isSlow) await waitBriefly(counting, clock);
    return last?.usage;
  };
}

function waitBriefly(work: Promise<void>, clock: Clock): Promise<void> {
  const late = Promise.withResolvers<void>();
  const cancel = clock.schedule(clock.now() + slowMs, () => late.resolve());
  return Promise.race([work, late.promise]).finally(cancel);
}
