/** Checks whether the disk of a directory has room left. */
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { sizeText } from '../domain/size-text.ts';
import { isMissing } from './files/private-file.ts';

/** In bytes. */
export interface DiskSpace {
  readonly free: number;
  readonly total: number;
}

/** For a missing directory: the disk on which it would be created. `undefined` if the system can't say. */
export async function readDiskSpace(directory: string): Promise<DiskSpace | undefined> {
  try {
    const { bsize, bavail, blocks } = await statfs(directory);
    return { free: bavail * bsize, total: blocks * bsize };
  } catch (error) {
    const above = dirname(directory);
    return isMissing(error) && above !== directory ? readDiskSpace(above) : undefined;
  }
}

const mebibyte = 1024 * 1024;

/** The problem of the disk, and what to do; `undefined`: it has room. The threshold of a small disk is lower. */
export function findSpaceProblem(
  directory: string,
  { free, total }: DiskSpace,
): { readonly isFull: boolean; readonly message: string; readonly hint: string } | undefined {
  const isFull = free < Math.min(16 * mebibyte, total / 100);
  if (!isFull && free >= Math.min(1024 * mebibyte, total / 20)) return undefined;
  return {
    isFull,
    message: `The disk of ${directory} is ${isFull ? 'full' : 'almost full'}: ${sizeText(free)} of ${sizeText(total)} are free`,
    hint: 'Make room on it, or move the data to a larger one. What was stored stays as it is; new work is refused meanwhile.',
  };
}

/** Explains why nothing was written to a full disk, and what to do. */
export async function explainFullDisk(directory: string): Promise<{ readonly message: string; readonly hint: string }> {
  const space = await readDiskSpace(directory);
  const rest = space ? `: ${sizeText(space.free)} of ${sizeText(space.total)} are free` : '';
  return {
    message: `The disk of ${directory} has too little room${rest}`,
    hint: 'Make room on it, or take a larger one. What was stored stays as it is.',
  };
}
