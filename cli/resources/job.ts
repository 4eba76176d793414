/** Formats jobs. */
import type { Job, JobLogEntry, JobStatus } from '../../src/contract/job.ts';
import { counted } from '../../src/domain/counted.ts';
import { localTime } from '../shell/time.ts';
import { detailView } from '../shell/view.ts';
import type { Column, Tone, View } from '../shell/view.ts';

const tones: Readonly<Record<JobStatus, Tone>> = {
  queued: 'plain',
  in_progress: 'busy',
  completed: 'good',
  failed: 'bad',
  cancelled: 'faint',
};

const percent = (job: Job): string => `${Math.round(job.progress * 100)} %`;
export const jobStatusWords = (job: Pick<Job, 'status'>): string => job.status.replace('_', ' ');

/** Why the job waits, to follow "The job"; `undefined` if it does not wait. */
export function waitWords({ waiting_for: waiting }: Pick<Job, 'waiting_for'>): string | undefined {
  if (!waiting) return undefined;
  const { reason, position, until } = waiting;
  switch (reason) {
    case 'engine':
      return until === undefined
        ? 'waits because the server has no speech recogniser'
        : `waits because the speech recogniser is unavailable; next attempt at ${localTime(until)}`;
    case 'time':
      return `waits for its next attempt${until === undefined ? '' : `, at ${localTime(until)}`}`;
    case 'turn':
      return position === undefined || position === 1
        ? 'is the next'
        : `waits behind ${counted(position - 1, 'other job')}`;
  }
}

/** The next step for a job that waits. */
export const waitHint = ({ id, waiting_for: waiting }: Pick<Job, 'id' | 'waiting_for'>): string =>
  waiting?.reason === 'engine' && waiting.until === undefined
    ? `Its audio is kept, and the job continues once the server is started with a recogniser (laudio serve --recogniser). To type the report instead: laudio job cancel ${id}, and send the words as text.`
    : `The job continues; wait again with "laudio job wait ${id}".`;

export const jobColumns: readonly Column<Job>[] = [
  { title: 'ID', value: (job) => job.id, tone: () => 'faint' },
  { title: 'Asked for', value: (job) => localTime(job.created_at) },
  { title: 'Status', value: jobStatusWords, tone: (job) => tones[job.status] },
  { title: 'Done', value: percent, align: 'right' },
  { title: 'Attempts', value: (job) => job.attempts, align: 'right', spare: 3 },
  { title: 'Record', value: (job) => job.record_id, spare: 1 },
  { title: 'Exam', value: (job) => job.worklist_item_id, spare: 2 },
  { title: 'Error', value: (job) => job.error?.message, tone: () => 'bad', cut: true },
  { title: 'Waiting', value: waitWords, tone: () => 'warn', cut: true },
];

export const jobDetail = (job: Job): View =>
  detailView({
    data: job,
    fields: [
      ['Id', job.id],
      ['Status', jobStatusWords(job), tones[job.status]],
      ['Waiting', waitWords(job), 'warn'],
      ['Done', percent(job)],
      ['Attempts', job.attempts],
      ['Record', job.record_id],
      ['Exam', job.worklist_item_id],
      ['Error', job.error && `${job.error.message} (${job.error.code})`, 'bad'],
      ['Asked for', localTime(job.created_at)],
      ['Begun', job.started_at && localTime(job.started_at)],
      ['Ended', job.finished_at && localTime(job.finished_at)],
    ],
  });

export const logColumns: readonly Column<JobLogEntry>[] = [
  { title: 'When', value: (entry) => localTime(entry.at), tone: () => 'faint' },
  {
    title: 'Level',
    value: (entry) => entry.level,
    tone: (entry) => (entry.level === 'error' ? 'bad' : entry.level === 'warn' ? 'warn' : 'plain'),
  },
  { title: 'Message', value: (entry) => entry.message },
];
