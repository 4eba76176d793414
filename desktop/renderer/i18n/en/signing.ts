import type { Wordings } from '../../../../src/contract/messages/message.ts';

export const signing = {
  chip: 'Signed, can be undone',
  chip_preliminary: 'Signed as preliminary, can be undone',
  sending: 'Signing',
  unanswered: 'Not signed yet: the server is not responding. You can wait here; nothing is lost.',
  by: 'Signed by {who}, {time}',
  by_preliminary: 'Signed as preliminary by {who}, {time}',
  left: '{time} left to undo it',
  soon: 'Final in a moment',
  soon_preliminary: 'Preliminary in a moment',
  unsent: 'Not signed yet',
  unsent_stands: 'Your signature has not reached the server',
  waits: 'The report is not signed yet. The signature is saved here and sent automatically.',
  missing:
    'Some of your text is not in this report: the server did not accept it. It is saved under “See details” at the top of the page.',
  take_back: 'Undo signature',
  taken_back: 'The signature is undone. The report is a draft again.',
  next: 'Next exam',
  stands_preliminary: 'The report of this exam is signed as preliminary',
  stands_hint: 'To change it, undo the signature.',
  too_late: 'The report is already final. To change it, add an addendum.',
  in_grace: 'You can undo it for {n} s. Then the report is final and the exam is completed.',
  patient: 'Patient',
  id: 'Patient ID',
  exam: 'Exam',
  simulated: 'The text comes from a simulation, not from the dictation.',
} as const satisfies Wordings;
