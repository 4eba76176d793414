/** How a channel stands: what is not done, since when, and when something last went through. No message is read but the oldest. */
import { isoNow } from '../../../src/domain/clock.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import type { Documents } from '../../storage/collections.ts';
import type { Reader, Transaction } from '../../storage/store.ts';

export interface Standing {
  readonly waiting: number;
  readonly refused: number;
  /** The message that waits or was refused for longest. */
  readonly oldestOpen: Documents['messages'] | undefined;
  /** When a message last came or arrived, ISO 8601. */
  readonly lastMessageAt: string | null;
}

export async function standingOf(reader: Reader, channel: string): Promise<Standing> {
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
 * Writes down that a message came in, or that another system has it. It stands beside the messages, since one that was asked for
 * and taken is not kept, and the others are forgotten one day.
 */
export function noteMessage(tx: Transaction, clock: Clock, channel: string): void {
  tx.put('settings', { id: lastMessageId(channel), value: isoNow(clock) });
}

/** Of the document with the time of the channel's last message. */
export const lastMessageId = (channel: string): string => `last-message:${channel}`;
