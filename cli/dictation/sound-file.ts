/** Stores a dictation in a private file during recording: a WAV file that is valid at every moment. */
import { open, readdir, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { syncHandleData } from '../../src/node/files/sync-handle.ts';
import { liveSampleRate } from '../../src/contract/transcription.ts';
import { wavHead, wavHeadBytes } from '../../src/domain/dictation/wav.ts';
import { createOrder } from '../../src/domain/in-order.ts';
import type { RecordedSound } from '../../src/client/events/live-dictation.ts';
import { storageFailure } from '../../src/node/files/durable-file.ts';
import { ensurePrivateDirectory } from '../../src/node/files/private-file.ts';
import { isRunning } from '../../src/node/files/processes.ts';

export interface SoundFile extends RecordedSound {
  readonly path: string;
  /** Resolves when the samples are on disk. STORAGE_UNAVAILABLE if that fails: the file keeps its content. */
  append(samples: Uint8Array): Promise<void>;
  close(): Promise<void>;
  remove(): Promise<void>;
}

const directoryIn = (state: string): string => join(state, 'dictations');
/** `2026-11-22-134500-4711.wav`: start time in UTC, and the recording process. */
const nameOf = (now: number): string =>
  `${new Date(now).toISOString().slice(0, 19).replace('T', '-').replaceAll(':', '')}-${process.pid}.wav`;
const namePattern = /^\d{4}-\d\d-\d\d-\d{6}-(\d+)\.wav$/;

/** Creates a file, 0600. STORAGE_UNAVAILABLE or CONFIGURATION if that fails. */
export async function createSoundFile(state: string, now: number): Promise<SoundFile> {
  const directory = directoryIn(state);
  await ensurePrivateDirectory(directory);
  const path = join(directory, nameOf(now));
  const handle = await open(path, 'wx+', 0o600).catch((error: unknown) => {
    throw storageFailure(error);
  });
  let size = 0;
  const inOrder = createOrder();

  async function write(bytes: Uint8Array, at: number): Promise<void> {
    for (let done = 0; done < bytes.length;) {
      done += (await handle.write(bytes, done, bytes.length - done, at + done)).bytesWritten;
    }
  }

  async function append(samples: Uint8Array): Promise<void> {
    try {
      await write(samples, wavHeadBytes + size);
      await write(wavHead({ rate: liveSampleRate, bytes: size + samples.length }), 0);
      await syncHandleData(handle);
      size += samples.length;
    } catch (error) {
      await write(wavHead({ rate: liveSampleRate, bytes: size }), 0).catch(() => undefined);
      await handle.truncate(wavHeadBytes + size).catch(() => undefined);
      throw storageFailure(error);
    }
  }

  const close = (): Promise<void> => inOrder(() => handle.close());
  return {
    path,
    get size() {
      return size;
    },
    append: (samples) => inOrder(() => append(samples)),
    async read(from, to) {
      const bytes = new Uint8Array(to - from);
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, wavHeadBytes + from);
      return bytes.subarray(0, bytesRead);
    },
    close,
    async remove() {
      await close().catch(() => undefined);
      await rm(path, { force: true });
    },
  };
}

/** Dictations that were kept because they could not be sent, oldest first. */
export async function keptDictations(state: string): Promise<readonly string[]> {
  const directory = directoryIn(state);
  const names = await readdir(directory).catch(() => []);
  return names
    .filter((name) => {
      const pid = namePattern.exec(name)?.[1];
      return pid !== undefined && !isRunning(Number(pid));
    })
    .toSorted()
    .map((name) => join(directory, name));
}

/** Removes the file if it is a kept dictation; returns whether it was one. */
export async function forgetKept(state: string, file: string): Promise<boolean> {
  const path = resolve(file);
  if (dirname(path) !== resolve(directoryIn(state))) return false;
  await rm(path, { force: true });
  return true;
}
