import type { Messages } from '../message.ts';

export const jobs = {
  none: 'Nothing in the making',
  none_hint: 'When you ask for a report, it appears here until it is ready.',
  unknown_exam: 'An exam that is not in the list any more',
  queued: 'Waits for the service. It is sent by itself.',
  sending: 'The dictation is being sent',
  processing: 'The report is being written',
  waits_engine: 'Waits at the service until something there turns speech into text. The dictation is safe.',
  waits_engine_down: 'Waits for what turns speech into text, which does not answer now. It goes on by itself.',
  waits_next: 'The next to be turned into text',
  waits_turn: {
    one: 'Waits its turn: {n} dictation is before it',
    other: 'Waits its turn: {n} dictations are before it',
  },
  waits_time: 'Is tried again at {time}',
  done: 'Ready to read',
  failed: 'It did not work. The dictation is safe.',
  cancelled: 'Stopped. The dictation is safe.',
  progress: 'Progress of {exam}',
} as const satisfies Messages;
