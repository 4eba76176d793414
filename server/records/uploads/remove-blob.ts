import { isOutcomeUnknown } from '../../../src/contract/errors.ts';
import type { RecordDeps } from '../deps.ts';

/**
 * Removes audio whose document was not stored, because of that error. If the document may be stored all the same, the audio stays:
 * orphans.ts collects it if no document names it later.
 */
export async function removeUnstored(
  deps: Pick<RecordDeps, 'blobs' | 'log'>,
  blob: string,
  error: unknown,
): Promise<void> {
  if (!isOutcomeUnknown(error)) await removeBlob(deps, blob);
}

/** Removes unreferenced audio. After a failure, orphans.ts collects the file. */
export async function removeBlob({ blobs, log }: Pick<RecordDeps, 'blobs' | 'log'>, blob: string): Promise<void> {
  await blobs.remove(blob).catch(() => log({ level: 'warn', event: 'blob_not_removed', blob }));
}
