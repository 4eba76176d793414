/** Prints a view: JSON, a table, or tab-separated lines. */
import { AppError } from '../src/contract/errors.ts';
import { shownLine, shownText } from '../src/domain/characters.ts';
import { jsonText } from './io.ts';
import type { Io } from './io.ts';
import type { Column, DetailView, ListView, View } from './view.ts';

export async function render(io: Io, view: View): Promise<void> {
  if (view.kind === 'bytes') {
    return io.outBytes(view.body);
  }
  if (io.output === 'json') return printJson(io, view.data);
  switch (view.kind) {
    case 'message':
      // A sentence is no data: a script that wants some asks for --json.
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

/** One line of a stream. */
export async function printLine(io: Io, data: unknown): Promise<void> {
  await io.out(`${io.jq === undefined ? jsonText(data) : await filter(data, io.jq)}\n`);
}

async function filter(data: unknown, expression: string): Promise<string> {
  const jq = await import('jq-wasm');
  try {
    return (await jq.default.raw(JSON.stringify(data), expression, ['-c', '-r'])).trimEnd();
  } catch (error) {
    const reason = (error as Error).message.split('\n')[0]!.replace(/^jq: /, '');
    throw new AppError('USAGE', { message: `--jq: ${reason}`, hint: 'The language is that of jq 1.7.' });
  }
}

/** A cell on one line: tabs, line ends and control characters would break the row, or the terminal. */
const cell = (value: string | number | null | undefined): string =>
  value === null || value === undefined ? '' : shownLine(String(value));

async function printList(io: Io, view: ListView): Promise<void> {
  if (io.output === 'tsv') {
    const lines = view.rows.map((row) => view.columns.map((column) => cell(column.value(row))).join('\t'));
    if (lines.length > 0) await io.out(`${lines.join('\n')}\n`);
    return;
  }
  if (view.rows.length === 0) return io.notice(view.empty, 'faint');
  await io.out(await tableOf(io, view));
  if (view.note) io.notice(view.note, 'faint');
}

/** The rows below their titles, as wide as `io` says. */
export async function tableOf(
  io: Pick<Io, 'width' | 'paint'>,
  view: Pick<ListView, 'rows' | 'columns'>,
): Promise<string> {
  const { default: stringWidth } = await import('string-width');
  let columns: readonly Column<unknown>[] = view.columns;
  const widthOf = (column: Column<unknown>) =>
    Math.max(stringWidth(column.title), ...view.rows.map((row) => stringWidth(cell(column.value(row)))));
  const gap = 2;
  const total = () =>
    columns.reduce(
      (sum, column) => sum + (column.cut ? Math.min(widthOf(column), comfortable) : widthOf(column)) + gap,
      -gap,
    );
  while (total() > io.width && columns.some((column) => column.spare !== undefined)) {
    const most = Math.max(...columns.map((column) => column.spare ?? 0));
    columns = columns.filter((column) => column.spare !== most);
  }
  const widths = fitted(columns, columns.map(widthOf), io.width - gap * (columns.length - 1));
  const last = columns.length - 1;
  const padded = (whole: string, at: number) => {
    const text =
      stringWidth(whole) > widths[at]! && columns[at]!.cut ? shortened(whole, widths[at]!, stringWidth) : whole;
    const space = ' '.repeat(Math.max(0, widths[at]! - stringWidth(text)));
    return columns[at]!.align === 'right' ? space + text : at === last ? text : text + space;
  };
  const head = columns.map((column, at) => io.paint(padded(column.title, at), 'faint')).join(' '.repeat(gap));
  const body = view.rows.map((row) =>
    columns
      .map((column, at) => io.paint(padded(cell(column.value(row)), at), column.tone?.(row) ?? 'plain'))
      .join(' '.repeat(gap)),
  );
  return `${[head, ...body].join('\n')}\n`;
}

/** Columns that a text keeps before whole columns are left out, and the fewest that it is ever cut to. */
const comfortable = 14;
const fewest = 6;

/** The columns' widths within `width`: the widest of those that may be cut gives first. */
function fitted(columns: readonly Column<unknown>[], natural: readonly number[], width: number): number[] {
  const widths = [...natural];
  for (let over = widths.reduce((sum, one) => sum + one, 0) - width; over > 0; over--) {
    const widest = Math.max(...widths.filter((_, at) => columns[at]!.cut));
    if (widest <= fewest) break;
    widths[widths.findIndex((one, at) => columns[at]!.cut && one === widest)]! -= 1;
  }
  return widths;
}

/** The beginning of the text, with `…` for the rest. */
function shortened(text: string, width: number, widthOf: (text: string) => number): string {
  let cut = '';
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (widthOf(cut + segment) > width - 1) break;
    cut += segment;
  }
  return `${cut.trimEnd()}…`;
}

async function printDetail(io: Io, view: DetailView): Promise<void> {
  const known = view.fields.filter(([, value]) => value !== null && value !== undefined && value !== '');
  if (io.output === 'tsv') {
    await io.out(known.map(([title, value]) => `${title}\t${cell(value)}\n`).join(''));
  } else {
    const width = Math.max(0, ...known.map(([title]) => title.length));
    const lines = known.map(([title, value, tone = 'plain']) => {
      const [first, ...rest] = wrap(cell(value), Math.max(20, io.width - width - 2)).split('\n');
      const painted = [
        io.paint(first!, tone),
        ...rest.map((line) => `${' '.repeat(width + 2)}${io.paint(line, tone)}`),
      ];
      return `${io.paint(title.padEnd(width), 'faint')}  ${painted.join('\n')}\n`;
    });
    await io.out(lines.join(''));
  }
  for (const { title, text } of view.sections ?? []) {
    await io.out(
      `\n${io.paint(cell(title), 'strong')}\n${wrap(text, io.output === 'table' ? Math.min(io.width, 100) : Infinity)}\n`,
    );
  }
}

/** Lines of at most `width` columns, broken between words. */
export function wrap(text: string, width: number): string {
  return shownText(text)
    .split('\n')
    .flatMap((paragraph) => {
      const lines = [''];
      for (const word of paragraph.split(' ')) {
        const line = lines.at(-1)!;
        if (line !== '' && line.length + 1 + word.length > width) lines.push(word);
        else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
      }
      return lines;
    })
    .join('\n');
}
