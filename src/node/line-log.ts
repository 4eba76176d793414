/**
 * A durable list of JSON entries: one line each, `<length> <CRC-32> <JSON>`, so that a line which a crash cut off is
 * told from one that was damaged later.
 */
import { randomUUID } from 'node:crypto';
import { readFile, rename } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { createOrder } from '../domain/in-order.ts';
import { openDurableFile, storageFailure } from './durable-file.ts';
import type { DurableFile, OpenFile } from './durable-file.ts';
import { isMissing, writePrivateFile } from './private-file.ts';

export interface LineLog {
  /** Resolves when the entry is on disk. STORAGE_UNAVAILABLE when it is not: then it is as if it had never been. */
  append(entry: unknown): Promise<void>;
  /** Has these entries instead of all before, at once or not at all. */
  replace(entries: readonly unknown[]): Promise<void>;
  close(): Promise<void>;
}

export interface OpenedLog {
  readonly log: LineLog;
  readonly entries: readonly unknown[];
  /** Whole lines could not be read: they are left out here, and the file as it was is kept beside (`….damaged`). */
  readonly damaged: boolean;
}

/** Opens or creates the list. An entry that was being written when the process died is gone: nobody was told of it. */
export async function openLineLog(path: string, { open }: { open?: OpenFile } = {}): Promise<OpenedLog> {
  const { entries, size, damaged } = parse(await contentOf(path));
  if (damaged) {
    await rename(path, `${path}.${randomUUID()}.damaged`);
    await writePrivateFile(path, entries.map(lineOf).join(''));
  }
  const file = await openDurableFile(path, { ...(!damaged && { size: () => size }), ...(open && { open }) });
  return { log: lineLog(path, file, open), entries, damaged };
}

function lineLog(path: string, opened: DurableFile, open: OpenFile | undefined): LineLog {
  let file = opened;
  const inOrder = createOrder();
  return {
    append: (entry) => inOrder(() => file.append(Buffer.from(lineOf(entry)))),
    replace: (entries) =>
      inOrder(async () => {
        try {
          await writePrivateFile(path, entries.map(lineOf).join(''));
        } catch (error) {
          throw storageFailure(error);
        }
        const former = file;
        // The former one has no name any more: nothing may be added to it, even if the new one can't be opened.
        file = await openDurableFile(path, open && { open }).catch((error: unknown) => unusable(error));
        await former.close();
      }),
    close: () => inOrder(() => file.close()),
  };
}

const unusable = (error: unknown): DurableFile => ({
  size: 0,
  append: () => Promise.reject(error as Error),
  close: async () => {},
});

async function contentOf(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    if (isMissing(error)) return Buffer.alloc(0);
    throw storageFailure(error);
  }
}

function lineOf(entry: unknown): string {
  const json = JSON.stringify(entry);
  return `${Buffer.byteLength(json)} ${checksum(json)} ${json}\n`;
}

const checksum = (json: string | Uint8Array): string => crc32(json).toString(16).padStart(8, '0');

/**
 * `size`: bytes up to the end of the last line that is whole; what follows was being written when the process died.
 * Damaged is a line before that.
 */
function parse(content: Buffer): { entries: unknown[]; size: number; damaged: boolean } {
  const entries: unknown[] = [];
  let size = 0;
  let damaged = false;
  for (let at = 0, end = content.indexOf('\n'); end !== -1; at = end + 1, end = content.indexOf('\n', at)) {
    const line = entryOf(content.subarray(at, end));
    if (!line) continue;
    damaged ||= at !== size;
    entries.push(line.entry);
    size = end + 1;
  }
  return { entries, size, damaged };
}

function entryOf(line: Buffer): { entry: unknown } | undefined {
  const match = /^(\d{1,10}) ([0-9a-f]{8}) /.exec(line.toString('latin1', 0, 24));
  if (!match) return undefined;
  const json = line.subarray(match[0].length);
  if (json.length !== Number(match[1]) || checksum(json) !== match[2]) return undefined;
  return { entry: JSON.parse(json.toString('utf8')) as unknown };
}
