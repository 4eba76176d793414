/** Streams an archive of all stored documents and audio, in the state of one moment. */
import { AppError } from '../../../src/contract/errors.ts';
import { isoNow } from '../../../src/domain/clock.ts';
import { explainFullDisk } from '../../../src/node/disk-space.ts';
import { isFullDisk } from '../../../src/node/system-error.ts';
import { blobPart, documentsPart, writeArchive } from '../../../src/node/files/backup-archive.ts';
import { collectionNames } from '../../storage/collections.ts';
import type { CollectionName } from '../../storage/collections.ts';
import type { StagedBlob } from '../../storage/blobs/blobs.ts';
import { noteAudio, readNamed } from '../../storage/blobs/named-audio.ts';
import type { NamedAudio } from '../../storage/blobs/named-audio.ts';
import type { StoredDocument } from '../../storage/store.ts';
import { writeLines } from './document-lines.ts';
import type { Care } from './care.ts';

export type Counts = Record<CollectionName, number>;

export const noCounts = (): Counts => Object.fromEntries(collectionNames.map((name) => [name, 0])) as Counts;

/**
 * Streams the archive. AppError STORAGE_UNAVAILABLE if there is no space to stage the documents first. Missing and damaged audio is
 * left out; the manifest of the archive and the log list it.
 */
export async function* backup(care: Care): AsyncGenerator<Uint8Array, void> {
  const { store, blobs, clock, log, version, schema } = care;
  const created_at = isoNow(clock);
  const audio: NamedAudio = new Map();
  const documents = noCounts();
  let staged: StagedBlob | undefined;
  const release = await blobs.hold();

  async function* countDocuments(): AsyncGenerator<StoredDocument, void> {
    for await (const stored of store.dump()) {
      noteAudio(audio, stored);
      documents[stored.collection] += 1;
      yield stored;
    }
  }

  try {
    const lines = writeLines({ laudio: 'export', schema, version, created_at }, countDocuments());
    const { bytes, read } = (staged = await blobs.stage(lines));
    yield* writeArchive(async (archive) => {
      const missing_audio: string[] = [];
      const damaged_audio: string[] = [];
      await archive.add(documentsPart, bytes, read());
      for (const [blob, named] of audio) {
        const { holds, sha256 } = named;
        const kept = await readNamed(blobs, blob, named);
        if (typeof kept === 'string') {
          (kept === 'missing' ? missing_audio : damaged_audio).push(blob);
          continue;
        }
        const sent = await archive.add(blobPart(holds, blob), kept.size, kept.stream);
        if (sha256 !== undefined && sent !== sha256) {
          throw new AppError('STORAGE_UNAVAILABLE', { message: 'Audio is damaged.', details: { blob } });
        }
      }
      if (missing_audio.length + damaged_audio.length > 0) {
        log({ level: 'warn', event: 'backup_incomplete', missing_audio, damaged_audio });
      }
      return { schema, version, created_at, documents, missing_audio, damaged_audio };
    });
  } catch (error) {
    const { code, details } = error instanceof AppError ? error : { code: (error as NodeJS.ErrnoException).code };
    log({
      level: 'error',
      event: 'backup_failed',
      code,
      ...(details?.['blob'] !== undefined && { blob: details['blob'] }),
    });
    throw await explainDiskError(error, care);
  } finally {
    await release();
    await staged?.discard();
  }
}

/** Adds which disk is full: only the operator requests backups. */
export async function explainDiskError(error: unknown, { directory }: Pick<Care, 'directory'>): Promise<unknown> {
  const cause = error instanceof AppError ? error.cause : error;
  if (directory === undefined || !isFullDisk(cause)) return error;
  const { message, hint } = await explainFullDisk(directory);
  return new AppError('STORAGE_UNAVAILABLE', {
    message: `${message}. No backup was made.`,
    hint,
    retryAfter: 1,
    cause,
  });
}
