import { describe, expect, it } from 'vitest';
import type { Batch } from '../../../src/sending/batches.ts';
import { batchLimits, createPace, readRate, readSpeed } from '../../../cli/sending/pace.ts';
import { manualClock } from '../../../src/domain/clock.ts';

const start = Date.parse('2026-03-02T08:00:00Z');
const signal = new AbortController().signal;
const batch = (...times: (string | undefined)[]) =>
  ({ items: times, begins: Date.parse(times[0] ?? '') }) as unknown as Batch;

/** When each may go, in ms from the start, of batches that ask one after the other. */
async function timesOf(pace: { rate?: number; speed?: number }, batches: readonly Batch[]): Promise<number[]> {
  const clock = manualClock(start);
  const waits = createPace(clock, signal, { rate: pace.rate, speed: pace.speed });
  const times: number[] = [];
  for (const each of batches) {
    let isDue = false;
    void waits(each).then(() => (isDue = true));
    await Promise.resolve();
    await Promise.resolve();
    while (!isDue) {
      clock.advance(100);
      await Promise.resolve();
      await Promise.resolve();
    }
    times.push(clock.now() - start);
  }
  return times;
}

describe('--rate', () => {
  it('lets so many items a second go', async () => {
    const ten = batch(...Array.from({ length: 10 }, () => undefined));
    expect(await timesOf({ rate: 10 }, [ten, ten, batch(undefined), ten])).toEqual([0, 1000, 2000, 2100]);
  });

  it('makes batches of at most a second', () => {
    expect(batchLimits(1000, 5, undefined)).toEqual({ items: 5, span: Infinity });
    expect(batchLimits(1000, 0.2, undefined).items).toBe(1);
    expect(batchLimits(100, 5000, undefined).items).toBe(100);
  });

  it.each([
    ['50', 50],
    ['50/s', 50],
    ['3000/min', 50],
    ['1.5/s', 1.5],
    ['7200/h', 2],
  ])('takes %s', (word, rate) => expect(readRate(word)).toBe(rate));
  it.each(['', '0', '-1', 'fast', '10/d'])('refuses %j', (word) =>
    expect(() => readRate(word)).toThrow('--rate takes'),
  );
});

describe('--speed', () => {
  it('keeps the gaps between exam times, so many times shorter', async () => {
    const sent = [
      batch('2026-03-02T08:00:00-03:00', '2026-03-02T08:00:05-03:00'),
      batch('2026-03-02T08:00:30-03:00'),
      // Out of order: it is late already.
      batch('2026-03-02T08:00:10-03:00'),
      batch(undefined),
      batch('2026-03-02T11:01:00Z'),
    ];
    expect(await timesOf({ speed: 10 }, sent)).toEqual([0, 3000, 3000, 3000, 6000]);
  });

  it('combines items due within a second', () => {
    expect(batchLimits(1000, undefined, 60)).toEqual({ items: 1000, span: 60_000 });
  });

  it.each([
    ['10x', 10],
    ['1', 1],
    ['0.5x', 0.5],
  ])('takes %s', (word, speed) => expect(readSpeed(word)).toBe(speed));
  it.each(['', '0x', 'x', '10 x', 'fast'])('refuses %j', (word) =>
    expect(() => readSpeed(word)).toThrow('--speed takes'),
  );
});

it('ends at once when it is interrupted', async () => {
  const controller = new AbortController();
  const pace = createPace(manualClock(start), controller.signal, { rate: 1, speed: undefined });
  await pace(batch(undefined));
  const waiting = pace(batch(undefined));
  controller.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'INTERRUPTED' });
});
