import type { Messages } from '../message.ts';

export const cosign = {
  title: 'Preliminary report',
  by: 'Preliminary by {name}, {time}',
  review: 'Read what the resident signed, change what you like, and co-sign.',
  own: 'An attending reads and co-signs it. To change it, make it a draft again.',
  waits: 'It waits for an attending.',
  changed: 'What changed since the resident signed',
  unchanged: 'Nothing has changed since the resident signed.',
  reopen: 'Change it',
  send_back: 'Send back',
  send_back_title: 'Send this report back?',
  send_back_text: 'It becomes a draft again, and the exam goes back to {name}.',
  note: 'What should be changed',
  sent_back: 'Sent back by {name}, {time}',
  sign: 'Sign as preliminary',
  sign_title: 'Sign this report as preliminary?',
  sign_text: 'An attending reads it, and co-signs or sends it back. Until then the exam is not done.',
  cosign: 'Co-sign',
  cosign_title: 'Co-sign this report?',
  cosign_text:
    'Your name stands under it beside that of {name}. Afterwards it changes only by an addendum, and the exam is done.',
} as const satisfies Messages;
