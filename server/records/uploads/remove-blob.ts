import type { RecordDeps } from '../deps.ts';

/** Removes unreferenced audio. After a failure, orphans.ts collects the file. */
export async function removeBlob({ blobs, log }: Pick<RecordDeps, 'blobs' | 'log'>, blob: string): Promise<void> {
  await blobs.remove(blob).catch(() => log({ level: 'warn', event: 'blob_not_removed', blob }));
}
