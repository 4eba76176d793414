import type { Wordings } from '../../../../src/contract/messages/message.ts';

export const errors = {
  invalid: 'Laudio did not accept that. Check what you entered.',
  login: 'Your login has ended. Log in again.',
  forbidden: 'You do not have permission for this.',
  gone: 'This is no longer there.',
  changed: 'This is no longer possible: the data has changed. Check it again.',
  busy: 'The server is busy. Nothing was done; try again in a moment.',
  large: 'That is too large for the server.',
  findings: 'The report has open warnings.',
  storage: 'Nothing can be saved now. Nothing was lost; try again.',
  unknown: 'Storage failed while saving. It is not known whether this was done; try again.',
  engine: 'Speech recognition is not responding. Try again.',
  network: 'The server is not responding. Try again.',
  answer: 'Unexpected response from the server. Try again.',
  failed: 'The server did not complete the action. Try again.',
  set_up: 'Laudio is not set up for this. Ask your administrator.',
  ours: 'Something went wrong in Laudio. What you did before is saved; try again.',
} as const satisfies Wordings;
