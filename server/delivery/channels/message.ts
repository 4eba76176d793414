/** Messages by their id, and whether they can be retried. */
import { AppError } from '../../../src/contract/errors.ts';
import type { Reader } from '../../storage/store.ts';
import type { StoredMessage } from './channel.ts';

export async function getMessage(reader: Reader, id: string): Promise<StoredMessage> {
  const message = await reader.get('messages', id);
  if (message) return message;
  throw new AppError('NOT_FOUND', { message: 'There is no such message.' });
}

/** Throws 409 INVALID_TRANSITION if the message is done or its bytes are no longer stored. */
export function checkRetry(message: StoredMessage): void {
  const { direction, state, content } = message;
  if (direction === 'out' ? state === 'taken' : state !== 'refused' && state !== 'waiting')
    throw refuseAction(message, 'be tried again');
  if (direction === 'in' && content === undefined)
    throw refuseAction(message, 'be tried again: its bytes are no longer kept');
}

export const refuseAction = ({ state }: StoredMessage, what: string): AppError =>
  new AppError('INVALID_TRANSITION', {
    message: `A message that is ${state} cannot ${what}.`,
    details: { status: state },
  });
