/** Records of delimited text (RFC 4180), read by lines, since most lines have no quote and are records. */
import { fileMessage } from '../../../contract/messages/files.ts';
import { tooLarge } from '../bytes.ts';
import type { Lines } from '../lines.ts';

export interface CsvRecord {
  readonly values: readonly string[];
  /** The raw text, for finding faults of its characters. */
  readonly text: string;
  /** Line at which the record begins. */
  readonly line: number;
  /** A quote is opened and never closed, or the file ends before the end of the line. */
  readonly isOpen?: 'quote' | 'line';
}

/**
 * Records in order, those without any value left out; PAYLOAD_TOO_LARGE at one of more than `limit` characters.
 *
 * A quoted value continues over line ends until its quote is closed. The quote is never closed if a later line opens another
 * (`;"x`), if the file ends first, or if the limit is reached and the next lines are rows, not a text. Then the line with the
 * quote is a faulty record, and the lines after it are read again, up to the line that showed the fault one by one. So each line
 * is read at most four times, however many quotes it has.
 */
export async function* readRecords(
  chunks: AsyncIterable<Lines>,
  delimiter: string,
  limit: number,
): AsyncGenerator<readonly CsvRecord[]> {
  let records: CsvRecord[] = [];
  /** A record whose quote is still open, its lines, and where it begins. */
  let split = nothing();
  let held: string[] = [];
  let heldSize = 0;
  let heldLine = 0;
  /** Records that begin before this line end with their line. */
  let settled = 0;
  /** The last line, where it has no end. */
  let cut: number | undefined;

  const release = (): string[] => {
    const lines = held;
    split = nothing();
    held = [];
    heldSize = 0;
    return lines;
  };
  const add = (values: readonly string[], text: string, isOpen: CsvRecord['isOpen']): void => {
    if (isOpen !== 'quote' && isBlank(values)) return;
    records.push({ values, text, line: heldLine, ...(isOpen && { isOpen }) });
  };
  const take = (line: string, at: number): void => {
    const ending = at === cut ? 'line' : undefined;
    if (held.length === 0) {
      heldLine = at;
      if (!line.includes('"')) {
        add(line.split(delimiter), line, ending);
        return;
      }
    }
    split = splitRecord(line, delimiter, split);
    held.push(line);
    heldSize += line.length + 1;
    const isTooLarge = heldSize > limit;
    if (isTooLarge && !areRows(held.slice(1), delimiter))
      throw tooLarge(fileMessage('csv_record'), limit, fileMessage('at_line', { line: heldLine }));
    if (split.isUnclosed || isTooLarge || (split.open !== undefined && at < settled)) giveUp(at);
    else if (split.open === undefined) add(split.values, release().join('\n'), ending);
  };
  /** `told`: the line that shows that the quote is never closed. */
  const giveUp = (faultyAt: number): void => {
    const [first = '', ...behind] = release();
    const { values, open = '' } = splitRecord(first, delimiter);
    const next = heldLine + 1;
    settled = Math.max(settled, faultyAt);
    add([...values, open], first, 'quote');
    for (const [at, line] of behind.entries()) take(line, next + at);
  };

  for await (const { first, lines, isOpen } of chunks) {
    if (isOpen) cut = first + lines.length - 1;
    for (const [at, line] of lines.entries()) take(line, first + at);
    yield records;
    records = [];
  }
  if (held.length > 0) giveUp(Infinity);
  yield records;
}

/**
 * Whether most lines have equally many values, and several: rows, which may be shorter than the header, with blank lines and remarks
 * between them. The lines of a text have one, or now and then a few.
 */
function areRows(lines: readonly string[], delimiter: string): boolean {
  const filled = lines.filter((line) => line.trim() !== '');
  const widths = Map.groupBy(filled, (line) => splitRecord(line, delimiter).values.length);
  return [...widths].some(([width, { length }]) => width > 1 && 2 * length > filled.length);
}

/** As spreadsheets write rows that were emptied: delimiters alone. */
const isBlank = (values: readonly string[]): boolean => values.every((value) => value.trim() === '');

/** A record as far as it was read: its values, and the beginning of the one whose quote is open. */
interface SplitLine {
  readonly values: string[];
  readonly open?: string;
  /** Where the open quote should be closed, another is opened. */
  readonly isUnclosed?: true;
}
const nothing = (): SplitLine => ({ values: [] });

/**
 * The values of a line, added to those before it. A quote opens only where a value begins; elsewhere it is a character.
 */
export function splitRecord(text: string, delimiter: string, { values, open }: SplitLine = nothing()): SplitLine {
  let at = 0;
  let value = open === undefined ? '' : `${open}\n`;
  let isQuoted = open !== undefined;
  let isOfBefore = isQuoted;
  for (;;) {
    if (!isQuoted && text[at] === '"') {
      isQuoted = true;
      at += 1;
    }
    while (isQuoted) {
      const quote = text.indexOf('"', at);
      if (quote === -1) return { values, open: value + text.slice(at) };
      value += text.slice(at, quote);
      at = quote + 1;
      isQuoted = text[at] === '"';
      if (isQuoted) {
        value += '"';
        at += 1;
      }
    }
    const end = text.indexOf(delimiter, at);
    const rest = text.slice(at, end === -1 ? text.length : end);
    if (isOfBefore && rest.trim() !== '' && (at === 1 || text[at - 2] === delimiter))
      return { values, isUnclosed: true };
    values.push(value + rest);
    if (end === -1) return { values };
    at = end + delimiter.length;
    value = '';
    isOfBefore = false;
  }
}
