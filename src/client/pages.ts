/** Iterates over a collection, page by page. */
import { AppError } from '../contract/errors.ts';

interface PageResult<T> {
  readonly data: { readonly items: readonly T[]; readonly next_cursor: string | null };
}

/**
 * The pages of a collection, each fetched on demand:
 * `for await (const page of pages((paging) => client.jobs.list({ query: { status, ...paging } })))`.
 * BAD_ANSWER when the server repeats a cursor, which would never end.
 */
export async function* pages<R extends PageResult<unknown>>(
  fetchPage: (paging: { readonly cursor?: string }) => Promise<R>,
): AsyncGenerator<R, void, void> {
  let cursor: string | null = null;
  do {
    const page: R = await fetchPage(cursor === null ? {} : { cursor });
    const next: string | null = page.data.next_cursor;
    if (next !== null && next === cursor) {
      throw new AppError('BAD_ANSWER', { message: 'The server gave the same page twice.' });
    }
    yield page;
    cursor = next;
  } while (cursor !== null);
}

/** The items of all pages, one by one. */
export async function* itemsOf<T>(
  fetchPage: (paging: { readonly cursor?: string }) => Promise<PageResult<T>>,
): AsyncGenerator<T, void, void> {
  for await (const page of pages(fetchPage)) yield* page.data.items;
}
