/** Backlog of a channel: pending and refused messages, the oldest of them, and the time of the last success. Reads one message. */
import { isoNow } from '../../../src/domain/clock.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import type { Documents } from '../../storage/collections.ts';
import type { Reader, Transaction } from '../../storage/store.ts';

export interface Backlog {
  readonly waiting: number;
  readonly refused: number;
  /** The oldest message that is waiting or was refused. */
  readonly oldestOpen: Documents['messages'] | undefined;
  /** When a message was last received or delivered, ISO 8601. */
  readonly lastMessageAt: string | null;
}

export async function readBacklog(reader: Reader, channel: string): Promise<Backlog> {
  const waiting = await reader.count('messages', { is: { channel, state: 'waiting' } });
  const refused = await reader.count('messages', { is: { channel, state: 'refused' } });
  const last = await reader.get('settings', lastMessageId(channel));
  return {
    waiting,
    refused,
    oldestOpen:
      waiting + refused === 0
        ? undefined
        : await reader.oldest('messages', { is: { channel, state: ['waiting', 'refused'] } }),
    lastMessageAt: (last?.value ?? null) as string | null,
  };
}

/**
 * Records that a message was received or delivered. The time is stored apart from the messages: accepted polled ones are not
 * stored, and the others expire. Of the messages of a second only the first writes it.
 */
export async function recordMessageTime(tx: Transaction, clock: Clock, channel: string): Promise<void> {
  const id = lastMessageId(channel);
  const at = isoNow(clock);
  const last = (await tx.get('settings', id))?.value as string | undefined;
  if (last?.slice(0, secondLength) !== at.slice(0, secondLength)) tx.put('settings', { id, value: at });
}

/** Characters of an ISO 8601 time down to its second. */
const secondLength = '2026-03-02T08:30:00'.length;

/** Id of the stored time of the channel's last message. */
export const lastMessageId = (channel: string): string => `last-message:${channel}`;
