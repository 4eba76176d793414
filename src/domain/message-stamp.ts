/** Sender and time of a message. The newer stamp wins, even if it arrives first. */

export interface MessageStamp {
  /** When the sender made the message: ISO 8601 with offset. Absent: unknown. */
  readonly told_at?: string;
  /** The sender of the message. */
  readonly told_by?: string;
}

/** The clocks of two senders cannot be compared. */
export const isLater = (
  { told_at: one, told_by: by }: MessageStamp,
  { told_at: other, told_by }: MessageStamp,
): boolean => one !== undefined && other !== undefined && by === told_by && Date.parse(one) > Date.parse(other);

/** The longest delay of a message. Otherwise a sender whose clock ran ahead would never be heard again. */
export const maxDelay = 30 * 24 * 3600_000;

/** Drops stamps in the future or over 30 days old: the sender's clock is wrong. `now`: ISO 8601. */
export function dropWrongStamp<T extends MessageStamp>(message: T, now: string): T | Omit<T, keyof MessageStamp> {
  if (message.told_at === undefined) return message;
  const latest = Date.parse(now);
  const at = Date.parse(message.told_at);
  if (at <= latest && at > latest - maxDelay) return message;
  const { told_at: _, told_by: _by, ...others } = message;
  return others;
}
