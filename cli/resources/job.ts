/** How jobs are shown. */
import type { Job, JobLogEntry, JobStatus } from '../../src/contract/job.ts';
import { localTime } from '../time.ts';
import { detailView } from '../view.ts';
import type { Column, Tone, View } from '../view.ts';

const tones: Readonly<Record<JobStatus, Tone>> = {
  queued: 'plain',
  in_progress: 'busy',
  completed: 'good',
  failed: 'bad',
  cancelled: 'faint',
};

const percent = (job: Job): string => `${Math.round(job.progress * 100)} %`;
export const jobStatusWords = (job: Pick<Job, 'status'>): string => job.status.replace('_', ' ');

export const jobColumns: readonly Column<Job>[] = [
  { title: 'ID', value: (job) => job.id, tone: () => 'faint' },
  { title: 'Asked for', value: (job) => localTime(job.created_at) },
  { title: 'Status', value: jobStatusWords, tone: (job) => tones[job.status] },
  { title: 'Done', value: percent, align: 'right' },
  { title: 'Attempts', value: (job) => job.attempts, align: 'right', spare: 3 },
  { title: 'Record', value: (job) => job.record_id, spare: 1 },
  { title: 'Exam', value: (job) => job.worklist_item_id, spare: 2 },
  { title: 'Error', value: (job) => job.error?.message, tone: () => 'bad', cut: true },
];

export const jobDetail = (job: Job): View =>
  detailView({
    data: job,
    fields: [
      ['Id', job.id],
      ['Status', jobStatusWords(job), tones[job.status]],
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
