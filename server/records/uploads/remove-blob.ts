import type { RecordDeps } from '../deps.ts';

/**
 * Removes audio that no document names any more. A failure leaves only a superfluous file, which orphans.ts collects.
 */
export async function removeBlob({ blobs, log }: Pick<RecordDeps, 'blobs' | 'log'>, blob: string): Promise<void> {
  await blobs.remove(blob).catch(() => log({ level: 'warn', event: 'blob_not_removed', blob }));
}
