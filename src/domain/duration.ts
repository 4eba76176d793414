/** Lengths of time as people write them: `90d`, `12h`, `30min`. */

const unitMs = { s: 1000, min: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 } as const;

/** The form that `durationMs` accepts, in words. */
export const durationForm = 'a length of time such as 30min, 12h, 90d or 4w';

const form = new RegExp(`^(\\d{1,6})(${Object.keys(unitMs).join('|')})$`);

/** Milliseconds; `undefined` if the text is no length of time, or is zero (`0d`). */
export function durationMs(text: string): number | undefined {
  const [, count, unit] = form.exec(text) ?? [];
  const ms = Number(count) * unitMs[unit as keyof typeof unitMs];
  return ms > 0 ? ms : undefined;
}
