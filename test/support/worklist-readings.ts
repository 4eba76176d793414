/** The sample worklist files, and everything that is read from one, in chunks of any size. */
import { readFileSync } from 'node:fs';
import { readWorklist } from '../../src/files/worklist/worklist-file.ts';
import type { WorklistFile } from '../../src/files/worklist/worklist-file.ts';
import type { Guess, ReadOptions } from '../../src/files/worklist/reading.ts';
import { inTexts } from './reading-texts.ts';
import type { TextItem, TextProblem, TextReading } from './reading-texts.ts';

export const sampleBytes = (name: string): Buffer =>
  readFileSync(new URL(`../../samples/worklists/${name}`, import.meta.url));

interface SampleFile {
  readonly name: string;
  /** What it is told to be. */
  readonly format: WorklistFile['format'];
  readonly items: number;
  readonly cancelled?: number;
  /** Of text that is no other file when it is written in another encoding. */
  readonly encoding?: string;
}

export const sampleFiles: readonly SampleFile[] = [
  { name: 'one-item.json', format: 'json', items: 1, encoding: 'utf-8' },
  { name: 'array.json', format: 'json', items: 3, encoding: 'utf-8' },
  { name: 'items.ndjson', format: 'ndjson', items: 5, encoding: 'utf-8' },
  { name: 'week.ndjson.gz', format: 'ndjson', items: 200 },
  { name: 'agenda.csv', format: 'csv', items: 4, encoding: 'windows-1252' },
  { name: 'agenda.tsv', format: 'csv', items: 3, encoding: 'utf-8' },
  { name: 'agenda.xlsx', format: 'xlsx', items: 1 },
  { name: 'schedule.csv', format: 'csv', items: 3, encoding: 'utf-8' },
  { name: 'worklist.dicom.json', format: 'dicom-json', items: 2, encoding: 'utf-8' },
  { name: 'ct-torax.wl', format: 'dicom', items: 1 },
  { name: 'rm-rodilla.wl', format: 'dicom', items: 1 },
  { name: 'order.hl7', format: 'hl7', items: 1 },
  { name: 'batch.hl7', format: 'hl7', items: 4, cancelled: 1 },
  { name: 'capture.mllp', format: 'hl7', items: 3, cancelled: 1 },
  { name: 'bundle.fhir.json', format: 'fhir', items: 3, cancelled: 1, encoding: 'utf-8' },
  { name: 'appointment.fhir.xml', format: 'fhir', items: 1, encoding: 'utf-8' },
  { name: 'export.fhir.ndjson', format: 'fhir', items: 2, encoding: 'utf-8' },
];

export async function* inChunks(bytes: Uint8Array, size = 64 * 1024): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

export interface ReadFile {
  readonly format: WorklistFile['format'];
  readonly guesses: readonly Guess[];
  readonly readings: readonly TextReading[];
  readonly items: readonly TextItem[];
  readonly problems: readonly TextProblem[];
}

/** Everything that a file gives; times without an offset are those of São Paulo. */
export async function readFile(
  content: Uint8Array | string | AsyncIterable<Uint8Array>,
  options: ReadOptions = {},
  chunkSize?: number,
): Promise<ReadFile> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const source = bytes instanceof Uint8Array ? inChunks(bytes, chunkSize) : bytes;
  const file = await readWorklist(source, { timeZone: 'America/Sao_Paulo', ...options });
  const readings: TextReading[] = [];
  for await (const reading of file.readings) readings.push(inTexts(reading));
  return {
    format: file.format,
    guesses: file.guesses,
    readings,
    items: readings.filter((reading) => reading.kind === 'item'),
    problems: readings.filter((reading) => reading.kind === 'problem'),
  };
}
