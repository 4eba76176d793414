/** When messages were made, and by whom: of two that tell of the same thing, the one that comes last may be the older one. */

export interface Told {
  /** When the sender made the message: ISO 8601 with offset. Absent: nobody knows. */
  readonly told_at?: string;
  /** Who made it then. */
  readonly told_by?: string;
}

/** The clocks of two senders say nothing of each other. */
export const isLater = ({ told_at: one, told_by: by }: Told, { told_at: other, told_by }: Told): boolean =>
  one !== undefined && other !== undefined && by === told_by && Date.parse(one) > Date.parse(other);

/** How long a message may be under way. A sender whose clock was set wrong would otherwise never be heard again. */
export const longestWay = 30 * 24 * 3600_000;

/** What was told, without a time that the sender's clock cannot have meant: of the future, or of long ago. `now`: ISO 8601. */
export function credible<T extends Told>(told: T, now: string): T | Omit<T, keyof Told> {
  const { told_at, told_by: _, ...others } = told;
  if (told_at === undefined) return told;
  const latest = Date.parse(now);
  const at = Date.parse(told_at);
  return at <= latest && at > latest - longestWay ? told : others;
}
