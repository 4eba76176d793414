import type { Messages } from '../message.ts';

export const signing = {
  chip: 'Signed, can be taken back',
  by: 'Signed by {who}, {time}',
  left: '{time} left to take it back',
  soon: 'Final in a moment',
  unsent: 'Not signed yet',
  unsent_stands: 'Your signature has not reached the service',
  waits: 'The report is not signed yet. The signature is kept here and sent by itself.',
  missing:
    'Words of yours are not in this report: the service did not take them. They are kept under “See what” at the top of the page.',
  take_back: 'Take back',
  taken_back: 'The signature is taken back. The report is a draft again.',
  next: 'Next exam',
  stands: 'The report of this exam is signed',
  stands_hint: 'To change it, take the signature back.',
  too_late: 'The report is final already. It changes by an addendum only.',
  in_grace: 'For {n} s you can take it back. Then it is final, and the exam is done.',
  patient: 'Patient',
  id: 'Patient ID',
  exam: 'Exam',
  simulated: 'The words come from a simulation, not from what was said.',
} as const satisfies Messages;
