/** Which backups are kept: the newest of each of the last days, weeks and months, and the newest of all. */

/** The number of days, weeks and months of which one backup is kept. */
export interface KeepRule {
  readonly days: number;
  readonly weeks: number;
  readonly months: number;
}

export const defaultKeepRule: KeepRule = { days: 7, weeks: 4, months: 12 };

const form = /^(\d{1,3})([dwm])$/;
const units = { d: 'days', w: 'weeks', m: 'months' } as const;

/** `7d,4w,12m`, in any order; a unit that is not named keeps none. `undefined` for anything else. */
export function parseKeepRule(text: string): KeepRule | undefined {
  const rule = { days: 0, weeks: 0, months: 0 };
  for (const part of text.split(',')) {
    const [, count, unit] = form.exec(part.trim()) ?? [];
    if (count === undefined) return undefined;
    rule[units[unit as keyof typeof units]] = Number(count);
  }
  return rule;
}

const dayMs = 24 * 3600 * 1000;

/** The Monday of the instant's week. */
function startOfWeek(at: number): string {
  const weekday = (new Date(at).getUTCDay() + 6) % 7;
  return new Date(at - weekday * dayMs).toISOString().slice(0, 10);
}

/** The periods of an instant (ms since 1970), in UTC. */
const periods = {
  days: (at: number) => new Date(at).toISOString().slice(0, 10),
  weeks: startOfWeek,
  months: (at: number) => new Date(at).toISOString().slice(0, 7),
} as const;

/** The instants of the backups to remove. */
export function findSurplus(instants: readonly number[], rule: KeepRule): number[] {
  const newestFirst = instants.toSorted((one, other) => other - one);
  const kept = new Set(newestFirst.slice(0, 1));
  for (const [name, period] of Object.entries(periods) as [keyof KeepRule, (at: number) => string][]) {
    const seen = new Set<string>();
    for (const at of newestFirst) {
      const each = period(at);
      if (seen.has(each)) continue;
      if (seen.size === rule[name]) break;
      seen.add(each);
      kept.add(at);
    }
  }
  return newestFirst.filter((at) => !kept.has(at));
}
