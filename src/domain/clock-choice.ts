/** The simulated times of a server, as a person writes them: `fixed:2026-03-02T09:00:00Z`, `offset:+2h`. */
import { durationForm, durationMs } from './duration.ts';
import { parseInstant, isIsoDate } from './iso-time.ts';
import type { MovableClockStart } from './movable-clock.ts';

/** The form that `parseClockStart` accepts, in words. */
export const clockForm = `fixed: and an instant such as 2026-03-02T09:00:00Z, or offset: and + or - and ${durationForm}`;

/** Instants between which a clock can be set, in ms since 1970: ids and tokens hold no others. */
const [earliest, latest] = [Date.UTC(2000, 0), Date.UTC(2200, 0)];
export const clockBounds = 'from the year 2000 to 2199';
export const isInBounds = (ms: number): boolean => ms >= earliest && ms < latest;

/**
 * An instant in ms since 1970; a date means its beginning in UTC. `undefined`: the text is no instant, or out of
 * bounds.
 */
export function parseClockInstant(text: string): number | undefined {
  const ms = isIsoDate(text) ? Date.parse(text) : parseInstant(text);
  return isInBounds(ms) ? ms : undefined;
}

/** The form that `parseClockStep` accepts, in words. */
export const clockStepForm = `${durationForm}, or 0s`;

/** How far a clock moves, in ms; `undefined` where the text is no length of time. */
export const parseClockStep = (text: string): number | undefined => (text === '0s' ? 0 : durationMs(text));

/**
 * The time at which a clock starts; `undefined` if the text names none. `now`: the machine's clock, in ms since 1970.
 */
export function parseClockStart(text: string, now: number): MovableClockStart | undefined {
  const [, kind, value = ''] = /^(fixed|offset):(.+)$/.exec(text) ?? [];
  if (kind === undefined) return undefined;
  const runs = kind === 'offset';
  const start = runs ? shifted(value, now) : parseClockInstant(value);
  return start !== undefined && isInBounds(start) ? { now: start, runs } : undefined;
}

function shifted(value: string, now: number): number | undefined {
  const [, sign, length = ''] = /^([+-]?)(\w+)$/.exec(value) ?? [];
  const ms = parseClockStep(length);
  return ms === undefined ? undefined : now + (sign === '-' ? -ms : ms);
}
