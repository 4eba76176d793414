/** A backup instead of everything that is stored. It is read once, as it comes; nothing is changed before it is proved whole. */
import { createHash } from 'node:crypto';
import { AppError } from '../../src/contract/errors.ts';
import type { FieldError } from '../../src/contract/errors.ts';
import type { Restored } from '../../src/contract/maintenance.ts';
import { maxAudioBytes } from '../../src/contract/record.ts';
import { blobOf, documentsPart, readArchive } from '../../src/node/files/backup-archive.ts';
import type { ArchivePart } from '../../src/node/files/backup-archive.ts';
import type { StoredDocument } from '../store/store.ts';
import { removeBlob } from '../uploads/remove-blob.ts';
import { noteAudio } from '../store/named-audio.ts';
import type { NamedAudio } from '../store/named-audio.ts';
import { noCounts } from './backup.ts';
import { wrong } from './document-lines.ts';
import type { Care } from './care.ts';
import { namedAmong } from './orphans.ts';

const blobForm = /^blb_[0-9A-Z]{26}$/;

/**
 * AppError VALIDATION_FAILED where the archive is not a whole backup of this version or an earlier one,
 * STORAGE_UNAVAILABLE where it could not be kept; everything is as it was then.
 */
export async function restore(care: Care, source: AsyncIterable<Uint8Array>): Promise<Restored> {
  const { store, blobs, jobs } = care;
  const release = await blobs.hold();
  const present = await blobs.list();
  const intake = createIntake(care, new Set(present));
  let restored: Restored | undefined;

  async function* documents(): AsyncGenerator<StoredDocument, void> {
    restored = yield* intake.documents(source);
    // What is being made from the former documents is of no use any more.
    await jobs.stop();
  }

  let superfluous: readonly string[] = [];
  try {
    const before = [...(await namedAmong(store, present))];
    await store.replace(documents());
    await intake.mend();
    const now = await namedAmong(store, before);
    superfluous = before.filter((blob) => !now.has(blob));
  } catch (error) {
    superfluous = intake.fresh;
    throw intake.located(error);
  } finally {
    release();
    for (const blob of [...superfluous, ...intake.staged()]) await removeBlob(care, blob);
    // What was under way goes on, or everything begins anew.
    if (restored) await care.renew();
  }
  return restored!;
}

/** Takes the audio of an archive in beside the present audio, none of which is touched before the end. */
function createIntake(care: Care, present: ReadonlySet<string>) {
  const { blobs, ids, log, readLines } = care;
  const named: NamedAudio = new Map();
  const taken = new Set<string>();
  /** That of the last document. */
  let lastLine = 0;
  /** Written under their own names. */
  const fresh: string[] = [];
  /** Present audio that is not what the backup has: blob → where that lies. */
  const staged = new Map<string, string>();

  async function takeAudio(part: ArchivePart): Promise<void> {
    const blob = blobOf(part.name);
    if (blob === undefined || !blobForm.test(blob) || !named.has(blob) || taken.has(blob)) throw foreignPart();
    taken.add(blob);
    const expected = named.get(blob);
    if (expected !== undefined && present.has(blob) && (await hashOf(care, blob)) === expected) {
      for await (const _chunk of part.content);
    } else {
      const target = present.has(blob) ? ids('blb') : blob;
      if (target === blob) fresh.push(blob);
      else staged.set(blob, target);
      await blobs.write(target, part.content, maxAudioBytes);
    }
    if (expected !== undefined && part.sha256() !== expected) throw foreignPart();
  }

  return {
    /** The documents; what is returned is certain only then. */
    async *documents(source: AsyncIterable<Uint8Array>): AsyncGenerator<StoredDocument, Restored> {
      const counts = noCounts();
      const parts = readArchive(source);
      try {
        for (;;) {
          const next = await parts.next();
          if (next.done) {
            const { created_at, version, missing_audio, damaged_audio = [] } = next.value;
            const absent = [...named.keys()].filter((blob) => !taken.has(blob));
            const leftOut = [...missing_audio, ...damaged_audio];
            if (absent.toSorted().join() !== leftOut.toSorted().join()) throw foreignPart();
            return { created_at, version, documents: counts, audio_files: taken.size, missing_audio: absent.length };
          }
          if (next.value.name !== documentsPart) {
            await takeAudio(next.value);
            continue;
          }
          for await (const { line, ...found } of readLines(next.value.content)) {
            lastLine = line;
            noteAudio(named, found as StoredDocument);
            counts[found.collection]! += 1;
            yield found as StoredDocument;
          }
        }
      } finally {
        await parts.return(undefined as never);
      }
    },
    /** The error; with its line, where the store found that it cannot keep a document. */
    located(error: unknown): unknown {
      const errors = error instanceof AppError ? error.details?.['errors'] : undefined;
      const [first] = (errors ?? []) as readonly FieldError[];
      return first?.field.startsWith('documents.')
        ? wrong(lastLine, 'it stands above already, or lacks what its collection needs')
        : error;
    },
    /** Puts right what was present and damaged. What cannot be written now is as it was before. */
    async mend(): Promise<void> {
      for (const [blob, source] of staged) {
        const kept = await blobs.read(source);
        if (kept)
          await blobs
            .write(blob, kept.stream, maxAudioBytes)
            .catch(() => log({ level: 'error', event: 'audio_not_restored', blob }));
      }
    },
    fresh: fresh as readonly string[],
    staged: () => [...staged.values()],
  };
}

async function hashOf({ blobs }: Pick<Care, 'blobs'>, blob: string): Promise<string | undefined> {
  try {
    const kept = await blobs.read(blob);
    if (!kept) return undefined;
    const hash = createHash('sha256');
    for await (const chunk of kept.stream) hash.update(chunk as Buffer);
    return hash.digest('hex');
  } catch {
    // What cannot be read is to be mended.
    return undefined;
  }
}

const foreignPart = (): AppError =>
  new AppError('VALIDATION_FAILED', {
    message: 'This backup is damaged: its audio does not belong to its documents.',
    hint: 'Nothing was changed. Take another backup.',
  });
