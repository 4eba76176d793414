import { describe, expect, it } from 'vitest';
import { createRetry } from '../../../cli/sending/retry.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { manualClock } from '../../../src/domain/clock.ts';

const limited = new AppError('RATE_LIMIT_EXCEEDED', { retryAfter: 30, status: 429 });
const busy = new AppError('SERVER_BUSY', { status: 503 });
const lost = new AppError('NETWORK', { message: 'The connection was cut.' });

function start(retries = 3, waitsForReturn = false) {
  const clock = manualClock(0);
  const controller = new AbortController();
  const said: string[] = [];
  const patience = createRetry({
    clock,
    random: () => 1,
    signal: controller.signal,
    retries,
    waitsForReturn,
    onWait: (words) => said.push(words),
  });
  /** Lets time go on until the promise is settled; tells how it ended. */
  const settled = async <T>(promise: Promise<T>): Promise<{ value?: T; error?: AppError; at: number }> => {
    let end: { value?: T; error?: AppError } | undefined;
    promise.then(
      (value) => (end = { value }),
      (error: AppError) => (end = { error }),
    );
    for (;;) {
      for (let turn = 0; turn < 10; turn++) await Promise.resolve();
      if (end) return { ...end, at: clock.now() };
      clock.advance(250);
    }
  };
  return { clock, controller, said, patience, settled };
}

/** Fails with these, one after the other, then succeeds. */
const failing = (...errors: AppError[]) => {
  let calls = 0;
  return Object.assign(
    async () => {
      const error = errors[calls++];
      if (error) throw error;
      return 'done';
    },
    { calls: () => calls },
  );
};

describe('a server that asks to wait', () => {
  it('is waited for as long as it says, and reported once', async () => {
    const { patience, settled, said } = start(0);
    expect(await settled(patience(failing(limited, limited)))).toEqual({ value: 'done', at: 60_000 });
    expect(said).toEqual([
      'The server accepts no more requests for now. Continuing in 30 s.',
      'The server accepts no more requests for now. Continuing in 30 s.',
    ]);
  });

  it('is not waited for where its memory is full', async () => {
    const { patience, settled, said } = start();
    const full = new AppError('STORAGE_UNAVAILABLE', { status: 503, retryAfter: 60, details: { full: 'memory' } });
    expect(await settled(patience(failing(full)))).toEqual({ error: full, at: 0 });
    expect(said).toEqual([]);
  });

  it('pauses all that share the patience, and reports it together', async () => {
    const { clock, patience, settled, said } = start(0);
    const first = patience(failing(limited));
    const second = patience(failing(limited));
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    let begun = -1;
    const third = patience(async () => (begun = clock.now()));
    await Promise.all([settled(first), settled(second), settled(third)].slice(0, 1));
    await settled(third);
    expect(begun).toBe(30_000);
    expect(said).toHaveLength(1);
    await second;
  });

  it('without Retry-After is asked less and less often, for a quarter of an hour at most', async () => {
    const { patience, settled } = start(0);
    const always = failing(...Array.from({ length: 1000 }, () => busy));
    const { error, at } = await settled(patience(always));
    expect(error).toBe(busy);
    expect(at).toBeGreaterThan(14 * 60_000);
    expect(at).toBeLessThanOrEqual(15 * 60_000);
    expect(always.calls()).toBeLessThan(50);
  });

  it('for too long at once is not waited for', async () => {
    const { patience, settled } = start();
    const tomorrow = new AppError('RATE_LIMIT_EXCEEDED', { retryAfter: 86_400, status: 429 });
    expect(await settled(patience(failing(tomorrow)))).toEqual({ error: tomorrow, at: 0 });
  });

  it('is waited for as well where the request is still running', async () => {
    const { patience, settled } = start();
    const running = new AppError('REQUEST_IN_PROGRESS', { retryAfter: 1, status: 409 });
    expect(await settled(patience(failing(running)))).toEqual({ value: 'done', at: 1000 });
  });
});

describe('a lost connection', () => {
  it('is made again as often as the setting says', async () => {
    const { patience, settled, said } = start(2);
    expect((await settled(patience(failing(lost, lost)))).value).toBe('done');
    expect(said[0]).toBe('The connection was cut. Retrying in 1 s (1 of 2).');
    expect((await settled(patience(failing(lost, lost, lost)))).error).toBe(lost);
  });

  it('to a server that was reachable is retried for a quarter of an hour by default', async () => {
    const { patience, settled } = start(2, true);
    const gone = () => failing(...Array.from({ length: 1000 }, () => lost));
    const never = await settled(patience(gone()));
    expect(never).toEqual({ error: lost, at: 1500 });
    expect((await settled(patience(failing()))).value).toBe('done');
    const { error, at } = await settled(patience(gone()));
    expect(error).toBe(lost);
    expect(at - never.at).toBeGreaterThan(14 * 60_000);
    expect(at - never.at).toBeLessThanOrEqual(15 * 60_000);
  });

  it('is another matter than the same failure at one request, which is an answer after five', async () => {
    const { patience, settled } = start(2, true);
    expect((await settled(patience(failing()))).value).toBe('done');
    const failure = new AppError('INTERNAL_ERROR', { status: 500 });
    const always = failing(...Array.from({ length: 1000 }, () => failure));
    expect((await settled(patience(always))).error).toBe(failure);
    expect(always.calls()).toBe(5);
  });

  it('counts as one where a proxy answers for a server that is gone', async () => {
    const { patience, settled } = start(1);
    expect((await settled(patience(failing(new AppError('BAD_ANSWER', { status: 502 }))))).value).toBe('done');
  });
});

it.each([
  new AppError('VALIDATION_FAILED', { status: 400 }),
  new AppError('UNAUTHORIZED', { status: 401 }),
  new AppError('BAD_ANSWER', { message: 'Not this API.' }),
])('$code is not retried', async (error) => {
  const { patience, settled } = start();
  const attempt = failing(error);
  expect((await settled(patience(attempt))).error).toBe(error);
  expect(attempt.calls()).toBe(1);
});

it('ends at once when it is interrupted', async () => {
  const { patience, controller, settled } = start();
  const waiting = patience(failing(limited));
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  controller.abort();
  expect((await settled(waiting)).error).toMatchObject({ code: 'INTERRUPTED' });
});
