import type { Wordings } from '../../../../src/contract/messages/message.ts';

export const cosign = {
  title: 'Preliminary report',
  by: 'Preliminary by {name}, {time}',
  review: 'Review the resident’s report, change what you need, and co-sign.',
  own: 'Waiting for the attending. To change it, return it to draft.',
  waits: 'Waiting for the attending.',
  changed: 'What changed since the resident signed',
  unchanged: 'Nothing has changed since the resident signed.',
  reopen: 'Change',
  send_back: 'Send back',
  send_back_title: 'Send this report back?',
  send_back_text: 'It becomes a draft again, and the exam goes back to {name}.',
  note: 'What should be changed',
  sent_back: 'Sent back by {name}, {time}',
  sign: 'Sign as preliminary',
  sign_title: 'Sign this report as preliminary?',
  sign_text: 'The attending reviews it and co-signs, or sends it back. Until then the exam is not completed.',
  cosign: 'Co-sign',
  cosign_title: 'Co-sign this report?',
  cosign_text:
    'The report goes out with your signature and that of {name}. After that, only an addendum can change it; the exam is completed.',
} as const satisfies Wordings;
