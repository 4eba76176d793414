/** Prints worklist changes as JSON lines. */
import type { Client } from '../../src/client/client.ts';
import { AppError } from '../../src/contract/errors.ts';
import { isoNow } from '../../src/domain/clock.ts';
import { createOrder } from '../../src/domain/in-order.ts';
import type { Context } from '../context.ts';
import { printLine } from '../shell/render.ts';
import { followWorklist } from './follow.ts';
import type { Filters, ItemEvent } from './follow.ts';

/**
 * Prints changes until interrupted, or until `count` changes. Only exams that match the filters at that moment are
 * printed.
 */
export async function printChanges(context: Context, filters: Filters, count: number | undefined): Promise<void> {
  if (count === 0) return;
  const { io, clock, signal } = context;
  io.noticeAtOnce();
  const { worklists } = await context.client();
  const ended = Promise.withResolvers<void>();
  let left = count ?? Infinity;
  const printing = createOrder({ endsWithFailure: true });
  let isLost = false;

  const print = (change: ItemEvent | { readonly change: 'reset' }): void => {
    const at = isoNow(clock);
    printing(async () => {
      if (left <= 0 || ('id' in change && !(await passes(worklists, change.id, filters)))) return;
      await printLine(io, { at, ...change });
      left -= 1;
      if (left <= 0) ended.resolve();
    }).catch(ended.reject);
  };

  const interrupt = (): void => ended.reject(new AppError('INTERRUPTED'));
  signal.addEventListener('abort', interrupt, { once: true });
  const feed = await followWorklist(clock, worklists, {
    onEvent: print,
    onReset: () => print({ change: 'reset' }),
    onOpen() {
      io.notice(isLost ? 'Connected again.' : 'Following the worklist. Ctrl-C ends it.', 'faint');
      isLost = false;
    },
    onLost() {
      if (!isLost) io.notice('The connection is lost; trying again.', 'warn');
      isLost = true;
    },
    onEnd: ended.reject,
  });
  try {
    await ended.promise;
  } finally {
    await feed.close();
  }
}

/** Asks the service, which alone defines its filters. */
async function passes({ get, list }: Client['worklists'], id: string, filters: Filters): Promise<boolean> {
  if (Object.keys(filters).length === 0) return true;
  const { data: item } = await get({ params: { id } });
  const q = filters.q ?? item.accession_number ?? item.patient_id;
  const { data: page } = await list({ query: { ...filters, q, limit: 200 } });
  return page.items.some((exam) => exam.id === id);
}
