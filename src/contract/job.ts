/** Jobs: asynchronous generation of medical records (specification 3.1, 4.4). */
import { endpoint, group } from './endpoint.ts';
import {
  anyOf,
  array,
  integer,
  meanings,
  named,
  nullable,
  number,
  object,
  oneOf,
  string,
  timestamp,
} from './schema.ts';
import type { TypeOf } from './schema.ts';
import { MedicalRecord } from './document.ts';
import { ItemId, JobId, page, paging, periodQuery, RecordId } from './shared.ts';

export const jobStatuses = ['queued', 'in_progress', 'completed', 'failed', 'cancelled'] as const;
export const JobStatus = oneOf(jobStatuses, {
  description: meanings('State of the job.', {
    queued: 'the job waits, for what `waiting_for` says',
    in_progress: 'the service is processing it',
    completed:
      'it finished, and its record exists; the record’s findings of kind `unchecked` say what is still heard again',
    failed: 'it finished with an error',
    cancelled: 'somebody cancelled it; it will never produce a record',
  }),
});
export type JobStatus = TypeOf<typeof JobStatus>;

export const jobTypes = ['medical_record.generate'] as const;
const JobType = oneOf(jobTypes, { description: 'Kind of work. `medical_record.generate`: a record is generated.' });

const JobError = nullable(
  object(
    {
      code: string({ description: 'One of the error codes of the API.', examples: ['ENGINE_UNAVAILABLE'] }),
      message: string({
        description: 'What went wrong, for people, without patient data.',
        examples: ['The transcription engine is not available.'],
      }),
    },
    {},
    { description: 'Why the job failed. `null` where it did not fail.' },
  ),
);

export const waitReasons = ['engine', 'turn', 'time'] as const;
export const WaitingFor = object(
  {
    reason: oneOf(waitReasons, {
      description: meanings('What the job waits for.', {
        engine: 'no speech recogniser serves now; the service keeps the audio, and the job goes on once one does',
        turn: 'other jobs are before it',
        time: 'the service begins it again at `until`, after a failure that may pass',
      }),
    }),
  },
  {
    position: integer({
      minimum: 1,
      description: 'Place of the job among those that wait with it; 1: it is the next. Clients take turns.',
      examples: [3],
    }),
    until: timestamp(
      'When the service tries again. Absent with the reason `engine`: the service has no recogniser, until it is started with one.',
    ),
  },
  { description: 'What a queued job waits for (extension). Absent for any other job.' },
);
export type WaitingFor = TypeOf<typeof WaitingFor>;

export const Job = named(
  'Job',
  object(
    {
      id: JobId,
      type: JobType,
      status: JobStatus,
      progress: number({ minimum: 0, maximum: 1, description: 'How far the job is, from 0 to 1.', examples: [0.6] }),
      attempts: integer({
        minimum: 0,
        description:
          'How often the service began the job. It begins a job again after a restart, 3 times at most; an attempt for which no speech recogniser served does not count.',
      }),
      record_id: nullable({ ...RecordId, description: 'Id of the medical record that the job produced.' }),
      worklist_item_id: nullable({ ...ItemId, description: 'Id of the worklist item that the record is for.' }),
      error: JobError,
      created_at: timestamp('When the job was requested.'),
      started_at: nullable(timestamp('When the service last began the job.')),
      finished_at: nullable(timestamp('When the job ended, in whatever way.')),
      updated_at: timestamp('When the job last changed.'),
    },
    { waiting_for: WaitingFor },
  ),
  'An asynchronous generation of a medical record.',
);
export type Job = TypeOf<typeof Job>;

export const JobLogEntry = named(
  'JobLogEntry',
  object({
    at: timestamp('When it happened.'),
    level: oneOf(['info', 'warn', 'error'], {
      description: meanings('Severity.', {
        info: 'the job went on',
        warn: 'something went wrong and will be tried again',
        error: 'the job failed',
      }),
    }),
    message: string({ description: 'What happened, without patient data.', examples: ['Queued.'] }),
  }),
  'One step in the life of a job.',
);
export type JobLogEntry = TypeOf<typeof JobLogEntry>;

export const JobFailure = named(
  'JobFailure',
  object({
    job_id: JobId,
    status: oneOf(['failed', 'cancelled'], { description: 'How the job ended: it `failed`, or was `cancelled`.' }),
    error: JobError,
  }),
  'The result of a job that produced no record.',
);
export type JobFailure = TypeOf<typeof JobFailure>;

const byId = { params: object({ id: JobId }) };

export const jobs = group({
  title: 'Jobs',
  description: 'A job generates a medical record asynchronously: `mode: async` of a generation creates it.',
  endpoints: {
    list: endpoint({
      method: 'GET',
      path: '/api/v1/jobs',
      summary: 'List jobs',
      description: 'The jobs of the caller’s space, newest first.',
      access: 'bearer',
      scope: 'jobs:read',
      query: object({}, { ...paging, ...periodQuery('`created_at`'), status: JobStatus, type: JobType }),
      answer: 'envelope',
      responses: { 200: page('JobPage', Job, 'jobs') },
    }),
    get: endpoint({
      method: 'GET',
      path: '/api/v1/jobs/{id}',
      summary: 'Get one job',
      description: 'Call it repeatedly to follow a job, or register a webhook and be notified when the job ends.',
      access: 'bearer',
      scope: 'jobs:read',
      ...byId,
      answer: 'envelope',
      responses: { 200: Job },
      errors: ['NOT_FOUND'],
    }),
    logs: endpoint({
      method: 'GET',
      path: '/api/v1/jobs/{id}/logs',
      summary: 'Get the log of a job',
      description: 'What the service did for the job, oldest entry first.',
      access: 'bearer',
      scope: 'jobs:read',
      ...byId,
      answer: 'envelope',
      responses: {
        200: named(
          'JobLog',
          object({ items: array(JobLogEntry, { description: 'The entries, oldest first.' }) }),
          'The log of a job.',
        ),
      },
      errors: ['NOT_FOUND'],
    }),
    result: endpoint({
      method: 'GET',
      path: '/api/v1/jobs/{id}/result',
      summary: 'Get the result of a job',
      description:
        'The medical record of a completed job, or the error of a failed or cancelled one. 409 JOB_NOT_FINISHED before that; 410 JOB_RESULT_GONE once somebody deleted the record.',
      access: 'bearer',
      scope: 'jobs:read',
      ...byId,
      answer: 'envelope',
      responses: {
        200: anyOf([MedicalRecord, JobFailure], { description: 'The medical record, or why there is none.' }),
      },
      headers: { 200: ['ETag?'] },
      errors: ['NOT_FOUND', 'JOB_NOT_FINISHED', 'JOB_RESULT_GONE'],
    }),
    cancel: endpoint({
      method: 'DELETE',
      path: '/api/v1/jobs/{id}',
      summary: 'Cancel a job',
      description:
        'Ends a queued or running job; it will never produce a record. 409 JOB_NOT_CANCELLABLE where the job has ended.',
      access: 'bearer',
      scope: 'jobs:write',
      ...byId,
      answer: 'envelope',
      responses: { 200: Job },
      errors: ['NOT_FOUND', 'JOB_NOT_CANCELLABLE'],
    }),
  },
});
