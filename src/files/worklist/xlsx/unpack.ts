/** Unpacks a workbook within limits, and packs it again without compression: what reads it then meets no bomb. */
import { fileMessage } from '../../../contract/messages/files.ts';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { AppError } from '../../../contract/errors.ts';
import { tooLarge } from '../bytes.ts';
import { paddedWidths, withZeros } from './zeros.ts';

/** Parts that hold cells, and how to understand them. */
const needed =
  /^(?:\[Content_Types\]\.xml|_rels\/.*|xl\/(?:_rels\/.*|workbook\.xml|styles\.xml|sharedStrings\.xml|worksheets\/[^/]+\.xml))$/;
/** Most cells that a sheet spans, empty ones included. */
const maxCells = 5_000_000;

/** VALIDATION_FAILED for an archive that is damaged or no workbook, PAYLOAD_TOO_LARGE beyond the limit. */
export function unpackedWorkbook(file: Uint8Array, limit: number): Uint8Array {
  let total = 0;
  let isBinary = false;
  const parts = attempt(() =>
    unzipSync(file, {
      filter({ name, originalSize }) {
        if (name === 'xl/workbook.bin') isBinary = true;
        if (!needed.test(name)) return false;
        total += originalSize;
        if (total > limit) throw tooLarge(fileMessage('unpacked_workbook'), limit, fileMessage('in_part', { name }));
        return true;
      },
    }),
  );
  if (!Object.keys(parts).some((name) => name.startsWith('xl/worksheets/'))) {
    throw isBinary ? binary() : damaged();
  }
  // Tags inside of tags take what reads XML a time that grows with their square.
  if (Object.values(parts).some((bytes) => /<[^<>]*</.test(strFromU8(bytes)))) throw damaged();
  const widths = paddedWidths(strFromU8(parts['xl/styles.xml'] ?? new Uint8Array()));
  for (const [name, bytes] of Object.entries(parts)) {
    if (!name.startsWith('xl/worksheets/')) continue;
    const sheet = strFromU8(bytes);
    checkSpan(sheet);
    if (widths.size > 0) parts[name] = strToU8(withZeros(sheet, widths));
  }
  const workbook = parts['xl/workbook.xml'];
  if (workbook) parts['xl/workbook.xml'] = strToU8(withHiddenLast(strFromU8(workbook)));
  return zipSync(parts, { level: 0 });
}

/** Excel does not show hidden sheets, such as the list of the previous month: visible sheets come first. */
function withHiddenLast(workbook: string): string {
  const hidden: string[] = [];
  const seen = workbook.replace(/<(?:\w+:)?sheet\s[^<>]*\/>/g, (sheet) => {
    if (!/\sstate\s*=\s*["'](?:hidden|veryHidden)["']/.test(sheet)) return sheet;
    hidden.push(sheet);
    return '';
  });
  return seen.replace(/<\/(?:\w+:)?sheets>/, (end) => `${hidden.join('')}${end}`);
}

function attempt<Result>(unpack: () => Result): Result {
  try {
    return unpack();
  } catch (error) {
    throw error instanceof AppError ? error : damaged();
  }
}

const binary = (): AppError =>
  new AppError('VALIDATION_FAILED', {
    message: fileMessage('workbook_binary'),
    hint: fileMessage('save_binary'),
  });

const damaged = (): AppError =>
  new AppError('VALIDATION_FAILED', {
    message: fileMessage('workbook_damaged'),
    hint: fileMessage('save_again'),
  });

/** A sheet of one cell in its last corner would be a table of billions. */
function checkSpan(sheet: string): void {
  let columns = 1;
  let rows = 1;
  for (const [, letters = '', number] of sheet.matchAll(
    /[\s":]r(?:ef)?="(?:[A-Z]{1,3}\d{1,7}:)?([A-Z]{0,3})(\d{1,7})"/g,
  )) {
    columns = Math.max(columns, columnNumber(letters));
    rows = Math.max(rows, Number(number));
  }
  if (columns * rows > maxCells)
    throw tooLarge(fileMessage('sheet'), maxCells, fileMessage('rows_and_columns', { rows, columns }));
}

const columnNumber = (letters: string): number =>
  [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
