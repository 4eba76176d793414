/** Everything that is stored, as it was at one moment, as an archive that is made while it is sent. */
import { AppError } from '../../src/contract/errors.ts';
import { isoNow } from '../../src/domain/clock.ts';
import { audioPart, documentsPart, writeArchive } from '../../src/node/backup-archive.ts';
import { collectionNames } from '../store/collections.ts';
import { noteAudio } from '../store/named-audio.ts';
import type { NamedAudio } from '../store/named-audio.ts';
import type { StoredDocument } from '../store/store.ts';
import { removeBlob } from '../uploads/remove-blob.ts';
import { writeLines } from './document-lines.ts';
import type { Care } from './care.ts';

export type Counts = Record<string, number>;

export const noCounts = (): Counts => Object.fromEntries(collectionNames.map((name) => [name, 0]));

/**
 * The archive. AppError STORAGE_UNAVAILABLE where there is no room for the documents, which are staged as a blob of
 * their own: encrypted where everything is, and an orphan where the process ends. Audio that cannot be read breaks the
 * archive off; audio that is gone is told in its manifest.
 */
export async function* backup(care: Care): AsyncGenerator<Uint8Array, void> {
  const { store, blobs, clock, ids, log, version, schema } = care;
  const created_at = isoNow(clock);
  const audio: NamedAudio = new Map();
  const documents = noCounts();
  const staged = ids('blb');
  const release = await blobs.hold();

  async function* noted(): AsyncGenerator<StoredDocument, void> {
    for await (const found of store.dump()) {
      noteAudio(audio, found);
      documents[found.collection]! += 1;
      yield found;
    }
  }

  try {
    const lines = writeLines({ laudio: 'export', schema, version, created_at }, noted());
    const { bytes } = await blobs.write(staged, lines, Infinity);
    yield* writeArchive(async (archive) => {
      const missing_audio: string[] = [];
      await archive.add(documentsPart, bytes, (await blobs.read(staged))!.stream);
      for (const [blob, sha256] of audio) {
        const kept = await blobs.read(blob);
        if (!kept) {
          missing_audio.push(blob);
          continue;
        }
        const sent = await archive.add(audioPart(blob), kept.size, kept.stream);
        if (sha256 !== undefined && sent !== sha256) {
          throw new AppError('STORAGE_UNAVAILABLE', { message: 'Audio is damaged.', details: { blob } });
        }
      }
      return { schema, version, created_at, documents, missing_audio };
    });
  } catch (error) {
    const { code, details } = error instanceof AppError ? error : { code: (error as NodeJS.ErrnoException).code };
    log({
      level: 'error',
      event: 'backup_failed',
      code,
      ...(details?.['blob'] !== undefined && { blob: details['blob'] }),
    });
    throw error;
  } finally {
    release();
    await removeBlob(care, staged);
  }
}
