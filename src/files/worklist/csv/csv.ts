/** CSV and TSV with a header line, as spreadsheets and RIS reports write them. */
import type { Message } from '../../../contract/messages/message.ts';
import { fileMessage } from '../../../contract/messages/files.ts';
import { AppError } from '../../../contract/errors.ts';
import { mendText, onOneLine } from '../../../domain/characters.ts';
import { identifierNames, itemFieldNames } from '../../../domain/normalise.ts';
import { mappedParts } from '../../../contract/worklist-mapping.ts';
import type { WorklistMapping } from '../../../contract/worklist-mapping.ts';
import { plainWords } from '../coded-words.ts';
import { fill, finished, newDraft, put, refuse } from '../draft.ts';
import type { Draft, Lookup, Mapping } from '../draft.ts';
import type { Lines } from '../lines.ts';
import { splitLines } from '../lines.ts';
import { ignoredPlaces, mappedTable, statusWords } from '../mapping.ts';
import { takeModalityFromWords } from '../procedure-words.ts';
import type { Input, Reader } from '../reader.ts';
import { problem } from '../reading.ts';
import type { DateOrder, Guess, Reading, ReadOptions } from '../reading.ts';
import { findRewrite } from '../rewrites.ts';
import type { Rewrite } from '../rewrites.ts';
import { createExamsOfRows } from '../rows-of-exams.ts';
import { cancelledUnder, isStatusItself, isUnticked, ticksUnder } from '../status-words.ts';
import { skipped, skipReader } from '../skip-rules.ts';
import { damage } from '../text.ts';
import { columnNamed, columnsGuess, isOfOtherFormat, missingColumn, readHeader } from './columns.ts';
import type { Header } from './columns.ts';
import { csvColumns, isBritish, isDayFirst } from './headings.ts';
import { isOrdered, orderShownBy } from './dates.ts';
import { delimiterLine, guessDelimiter, headerLine } from './header-line.ts';
import { readRecords, splitRecord } from './records.ts';
import type { CsvRecord } from './records.ts';
import { lookupIn, plainValue } from './values.ts';
import type { Conventions } from './values.ts';

export const readCsv: Reader = async function* (input) {
  const { text, options, limits } = input;
  const { mapping } = options;
  const { line, above } = headerLine(text.head, options);
  const delimiter = findDelimiter(text.head, line, options, input.guess);
  const table = readBeginning(text.head, above, delimiter);
  let read: ((record: CsvRecord, item: number) => Reading) | undefined;
  let item = 0;
  const examsOf = createExamsOfRows();
  for await (const records of readRecords(
    without(above, splitLines(text.chunks(), limits.line)),
    delimiter,
    limits.line,
  )) {
    const readings: Reading[] = [];
    for (const record of records) {
      if (read === undefined) {
        const valuesOf = (index: number): string[] => table.map((row) => plainValue(row[index] ?? ''));
        const header = readHeader(record.values, mapping?.fields, valuesOf);
        if (header.columnOf.size === 0) throw noHeader(record.line);
        read = rowReader(header, findConventions(header, table, delimiter, input), input);
        for (const guess of listGuesses(header, above, mapping)) input.guess(guess);
        if (!header.isMissing) continue;
      }
      if (isTotal(record)) continue;
      item += 1;
      readings.push(read(record, item));
    }
    yield examsOf(readings);
  }
};

/** Words with which reports count their rows, below them. */
const totalWords =
  /^(?:sub ?|grand )?tota(?:l|is|les|ux)\b|^(?:gesamt(?:summe|zahl)?|summe|suma|soma|anzahl|somme|nombre|cantidad|quantidade|qtd)\b(?: |$)|^\d+ (?:registros?|exames?|examenes|estudos?|estudios?|pacientes?|records?|rows?|exams?|studies|patients?|zeilen|untersuchungen|patienten|lignes|examens|linhas?|filas?)$/;
/** Cells of a line of totals: the words, and the number. */
const maxTotalCells = 2;

/** Whether the line counts the rows of a report, and is none. */
function isTotal({ values }: CsvRecord): boolean {
  if (values.length <= maxTotalCells + 1) return false;
  const [first, ...others] = values.filter((value) => value.trim() !== '');
  return first !== undefined && others.length < maxTotalCells && totalWords.test(plainWords(first));
}

const noHeader = (line: number): AppError =>
  new AppError('VALIDATION_FAILED', {
    message: fileMessage('no_columns', { line }),
    hint: fileMessage('name_columns'),
  });

/** The reader's assumptions about the columns. */
function listGuesses(header: Header, above: number, mapping: WorklistMapping | undefined): Guess[] {
  const isGuessed = above > 0 && mapping?.skip_rows === undefined;
  const ignored = ignoredPlaces(mapping, (place) => (isOfOtherFormat(place) ? undefined : place), mappedParts);
  return [
    ...(isGuessed
      ? [
          {
            what: 'rows' as const,
            value: String(above),
            why: 'The rows above the one that names the columns were passed over.',
          },
        ]
      : []),
    columnsGuess(header),
    ...(ignored ? [ignored] : []),
  ];
}

const names: Readonly<Record<string, string>> = { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'bar' };

/** The delimiter of the options, else of the file's `sep=` line, else the delimiter that fits the headings best. */
function findDelimiter(
  head: string,
  header: string,
  { delimiter }: ReadOptions,
  guess: (guess: Guess) => void,
): string {
  if (delimiter !== undefined) {
    if (delimiter.length === 1 && !/["\r\n]/.test(delimiter)) return delimiter;
    throw new AppError('USAGE', { message: 'The delimiter must be one character, and no quote or line break.' });
  }
  const first = head.split(/\r\n|\r|\n/, 50).find((line) => line.trim() !== '') ?? '';
  const named = delimiterLine(first);
  if (named !== undefined) return named;
  const guessed = guessDelimiter(header);
  guess({ what: 'delimiter', value: names[guessed] ?? guessed, why: 'With it, most headings are understood.' });
  return guessed;
}

/** The lines below those that are passed over. */
async function* without(above: number, chunks: AsyncIterable<Lines>): AsyncGenerator<Lines> {
  let left = above;
  let isFirst = true;
  for await (const chunk of chunks) {
    if (isFirst && delimiterLine(chunk.lines[0] ?? '') !== undefined) left = Math.max(left, 1);
    isFirst = false;
    const dropped = Math.min(left, chunk.lines.length);
    left -= dropped;
    yield dropped === 0 ? chunk : { ...chunk, first: chunk.first + dropped, lines: chunk.lines.slice(dropped) };
  }
}

/** The rows that the beginning of the file holds whole, without the header. */
function readBeginning(head: string, above: number, delimiter: string): (readonly string[])[] {
  const lines = head.split(/\r\n|\r|\n/).slice(above, -1);
  const rows = lines.filter((line) => line.trim() !== '' && delimiterLine(line) === undefined);
  return rows.slice(1).map((line) => splitRecord(line, delimiter).values);
}

export function findConventions(
  header: Header,
  table: readonly (readonly string[])[],
  delimiter: string,
  input: Input,
): Conventions {
  const { options, guess } = input;
  const column = (field: string): string[] => {
    const index = header.columnOf.get(field);
    return index === undefined ? [] : table.map((row) => row[index]?.trim() ?? '');
  };
  const dates = ['exam_datetime', 'exam_date', 'patient_birth_date'].flatMap(column);
  const isContinental = delimiter === ';' || header.headings.some(isDayFirst);
  return {
    order: options.dateOrder ?? findDateOrder(dates, isContinental || header.headings.some(isBritish), guess),
    decimal: options.decimal ?? (isContinental ? ',' : '.'),
    hombre: column('patient_sex').some((value) => plainWords(value) === 'h'),
    fractional: new Set(numbers.filter((field) => areFractional(column(field), field, guess))),
  };
}

/** Identifiers that are numbers in many departments. */
const numbers = ['accession_number', 'patient_id'];

/**
 * Statistics programs write the whole numbers of a column with gaps as `12345.0`. Where one number has another decimal
 * (`12345.1`), the decimals tell the exams of a request apart.
 */
function areFractional(values: readonly string[], field: string, guess: (guess: Guess) => void): boolean {
  const said = values.map(plainValue).filter((value) => value !== '');
  const areAll = said.length > 0 && said.every((value) => /^\d+\.0$/.test(value));
  if (areAll) guess({ what: 'decimal', value: field, why: 'All its numbers end in .0, which was left out.' });
  return areAll;
}

function findDateOrder(dates: readonly string[], isDayUsual: boolean, guess: (guess: Guess) => void): DateOrder {
  if (!dates.some(isOrdered)) return isDayUsual ? 'dmy' : 'mdy';
  const shown = orderShownBy(dates);
  const order = shown ?? (isDayUsual ? 'dmy' : 'mdy');
  const words = order === 'dmy' ? 'day, month, year' : 'month, day, year';
  const why = shown
    ? 'A number above 12 is the day.'
    : `The dates at its beginning could be read either way; ${words} is usual for files like this. Say it with --date-order.`;
  guess({ what: 'dates', value: words, why });
  return order;
}

/** Parts of other fields, and what no item has. */
const parts = new Set([...mappedParts, 'status']);
/** Columns of the contract with their conversions; values in two columns are joined before. */
const mappings: readonly Mapping[] = csvColumns
  .filter(({ to }) => !parts.has(to))
  .map(({ to, kind }) => ({ to, kind, from: [to] }));
const contractFields = new Set(itemFieldNames);

/** Columns that replace a field without a column. */
const standIns: Readonly<Record<string, string>> = {
  exam_datetime: 'exam_date',
  patient_name: 'patient_family_name',
};

/** The fields that columns of a part stand in for. */
const wholeOf: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(standIns).map(([whole, part]) => [part, whole]),
);

/** Reads a row by the known header. */
export function rowReader(
  header: Header,
  conventions: Conventions,
  { text, times, options: { mapping } }: Input,
): (record: CsvRecord, item: number) => Reading {
  const { headings, columnOf } = header;
  const indexOf = (field: string): number | undefined => columnOf.get(field) ?? columnOf.get(standIns[field] ?? '');
  const used = new Set([...columnOf].filter(([field]) => field !== 'status').map(([, index]) => index));
  const extra = headings.flatMap((heading, index) =>
    used.has(index) ? [] : [{ name: extraName(heading, index), index, saysCancelled: cancelledUnder(heading) }],
  );
  // The places of the mapping are in the header already.
  const rewrites = listRewrites(mapping, columnOf);
  const table = mappedTable(mappings, mapping, () => undefined).map(({ rewrite: _, ...row }) => ({
    ...row,
    from: [row.to],
  }));
  const present = table.filter(
    ({ to, otherwise, copy }) => indexOf(to) !== undefined || otherwise !== undefined || copy !== undefined,
  );
  const findSkip = skipReader(mapping, (place) => columnOfRule(headings, place), false);
  const nameColumn = (field: string): Message => {
    const index = indexOf(field) ?? -1;
    return fileMessage('column', { name: headings[index]?.trim() || index + 1 });
  };
  const identifying = new Set(identifierNames.map((name) => columnOf.get(name)));
  const statusColumn = findStatusColumn(header, mapping);
  let draft = newDraft();
  let values: readonly string[] = [];
  const cell = (index: number): string => values[index] ?? '';
  const rewritten = new Map<string, string>();
  const rewriteCells = (): void => {
    rewritten.clear();
    for (const [field, rewrite] of rewrites) {
      const text = plainValue(cell(columnOf.get(field) ?? -1));
      if (text === '') continue;
      const result = rewrite(text);
      if ('expected' in result) {
        const preset = table.find(({ to, otherwise, copy }) => to === field && (otherwise ?? copy) !== undefined);
        const whole = wholeOf[field] ?? field;
        refuse(
          draft,
          { field: whole, source: nameColumn(field), what: fileMessage(result.expected) },
          preset !== undefined,
        );
      }
      rewritten.set(field, 'text' in result ? result.text : '');
    }
  };
  const readValue = (field: string): string => {
    const known = rewritten.get(columnOf.has(field) ? field : (standIns[field] ?? ''));
    if (known !== undefined) return known;
    const index = indexOf(field);
    return index === undefined ? '' : plainValue(cell(index));
  };
  const lookup = lookupIn({
    valueOf: readValue,
    // A time of day in addition to both belongs to the date.
    isJoined: !(columnOf.has('exam_datetime') && columnOf.has('exam_date')),
    isNameJoined: !columnOf.has('patient_name') && columnOf.has('patient_family_name'),
    conventions,
    offsetAt: times.offsetAt,
    refuse(field, what, hint) {
      draft.fault ??= { message: fileMessage(what, { field, source: nameColumn(field) }), hint };
    },
  });
  const words = new Map(present.flatMap(({ to, values: meanings }) => (meanings ? [[to, meanings] as const] : [])));
  /** The mapping of a value takes precedence over the usual meaning of the word. */
  const asMapped: Lookup =
    words.size === 0
      ? lookup
      : (field, to) => {
          const text = readValue(field);
          return words.get(field)?.has(text.toLowerCase()) ? text : lookup(field, to);
        };
  return (record, item) => {
    const position = { line: record.line, item };
    const fault = findFault(record, headings.length, identifying) ?? (text.isDamaged(record.text) ? damage : undefined);
    if (fault) return problem(position, fault.message, fault.hint);
    draft = newDraft();
    values = record.values;
    const passedOver = findSkip?.({ events: [], lookup: (index) => plainValue(cell(Number(index))) });
    if (passedOver) return skipped(position, passedOver);
    rewriteCells();
    fill(draft, present, asMapped, times, nameColumn);
    for (const { name, index, saysCancelled } of extra) {
      const value = extraValue(cell(index));
      if (value === '') continue;
      draft.fields[name] = value;
      if (index !== statusColumn?.index && saysCancelled(value)) draft.warnings.push(unknownStatus(name));
    }
    takeModalityFromWords(draft);
    const status = statusColumn && statusIn(draft, plainValue(cell(statusColumn.index)), statusColumn);
    return finished(
      draft,
      position,
      () => fileMessage('read_from_columns', { example: '{"fields": {"accession_number": ["HEADING"]}}' }),
      status === 'cancelled' ? { status } : status === 'standing' ? { order: status } : {},
    );
  };
}

/** The column of a rule by its number. USAGE if the table has none of that name. */
function columnOfRule(headings: readonly string[], place: string): string | undefined {
  if (isOfOtherFormat(place)) return undefined;
  const column = columnNamed(headings, place);
  if (!column) throw missingColumn('a rule', headings.length);
  return String(column.index);
}

/** How the mapping changes the cells of columns; a field in two columns has its date in one of them. */
function listRewrites(
  mapping: WorklistMapping | undefined,
  columnOf: Header['columnOf'],
): ReadonlyMap<string, Rewrite> {
  const rewrites = [...columnOf.keys()].flatMap((field) => {
    const whole = wholeOf[field];
    const rewrite = findRewrite(mapping ?? {}, field) ?? (whole && findRewrite(mapping ?? {}, whole));
    return rewrite ? [[field, rewrite] as const] : [];
  });
  return new Map(rewrites);
}

interface StatusColumn {
  readonly index: number;
  readonly heading: string;
  /** Words that are no known status say nothing. */
  readonly isDoubtful: boolean;
  readonly readStatus: ReturnType<typeof statusWords>;
}

/** The column of the mapping, else the one that is known by its heading. */
function findStatusColumn(
  { headings, columnOf, isStatusDoubtful }: Header,
  mapping: WorklistMapping | undefined,
): StatusColumn | undefined {
  const column = mapping?.status?.['column'];
  const mapped = column === undefined || isOfOtherFormat(column) ? undefined : columnNamed(headings, column);
  if (column !== undefined && !isOfOtherFormat(column) && !mapped) throw missingColumn('status', headings.length);
  const index = mapped?.index ?? columnOf.get('status');
  if (index === undefined) return undefined;
  const heading = headings[index]?.trim() || String(index + 1);
  const readStatus = statusWords({ ...ticksUnder(heading), ...mapping?.status });
  return { index, heading, isDoubtful: isStatusDoubtful && !mapped && !isStatusItself(heading), readStatus };
}

const unknownStatus = (heading: string): Message =>
  fileMessage('odd_status', {
    column: heading,
    example: `{"status": {"column": "${heading}", "WORD": "cancelled"}}`,
  });

/** Cancels the exam, or says how far it is, and so that it takes place: what becomes of the report is another matter. */
function statusIn(draft: Draft, text: string, column: StatusColumn): 'cancelled' | 'standing' | undefined {
  const { heading, isDoubtful, readStatus } = column;
  const status = readStatus(text);
  if (status === 'cancelled') return status;
  if (status === 'unknown') {
    if (isDoubtful || isUnticked(heading, text)) return undefined;
    draft.warnings.push(unknownStatus(heading));
    return undefined;
  }
  if (status === undefined) return undefined;
  put(draft, 'exam_status', status);
  return 'standing';
}

/** The value of an unknown column; an empty text where it says nothing. */
export const extraValue = (text: string): string => mendText('prose', plainValue(text));

/** An unknown column keeps its heading, unless the heading is the name of a field with another column. */
export function extraName(heading: string, index: number): string {
  const name = onOneLine(heading).trim() || `column ${index + 1}`;
  // No object takes this name, and no request with it is taken.
  if (name === '__proto__') return `column ${index + 1}`;
  return contractFields.has(name) ? `${name} (column ${index + 1})` : name;
}

/** `identifying`: the columns of the identifiers. */
function findFault(
  { values, isOpen }: CsvRecord,
  columns: number,
  identifying: ReadonlySet<number | undefined>,
): { message: Message; hint: Message } | undefined {
  if (isOpen === 'quote') {
    return { message: fileMessage('open_quote'), hint: fileMessage('double_quotes') };
  }
  // Some programs end each row with a delimiter.
  const isFull = values.length >= columns && values.slice(columns).every((value) => value.trim() === '');
  if (!isFull) {
    const hint = fileMessage(values.length < columns ? 'cut_or_break' : 'delimiter_in_value');
    return { message: fileMessage('row_columns', { n: values.length, columns }), hint };
  }
  if (isOpen === 'line' && identifying.has(values.length - 1)) {
    return { message: fileMessage('ends_in_identifier'), hint: fileMessage('end_line') };
  }
  return undefined;
}
