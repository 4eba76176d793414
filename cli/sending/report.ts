/** `--report FILE`: writes the outcome of every entry as JSON, CSV or JUnit XML, chosen by the file's extension. */
import { textOf } from '../../src/contract/messages/message.ts';
import { basename, extname } from 'node:path';
import { AppError } from '../../src/contract/errors.ts';
import { beginReplacing } from '../../src/node/files/replace-file.ts';
import { accessionOf, collectWarnings } from '../../src/sending/outcomes.ts';
import type { EntryResult, Refusal, Tally } from '../../src/sending/outcomes.ts';
import { positionWords } from './file-entries.ts';

/** One entry. Its only patient data is the accession number, which identifies the exam. */
interface Row {
  readonly file: string;
  readonly position: string;
  readonly accession_number: string | null;
  readonly outcome: string;
  readonly field: string | null;
  readonly code: string | null;
  readonly reason: string | null;
}

export interface ReportEnd extends Tally {
  /** Whether the run processed every entry of the files. */
  readonly complete: boolean;
}

interface Format {
  readonly begin: string;
  row(row: Row, isFirst: boolean): string;
  end(end: ReportEnd): string;
  /** Rewrites the start of the report, with the same length. */
  rewrite?(end: ReportEnd): string;
}

/**
 * Characters that start a formula, also in full width: at the start, or where a spreadsheet may see the start of
 * another cell.
 */
const formula = /(?=[=+\-@\uff1d\uff0b\uff0d\uff20])(?<=(?:^|[,;|"\t\r\n])\s*)/g;
/** Numbers start with signs too, but are harmless. */
const number = /^[+-]?\d+(?:[.,]\d+)*$/;

/**
 * The value as a CSV cell (RFC 4180), with an apostrophe before potential formulas (OWASP, CSV injection): a sender's
 * accession number must not be executed.
 */
export function csvCell(value: string | null): string {
  const text = value ?? '';
  const inert = number.test(text) ? text : text.replace(formula, "'");
  return /[",;\t\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}

const csvLine = (cells: readonly (string | null)[]): string => `${cells.map(csvCell).join(',')}\r\n`;
const columns = ['file', 'position', 'accession_number', 'outcome', 'field', 'code', 'reason'] as const;

/** XML 1.0 2.2 allows no other control characters. */
const xml = (text: string): string =>
  text
    .toWellFormed()
    // oxlint-disable-next-line no-control-regex -- control characters are what is being removed
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const suite = (counts: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites><testsuite name="laudio worklist"${counts.padEnd(60)}>\n`;

const formats: Readonly<Record<string, Format>> = {
  '.json': {
    begin: '{"items":[',
    row: (row, isFirst) => `${isFirst ? '' : ','}\n${JSON.stringify(row)}`,
    end: (end) => `\n],\n"summary":${JSON.stringify(end)}}\n`,
  },
  '.csv': {
    begin: csvLine(columns),
    row: (row) => csvLine(columns.map((name) => row[name])),
    end: () => '',
  },
  '.xml': {
    // The counts are known only at the end but appear at the start, so space is reserved for them.
    begin: suite(''),
    rewrite: (end) =>
      suite(` tests="${end.inserted + end.updated + end.deduped + end.refused}" failures="${end.refused}"`),
    row({ file, position, accession_number, outcome, code, reason }) {
      const name = `${position}${accession_number === null ? '' : ` ${accession_number}`}`;
      const start = `<testcase classname="${xml(file)}" name="${xml(name)}"`;
      if (outcome !== 'refused') return `${start}/>\n`;
      return `${start}><failure type="${xml(code ?? 'UNREADABLE')}" message="${xml(reason ?? '')}"/></testcase>\n`;
    },
    end: ({ complete }) =>
      `${complete ? '' : '<testcase classname="laudio" name="everything was sent"><error message="It was not finished."/></testcase>\n'}</testsuite></testsuites>\n`,
  },
};

export interface Report {
  /** Writes the entries, in the order of the files. */
  add(done: readonly EntryResult[]): Promise<void>;
  /** Moves the finished report to its path. */
  finish(end: ReportEnd): Promise<void>;
  /** Removes the unfinished report. */
  discard(): Promise<void>;
}

/** USAGE for another extension or an unwritable path. The report appears at its path only when it is finished. */
export async function openReport(path: string): Promise<Report> {
  const format = formats[extname(path).toLowerCase()];
  if (!format)
    throw new AppError('USAGE', { message: '--report takes a file that ends in .json, .csv or .xml (JUnit).' });
  const failure = (error: unknown): AppError =>
    new AppError('USAGE', {
      message: `The report ${path} cannot be written (${(error as NodeJS.ErrnoException).code}).`,
      cause: error,
    });
  const { file, publish, discard } = await beginReplacing(path).catch((error: unknown) => {
    throw failure(error);
  });
  /** Writes all bytes: a single system call may write fewer. */
  const write = (text: string): Promise<void> => file.writeFile(text);
  try {
    await write(format.begin);
  } catch (error) {
    await discard();
    throw failure(error);
  }
  let isFirst = true;
  return {
    async add(done) {
      let text = '';
      for (const each of done) {
        text += format.row(toRow(each), isFirst);
        isFirst = false;
      }
      if (text !== '') await write(text).catch((error: unknown) => Promise.reject(failure(error)));
    },
    async finish(end) {
      try {
        await write(format.end(end));
        if (format.rewrite) await file.write(format.rewrite(end), 0);
        await publish();
      } catch (error) {
        await discard();
        throw failure(error);
      }
    },
    discard,
  };
}

function toRow(done: EntryResult): Row {
  const { entry, outcome } = done;
  const { field = null, code = null } = outcome as Partial<Refusal>;
  const warnings = collectWarnings(done)
    .map(({ message }) => textOf(message))
    .join(' ');
  return {
    file: basename(entry.file),
    position: positionWords(entry.position),
    accession_number: accessionOf(done),
    outcome: outcome.outcome,
    field,
    code,
    // Warnings about accepted entries.
    reason: outcome.outcome === 'refused' ? textOf(outcome.message) : warnings || null,
  };
}
