import type { Services } from '../services.ts';

/** Removes audio that no document names any more. Where that fails, a file stays behind: untidy, not wrong. */
export async function removeBlob({ blobs, log }: Pick<Services, 'blobs' | 'log'>, blob: string): Promise<void> {
  await blobs.remove(blob).catch(() => log({ level: 'warn', event: 'blob_not_removed', blob }));
}
