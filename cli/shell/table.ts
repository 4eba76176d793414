/**
 * Formats rows in the width of the terminal: as a table, or with each row's fields below each other if a table is too
 * wide.
 */
import type stringWidthOf from 'string-width';
import { shownLine, shownText } from '../../src/domain/characters.ts';
import type { Io } from './io.ts';
import type { Column, DetailView, ListView } from './view.ts';
import { elementAt, lastElement } from '../../src/domain/elements.ts';

type Painter = Pick<Io, 'width' | 'paint'>;
type Rows = Pick<ListView, 'rows' | 'columns'>;

/** A cell on one line: tabs, line ends and control characters would break the row, or the terminal. */
export const cell = (value: string | number | null | undefined): string =>
  value === null || value === undefined ? '' : shownLine(String(value));

/** Columns between two columns of a table. */
const gap = 2;
/** Columns that a text keeps before whole columns are dropped. */
const comfortable = 14;
/** Minimum columns to which a text is cut or folded in a table; `readable` if rows can be listed instead. */
const fewest = { cut: 6, readable: 12, fold: 24 } as const;

interface Layout {
  readonly columns: readonly Column<unknown>[];
  readonly widths: readonly number[];
}

/** A heading and one line per row. Cuts and drops columns as the terminal narrows. */
export async function formatTable(io: Painter, view: Rows): Promise<string> {
  const { default: stringWidth } = await import('string-width');
  return tableText(io, view, planLayout(io.width, view, stringWidth), stringWidth);
}

/** A table; if the terminal is too narrow for it, the fields of each row below each other. */
export async function formatRows(io: Painter, view: Rows): Promise<string> {
  return (await rowsFormatter(io, view))(view.rows);
}

/** Formats the rows and those that follow them in the layout that fits the first ones. */
export async function rowsFormatter(io: Painter, view: Rows): Promise<(rows: Rows['rows']) => string> {
  const { default: stringWidth } = await import('string-width');
  const { columns } = view;
  const layout = planLayout(io.width, view, stringWidth);
  const isTable = isReadable(io.width, view, layout, stringWidth);
  let isFirst = true;
  return (rows) => {
    const isHeaded = isFirst;
    isFirst = false;
    if (isTable) return tableText(io, { rows, columns }, layout, stringWidth, isHeaded);
    const blocks = rows.map((row) =>
      fieldLines(
        io,
        columns.map((column) => [column.title, column.value(row), column.tone?.(row) ?? 'plain'] as const),
      ),
    );
    return (isHeaded ? '' : '\n') + blocks.join('\n');
  };
}

/** Each known field on a separate line, folded at the width of the terminal. */
export function fieldLines(io: Painter, fields: DetailView['fields']): string {
  const known = fields.filter(([, value]) => value !== null && value !== undefined && value !== '');
  const width = Math.max(0, ...known.map(([title]) => title.length));
  const lines = known.map(([title, value, tone = 'plain']) => {
    const text = cell(value);
    const room = io.width - width - gap;
    const widestWord = Math.max(...text.split(' ').map((word) => word.length));
    // An id that only fits below its title.
    if (widestWord > room && widestWord <= io.width)
      return `${io.paint(title, 'faint')}\n${io.paint(wrap(text, io.width), tone)}\n`;
    const painted = wrap(text, Math.max(20, room))
      .split('\n')
      .map((line) => io.paint(line, tone));
    return `${io.paint(title.padEnd(width), 'faint')}  ${painted.join(`\n${' '.repeat(width + gap)}`)}\n`;
  });
  return lines.join('');
}

/** Lines of at most `width` columns, broken between words; an indented paragraph keeps its indent. */
export function wrap(text: string, width: number): string {
  return shownText(text)
    .split('\n')
    .flatMap((paragraph) => {
      const words = paragraph.replace(/^ +/, '');
      const indent = ' '.repeat(paragraph.length - words.length);
      const room = Math.max(width - indent.length, Math.min(width, fewest.fold));
      const lines = [''];
      for (const word of words.split(' ')) {
        const line = lastElement(lines);
        if (line !== '' && line.length + 1 + word.length > room) lines.push(word);
        else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
      }
      return lines.map((line) => (line === '' ? line : indent + line));
    })
    .join('\n');
}

function planLayout(width: number, { rows, columns: all }: Rows, stringWidth: typeof stringWidthOf): Layout {
  let columns: readonly Column<unknown>[] = all;
  const widthOf = (column: Column<unknown>) =>
    Math.max(stringWidth(column.title), ...rows.map((row) => stringWidth(cell(column.value(row)))));
  const wanted = (column: Column<unknown>) =>
    Math.min(widthOf(column), column.cut ? comfortable : column.fold ? fewest.fold : Infinity);
  const total = () => columns.reduce((sum, column) => sum + wanted(column) + gap, -gap);
  while (total() > width && columns.some((column) => column.spare !== undefined)) {
    const maxSpare = Math.max(...columns.map((column) => column.spare ?? 0));
    columns = columns.filter((column) => column.spare !== maxSpare);
  }
  return { columns, widths: fitted(columns, columns.map(widthOf), width - gap * (columns.length - 1)) };
}

/** The columns' widths within `width`: the widest of those that can be cut or folded shrinks first. */
function fitted(columns: readonly Column<unknown>[], natural: readonly number[], width: number): number[] {
  const widths = [...natural];
  const getSpare = (one: number, at: number) =>
    elementAt(columns, at).cut ? one - fewest.cut : elementAt(columns, at).fold ? one - fewest.fold : 0;
  for (let over = widths.reduce((sum, one) => sum + one, 0) - width; over > 0; over--) {
    const givers = widths.filter((one, at) => getSpare(one, at) > 0);
    if (givers.length === 0) break;
    const widest = Math.max(...givers);
    const giver = widths.findIndex((one, at) => one === widest && getSpare(one, at) > 0);
    widths[giver] = widest - 1;
  }
  return widths;
}

/** Whether the table fits, and no text is cut to a few letters. */
function isReadable(
  width: number,
  view: Rows,
  { columns, widths }: Layout,
  stringWidth: typeof stringWidthOf,
): boolean {
  const total = widths.reduce((sum, one) => sum + one + gap, -gap);
  const isMutilated = (column: Column<unknown>, at: number) =>
    column.cut &&
    elementAt(widths, at) < fewest.readable &&
    view.rows.some((row) => stringWidth(cell(column.value(row))) > elementAt(widths, at));
  return total <= width && !columns.some(isMutilated);
}

function tableText(
  io: Painter,
  { rows }: Rows,
  { columns, widths }: Layout,
  stringWidth: typeof stringWidthOf,
  isHeaded = true,
): string {
  const last = columns.length - 1;
  const padded = (text: string, at: number) => {
    const space = ' '.repeat(Math.max(0, elementAt(widths, at) - stringWidth(text)));
    return elementAt(columns, at).align === 'right' ? space + text : at === last ? text : text + space;
  };
  const wrapCell = (whole: string, at: number): readonly string[] => {
    const { cut, fold } = elementAt(columns, at);
    if (stringWidth(whole) <= elementAt(widths, at)) return [whole];
    if (fold) return wrap(whole, elementAt(widths, at)).split('\n');
    return [cut ? shortened(whole, elementAt(widths, at), stringWidth) : whole];
  };
  const head = columns.map((column, at) => {
    const [title = ''] = wrapCell(column.title, at);
    return io.paint(padded(title, at), 'faint');
  });
  const body = rows.flatMap((row) => {
    const cells = columns.map((column, at) => wrapCell(cell(column.value(row)), at));
    const height = Math.max(...cells.map((lines) => lines.length));
    return Array.from({ length: height }, (_, line) =>
      columns
        .map((column, at) => io.paint(padded(elementAt(cells, at)[line] ?? '', at), column.tone?.(row) ?? 'plain'))
        .join(' '.repeat(gap)),
    );
  });
  return `${[...(isHeaded ? [head.join(' '.repeat(gap))] : []), ...body].join('\n')}\n`;
}

/** The start of the text, with `…` for the rest. */
function shortened(text: string, width: number, widthOf: (text: string) => number): string {
  let cut = '';
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (widthOf(cut + segment) > width - 1) break;
    cut += segment;
  }
  return `${cut.trimEnd()}…`;
}
