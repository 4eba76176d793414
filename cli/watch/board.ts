/** Draws the lines of the screen: a header, the exams that fit, and a footer. */
import stringWidth from 'string-width';
import type { WorklistItem } from '../../src/contract/worklist.ts';
import { worklistStatuses } from '../../src/contract/worklist.ts';
import type { Io } from '../shell/io.ts';
import { formatTable } from '../shell/table.ts';
import { itemColumns, statusWords } from '../resources/worklist.ts';
import type { Column } from '../shell/view.ts';

export interface Board {
  readonly title: string;
  readonly items: readonly WorklistItem[];
  /** Whether there are more than `items`. */
  readonly hasMore: boolean;
  /** Item id → time of its last observed change, ms since 1970. */
  readonly changedAt: ReadonlyMap<string, number>;
  /** `undefined` while the worklist is followed. */
  readonly trouble: string | undefined;
  /** Index of the first exam shown. */
  readonly top: number;
  readonly now: number;
}

/** Lines that are not exams: header, gap, titles, gap, footer. */
const besides = 5;
/** How long a change is marked, in ms. */
const freshMs = 10_000;

/** Number of exams that fit on a terminal with this many rows. */
export const examsIn = (rows: number): number => Math.max(1, rows - besides);

export async function boardLines(
  io: Pick<Io, 'paint'>,
  board: Board,
  size: { columns: number; rows: number },
): Promise<string[]> {
  const { items, top, now, changedAt } = board;
  const shown = items.slice(top, top + examsIn(size.rows));
  const mark: Column<WorklistItem> = {
    title: ' ',
    value: ({ id }) => (now - (changedAt.get(id) ?? -Infinity) < freshMs ? '•' : ' '),
    tone: () => 'busy',
  };
  const columns = [mark, ...itemColumns(now).filter(({ title }) => title !== 'ID')] as unknown as Column<unknown>[];
  const table = items.length === 0 ? '' : await formatTable({ ...io, width: size.columns }, { rows: shown, columns });
  const below = items.length - top - shown.length;
  const rest = [
    ...(top > 0 ? [`${top} above`] : []),
    ...(below > 0 ? [`${below}${board.hasMore ? '+' : ''} below`] : []),
  ];
  const body = items.length === 0 ? ['', '  No exams.'] : table.trimEnd().split('\n');
  const gap = Math.max(0, size.rows - 3 - body.length);
  return [
    ends(
      io,
      board.title,
      board.trouble ?? `${statusCounts(board)}  ● live`,
      board.trouble ? 'bad' : 'good',
      size.columns,
    ),
    '',
    ...body,
    ...Array.from({ length: gap }, () => ''),
    ends(io, 'q quits   ↑ ↓ scroll', rest.join(', '), 'faint', size.columns),
  ];
}

/** `7 new  2 in progress`; if only some are known, their number. */
function statusCounts({ items, hasMore }: Board): string {
  if (hasMore) return `the newest ${items.length}`;
  const counts = worklistStatuses.map(
    (status) => [status, items.filter((item) => item.status === status).length] as const,
  );
  const words = counts.filter(([, count]) => count > 0).map(([status, count]) => `${count} ${statusWords[status]}`);
  return words.join('  ');
}

/** A line with a text at each end; the left text is cut first. */
function ends(
  { paint }: Pick<Io, 'paint'>,
  left: string,
  right: string,
  tone: 'bad' | 'good' | 'faint',
  columns: number,
): string {
  // The end of the right text is the most important part.
  const status = right.slice(-columns);
  const room = columns - stringWidth(status) - 2;
  const start = room < 10 ? '' : stringWidth(left) > room ? `${left.slice(0, room - 1)}…` : left;
  const gap = ' '.repeat(Math.max(0, columns - stringWidth(start) - stringWidth(status)));
  return `${paint(start, tone === 'faint' ? 'faint' : 'strong')}${gap}${paint(status, tone)}`;
}
