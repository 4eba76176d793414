/**
 * `acknowledged`: the number of the last commit that was acknowledged, so that a start knows whether the end of the newest
 * journal is missing. It is written over once a group is durable and before that is said, and not synced: what it says is
 * never too much, and exact whatever way the process ended. After a power failure it is what the system wrote last.
 */
import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { ofFile } from '../../../src/node/system-error.ts';
import { hasCode } from '../../data-directory/private-files.ts';
import type { FileSystem } from '../../data-directory/private-files.ts';

export const acknowledgedName = 'acknowledged';

export interface Acknowledged {
  /** Only the first time is there anything to wait for. Where it fails the number is not known later; it never rejects. */
  note(sequence: number): Promise<void> | undefined;
  /** Leaves it durable. */
  close(): Promise<void>;
}

/** Of one length always, so that it is written over in place. */
function lineOf(sequence: number): string {
  const digits = sequence.toString(16).padStart(16, '0');
  return `${digits} ${crc32(digits).toString(16).padStart(8, '0')}\n`;
}

export function createAcknowledged(fs: FileSystem, directory: string): Acknowledged {
  const path = join(directory, acknowledgedName);
  let handle: FileHandle | undefined;

  const write = (handle: FileHandle, sequence: number): void => {
    try {
      const line = Buffer.from(lineOf(sequence), 'latin1');
      fs.writeNow(handle, line, 0, line.length, 0);
    } catch {
      // What it said before is still true.
    }
  };

  return {
    note(sequence) {
      if (handle) return void write(handle, sequence);
      return fs.open(path, constants.O_RDWR | constants.O_CREAT, 0o600).then(
        (opened) => write((handle = opened), sequence),
        // The next commit tries again.
        () => undefined,
      );
    },
    async close() {
      await handle?.datasync().catch(() => undefined);
      await handle?.close().catch(() => undefined);
    },
  };
}

/** 0 where it is not known. */
export async function readAcknowledged(fs: FileSystem, directory: string): Promise<number> {
  let line: string;
  try {
    line = await fs.readFile(join(directory, acknowledgedName), 'latin1');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return 0;
    throw ofFile(acknowledgedName, error);
  }
  const sequence = Number.parseInt(line.slice(0, 16), 16);
  return Number.isSafeInteger(sequence) && lineOf(sequence) === line ? sequence : 0;
}
