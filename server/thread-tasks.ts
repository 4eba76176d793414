/** The tasks that run in threads (workers.ts). Each task loads its modules at its first run. */
import { once } from 'node:events';
import type { MessagePort } from 'node:worker_threads';
import type { AudioType } from '../src/contract/document.ts';
import type { ExportFormat } from '../src/contract/export.ts';
import type { Hl7Settings } from './delivery/formats/hl7/settings.ts';
import type { Report } from '../src/reporting/report-head.ts';
import type { Composed, ComposeInput, Corrected, CorrectInput } from './speech/writing.ts';
import type { Inspected, Inspection } from '../src/reporting/versions/inspection.ts';
import type { AppError, ErrorCode } from '../src/contract/errors.ts';
import type { FormatName } from '../src/domain/worklist-formats.ts';
import type { Guess, Reading, ReadOptions } from '../src/files/worklist/reading.ts';

/** The document as a file; `undefined` if the document is too long for the format. */
export async function exportDocument({
  format,
  report,
  hl7,
}: {
  format: ExportFormat;
  report: Report;
  /** Of the receiver, where the format is hl7. */
  hl7?: Hl7Settings;
}): Promise<Uint8Array | undefined> {
  const { writers } = await import('./delivery/formats/registry.ts');
  const content = await writers[format](report, hl7);
  return typeof content === 'string' ? new TextEncoder().encode(content) : content;
}

/** Composes a document from a long text by the rules. */
export async function composeDocument(input: ComposeInput): Promise<Composed> {
  const { compose } = await import('./speech/rules/rules.ts');
  return compose(input);
}

/** Applies an instruction to a long document by the rules. */
export async function correctDocument(input: CorrectInput): Promise<Corrected> {
  const { correct } = await import('./speech/rules/rules.ts');
  return correct(input);
}

/** Inspects a long document for findings. */
export async function inspectDocument(document: Inspected): Promise<Inspection> {
  const { inspection } = await import('../src/reporting/versions/inspection.ts');
  return inspection(document);
}

/** The message that `audioSeconds` sends to its port: a request for the bytes from `start` up to, not including, `end`. */
export interface WantedBytes {
  readonly start: number;
  readonly end: number;
}

/** The length of the audio in seconds (records/uploads/audio-seconds.ts). The other end of `port` answers requests for its bytes. */
export async function audioSeconds({
  type,
  bytes,
  port,
}: {
  type: AudioType;
  bytes: number;
  port: MessagePort;
}): Promise<number | null> {
  const { secondsOf } = await import('./records/uploads/audio-seconds.ts');
  try {
    return await secondsOf({
      type,
      bytes,
      async read(start, end) {
        port.postMessage({ start, end } satisfies WantedBytes);
        const [answer] = (await once(port, 'message')) as [Uint8Array | null];
        if (!answer) throw new Error('The audio cannot be read.');
        return answer;
      },
    });
  } finally {
    port.close();
  }
}

/** Options that can be copied between threads. */
export type PlainOptions = Omit<ReadOptions, 'onFound'>;

/** A file that was read to its end. */
export interface ReadFile {
  readonly format: FormatName;
  readonly readings: readonly Reading[];
  readonly guesses: readonly Guess[];
}

/** What a reader refused, as an AppError says it. */
export interface Refusal {
  readonly refused: { readonly code: ErrorCode; readonly message: string } & Pick<AppError, 'hint' | 'details'>;
}

async function orRefusal<T>(read: () => Promise<T>): Promise<T | Refusal> {
  const { AppError: OwnError } = await import('../src/contract/errors.ts');
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof OwnError)) throw error;
    const { code, message, hint, details } = error;
    return { refused: { code, message, hint, details } };
  }
}

/** Reads a file of exams to its end. */
export const readFile = ({ raw, options }: { raw: Uint8Array; options: PlainOptions }): Promise<ReadFile | Refusal> =>
  orRefusal(async () => {
    const { readWorklist } = await import('../src/files/worklist/worklist-file.ts');
    const file = await readWorklist(wholeOf(raw), options);
    const readings: Reading[] = [];
    for await (const reading of file.readings) readings.push(reading);
    return { format: file.format, readings, guesses: file.guesses };
  });

async function* wholeOf(raw: Uint8Array): AsyncGenerator<Uint8Array> {
  yield raw;
}

/** Reads one message of HL7. */
export const readHl7Message = ({
  raw,
  options,
}: {
  raw: Uint8Array;
  options: PlainOptions;
}): Promise<readonly Reading[] | Refusal> =>
  orRefusal(async () => {
    const { createMessageReader } = await import('../src/files/worklist/hl7/one-message.ts');
    return createMessageReader(options)(raw).readings;
  });

export type ReadStep = Awaited<ReturnType<typeof readStep>>;

/** Reads a performed procedure step. */
export async function readStep({ data, syntax }: { data: Uint8Array; syntax: string }) {
  const { readStep: read } = await import('./delivery/channels/kinds/dicom-mpps/step.ts');
  return read(data, syntax);
}
