/**
 * The recent checks of the channels: the age of a message is what checks observed in elapsed time, whatever the clock says
 * meanwhile.
 */
import type { StoredMessage } from '../channel.ts';
import { maxAlarmMinutes } from './alarm-settings.ts';

/** The moment of a check. */
export interface Check {
  readonly now: number;
  readonly elapsed: number;
  /** Id of the newest message; ids sort by creation. */
  readonly newest: string;
}

/** Ages at the moment of a check, in ms. */
export interface CheckAges {
  /** The age of what was dated `at`. If it is younger than the previous check, that limits it. */
  ageOf(at: string): number;
  /** How long the message has been open, as far as checks observed it. */
  openFor(message: Pick<StoredMessage, 'id' | 'at'>): number;
}

export function createCheckHistory() {
  let checks: readonly Check[] = [];
  return {
    add(present: Check): CheckAges {
      const known = [...checks, present].slice(-maxAlarmMinutes - 1);
      checks = known;
      return {
        ageOf: (at) => ageAt(at, present, known.at(-2)),
        openFor({ id, at }) {
          const first = known.findIndex(({ newest }) => id <= newest);
          const seen = known[first];
          return seen ? ageAt(at, seen, known[first - 1]) + present.elapsed - seen.elapsed : 0;
        },
      };
    },
    clear(): void {
      checks = [];
    },
  };
}

function ageAt(at: string, { now, elapsed }: Check, previous: Check | undefined): number {
  const age = Math.max(0, now - Date.parse(at));
  return previous ? Math.min(age, elapsed - previous.elapsed) : age;
}
