/**
 * Audio on disk, readable from any position. An encrypted file is a marker followed by frames: each is the length of
 * its sealed bytes (u32) and those bytes, bound to their position in the audio. A recorded block is one frame.
 */
import { open, rename } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncHandle } from '../../../src/node/files/sync-handle.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { elementAt } from '../../../src/domain/elements.ts';
import { createOrder } from '../../../src/domain/in-order.ts';
import { openDurableFile, storageFailure } from '../../../src/node/files/durable-file.ts';
import { noteChange } from '../../../src/node/files/file-changes.ts';
import type { DurableFile, OpenFile } from '../../../src/node/files/durable-file.ts';
import { isMissing } from '../../../src/node/files/private-file.ts';
import { syncDirectory } from '../../../src/node/files/replace-file.ts';
import { keyOfFile, sealedMark } from '../../../src/node/files/sealing.ts';
import type { FileSealing, Sealing } from '../../../src/node/files/sealing.ts';
import { findFirstIndex } from '../../../src/domain/binary-search.ts';

/** Maximum bytes per frame if the audio does not arrive in blocks. */
const pieceBytes = 65_536;
const lengthBytes = 4;

/** Readable until closed, even after the file was deleted or renamed. */
export interface SoundReader {
  /** The bytes from `from` to `to` (exclusive), in pieces. Throws if they are missing or were modified. */
  read(from: number, to: number): AsyncGenerator<Buffer, void, void>;
  close(): Promise<void>;
}

interface Frame {
  /** Position of the sealed bytes in the file. */
  readonly at: number;
  readonly length: number;
  /** Position of the plain bytes in the audio. */
  readonly from: number;
  readonly to: number;
}

const encodePlace = (from: number): Buffer => {
  const context = Buffer.alloc(8);
  context.writeBigUInt64BE(BigInt(from));
  return context;
};

/** Makes a frame of the bytes that start at `from` in the audio. */
function sealFrame(key: FileSealing, from: number, bytes: Uint8Array): Buffer {
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32BE(bytes.length + key.overhead);
  return Buffer.concat([length, key.seal(bytes, encodePlace(from))]);
}

/** The file contents for a complete audio, in pieces. */
export function* sealedPieces(sealing: Sealing, path: string, bytes: Uint8Array): Generator<Uint8Array, void> {
  const key = keyOfFile(sealing, path);
  yield sealedMark;
  for (let from = 0; from < bytes.length; from += pieceBytes)
    yield sealFrame(key, from, bytes.subarray(from, from + pieceBytes));
}

/** The complete frames of a file, and the end of the last one. */
async function framesIn(handle: FileHandle, key: FileSealing): Promise<{ frames: Frame[]; end: number }> {
  const { size } = await handle.stat();
  const frames: Frame[] = [];
  const head = Buffer.alloc(lengthBytes);
  let end = sealedMark.length;
  let from = 0;
  while (end + lengthBytes <= size) {
    await handle.read(head, 0, lengthBytes, end);
    const length = head.readUInt32BE(0);
    const at = end + lengthBytes;
    if (length <= key.overhead || at + length > size) break;
    const to = from + length - key.overhead;
    frames.push({ at, length, from, to });
    end = at + length;
    from = to;
  }
  return { frames, end };
}

async function openFrame(handle: FileHandle, key: FileSealing, { at, length, from }: Frame): Promise<Buffer> {
  return key.open(await readAt(handle, at, length), encodePlace(from));
}

async function readAt(handle: FileHandle, at: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  for (let filled = 0; filled < length;) {
    const { bytesRead } = await handle.read(bytes, filled, length - filled, at + filled);
    if (bytesRead === 0) throw new Error('The sound ends too early.');
    filled += bytesRead;
  }
  return bytes;
}

function plainReader(handle: FileHandle): SoundReader {
  return {
    async *read(from, to) {
      for (let at = from; at < to; at += pieceBytes) yield await readAt(handle, at, Math.min(pieceBytes, to - at));
    },
    close: () => handle.close(),
  };
}

function sealedReader(handle: FileHandle, key: FileSealing, frames: readonly Frame[]): SoundReader {
  return {
    async *read(from, to) {
      let next = findFirstIndex(frames.length, (n) => elementAt(frames, n).to > from);
      for (let at = from; at < to; next++) {
        const frame = frames[next];
        if (!frame) throw new Error('The sound ends too early.');
        const bytes = await openFrame(handle, key, frame);
        yield bytes.subarray(at - frame.from, to - frame.from);
        at = frame.to;
      }
    },
    close: () => handle.close(),
  };
}

/** Opens a complete audio file, such as one that the page compressed. */
export async function openSound(path: string, sealing: Sealing | undefined): Promise<SoundReader> {
  const handle = await open(path, 'r');
  try {
    if (!sealing || (await readFileState(handle)) !== 'sealed') return plainReader(handle);
    const key = keyOfFile(sealing, path);
    return sealedReader(handle, key, (await framesIn(handle, key)).frames);
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** `begun`: the process died while it created the file. */
async function readFileState(handle: FileHandle): Promise<'begun' | 'plain' | 'sealed'> {
  const mark = Buffer.alloc(sealedMark.length);
  const { bytesRead } = await handle.read(mark, 0, mark.length, 0);
  if (!sealedMark.subarray(0, bytesRead).equals(mark.subarray(0, bytesRead))) return 'plain';
  return bytesRead < mark.length ? 'begun' : 'sealed';
}

/** Whether the file contains any audio, as far as that shows without the key. */
export async function holdsSound(path: string): Promise<boolean> {
  try {
    const handle = await open(path, 'r');
    try {
      const [state, { size }] = [await readFileState(handle), await handle.stat()];
      return state === 'plain' || size > sealedMark.length;
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** An audio file being recorded. */
export interface SoundFile extends DurableFile {
  reader(): Promise<SoundReader>;
}

export interface SoundFileOptions {
  readonly open: OpenFile | undefined;
  /** Encrypts the audio; a file that was started unencrypted stays so. */
  readonly sealing: Sealing | undefined;
  /** Rounds a number of bytes down to whole samples. */
  readonly whole: (length: number) => number;
}

/** Opens or creates the file. Removes an unfinished frame that a crash left at the end. */
export async function openSoundFile(
  path: string,
  { open: openFile, sealing, whole }: SoundFileOptions,
): Promise<SoundFile> {
  const known = sealing ? await recovered(path, keyOfFile(sealing, path)) : undefined;
  const opening = openFile && { open: openFile };
  if (!sealing || !known) {
    const file = await openDurableFile(path, { size: whole, ...opening });
    return {
      get size() {
        return file.size;
      },
      append: (bytes) => file.append(bytes),
      close: () => file.close(),
      reader: async () => plainReader(await open(path, 'r')),
    };
  }
  const { frames, end } = known;
  const key = keyOfFile(sealing, path);
  const file = await openDurableFile(path, { size: () => end, ...opening });
  const inOrder = createOrder();
  const size = (): number => frames.at(-1)?.to ?? 0;
  if (end === 0) {
    await file.append(sealedMark).catch(async (error: unknown) => {
      await file.close();
      throw error;
    });
  }
  return {
    get size() {
      return size();
    },
    append: (bytes) =>
      inOrder(async () => {
        const from = size();
        const at = file.size + lengthBytes;
        await file.append(sealFrame(key, from, bytes));
        frames.push({ at, length: bytes.length + key.overhead, from, to: from + bytes.length });
      }),
    close: () => inOrder(() => file.close()),
    reader: async () => sealedReader(await open(path, 'r'), key, frames),
  };
}

/** The frames of a sealed file and their end; `undefined` if the file is plain. */
async function recovered(path: string, key: FileSealing): Promise<{ frames: Frame[]; end: number } | undefined> {
  let handle: FileHandle;
  try {
    handle = await open(path, 'r');
  } catch (error) {
    if (isMissing(error)) return { frames: [], end: 0 };
    throw storageFailure(error);
  }
  try {
    const state = await readFileState(handle);
    if (state === 'plain') return undefined;
    if (state === 'begun') return { frames: [], end: 0 };
    const whole = await framesIn(handle, key);
    const last = whole.frames.at(-1);
    // The length of a frame may reach the disk before its bytes. Such a frame was never reported as saved.
    const isWhole = !last || (await openFrame(handle, key, last).then(Boolean, () => false));
    return isWhole ? whole : { frames: whole.frames.slice(0, -1), end: last.at - lengthBytes };
  } catch (error) {
    throw error instanceof AppError ? error : storageFailure(error);
  } finally {
    await handle.close();
  }
}

/** Encrypts a plain audio file. If the process dies, the file exists, either plain or sealed. */
export async function sealSound(path: string, sealing: Sealing): Promise<void> {
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    if ((await readFileState(handle)) !== 'plain') return;
    const key = keyOfFile(sealing, path);
    await writeSound(
      path,
      (async function* () {
        yield sealedMark;
        let from = 0;
        for await (const piece of plainReader(handle).read(0, size)) {
          yield sealFrame(key, from, piece);
          from += piece.length;
        }
      })(),
    );
  } finally {
    await handle.close();
  }
}

/** The file gets its name only when it is complete and on disk. Throws STORAGE_UNAVAILABLE if that fails. */
export async function writeSound(
  path: string,
  content: Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<void> {
  try {
    const file = await open(`${path}.part`, 'w', 0o600);
    try {
      await file.writeFile(content);
      await syncHandle(file);
    } finally {
      await file.close();
    }
    await rename(`${path}.part`, path);
    await syncDirectory(dirname(path));
  } catch (error) {
    throw storageFailure(error);
  }
  noteChange({ kind: 'replaced', path });
}
