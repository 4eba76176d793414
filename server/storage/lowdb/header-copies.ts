/**
 * The copies of a file's header: two in the file, in different blocks of the disk, and one in a file next to it
 * (`journal-<n>.header`). Any one of them is enough to read the file.
 */
import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { syncDirectory } from '../../../src/node/files/replace-file.ts';
import { createPrivateFile, discard, hasCode, unlessMissing } from '../data-directory/private-files.ts';
import type { FileSystem } from '../data-directory/private-files.ts';
import {
  blockLength,
  copyLength,
  copyPlaces,
  decodeCopy,
  encodeBlock,
  encodeCopy,
  framesFrom,
  previousHeaderLength,
  headerLength,
  isRefusedByDisk,
  placesOf,
} from './frame.ts';
import type { Header } from './frame.ts';
import { syncHandle } from '../../../src/node/files/sync-handle.ts';

/** Where a copy is: bytes from the beginning of the file, or in the file next to it. */
export type CopyPlace = number | 'beside';

export interface FoundHeader {
  readonly header: Header;
  /** The copies that are missing or damaged. */
  readonly lostCopies: readonly CopyPlace[];
}

/** The name of the file next to a file `<name>.laudio`. */
export const besideOf = (name: string): string => name.replace(/\.laudio$/, '.header');

export const dataFileOf = (beside: string): string => beside.replace(/\.header$/, '.laudio');

export const besideForm = /^(?:journal|snapshot)-[0-9a-f]{16}\.header$/;

/** `unfinished`: the creation of the file was interrupted. `undefined`: no copy of the header can be read. */
export async function readHeader(
  fs: FileSystem,
  { directory, name, handle, size }: { directory: string; name: string; handle: FileHandle; size: number },
): Promise<FoundHeader | 'unfinished' | undefined> {
  const firstBlock = await readBytes(handle, 0, Math.min(size, blockLength));
  const secondBlock = await readBytes(handle, blockLength, Math.min(size - blockLength, blockLength));
  const [first, formerSecond, second] = [
    decodeCopy(firstBlock.subarray(0, copyLength)),
    decodeCopy(firstBlock.subarray(copyLength, previousHeaderLength)),
    decodeCopy(secondBlock.subarray(0, copyLength)),
  ];
  const beside = await readBeside(fs, directory, name);
  // A previous file has a document at that place.
  const header = first ?? formerSecond ?? (second && isPresent(second) ? second : undefined) ?? beside;
  if (!header) return size <= headerLength && isBlank([firstBlock, secondBlock], size) ? 'unfinished' : undefined;
  if (size < framesFrom(header)) return 'unfinished';
  if (!isPresent(header)) return { header, lostCopies: lostIn(header, [0, first], [copyLength, formerSecond]) };
  const block = encodeBlock(header);
  const lostCopies = lostIn(header, ['beside', beside]);
  if (!secondBlock.equals(block)) lostCopies.unshift(blockLength);
  if (!firstBlock.equals(block)) lostCopies.unshift(0);
  return { header, lostCopies };
}

const isPresent = (header: Header): boolean => placesOf(header) === copyPlaces;

/** The places where there is no copy of this header. */
const lostIn = (header: Header, ...copies: readonly (readonly [CopyPlace, Header | undefined])[]): CopyPlace[] =>
  copies.filter(([, found]) => !found || !encodeCopy(found).equals(encodeCopy(header))).map(([place]) => place);

/** A crash while a file is made leaves a part of its first copy, or room where nothing was written yet. */
const isBlank = (blocks: readonly Buffer[], size: number): boolean =>
  size < copyLength ||
  (blocks.reduce((bytes, { length }) => bytes + length, 0) === size &&
    blocks.every((block) => block.every((byte) => byte === 0)));

/** Fewer bytes, or none, where the file is shorter or the disk refuses to read them. */
async function readBytes(handle: FileHandle, from: number, length: number): Promise<Buffer> {
  if (length <= 0) return Buffer.alloc(0);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, from);
    return buffer.subarray(0, bytesRead);
  } catch (error) {
    if (isRefusedByDisk(error)) return Buffer.alloc(0);
    throw error;
  }
}

async function readBeside(fs: FileSystem, directory: string, name: string): Promise<Header | undefined> {
  try {
    return decodeCopy(await fs.readFile(join(directory, besideOf(name))));
  } catch (error) {
    if (hasCode(error, 'ENOENT') || isRefusedByDisk(error)) return undefined;
    throw error;
  }
}

/** Writes the copy next to the file, in place of a previous one. The caller syncs the directory. */
export async function writeBeside(fs: FileSystem, directory: string, name: string, header: Header): Promise<void> {
  const path = join(directory, besideOf(name));
  await fs.unlink(path).catch(unlessMissing);
  await createPrivateFile(fs, path, (handle) => handle.writeFile(encodeCopy(header)));
}

/** Writes the lost copies of a header again. */
export async function mendHeader(
  fs: FileSystem,
  directory: string,
  name: string,
  { header, lostCopies }: FoundHeader,
): Promise<void> {
  const places = lostCopies.filter((place) => place !== 'beside');
  if (places.length > 0) {
    const handle = await fs.open(join(directory, name), constants.O_RDWR);
    try {
      // A disk replaces a bad sector when all of the sector is written.
      const bytes = encodeBlock(header);
      for (const place of places) await fs.writeData(handle, bytes, 0, bytes.length, place);
      await syncHandle(handle);
    } finally {
      await handle.close();
    }
  }
  if (places.length < lostCopies.length) {
    await writeBeside(fs, directory, name, header);
    await syncDirectory(directory, fs);
  }
}

/** Removes a data file and the copy of its header, if possible. */
export async function discardDataFile(fs: FileSystem, directory: string, name: string): Promise<void> {
  await discard(fs, join(directory, name));
  await discard(fs, join(directory, besideOf(name)));
}
