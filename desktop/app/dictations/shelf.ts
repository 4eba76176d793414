/** The directories of the dictations, including discarded ones. */
import { appMessage } from '../../../src/contract/messages/app.ts';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../../src/contract/errors.ts';
import { isoNow } from '../../../src/domain/clock.ts';
import { storageFailure } from '../../../src/node/files/durable-file.ts';
import { ensurePrivateDirectory } from '../../../src/node/files/private-file.ts';
import { syncDirectory } from '../../../src/node/files/replace-file.ts';
import type { CallInput } from '../../bridge/calls.ts';
import type { DictationsDeps, Disk } from './context.ts';
import { createDiscarded } from './discarded.ts';
import type { LiveWordsOfDesk } from './live/live-words.ts';
import { createDictation, hasSound, openDictation } from './local-dictation.ts';
import type { LocalDeps, LocalDictation } from './local-dictation.ts';
import { soundName } from './recording.ts';
import type { Recording } from './recording.ts';
import { holdsSound } from './sealed-sound.ts';
import { newDictation, removeDirectory } from './stored-dictation.ts';

export interface Shelf {
  /** All dictations, keyed by id. */
  readonly all: ReadonlyMap<string, LocalDictation>;
  /** Throws NOT_FOUND if there is no such dictation. */
  find(id: string): LocalDictation;
  /** Number of stored samples of the take, in any dictation, including those that left the shelf since startup. */
  stored(take: string): number;
  /** Opens the dictations on disk, and deletes those discarded in an earlier run. */
  open(): Promise<void>;
  /**
   * Creates a dictation, which is on disk when this resolves. Reuses an empty dictation of the exam, since its page may
   * never have received it. Throws STORAGE_UNAVAILABLE if the disk is almost full.
   */
  begin(beginning: CallInput<'dictation.start'>): Promise<LocalDictation>;
  /** Deletes the dictation. */
  remove(dictation: LocalDictation): Promise<void>;
  /** Moves the dictation to the discarded ones. */
  discard(dictation: LocalDictation): Promise<void>;
  /** Throws NOT_FOUND if the dictation is deleted by now. */
  restore(id: string): Promise<LocalDictation>;
  close(): Promise<void>;
}

/** Minimum free bytes to start a dictation: eight minutes of audio at 48 kHz. */
const minFree = 50_000_000;

export function createShelf(deps: DictationsDeps, disk: Disk, live: Pick<LiveWordsOfDesk, 'follow' | 'leave'>): Shelf {
  const { clock, log } = deps;
  const parent = join(deps.directory, 'dictations');
  const all = new Map<string, LocalDictation>();
  /** Recordings of dictations that left the shelf. */
  const departed: Pick<Recording, 'stored'>[] = [];
  const discarded = createDiscarded(join(deps.directory, 'discarded'), { clock, log });
  const localDeps: LocalDeps = {
    emit: (dictation) => deps.emit('dictation', dictation),
    revision: deps.revision,
    open: disk.open,
    sealing: deps.sealing,
  };
  const directoryOf = (id: string): string => join(parent, id);

  function find(id: string): LocalDictation {
    const dictation = all.get(id);
    if (!dictation) throw new AppError('NOT_FOUND', { message: appMessage('no_dictation') });
    return dictation;
  }

  async function takeAway(dictation: LocalDictation): Promise<void> {
    all.delete(dictation.id);
    await live.leave(dictation);
    departed.push(dictation.recording);
    await dictation.recording.close();
  }

  async function recover(id: string): Promise<void> {
    try {
      const opened = await openDictation(directoryOf(id), localDeps);
      if (!opened) return await removeUnbegun(directoryOf(id));
      const { dictation, interrupted, damaged } = opened;
      if (damaged) log({ level: 'error', event: 'dictation_damaged', dictation_id: id });
      all.set(id, dictation);
      live.follow(dictation);
      if (dictation.stored.state === 'done') await remove(dictation);
      else if (interrupted && hasSound(dictation)) await dictation.change({ recovered: true });
    } catch (error) {
      // An unreadable dictation stays on disk, and does not prevent the others from opening.
      log({ level: 'error', event: 'dictation_not_readable', dictation_id: id, code: Object(error).code });
    }
  }

  /** Renames the directory first, so that a half-deleted dictation is never opened. */
  async function remove(dictation: LocalDictation): Promise<void> {
    await takeAway(dictation);
    await discarded.remove(dictation.directory, dictation.id);
  }

  return {
    all,
    find,
    stored(take) {
      const recordings = [...departed, ...[...all.values()].map(({ recording }) => recording)];
      return Math.max(0, ...recordings.map((recording) => recording.stored(take) ?? 0));
    },
    async open() {
      await ensurePrivateDirectory(parent);
      await discarded.clear();
      for (const id of await readdir(parent)) await recover(id);
    },
    async begin(beginning) {
      const empty = [...all.values()].find((dictation) => isUnused(dictation, beginning));
      if (empty) {
        await empty.change(beginning);
        return empty;
      }
      await checkRoom(disk, parent);
      const id = deps.uuid();
      const directory = directoryOf(id);
      try {
        await mkdir(directory, { mode: 0o700 });
        const dictation = await createDictation(
          directory,
          newDictation({ ...beginning, id, created_at: isoNow(clock) }),
          localDeps,
        );
        await syncDirectory(parent);
        all.set(id, dictation);
        live.follow(dictation);
        return dictation;
      } catch (error) {
        throw storageFailure(error);
      }
    },
    remove,
    async discard(dictation) {
      await takeAway(dictation);
      await discarded.keep(dictation.directory, dictation.id).catch(async (error: unknown) => {
        await recover(dictation.id);
        throw error;
      });
    },
    async restore(id) {
      await discarded.restore(id, directoryOf(id));
      await recover(id);
      return find(id);
    },
    async close() {
      for (const dictation of all.values()) await dictation.inOrder(() => dictation.recording.close());
      all.clear();
      await discarded.clear();
    },
  };
}

const isUnused = (
  { stored, recording }: LocalDictation,
  { item_id, sample_rate }: CallInput<'dictation.start'>,
): boolean =>
  stored.state === 'open' &&
  stored.item_id === item_id &&
  stored.sample_rate === sample_rate &&
  recording.recorded === 0 &&
  recording.current === undefined;

async function checkRoom(disk: Disk, directory: string): Promise<void> {
  const free = await disk.freeBytes(directory).catch((error: unknown) => Promise.reject(storageFailure(error)));
  if (free >= minFree) return;
  throw new AppError('STORAGE_UNAVAILABLE', {
    message: appMessage('disk'),
    hint: appMessage('disk_hint'),
  });
}

/**
 * Removes the remains of a dictation whose creation failed by a crash or a full disk, before anyone received it. Never
 * deletes audio.
 */
async function removeUnbegun(directory: string): Promise<void> {
  if (await holdsSound(join(directory, soundName))) throw new Error('The data of this sound is missing.');
  await removeDirectory(directory);
}
