/** Records of delimited text (RFC 4180), read by lines, since most lines have no quote and are records. */
import { tooLarge } from '../bytes.ts';
import type { Lines } from '../lines.ts';

export interface CsvRecord {
  readonly values: readonly string[];
  /** The raw text, for finding faults of its characters. */
  readonly text: string;
  /** Line at which the record begins. */
  readonly line: number;
  /** The file ends inside: within a quote, or before the end of the line. */
  readonly isOpen?: 'quote' | 'line';
}

/** Records in order, those without any value left out; PAYLOAD_TOO_LARGE at one of more than `limit` characters. */
export async function* recordsOf(
  lines: AsyncIterable<Lines>,
  delimiter: string,
  limit: number,
): AsyncGenerator<readonly CsvRecord[]> {
  /** A record whose quote is still open, its lines, and where it begins. */
  let split: Split = nothing;
  let held: string[] = [];
  let heldSize = 0;
  let heldLine = 0;
  for await (const chunk of lines) {
    const records: CsvRecord[] = [];
    for (const [at, line] of chunk.lines.entries()) {
      const isLast = chunk.isOpen === true && at === chunk.lines.length - 1;
      const ending = isLast ? ({ isOpen: 'line' } as const) : {};
      if (held.length === 0) {
        heldLine = chunk.first + at;
        if (!line.includes('"')) {
          const values = line.split(delimiter);
          if (!isBlank(values)) records.push({ values, text: line, line: heldLine, ...ending });
          continue;
        }
      }
      split = splitRecord(line, delimiter, split);
      held.push(line);
      heldSize += line.length + 1;
      if (heldSize > limit) throw tooLarge('A record, or a quote that is not closed,', limit, `line ${heldLine}`);
      if (split.open !== undefined) continue;
      if (!isBlank(split.values))
        records.push({ values: split.values, text: held.join('\n'), line: heldLine, ...ending });
      split = nothing;
      held = [];
      heldSize = 0;
    }
    yield records;
  }
  if (held.length > 0) yield [{ values: split.values, text: held.join('\n'), line: heldLine, isOpen: 'quote' }];
}

/** As spreadsheets write rows that were emptied: delimiters alone. */
const isBlank = (values: readonly string[]): boolean => values.every((value) => value.trim() === '');

/** A record as far as it was read: its values, and the beginning of the one whose quote is open. */
interface Split {
  readonly values: readonly string[];
  readonly open?: string;
}
const nothing: Split = { values: [] };

/**
 * The values of a line, after those before it. A quote opens only where a value begins; elsewhere it is a character.
 */
export function splitRecord(text: string, delimiter: string, before: Split = nothing): Split {
  const values = [...before.values];
  let at = 0;
  let value = before.open === undefined ? '' : `${before.open}\n`;
  let isQuoted = before.open !== undefined;
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
    values.push(value + text.slice(at, end === -1 ? text.length : end));
    if (end === -1) return { values };
    at = end + delimiter.length;
    value = '';
  }
}
