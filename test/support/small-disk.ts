/** A file system of a few kilobytes, in memory, that can be full. It takes the right to mount: Linux, and root. */
import { spawnSync } from 'node:child_process';
import { appendFile, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryDirectory } from './temporary-directory.ts';

export interface SmallDisk {
  readonly directory: string;
  /** Takes all the room that is left, but for so many bytes. */
  fill(rest?: number): Promise<void>;
  /** Gives the room back. */
  free(): Promise<void>;
}

/** Why there is none on this machine; `undefined` where there is. */
export function noSmallDisk(): string | undefined {
  if (process.platform !== 'linux') return 'a file system of a chosen size can be mounted on Linux only';
  if (process.getuid?.() !== 0) return 'only root may mount a file system';
  // A container may keep even root from it; a name space of its own leaves no trace when it works.
  const { status } = spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'laudio-test', '/mnt']);
  return status === 0 ? undefined : 'this root may not mount a file system';
}

/** Gone when the test is over. */
export async function smallDisk(bytes: number): Promise<SmallDisk> {
  const directory = await temporaryDirectory();
  const { status, stderr } = spawnSync(
    'mount',
    ['-t', 'tmpfs', '-o', `size=${bytes},mode=700`, 'laudio-test', directory],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`mount ended with ${status}: ${stderr}`);
  onTestFinished(() => void spawnSync('umount', ['--lazy', directory]));
  const ballast = join(directory, 'ballast');
  return {
    directory,
    async fill(rest = 0) {
      const { bsize } = await statfs(directory);
      // Block by block: somebody else may be writing as well.
      for (let isFull = false; !isFull;) {
        const { bavail } = await statfs(directory);
        if (bavail * bsize <= rest) return;
        await appendFile(ballast, Buffer.alloc(bsize)).catch((error: NodeJS.ErrnoException) => {
          if (error.code !== 'ENOSPC') throw error;
          isFull = true;
        });
      }
    },
    free: () => rm(ballast, { force: true }),
  };
}
