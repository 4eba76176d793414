/** The pace of the batches: unlimited, a number of items per second, or the rhythm of the exams themselves. */
import { AppError } from '../../src/contract/errors.ts';
import type { Clock } from '../../src/domain/clock.ts';
import { pause } from '../../src/domain/pause.ts';
import type { Batch } from '../../src/sending/batches.ts';

/** Parses `50/s`, `3000/min` or `50` to items per second. USAGE for any other value. */
export function readRate(word: string): number {
  const [, number, unit = 's'] = /^(\d{1,7}(?:\.\d{1,3})?)(?:\/(s|min|h))?$/.exec(word) ?? [];
  const rate = Number(number) / { s: 1, min: 60, h: 3600 }[unit as 's' | 'min' | 'h'];
  if (rate > 0) return rate;
  throw new AppError('USAGE', { message: '--rate takes items per second, such as 50/s, or 3000/min.' });
}

/** Parses `10x`: the replay runs ten times as fast as the exams did. USAGE for any other value. */
export function readSpeed(word: string): number {
  const speed = Number(/^(\d{1,6}(?:\.\d{1,3})?)x?$/.exec(word)?.[1]);
  if (speed > 0) return speed;
  throw new AppError('USAGE', { message: '--speed takes a factor such as 10x, or 1x for the original intervals.' });
}

/** Exams due within this time of each other are sent together, in ms. */
const together = 1000;

/** Maximum number of items and maximum span of exam times (ms) per batch, so that the pace is smooth. */
export function batchLimits(items: number, rate: number | undefined, speed: number | undefined) {
  return {
    items: rate === undefined ? items : Math.min(items, Math.max(1, Math.ceil(rate))),
    span: speed === undefined ? Infinity : together * speed,
  };
}

/** Resolves when the batch may be sent. The sender calls `wait` once per batch, in order. */
export type Pace = (batch: Batch) => Promise<void>;

export function createPace(
  clock: Clock,
  signal: AbortSignal,
  { rate, speed }: { rate: number | undefined; speed: number | undefined },
): Pace {
  let free = clock.elapsed();
  let begun: { at: number; exam: number } | undefined;
  return async ({ items, begins: exam }) => {
    const now = clock.elapsed();
    let at = now;
    if (rate !== undefined) {
      at = Math.max(now, free);
      free = at + (items.length / rate) * 1000;
    }
    if (speed !== undefined && !Number.isNaN(exam)) {
      begun ??= { at: now, exam };
      at = Math.max(at, begun.at + (exam - begun.exam) / speed);
    }
    if (at > now) await pause(clock, at - now, signal);
  };
}
