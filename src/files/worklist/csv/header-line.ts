/** Finds the line of a table that names the columns, and the delimiter between them. */
import type { WorklistMapping } from '../../../contract/worklist-mapping.ts';
import type { Beginning } from '../beginning.ts';
import type { ReadOptions } from '../reading.ts';
import { mappedColumns, readHeader } from './columns.ts';
import { splitRecord } from './records.ts';

const delimiters = [',', ';', '\t', '|'] as const;

const valuesIn = (line: string, delimiter = guessDelimiter(line)): readonly string[] =>
  splitRecord(line, delimiter).values;
const knownIn = (line: string, delimiter?: string): number => readHeader(valuesIn(line, delimiter)).columnOf.size;

/** The delimiter with which most headings are recognised, else the most frequent one in the first line. */
export function guessDelimiter(line: string): string {
  return delimiters
    .map((delimiter) => ({
      delimiter,
      score: knownIn(line, delimiter) * 1000 + valuesIn(line, delimiter).length,
    }))
    .reduce((best, each) => (each.score > best.score ? each : best)).delimiter;
}

/** Excel's own first line, which names the delimiter. */
export const delimiterLine = (line: string): string | undefined => /^"?sep=(.)"?$/i.exec(line.trim())?.[1];

/** Most lines above the one that names the columns: titles, dates, filters of a report. */
const maxRowsAbove = 15;

interface HeaderLine {
  readonly line: string;
  readonly above: number;
  /** It has the headings of the mapping, or at least two that are known. */
  readonly isKnown: boolean;
}

/**
 * The line that names the columns, and how many are above it: those of the mapping, else the first that has all headings of the
 * mapping, else the first of which at least two headings are known, else the first.
 */
export function headerLine(text: string, options: Pick<ReadOptions, 'mapping' | 'delimiter'>): HeaderLine {
  const { mapping } = options;
  // The reader of the records refuses an invalid delimiter.
  const delimiter = options.delimiter?.length === 1 ? options.delimiter : undefined;
  const lines = text.split(/\r\n|\r|\n/);
  const start = delimiterLine(lines[0] ?? '') === undefined ? 0 : 1;
  const isKnown = (line: string): boolean => knownIn(line, delimiter) >= 2;
  if (mapping?.skip_rows !== undefined) {
    const above = start + mapping.skip_rows;
    const line = lines[above] ?? '';
    return { line, above, isKnown: isKnown(line) || hasMapped(valuesIn(line, delimiter), mapping.fields) };
  }
  const first = Math.max(
    0,
    lines.findIndex((line, at) => at >= start && line.trim() !== ''),
  );
  const top = lines.slice(first, first + maxRowsAbove);
  const filledIn = (line: string): number => valuesIn(line, delimiter).filter((value) => value.trim() !== '').length;
  const areTitles = (above: readonly string[], line: string): boolean =>
    above.every((each) => filledIn(each) * 2 <= filledIn(line));
  // A table whose columns are mapped by number may have no headings, and words in its rows that look like some.
  const isByNumber = Object.values(mapping?.fields ?? {}).some((places) => [places].flat().some(isNumber));
  const mapped = mapping?.fields ? top.findIndex((line) => hasMapped(valuesIn(line, delimiter), mapping.fields)) : -1;
  const found =
    mapped === -1
      ? top.findIndex((line, at) => isKnown(line) && (!isByNumber || areTitles(top.slice(0, at), line)))
      : mapped;
  const at = Math.max(0, found);
  return { line: top[at] ?? '', above: first + at, isKnown: found !== -1 };
}

const isNumber = (place: string): boolean => /^\d{1,4}$/.test(place);

function hasMapped(values: readonly string[], fields: WorklistMapping['fields'] = {}): boolean {
  const { isNamed, missing } = mappedColumns(values, fields);
  return isNamed && missing === undefined;
}

/** Text whose first line, or one soon after it, has at least two headings that are known, or that somebody has mapped. */
export function looksLikeCsv({ text }: Beginning, options: ReadOptions): boolean {
  if (/[\0-\b\x0e-\x19\x1b-\x1f]/.test(text)) return false;
  const { mapping, delimiter } = options;
  const { line, isKnown } = headerLine(text, options);
  const isSettled = mapping?.fields !== undefined || mapping?.skip_rows !== undefined || delimiter !== undefined;
  const [first = ''] = text.split(/\r\n|\r|\n/, 1);
  if (isSettled || delimiterLine(first) !== undefined) return line !== '';
  return isKnown;
}

/** Whether a heading line has its columns aligned by spaces: where one ends can't be distinguished from a space in its words. */
export const isAligned = ({ text }: Beginning): boolean =>
  text.split(/\r\n|\r|\n/, maxRowsAbove).some((line) => readHeader(line.trim().split(/ {2,}/)).columnOf.size >= 2);
