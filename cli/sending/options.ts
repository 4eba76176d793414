/** The options shared by `ingest` and `replay`. */
import { AppError } from '../../src/contract/errors.ts';
import { maxBatchItems } from '../../src/contract/worklist.ts';
import type { WorklistMapping } from '../../src/contract/worklist-mapping.ts';
import { formatNames } from '../../src/domain/worklist-formats.ts';
import type { FormatName } from '../../src/domain/worklist-formats.ts';
import { checkedMapping } from '../../src/files/worklist/mapping-faults.ts';
import type { DateOrder, ReadOptions } from '../../src/files/worklist/reading.ts';
import { choice, flag, integer, list, several, text } from '../command.ts';
import type { CommandInput } from '../command.ts';
import { readJson } from '../shell/input-file.ts';
import type { Io } from '../shell/io.ts';

export const filesArgument = { file: several('Files, or - for standard input') };

export const dateOrders = ['dmy', 'mdy', 'ymd'] as const satisfies readonly DateOrder[];

/** Options for reading files. */
export const readingOptions = {
  format: choice(formatNames, `The format, instead of detecting it by content: ${formatNames.join(', ')}`, {
    placeholder: 'NAME',
  }),
  encoding: text('The encoding, such as utf-8 or windows-1252', { placeholder: 'NAME' }),
  delimiter: text('CSV: column separator, such as ; or tab', { placeholder: 'CHAR' }),
  decimal: choice([',', '.'], 'CSV: decimal separator'),
  dateOrder: choice(dateOrders, 'CSV: order of day and month in dates such as 02/03/2026'),
  timeZone: text('Time zone of times without an offset; default: this computer’s', { placeholder: 'ZONE' }),
  mapping: text('Mapping of fields, values and defaults: a JSON file (see "laudio worklist mapping")', {
    placeholder: 'FILE',
  }),
  map: list('The place of a field: a column, OBR-18, (0008,0050), a FHIRPath; repeatable', {
    placeholder: 'FIELD=PLACE',
  }),
  skipRows: integer('CSV, Excel: number of rows above the heading row'),
};

/** Options of `ingest` and `replay` for reading, sending and reporting. */
export const sendingOptions = {
  dryRun: flag('Show the effect of each line without sending; needs no login or server'),
  sourceSystem: text('Identifier of the sending RIS/PACS system', { placeholder: 'NAME' }),
  batch: integer(`Items per request; default: ${maxBatchItems}`),
  acceptPatientChange: flag('Move exams that PATIENT_MISMATCH refused to the patients in the file'),
  failFast: flag('Stop at the first request with a refused entry'),
  report: text('Write the result of every line to this .json, .csv or .xml (JUnit) file', { placeholder: 'FILE' }),
  ...readingOptions,
};

export type SendingInput = CommandInput<typeof filesArgument, typeof sendingOptions>;

export type ReadingInput = Pick<SendingInput, keyof typeof readingOptions>;

/** Maximum size of a mapping, in bytes. */
const maxMappingBytes = 256_000;

/** Parses the options for reading, including the mapping file. USAGE for an invalid value. */
export async function parseReadOptions(io: Io, input: ReadingInput): Promise<ReadOptions> {
  const { format, encoding, delimiter, decimal, dateOrder, timeZone } = input;
  const mapping = await readMapping(io, input);
  return {
    ...(format && { format: format as FormatName }),
    ...(encoding !== undefined && { encoding }),
    ...(delimiter !== undefined && { delimiter: parseDelimiter(delimiter) }),
    ...(decimal && { decimal }),
    ...(dateOrder && { dateOrder }),
    ...(timeZone !== undefined && { timeZone: parseTimeZone(timeZone) }),
    ...(mapping && { mapping }),
  };
}

/** The mapping of the file, overridden by options of the command line. */
async function readMapping(
  io: Io,
  { mapping: file, map, skipRows }: ReadingInput,
): Promise<WorklistMapping | undefined> {
  if (file === undefined && map.length === 0 && skipRows === undefined) return undefined;
  const read = file === undefined ? {} : checkedMapping(await readJson(io, file, maxMappingBytes));
  return checkedMapping({
    ...read,
    ...((map.length > 0 || read.fields) && { fields: { ...read.fields, ...mapOf(map) } }),
    ...(skipRows !== undefined && { skip_rows: skipRows }),
  });
}

function parseDelimiter(word: string): string {
  const delimiter = word === 'tab' || word === '\\t' ? '\t' : word;
  if (delimiter.length === 1) return delimiter;
  throw new AppError('USAGE', { message: '--delimiter takes one character, or tab.' });
}

export function parseTimeZone(zone: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    throw new AppError('USAGE', { message: '--time-zone takes a name such as America/Sao_Paulo.' });
  }
}

function mapOf(pairs: readonly string[]): Record<string, string[]> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1 || at === pair.length - 1) {
        throw new AppError('USAGE', {
          message: '--map takes FIELD=PLACE, such as accession_number=Acesso or accession_number=OBR-2.',
        });
      }
      return [pair.slice(0, at), [pair.slice(at + 1)]];
    }),
  );
}
