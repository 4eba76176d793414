/** Replaces all stored data by a backup. The backup is read once, while it arrives; nothing changes before it proves complete. */
import { createHash } from 'node:crypto';
import { AppError, isOutcomeUnknown } from '../../../src/contract/errors.ts';
import type { FieldError } from '../../../src/contract/errors.ts';
import type { RestoreResult } from '../../../src/contract/maintenance.ts';
import { maxAudioBytes } from '../../../src/contract/record.ts';
import { parseBlobPart, documentsPart, readArchive } from '../../../src/node/files/backup-archive.ts';
import type { ArchivePart } from '../../../src/node/files/backup-archive.ts';
import type { StoredDocument } from '../../storage/store.ts';
import { removeBlob } from '../../records/uploads/remove-blob.ts';
import { noteAudio } from '../../storage/blobs/named-audio.ts';
import type { NamedAudio } from '../../storage/blobs/named-audio.ts';
import { noCounts } from './backup.ts';
import { applyErasures } from '../patients/erase.ts';
import { refuseLine } from './document-lines.ts';
import type { Care } from './care.ts';
import { findNamed } from './orphans.ts';

const blobForm = /^blb_[0-9A-Z]{26}$/;

/**
 * Restores the archive. AppError VALIDATION_FAILED if it is no complete backup of this or an earlier version, STORAGE_UNAVAILABLE if
 * there is no space for it; after either error all data is unchanged.
 */
export async function restore(care: Care, source: AsyncIterable<Uint8Array>): Promise<RestoreResult> {
  const { store, blobs, jobs } = care;
  const release = await blobs.hold();
  const present = await blobs.list();
  const intake = createIntake(care, new Set(present));
  const outcome: { restored?: RestoreResult } = {};

  const erasures = await store.find('erasures', {});
  const known = new Set(erasures.map(({ id }) => id));

  async function* documents(): AsyncGenerator<StoredDocument, void> {
    outcome.restored = yield* leaveOut(known, intake.documents(source));
    // The backup may hold patients that were erased since.
    for (const erasure of erasures) yield { collection: 'erasures', document: { ...erasure, applied_at: null } };
    // Running jobs work on the previous documents, so their results are useless.
    await jobs.stop();
  }

  let superfluous: readonly string[] = [];
  /** Whether the backup may have replaced the documents although the store failed. */
  let isUnknown = false;
  try {
    const before = [...(await findNamed(store, present))];
    await store.replace(documents());
    await intake.mend();
    const now = await findNamed(store, before);
    superfluous = before.filter((blob) => !now.has(blob));
  } catch (error) {
    isUnknown = isOutcomeUnknown(error);
    superfluous = intake.fresh;
    throw intake.located(error);
  } finally {
    await release();
    if (!isUnknown) for (const blob of [...superfluous, ...intake.staged()]) await removeBlob(care, blob);
    // After a failure, the previous jobs continue; after a restore, all caches and jobs start over.
    if (outcome.restored) {
      await applyErasures(care);
      await care.renew();
    }
  }
  if (!outcome.restored) throw new AppError('INTERNAL_ERROR', { message: 'The store read only a part of the backup.' });
  return outcome.restored;
}

/** Passes on the documents of a backup, except the notes of erasures that this server has as well. */
async function* leaveOut(
  known: ReadonlySet<string>,
  documents: AsyncGenerator<StoredDocument, RestoreResult>,
): AsyncGenerator<StoredDocument, RestoreResult> {
  try {
    for (;;) {
      const next = await documents.next();
      if (next.done) return next.value;
      const { collection, document } = next.value;
      if (collection !== 'erasures' || !known.has(document.id)) yield next.value;
    }
  } finally {
    await documents.return(undefined as never);
  }
}

/** Writes the audio of an archive next to the present audio, which stays unchanged until the end. */
function createIntake(care: Care, present: ReadonlySet<string>) {
  const { blobs, ids, log, readLines } = care;
  const named: NamedAudio = new Map();
  const taken = new Set<string>();
  /** Line of the last document. */
  let lastLine = 0;
  /** Blobs that were written under their final names. */
  const fresh: string[] = [];
  /** Present blobs that differ from the backup, each with the blob that contains the backup's audio. */
  const staged = new Map<string, string>();

  async function takeAudio(part: ArchivePart): Promise<void> {
    const blob = parseBlobPart(part.name);
    if (blob === undefined || !blobForm.test(blob) || !named.has(blob) || taken.has(blob)) throw refuseMismatch();
    taken.add(blob);
    const expected = named.get(blob)?.sha256;
    if (expected !== undefined && present.has(blob) && (await hashBlob(care, blob)) === expected) {
      for await (const _chunk of part.content);
    } else {
      const target = present.has(blob) ? ids('blb') : blob;
      if (target === blob) fresh.push(blob);
      else staged.set(blob, target);
      await blobs.write(target, part.content, maxAudioBytes);
    }
    if (expected !== undefined && part.sha256() !== expected) throw refuseMismatch();
  }

  return {
    /** Yields the documents; returns the summary, which is final only at the end. */
    async *documents(source: AsyncIterable<Uint8Array>): AsyncGenerator<StoredDocument, RestoreResult> {
      const counts = noCounts();
      const parts = readArchive(source);
      try {
        for (;;) {
          const next = await parts.next();
          if (next.done) {
            const { created_at, version, missing_audio, damaged_audio = [] } = next.value;
            const absent = [...named.keys()].filter((blob) => !taken.has(blob));
            const leftOut = [...missing_audio, ...damaged_audio];
            if (absent.toSorted().join() !== leftOut.toSorted().join()) throw refuseMismatch();
            const audio_files = [...taken].filter((blob) => named.get(blob)?.holds === 'audio').length;
            return { created_at, version, documents: counts, audio_files, missing_audio: absent.length };
          }
          if (next.value.name !== documentsPart) {
            await takeAudio(next.value);
            continue;
          }
          for await (const { line, ...stored } of readLines(next.value.content)) {
            lastLine = line;
            noteAudio(named, stored as StoredDocument);
            counts[stored.collection] += 1;
            yield stored as StoredDocument;
          }
        }
      } finally {
        await parts.return(undefined as never);
      }
    },
    /** The error, with the line number if the store refused a document. */
    located(error: unknown): unknown {
      const errors = error instanceof AppError ? error.details?.['errors'] : undefined;
      const [first] = (errors ?? []) as readonly FieldError[];
      return first?.field.startsWith('documents.')
        ? refuseLine(lastLine, 'a line above has the same id, or the document lacks a field that its collection needs')
        : error;
    },
    /** Replaces present audio that differs. Audio that cannot be written now stays unchanged. */
    async mend(): Promise<void> {
      for (const [blob, source] of staged) {
        const audio = await blobs.read(source);
        if (audio)
          await blobs
            .write(blob, audio.stream, maxAudioBytes)
            .catch(() => log({ level: 'error', event: 'audio_not_restored', blob }));
      }
    },
    fresh: fresh as readonly string[],
    staged: () => [...staged.values()],
  };
}

async function hashBlob({ blobs }: Pick<Care, 'blobs'>, blob: string): Promise<string | undefined> {
  try {
    const audio = await blobs.read(blob);
    if (!audio) return undefined;
    const hash = createHash('sha256');
    for await (const chunk of audio.stream) hash.update(chunk as Buffer);
    return hash.digest('hex');
  } catch {
    // Unreadable audio counts as different, and is replaced.
    return undefined;
  }
}

const refuseMismatch = (): AppError =>
  new AppError('VALIDATION_FAILED', {
    message: 'This backup is damaged: its audio does not belong to its documents.',
    hint: 'Nothing was changed. Use another backup.',
  });
