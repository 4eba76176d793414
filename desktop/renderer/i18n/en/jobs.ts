import type { Messages } from '../message.ts';

export const jobs = {
  none: 'Nothing in the making',
  none_hint: 'When you ask for a report, it appears here until it is ready.',
  unknown_exam: 'An exam that is not in the list any more',
  queued: 'Waits for the service. It is sent by itself.',
  sending: 'The dictation is being sent',
  processing: 'The report is being written',
  done: 'Ready to read',
  failed: 'It did not work. The dictation is safe.',
  cancelled: 'Stopped. The dictation is safe.',
  progress: 'Progress of {exam}',
} as const satisfies Messages;
