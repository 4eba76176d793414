import type { Messages } from '../message.ts';

/** Where the report went: `{names}` are channels. */
export const distribution = {
  sent: 'Sent to {names}, {time}',
  waiting: 'Waiting for {names} since {time}',
  refused: 'Refused by {names}, {time}: the operator knows',
  dropped: 'Not sent to {names}: so the operator decided, {time}',
} as const satisfies Messages;
