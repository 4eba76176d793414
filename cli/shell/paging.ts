/**
 * Listings: the newest `--limit N` items, with a sentence that says how many are left, or `--all`, which is fetched and
 * printed page by page.
 */
import { pages } from '../../src/client/pages.ts';
import { AppError } from '../../src/contract/errors.ts';
import { flag, integer } from '../command.ts';
import { listView, pagesView } from './view.ts';
import type { Column, View } from './view.ts';

export const pagingOptions = {
  limit: integer('Maximum number; default 50', { placeholder: 'N' }),
  all: flag('All of them; with --json, one JSON document per line'),
};

/** The same for a list that is short enough to be printed whole. */
export const wholeListOptions = {
  ...pagingOptions,
  limit: integer('Maximum number; default all', { placeholder: 'N' }),
};

export interface PagingInput {
  readonly limit: number | undefined;
  readonly all: boolean;
}

export const defaultLimit = 50;
/** Items on a page of the service at most. */
const pageSize = 200;
/** Pages that are fetched to count what is left: a script that lists often must not use up its rate limit. */
const maxCountedPages = 10;

interface PageResult<T> {
  readonly data: { readonly items: readonly T[]; readonly next_cursor: string | null };
  readonly headers?: Readonly<Record<string, string>>;
}

type FetchPage<T> = (paging: { limit: number; cursor?: string }) => Promise<PageResult<T>>;

interface ListForm<T, R> {
  readonly columns: readonly Column<R>[];
  /** Sentence that replaces an empty list. */
  readonly empty: string;
  /** The rows of an item; default: the item. */
  readonly rowsOf?: (item: T) => readonly R[];
  /** The form of a row in JSON; default: the row. */
  readonly dataOf?: (row: R) => unknown;
}

/** A list that is fetched page by page. USAGE for options that exclude each other. */
export async function pagedList<T, R = T>(
  { limit, all }: PagingInput,
  fetchPage: FetchPage<T>,
  { columns, empty, rowsOf = (item) => [item as unknown as R], dataOf = (row) => row }: ListForm<T, R>,
): Promise<View> {
  checkPaging({ limit, all });
  if (all) {
    const fetched = async function* () {
      for await (const page of pages((paging) => fetchPage({ limit: pageSize, ...paging })))
        yield page.data.items.flatMap(rowsOf);
    };
    return pagesView<R>({ pages: fetched(), columns, empty, dataOf });
  }
  const { items, note } = await firstItems(limit, fetchPage);
  const rows = items.flatMap(rowsOf);
  return listView({ data: rows.map(dataOf), rows, columns, empty, ...(note !== undefined && { note }) });
}

/** A list of which all items are there already. */
export function wholeList<T>(
  { limit, all }: PagingInput,
  items: readonly T[],
  { columns, empty, defaultLimit: usual = Infinity }: ListForm<T, T> & { readonly defaultLimit?: number },
): View {
  checkPaging({ limit, all });
  if (all) return pagesView<T>({ pages: [items], columns, empty, dataOf: (row) => row });
  const rows = items.slice(0, limit ?? usual);
  const left = items.length - rows.length;
  return listView({ data: rows, rows, columns, empty, ...(left > 0 && { note: formatNote(left) }) });
}

/** USAGE for options that exclude each other. */
export function checkPaging({ limit, all }: PagingInput): void {
  if (limit === 0) throw new AppError('USAGE', { message: '--limit takes a number from 1.' });
  if (all && limit !== undefined) throw new AppError('USAGE', { message: '--all and --limit exclude each other.' });
}

/** The newest `limit` items (default 50), and the sentence that says how many are left. */
async function firstItems<T>(
  limit: number = defaultLimit,
  fetchPage: FetchPage<T>,
): Promise<{ items: T[]; note?: string }> {
  const items: T[] = [];
  let left = 0;
  let countedPages = 0;
  // One item more than the limit shows whether there is anything left to count.
  const first = Math.min(pageSize, limit + 1);
  const fetched = pages((paging) => fetchPage({ limit: paging.cursor === undefined ? first : pageSize, ...paging }));
  const withNote = (isWhole: boolean) => ({
    items,
    ...(!(isWhole && left === 0) && { note: formatNote(left, isWhole) }),
  });
  for (;;) {
    const next = await fetched.next().catch((error: unknown) => {
      if (items.length < limit) throw error;
      // The requested items are there.
      return undefined;
    });
    if (!next) return withNote(false);
    if (next.done) return withNote(true);
    const { data, headers } = next.value;
    const missing = limit - items.length;
    items.push(...data.items.slice(0, missing));
    left += Math.max(0, data.items.length - missing);
    if (items.length < limit || data.next_cursor === null) continue;
    if (countedPages++ === maxCountedPages || isScarce(headers)) return withNote(false);
  }
}

/** Whether a good part of the rate limit is used: the rest is for calls that somebody asked for. */
function isScarce(headers: Readonly<Record<string, string>> = {}): boolean {
  const { 'x-ratelimit-limit': limit, 'x-ratelimit-remaining': remaining } = headers;
  return limit !== undefined && remaining !== undefined && Number(remaining) < 0.75 * Number(limit);
}

function formatNote(left: number, isWhole = true): string {
  const count = left === 0 ? 'more' : `${isWhole ? '' : 'at least '}${left} more`;
  return `There ${left === 1 && isWhole ? 'is' : 'are'} ${count}: use --all, or a higher --limit.`;
}
