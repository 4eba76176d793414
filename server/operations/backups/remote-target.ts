/**
 * Backups as files that only whole can be put, got, listed and removed, with no way to rename. A backup is whole once a second
 * file says its SHA-256, which is written after the backup was read back.
 */
import { createHash } from 'node:crypto';
import type { Hash } from 'node:crypto';
import { AppError } from '../../../src/contract/errors.ts';
import { machineClockOf } from '../../../src/domain/clock.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import { parseInstant } from './names.ts';
import type { BackupTarget } from './target.ts';

export interface RemoteFiles {
  readonly place: string;
  /** Rethrows an error of `content`. */
  put(name: string, content: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void>;
  get(name: string, signal: AbortSignal): AsyncIterable<Uint8Array>;
  list(signal: AbortSignal): Promise<readonly string[]>;
  /** A file that is already gone is no error. */
  remove(name: string, signal: AbortSignal): Promise<void>;
  /** Removes parts of files whose names begin so. */
  removeParts?(prefix: string, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

const checksumEnding = '.sha256';
/** An attempt of that age has ended: its process may be another one. */
const abandonedMs = 24 * 3600 * 1000;
/** For the removal of a backup that failed. */
const cleaningMs = 10_000;

export function createRemoteTarget(files: RemoteFiles, clock: Clock): BackupTarget {
  const machine = machineClockOf(clock);

  async function remove(name: string, signal: AbortSignal): Promise<void> {
    // Without its checksum it no longer counts, whatever happens then.
    await files.remove(name + checksumEnding, signal);
    await files.remove(name, signal);
  }

  /** A stop of the server waits for this. What is left has no checksum, and a later `prepare` removes it. */
  async function removeUnfinished(name: string): Promise<void> {
    const late = new AbortController();
    const callOff = machine.schedule(machine.now() + cleaningMs, () => late.abort());
    await remove(name, late.signal).catch(() => undefined);
    callOff();
  }

  return {
    place: files.place,
    async prepare(mark, signal) {
      if (mark === undefined) return;
      await files.removeParts?.(`laudio-${mark}-`, signal);
      const all = new Set(await files.list(signal));
      for (const name of all) {
        const at = parseInstant(name, mark);
        const isOld = at !== undefined && at < clock.now() - abandonedMs;
        if (isOld && !all.has(name + checksumEnding)) await files.remove(name, signal);
      }
    },
    async list(signal) {
      const all = new Set(await files.list(signal));
      return [...all].filter((name) => all.has(name + checksumEnding));
    },
    async write(name, archive, check, signal) {
      try {
        const [sent, received] = [createHash('sha256'), createHash('sha256')];
        await files.put(name, hashing(archive, sent), signal);
        const result = await check(hashing(files.get(name, signal), received));
        const sha256 = sent.digest('hex');
        if (received.digest('hex') !== sha256) throw refuseAltered();
        await files.put(name + checksumEnding, createLine(`${sha256}  ${name}\n`), signal);
        return result;
      } catch (error) {
        await removeUnfinished(name);
        throw error;
      }
    },
    remove,
    close: files.close,
  };
}

async function* hashing(source: AsyncIterable<Uint8Array>, hash: Hash): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of source) {
    hash.update(chunk);
    yield chunk;
  }
}

async function* createLine(line: string): AsyncGenerator<Uint8Array, void> {
  yield Buffer.from(line);
}

const refuseAltered = (): AppError =>
  new AppError('DATA_DAMAGED', { message: 'The backup was read back with other bytes than were written.' });
