/** Reads the reports of the named files as one sequence of entries. */
import { access } from 'node:fs/promises';
import { AppError } from '../../src/contract/errors.ts';
import { isPlainObject } from '../../src/domain/normalise.ts';
import { priorFormatTable, readPriors } from '../../src/files/priors/prior-file.ts';
import type { PriorFormat } from '../../src/files/priors/prior-file.ts';
import { readContent } from '../../src/sending/entries.ts';
import type { Content } from '../../src/sending/entries.ts';
import type { ReadOptions } from '../../src/files/worklist/reading.ts';
import { isStdin, nameOf, readJson } from '../shell/input-file.ts';
import type { Io } from '../shell/io.ts';
import { readBytes, named, createNotices } from './file-entries.ts';
import type { FileNotice } from './file-entries.ts';

export interface PriorEntriesOptions {
  readonly io: Io;
  readonly files: readonly string[];
  readonly read: Omit<ReadOptions, 'format'> & { readonly format?: PriorFormat };
  readonly onNotice: (notice: FileNotice) => void;
}

/** Throws errors that end the reading, prefixed with the file's name. */
export async function* readPriorEntries(options: PriorEntriesOptions): AsyncGenerator<Content, void, void> {
  const { io, files, read } = options;
  let index = 0;
  for (const file of files) {
    try {
      const { format, guesses, readings } = await readPriors(readBytes(file, { io, onBytes: () => {} }), read);
      const tell = createNotices({ title: priorFormatTable[format].title, guesses }, file, options);
      const facts = format === 'text' ? await factsBeside(io, file) : {};
      for await (const reading of readings) {
        if (reading.kind === 'skipped') continue;
        const whole = reading.kind === 'item' ? { ...reading, item: { ...facts, ...reading.item } } : reading;
        yield readContent(whole, { file, index: index++ }, { format: 'json' });
      }
      tell();
    } catch (error) {
      throw named(error, file);
    }
  }
}

/** Maximum size of the metadata file of a report, in bytes. */
const maxFactBytes = 256_000;

/**
 * The patient, date and type of a plain-text report, from `report.json` next to `report.txt`. Never from the arguments,
 * which others can read.
 */
async function factsBeside(io: Io, file: string): Promise<Record<string, unknown>> {
  const beside = file.replace(/\.[^./\\]+$/, '') + '.json';
  const hint =
    'Write {"patient_id": …, "patient_name": …, "exam_datetime": …, "exam_description": …, "report_id": …} in a .json file of the same name.';
  const message = `${nameOf(file)} is plain text: its patient is unknown.`;
  if (isStdin(file)) throw new AppError('USAGE', { message, hint: 'Send it as JSON, with the text in "text".' });
  const isThere = await access(beside).then(
    () => true,
    () => false,
  );
  if (!isThere || beside === file) throw new AppError('USAGE', { message, hint });
  const facts = await readJson(io, beside, maxFactBytes);
  if (!isPlainObject(facts)) throw new AppError('USAGE', { message: `${beside} must hold one JSON object.`, hint });
  return facts;
}
