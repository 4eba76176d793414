/** Prints a view: JSON, a table, or tab-separated lines. */
import { AppError } from '../../src/contract/errors.ts';
import { jsonText } from './io.ts';
import type { Io } from './io.ts';
import { cell, fieldLines, formatRows, rowsFormatter, wrap } from './table.ts';
import type { DetailView, ListView, PagesView, View } from './view.ts';
import { elementAt } from '../../src/domain/elements.ts';

export async function render(io: Io, view: View): Promise<void> {
  if (view.kind === 'bytes') {
    return io.outBytes(view.body);
  }
  if (view.kind === 'pages') return printPages(io, view as unknown as PagesView);
  if (io.output === 'json') {
    await printJson(io, view.data);
    return view.kind === 'list' && view.note !== undefined ? io.notice(view.note) : undefined;
  }
  switch (view.kind) {
    case 'message':
      // A sentence is no data: scripts that need data use --json.
      return io.notice(view.text);
    case 'list':
      return printList(io, view as unknown as ListView);
    case 'detail':
      return printDetail(io, view);
  }
}

/** Prints one JSON document; with `--jq`, the filter's result. */
export async function printJson(io: Io, data: unknown): Promise<void> {
  if (io.jq === undefined) return io.out(`${jsonText(data, 2)}\n`);
  const result = await filter(data, io.jq);
  if (result !== '') await io.out(`${result}\n`);
}

/** Prints one line of a stream. */
export async function printLine(io: Io, data: unknown): Promise<void> {
  await io.out(`${io.jq === undefined ? jsonText(data) : await filter(data, io.jq)}\n`);
}

/**
 * USAGE for an invalid jq filter. Called before anything is sent: a mistyped filter must not leave an effect behind.
 */
export async function checkFilter(expression: string): Promise<void> {
  // Without an input, jq compiles the filter but never runs it.
  await runFilter('', expression, 'The syntax is that of jq 1.8. Nothing was done.');
}

const filter = async (data: unknown, expression: string): Promise<string> =>
  runFilter(JSON.stringify(data), expression, filteredTooLate);

const filteredTooLate = 'The command succeeded; only its output could not be filtered.';

async function runFilter(json: string, expression: string, hint: string): Promise<string> {
  const { raw } = await import('../../src/node/jq-library.ts');
  const { stdout, stderr, exitCode } = await raw(json, expression, ['-c', '-r']);
  if (exitCode !== 0) throw refusedFilter(stderr, hint);
  return stdout.trimEnd();
}

/** The first line of jq's message, without quoted values, which may be patient data. */
const refusedFilter = (said: string, hint: string): AppError =>
  new AppError('USAGE', {
    message: `--jq: ${withoutValues(
      elementAt(said.split('\n'), 0)
        .replace(/^jq: /, '')
        .replace(/ \(at [^()]*:\d+\)/, ''),
    ).replaceAll(/ \([^()]*\)/g, '')}`,
    hint,
  });

/**
 * A value may contain quotes and parentheses, and be truncated: everything from its start to the last of them is
 * removed.
 */
function withoutValues(text: string): string {
  const ends = [
    [/ \((?:while parsing )?["'{[]/, ')'],
    [/ "/, '"'],
  ] as const;
  return ends.reduce((rest, [beginning, end]) => {
    const [from, to] = [rest.search(beginning), rest.lastIndexOf(end)];
    return from !== -1 && to > from + 1 ? rest.slice(0, from) + rest.slice(to + 1) : rest;
  }, text);
}

async function printList(io: Io, view: ListView): Promise<void> {
  if (io.output === 'tsv') await io.out(tsvLines(view));
  else if (view.rows.length === 0) io.notice(view.empty, 'faint');
  else await io.out(await formatRows(io, view));
  if (view.note !== undefined) io.notice(view.note, 'faint');
}

const tsvLines = ({ rows, columns }: Pick<ListView, 'rows' | 'columns'>): string =>
  rows.map((row) => `${columns.map((column) => cell(column.value(row))).join('\t')}\n`).join('');

/** Prints each page as it comes, and forgets it. With JSON one document per line, since a list would have to be whole. */
async function printPages(io: Io, { pages, columns, empty, dataOf }: PagesView): Promise<void> {
  let print: ((rows: readonly unknown[]) => string) | undefined;
  for await (const rows of pages) {
    if (rows.length === 0) continue;
    if (io.output === 'json') await printLines(io, rows.map(dataOf));
    else if (io.output === 'tsv') await io.out(tsvLines({ rows, columns }));
    else await io.out((print ??= await rowsFormatter(io, { rows, columns }))(rows));
  }
  if (!print && io.output === 'table') io.notice(empty, 'faint');
}

/** Prints a line per document; with `--jq`, what the filter makes of each. */
async function printLines(io: Io, documents: readonly unknown[]): Promise<void> {
  const lines = documents.map((document) => `${jsonText(document)}\n`).join('');
  if (io.jq === undefined) return io.out(lines);
  const result = await runFilter(lines, io.jq, filteredTooLate);
  if (result !== '') await io.out(`${result}\n`);
}

async function printDetail(io: Io, view: DetailView): Promise<void> {
  if (io.output === 'tsv') {
    const known = view.fields.filter(([, value]) => value !== null && value !== undefined && value !== '');
    await io.out(known.map(([title, value]) => `${title}\t${cell(value)}\n`).join(''));
  } else await io.out(fieldLines(io, view.fields));
  for (const { title, text } of view.sections ?? []) {
    await io.out(
      `\n${io.paint(cell(title), 'strong')}\n${wrap(text, io.output === 'table' ? Math.min(io.width, 100) : Infinity)}\n`,
    );
  }
}
