/** Shows the live worklist on the whole terminal. */
import { AppError } from '../../src/contract/errors.ts';
import type { WorklistItem } from '../../src/contract/worklist.ts';
import { createOrder } from '../../src/domain/in-order.ts';
import { pause } from '../../src/domain/pause.ts';
import type { Context } from '../context.ts';
import type { Canvas } from '../shell/io.ts';
import { patientSession } from '../resources/patient-session.ts';
import { boardLines, examsIn } from './board.ts';
import { followWorklist } from './follow.ts';
import type { Filters } from './follow.ts';
import { listenForKeys } from './keys.ts';
import type { Key } from './keys.ts';
import { openScreen } from './screen.ts';

/** Maximum number of exams that the screen fetches. */
const maxExams = 200;
/** Minimum interval between two reads of the list, in ms: changes arrive in bursts, and the service limits requests. */
const readingPause = 2000;
/** Redraws the relative times as time passes. */
const tickMs = 1000;

export async function showLive(
  context: Context,
  canvas: Canvas,
  { filters, words }: { filters: Filters; words: string },
): Promise<void> {
  const { io, clock, signal } = context;
  // The feed and the list retry automatically; a notice would overwrite the screen.
  const { client } = await patientSession(context);
  const { worklists } = client;
  let items: readonly WorklistItem[] = [];
  let hasMore = false;
  let trouble: string | undefined = 'connecting';
  let top = 0;
  let changedAt = new Map<string, number>();

  const ending = new AbortController();
  const ended = Promise.withResolvers<void>();
  const screen = await openScreen(canvas);

  const drawing = createOrder({ endsWithFailure: true });
  const draw = (): void => {
    drawing(async () => {
      if (ending.signal.aborted) return;
      const size = canvas.size();
      top = Math.max(0, Math.min(top, items.length - examsIn(size.rows)));
      const board = {
        title: `Worklist  ${words}`.trimEnd(),
        items,
        hasMore,
        changedAt,
        trouble,
        top,
        now: clock.now(),
      };
      await screen.draw(await boardLines(io, board, size));
    }).catch(ended.reject);
  };

  const tell = (words: string): void => {
    trouble = words;
    draw();
  };

  const read = async (): Promise<void> => {
    const { data } = await worklists.list({ query: { ...filters, limit: maxExams } }, { signal: ending.signal });
    ({ items } = data);
    hasMore = data.next_cursor !== null;
    trouble = undefined;
    draw();
  };
  let isStale = false;
  let reading: Promise<void> | undefined;
  /** Reads the list now, or when the interval after the last read is over. */
  const readSoon = (): void => {
    isStale = true;
    reading ??= readWhileStale()
      .catch((error: unknown) => {
        // Without a connection the list stays unchanged, and is read again once the feed is back.
        if (!(error instanceof AppError)) ended.reject(error);
      })
      .finally(() => {
        reading = undefined;
      });
  };
  const readWhileStale = async (): Promise<void> => {
    while (isStale && !ending.signal.aborted) {
      isStale = false;
      let wait = readingPause;
      try {
        await read();
      } catch (error) {
        if (!(error instanceof AppError) || (error.status !== 429 && error.status !== 503)) throw error;
        isStale = true;
        wait = Math.max(wait, (error.retryAfter ?? 0) * 1000);
        tell(`the server is busy, again in ${Math.ceil(wait / 1000)} s`);
      }
      await pause(clock, wait, ending.signal);
    }
  };

  const page = (): number => examsIn(canvas.size().rows);
  const keys: Readonly<Record<Key, () => void>> = {
    quit: () => ended.resolve(),
    interrupt: () => ended.reject(new AppError('INTERRUPTED')),
    up: () => (top -= 1),
    down: () => (top += 1),
    pageUp: () => (top -= page()),
    pageDown: () => (top += page()),
  };
  signal.addEventListener('abort', keys.interrupt, { once: true });
  const stopListening = listenForKeys(io, (key) => {
    keys[key]();
    draw();
  });
  const stopResizing = canvas.onResize(() => {
    screen.forget();
    draw();
  });
  const tick = setInterval(draw, tickMs);
  draw();
  const feed = await followWorklist(clock, worklists, {
    onEvent({ id }) {
      changedAt = new Map([...changedAt].slice(-maxExams)).set(id, clock.now());
      readSoon();
    },
    onOpen: readSoon,
    onReset: readSoon,
    onLost: () => tell('connection lost, trying again'),
    onEnd: ended.reject,
  });
  try {
    await ended.promise;
  } finally {
    ending.abort();
    clearInterval(tick);
    stopResizing();
    stopListening();
    await Promise.allSettled([drawing.idle(), reading]);
    await screen.close();
    await feed.close();
  }
}
