/** Excel workbooks (.xlsx): the first sheet that names columns, read as a table. */
import { fileMessage } from '../../../contract/messages/files.ts';
import { AppError } from '../../../contract/errors.ts';
import { wholeBytes } from '../bytes.ts';
import { readCsv } from '../csv/csv.ts';
import { headerLine } from '../csv/header-line.ts';
import type { Reader } from '../reader.ts';
import { unpackedWorkbook } from './unpack.ts';
import { readWorkbook } from './workbook-library.ts';

export const readXlsx: Reader = async function* (input) {
  const { bytes, limits, options, guess } = input;
  const file = await wholeBytes(bytes.chunks, limits.dicomFile, fileMessage('workbook'));
  const sheets = await readSheets(unpackedWorkbook(file, limits.bundle));
  const tables = sheets.map(({ name, rows }) => ({ name, text: rows.map(formatLine).join('') }));
  const chosen =
    tables.find(({ text }) => headerLine(text.slice(0, headSize), { ...options, delimiter }).isKnown) ??
    tables.find(({ text }) => text.trim() !== '');
  if (!chosen) throw new AppError('VALIDATION_FAILED', { message: fileMessage('blank') });
  if (sheets.length > 1) {
    guess({
      what: 'sheet',
      value: chosen.name,
      why: 'It is the first sheet that names columns; the others were passed over.',
    });
  }
  const { text } = chosen;
  yield* readCsv({
    ...input,
    options: { ...options, delimiter },
    text: {
      head: text.slice(0, headSize),
      isMarked: false,
      isDamaged: () => false,
      async *chunks() {
        for (let at = 0; at < text.length; at += headSize) yield text.slice(at, at + headSize);
      },
    },
  });
};

const delimiter = ',';
const headSize = 64 * 1024;

interface Sheet {
  readonly name: string;
  readonly rows: readonly (readonly unknown[])[];
}

async function readSheets(file: Uint8Array): Promise<Sheet[]> {
  try {
    const read = await readWorkbook(file.slice().buffer as ArrayBuffer);
    return read.map(({ sheet, data }) => ({ name: sheet, rows: data }));
  } catch {
    throw new AppError('VALIDATION_FAILED', {
      message: fileMessage('workbook_damaged'),
      hint: fileMessage('save_again'),
    });
  }
}

/** A row is a line, so that the places of faults are the rows of the sheet. */
function formatLine(row: readonly unknown[]): string {
  const cells = row.map((cell) => formatCell(cell).replace(/[\r\n]+/g, ' '));
  return `${cells.map((text) => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)).join(delimiter)}\n`;
}

function formatCell(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  return cell instanceof Date ? dateText(cell) : String(cell as string | number | boolean);
}

/** A sheet keeps days and parts of a day as one number, which is exact to a second or so. */
function dateText(date: Date): string {
  const time = Math.round(date.getTime() / 1000) * 1000;
  if (Number.isNaN(time)) return '';
  const iso = new Date(time).toISOString();
  const [day = '', clock = ''] = iso.slice(0, 19).split('T');
  // Time alone is a part of the day before all others.
  if (day.startsWith('1899-')) return clock;
  return clock === '00:00:00' ? day : `${day}T${clock}`;
}
