/**
 * A durable list of JSON entries: one line each, `<length> <CRC-32> <JSON>`, so that a line that a crash cut off is
 * distinguishable from a line that was damaged later. In an encrypted list the JSON is a string: the sealed entry in
 * base64.
 */
import { randomUUID } from 'node:crypto';
import { readFile, rename } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { createOrder } from '../../domain/in-order.ts';
import { openDurableFile, storageFailure } from './durable-file.ts';
import type { DurableFile, OpenFile } from './durable-file.ts';
import { isMissing, writePrivateFile } from './private-file.ts';
import { keyOfFile } from './sealing.ts';
import type { FileSealing, Sealing } from './sealing.ts';

export interface LineLog {
  /** Resolves when the entry is on disk. STORAGE_UNAVAILABLE on failure: the list is then unchanged. */
  append(entry: unknown): Promise<void>;
  /** Replaces all entries by these, at once or not at all. */
  replace(entries: readonly unknown[]): Promise<void>;
  close(): Promise<void>;
}

export interface OpenedLog {
  readonly log: LineLog;
  readonly entries: readonly unknown[];
  /** Whether whole lines were unreadable: `entries` lacks them, and a copy of the file has the suffix `.damaged`. */
  readonly damaged: boolean;
}

export interface LineLogOptions {
  readonly open?: OpenFile;
  /** Encrypts every entry, including existing ones. */
  readonly sealing?: Sealing | undefined;
}

/**
 * Opens or creates the list. An entry that was half written when the process died is dropped: no call had reported it
 * as written.
 */
export async function openLineLog(path: string, { open, sealing }: LineLogOptions = {}): Promise<OpenedLog> {
  const form = sealing ? sealedForm(keyOfFile(sealing, path)) : plainForm;
  const { entries, size, damaged, outdated } = parse(await readContent(path), form);
  if (damaged) await rename(path, `${path}.${randomUUID()}.damaged`);
  if (damaged || outdated) await writePrivateFile(path, formatLines(entries, form));
  const isNew = damaged || outdated;
  const file = await openDurableFile(path, { ...(!isNew && { size: () => size }), ...(open && { open }) });
  return { log: lineLog(path, file, { form, open }), entries, damaged };
}

/** The form of an entry in its line. */
interface Form {
  encode(entry: unknown): unknown;
  /** `outdated`: the line has it in another form. Throws if it can't be read. */
  decode(value: unknown): { readonly entry: unknown; readonly outdated?: boolean };
}

const plainForm: Form = { encode: (entry) => entry, decode: (value) => ({ entry: value }) };

const context = Buffer.from('line');

/** An entry is never a string itself. */
const sealedForm = (key: FileSealing): Form => ({
  encode: (entry) => key.seal(Buffer.from(JSON.stringify(entry)), context).toString('base64'),
  decode(value) {
    if (typeof value !== 'string') return { entry: value, outdated: true };
    return { entry: JSON.parse(key.open(Buffer.from(value, 'base64'), context).toString('utf8')) as unknown };
  },
});

function lineLog(
  path: string,
  opened: DurableFile,
  { form, open }: { form: Form; open: OpenFile | undefined },
): LineLog {
  let file = opened;
  const inOrder = createOrder();
  return {
    append: (entry) => inOrder(() => file.append(Buffer.from(formatLine(form.encode(entry))))),
    replace: (entries) =>
      inOrder(async () => {
        try {
          await writePrivateFile(path, formatLines(entries, form));
        } catch (error) {
          throw storageFailure(error);
        }
        const previous = file;
        // The previous file has no name any more: nothing may be added to it, even if the new one can't be opened.
        file = await openDurableFile(path, open && { open }).catch((error: unknown) => unusable(error));
        await previous.close();
      }),
    close: () => inOrder(() => file.close()),
  };
}

const unusable = (error: unknown): DurableFile => ({
  size: 0,
  append: () => Promise.reject(error as Error),
  close: async () => {},
});

async function readContent(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    if (isMissing(error)) return Buffer.alloc(0);
    throw storageFailure(error);
  }
}

const formatLines = (entries: readonly unknown[], form: Form): string =>
  entries.map((entry) => formatLine(form.encode(entry))).join('');

function formatLine(value: unknown): string {
  const json = JSON.stringify(value);
  return `${Buffer.byteLength(json)} ${checksum(json)} ${json}\n`;
}

const checksum = (json: string | Uint8Array): string => crc32(json).toString(16).padStart(8, '0');

/**
 * `size`: bytes up to the end of the last whole line; the rest was being written when the process died. An unreadable
 * line before that is damaged.
 */
function parse(content: Buffer, form: Form) {
  const entries: unknown[] = [];
  let size = 0;
  let damaged = false;
  let outdated = false;
  for (let at = 0, end = content.indexOf('\n'); end !== -1; at = end + 1, end = content.indexOf('\n', at)) {
    const line = parseLine(content.subarray(at, end), form);
    if (!line) continue;
    damaged ||= at !== size;
    outdated ||= line.outdated === true;
    entries.push(line.entry);
    size = end + 1;
  }
  return { entries, size, damaged, outdated };
}

function parseLine(line: Buffer, form: Form): ReturnType<Form['decode']> | undefined {
  const match = /^(\d{1,10}) ([0-9a-f]{8}) /.exec(line.toString('latin1', 0, 24));
  if (!match) return undefined;
  const json = line.subarray(match[0].length);
  if (json.length !== Number(match[1]) || checksum(json) !== match[2]) return undefined;
  try {
    return form.decode(JSON.parse(json.toString('utf8')));
  } catch {
    return undefined;
  }
}
