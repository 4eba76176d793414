/**
 * The file `acknowledged` holds the number of the last acknowledged commit, so that a start knows whether the end of the newest
 * journal is missing. The store overwrites the file once a group is durable, before it acknowledges the group, and does not
 * sync the file: the number is never too high. The write, and the next sync of the journal, which takes longer after it, would
 * cost quick groups a tenth of their time: while one follows upon the other the store writes the file at most every 16 ms. A
 * killed process may not have counted that time, and a process that ends counts all. After a power failure the file has the
 * number that the system wrote last.
 */
import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { syncHandleData } from '../../../src/node/files/sync-handle.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import { createOrder } from '../../../src/domain/in-order.ts';
import { ofFile } from '../../../src/node/system-error.ts';
import { hasCode } from '../data-directory/private-files.ts';
import type { FileSystem } from '../data-directory/private-files.ts';

export const acknowledgedName = 'acknowledged';

export interface AcknowledgedFile {
  /** There is something to wait for where it is written now. Where that fails the number is not known later; it never rejects. */
  note(sequence: number): Promise<void> | undefined;
  /** Leaves it durable. */
  close(): Promise<void>;
}

/** The line always has the same length, so that it is written over in place. */
function formatLine(sequence: number): string {
  const digits = sequence.toString(16).padStart(16, '0');
  return `${digits} ${crc32(digits).toString(16).padStart(8, '0')}\n`;
}

/** In ms: a group after so long a time does not follow upon the one before. */
const quiet = 4;

/** In ms: the least time between two writes while groups follow upon each other. */
const interval = 16;

export function createAcknowledged(fs: FileSystem, clock: Clock, directory: string): AcknowledgedFile {
  const path = join(directory, acknowledgedName);
  let handle: FileHandle | undefined;
  let last = 0;
  let lastNote = -Infinity;
  let lastWrite = -Infinity;
  let callOff: (() => void) | undefined;
  const inOrder = createOrder();

  /** One after the other, so that the newest number stays. */
  const write = (handle: FileHandle): Promise<void> => {
    callOff?.();
    callOff = undefined;
    lastWrite = clock.elapsed();
    return inOrder(async () => {
      const line = Buffer.from(formatLine(last), 'latin1');
      // Where it fails, what it said before is still true.
      await fs.writeData(handle, line, 0, line.length, 0).catch(() => undefined);
    });
  };

  /** Whether the last number is written now: nothing has followed upon it for a while, or it has waited long enough. */
  const isDue = (now: number): boolean => now - lastNote >= quiet || now - lastWrite >= interval;

  const writeSoon = (handle: FileHandle): void => {
    callOff = clock.schedule(clock.now() + quiet, () => {
      if (isDue(clock.elapsed())) void write(handle);
      else writeSoon(handle);
    });
  };

  return {
    note(sequence) {
      const now = clock.elapsed();
      const isNow = isDue(now);
      last = sequence;
      lastNote = now;
      if (!handle) {
        return fs.open(path, constants.O_RDWR | constants.O_CREAT, 0o600).then(
          (opened) => write((handle = opened)),
          // The next commit tries again.
          () => undefined,
        );
      }
      if (isNow) return write(handle);
      if (!callOff) writeSoon(handle);
      return undefined;
    },
    async close() {
      if (handle && callOff) void write(handle);
      await inOrder.idle();
      if (handle) await syncHandleData(handle).catch(() => undefined);
      await handle?.close().catch(() => undefined);
    },
  };
}

/** The number, if it is known. `damaged`: there is a file, and it holds none. */
export async function lookAtAcknowledged(fs: FileSystem, directory: string): Promise<number | 'damaged' | undefined> {
  let line: string;
  try {
    line = await fs.readFile(join(directory, acknowledgedName), 'latin1');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw ofFile(acknowledgedName, error);
  }
  const sequence = Number.parseInt(line.slice(0, 16), 16);
  return Number.isSafeInteger(sequence) && formatLine(sequence) === line ? sequence : 'damaged';
}

/** 0 where it is not known. */
export async function readAcknowledged(fs: FileSystem, directory: string): Promise<number> {
  const found = await lookAtAcknowledged(fs, directory);
  return typeof found === 'number' ? found : 0;
}
