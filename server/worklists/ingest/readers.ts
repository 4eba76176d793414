/**
 * Reads files and messages. Small ones are read at once, because the readers are linear (test/attacks) and need
 * milliseconds. Others are read in a thread with limits of time and memory.
 */
import { AppError } from '../../../src/contract/errors.ts';
import type { ThreadTask } from '../../runtime/workers/thread-task.ts';
import { isOverLimit } from '../../runtime/workers/workers.ts';
import type { Workers } from '../../runtime/workers/workers.ts';
import { readFile, readHl7Message } from './read-tasks.ts';
import type { PlainOptions, ReadFile, Refusal } from './read-tasks.ts';

type Readings = ReadFile['readings'];

export interface Readers {
  /** Reads a whole file of exams. Rejects with the reader's errors, and with PAYLOAD_TOO_LARGE beyond the limits. */
  file(raw: Uint8Array, options: PlainOptions, client: string): Promise<ReadFile>;
  /** Reads an HL7 message. `here` reads a small one. */
  hl7(raw: Uint8Array, options: PlainOptions, client: string, here: () => Readings): Promise<Readings>;
}

/** An order or a small bundle; 16 KiB take a few milliseconds. */
const smallBytes = 16 * 1024;
/** Each line may be an exam, which costs more than its bytes. */
const smallLines = 128;
/** The largest file takes a tenth of it. */
const readMs = 20_000;

/** Whether the input is small and uncompressed. */
export const isSmall = (raw: Uint8Array): boolean => isShort(raw) && !isPacked(raw);

function isShort(raw: Uint8Array): boolean {
  if (raw.length > smallBytes) return false;
  let lines = 0;
  for (const byte of raw) if (byte === 0x0a || byte === 0x0d) lines += 1;
  return lines <= smallLines;
}

/** Gzip, workbook archives, and deflated DICOM (1.2.840.10008.1.2.1.99). */
const isPacked = (raw: Uint8Array): boolean =>
  (raw[0] === 0x1f && raw[1] === 0x8b) ||
  (raw[0] === 0x50 && raw[1] === 0x4b) ||
  Buffer.from(raw.buffer, raw.byteOffset, Math.min(raw.length, 1024)).includes('1.2.840.10008.1.2.1.99');

const never = new AbortController().signal;

/** Runs a reader in a thread with limits. PAYLOAD_TOO_LARGE beyond them. `limitMs`: per file, in ms of real time. */
export const readApart =
  (workers: Workers, limitMs = readMs) =>
  <In, Out>(task: ThreadTask<In, Out>, input: In, client: string): Promise<Out> =>
    workers.run(task, input, { limitMs, client, signal: never }).catch((error: unknown): never => {
      if (!isOverLimit(error)) throw error;
      throw new AppError('PAYLOAD_TOO_LARGE', {
        message: 'Reading it exceeds the limits of time or memory for one file.',
        hint: 'Divide it and send the parts one by one.',
      });
    });

export function createReaders(workers: Workers, limitMs?: number): Readers {
  const apart = readApart(workers, limitMs);
  return {
    async file(raw, options, client) {
      const input = { raw, options };
      return accepted(isSmall(raw) ? await readFile(input) : await apart(readFile, input, client));
    },
    async hl7(raw, options, client, here) {
      return isShort(raw) ? here() : accepted(await apart(readHl7Message, { raw, options }, client));
    },
  };
}

/** Errors lose their class between threads. */
export function accepted<T>(result: T | Refusal): T {
  if (!isRefusal(result)) return result;
  const { code, message, hint, details } = result.refused;
  throw new AppError(code, { message, ...(hint !== undefined && { hint }), ...(details && { details }) });
}

const isRefusal = (result: unknown): result is Refusal =>
  typeof result === 'object' && result !== null && 'refused' in result;
