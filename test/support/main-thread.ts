/** What the page's main thread does meanwhile, in time of the processor: what other programs take of it does not count. */
import type { Browser, Page } from 'playwright-core';

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds since some moment. */
  readonly ts: number;
  /** Microseconds of the processor. */
  readonly tdur?: number;
  readonly args: { readonly name?: string };
}

export interface Traced {
  /** In ms of the processor. */
  readonly tasks: readonly number[];
  /** Those that began before the first `performance.mark` of that name. */
  before(mark: string): readonly number[];
}

export async function traceMainThread(browser: Browser, page: Page, meanwhile: () => Promise<void>): Promise<Traced> {
  await browser.startTracing(page, { categories: ['toplevel', 'blink.user_timing'] });
  await meanwhile();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString('utf8')) as { traceEvents: TraceEvent[] };
  const threads = traceEvents.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain');
  const tasks = traceEvents.filter(
    ({ name, ph, pid, tid }) =>
      ph === 'X' && name.endsWith('RunTask') && threads.some((thread) => thread.pid === pid && thread.tid === tid),
  );
  const milliseconds = (some: readonly TraceEvent[]): number[] => some.map(({ tdur = 0 }) => tdur / 1000);
  return {
    tasks: milliseconds(tasks),
    before(mark) {
      const end = Math.min(...traceEvents.filter(({ name }) => name === mark).map(({ ts }) => ts));
      if (end === Infinity) throw new Error(`nothing was marked ${mark}`);
      return milliseconds(tasks.filter(({ ts }) => ts < end));
    },
  };
}

/** The longest of what the page did meanwhile, in ms. */
export const longestTask = async (browser: Browser, page: Page, meanwhile: () => Promise<void>): Promise<number> =>
  Math.max(0, ...(await traceMainThread(browser, page, meanwhile)).tasks);
