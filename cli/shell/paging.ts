/** Listings: `--limit N` items in total, fetched page by page. */
import { itemsOf } from '../../src/client/pages.ts';
import { integer } from '../command.ts';

export const limitOption = { limit: integer('Maximum number', { placeholder: 'N' }) };

const defaultLimit = 50;

interface PageResult<T> {
  readonly data: { readonly items: readonly T[]; readonly next_cursor: string | null };
}

/** The newest `limit` items (default 50), and whether there are more. */
export async function firstItems<T>(
  limit: number | undefined,
  fetchPage: (paging: { limit: number; cursor?: string }) => Promise<PageResult<T>>,
): Promise<{ items: T[]; more: boolean; note?: string }> {
  const wanted = limit ?? defaultLimit;
  const items: T[] = [];
  let more = false;
  if (wanted > 0) {
    // Fetches one more than the limit, to detect whether there are more.
    const size = Math.min(200, wanted + 1);
    for await (const item of itemsOf((paging) => fetchPage({ limit: size, ...paging }))) {
      if (items.length === wanted) {
        more = true;
        break;
      }
      items.push(item);
    }
  }
  return more ? { items, more, note: `There are more: use --limit ${wanted * 4}.` } : { items, more };
}
