import type { Wordings } from '../../../../src/contract/messages/message.ts';

/** Where the report went: `{names}` are channels. */
export const distribution = {
  sent: 'Sent to {names}, {time}',
  waiting: 'Waiting for {names} since {time}',
  refused: 'Refused by {names}, {time}. The administrator sees why.',
  dropped: 'Not sent to {names}: discarded by the administrator, {time}',
} as const satisfies Wordings;
