import type { Wordings } from '../../../../src/contract/messages/message.ts';

export const jobs = {
  none: 'Nothing in progress',
  none_hint: 'When you ask for a report, it appears here until it is ready.',
  unknown_exam: 'Exam that is no longer in the list',
  queued: 'Waiting for a connection. It is sent automatically.',
  sending: 'The dictation is being sent',
  processing: 'Generating the report',
  waits_engine: 'The server has no speech recognition yet. Your dictation is saved and waits.',
  waits_engine_down: 'Speech recognition is not responding. Your dictation is saved and continues automatically.',
  waits_next: 'Next in line',
  waits_turn: { one: 'In line: {n} dictation ahead', other: 'In line: {n} dictations ahead' },
  waits_time: 'Next attempt at {time}',
  done: 'Ready to read',
  failed: 'The report could not be generated. The dictation is saved.',
  cancelled: 'Canceled. The dictation is saved.',
  progress: 'Progress of {exam}',
} as const satisfies Wordings;
