import { AppError } from '../contract/errors.ts';
import { clockBounds, clockForm, parseClockStart } from '../domain/clock-choice.ts';
import type { MovableClock } from '../domain/clock.ts';
import { movableClock } from '../domain/movable-clock.ts';
import { systemClock } from './clock.ts';

/** The clock of a simulated time, `fixed:ISO` or `offset:±DURATION`. AppError CONFIGURATION for any other text. */
export function simulatedClock(text: string): MovableClock {
  const start = parseClockStart(text, systemClock.now());
  if (start) return movableClock(systemClock, start);
  throw new AppError('CONFIGURATION', {
    message: `A clock is ${clockForm}, ${clockBounds}.`,
    hint: 'Choose one such as --clock fixed:2026-03-02T09:00:00Z or --clock offset:-3d.',
  });
}
