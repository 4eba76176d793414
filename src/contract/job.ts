/** Jobs: asynchronous generation of medical records (specification 3.1, 4.4). */
import { endpoint, group } from './endpoint.ts';
import { anyOf, array, integer, named, nullable, number, object, oneOf, string, timestamp } from './schema.ts';
import type { TypeOf } from './schema.ts';
import { MedicalRecord } from './document.ts';
import { Id, page, paging, period } from './shared.ts';

export const jobStatuses = ['queued', 'in_progress', 'completed', 'failed', 'cancelled'] as const;
export const JobStatus = oneOf(jobStatuses);
export type JobStatus = TypeOf<typeof JobStatus>;

export const jobTypes = ['medical_record.generate'] as const;

export const Job = named(
  'Job',
  object({
    id: Id,
    type: oneOf(jobTypes),
    status: JobStatus,
    progress: number({ minimum: 0, maximum: 1 }),
    attempts: integer({ minimum: 0, description: 'Times it was begun; at most 3.' }),
    record_id: nullable(string({ description: 'What it produced.' })),
    worklist_item_id: nullable(string()),
    error: nullable(object({ code: string(), message: string() })),
    created_at: timestamp('When it was asked for.'),
    started_at: nullable(timestamp('When it was last begun.')),
    finished_at: nullable(timestamp('When it ended.')),
    updated_at: timestamp('When it last changed.'),
  }),
);
export type Job = TypeOf<typeof Job>;

export const JobLogEntry = named(
  'JobLogEntry',
  object({
    at: timestamp('When.'),
    level: oneOf(['info', 'warn', 'error']),
    message: string({ description: 'Free of patient data.' }),
  }),
);
export type JobLogEntry = TypeOf<typeof JobLogEntry>;

export const JobFailure = named(
  'JobFailure',
  object({
    job_id: Id,
    status: oneOf(['failed', 'cancelled']),
    error: nullable(object({ code: string(), message: string() })),
  }),
);
export type JobFailure = TypeOf<typeof JobFailure>;

const byId = { params: object({ id: Id }) };

export const jobs = group({
  title: 'Jobs',
  description: 'Asynchronous work: list, inspect, read, cancel.',
  endpoints: {
    list: endpoint({
      method: 'GET',
      path: '/api/v1/jobs',
      summary: 'List jobs',
      access: 'bearer',
      scope: 'jobs:read',
      query: object({}, { ...paging, ...period, status: JobStatus, type: oneOf(jobTypes) }),
      answer: 'envelope',
      responses: { 200: page('JobPage', Job) },
    }),
    get: endpoint({
      method: 'GET',
      path: '/api/v1/jobs/{id}',
      summary: 'Get one job',
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
      summary: 'What happened in a job',
      access: 'bearer',
      scope: 'jobs:read',
      ...byId,
      answer: 'envelope',
      responses: { 200: named('JobLog', object({ items: array(JobLogEntry) })) },
      errors: ['NOT_FOUND'],
    }),
    result: endpoint({
      method: 'GET',
      path: '/api/v1/jobs/{id}/result',
      summary: 'What a job produced',
      description: 'The record of a completed job; of a failed or cancelled one its `error`.',
      access: 'bearer',
      scope: 'jobs:read',
      ...byId,
      answer: 'envelope',
      responses: {
        200: anyOf([MedicalRecord, JobFailure]),
      },
      errors: ['NOT_FOUND', 'JOB_NOT_FINISHED', 'JOB_RESULT_GONE'],
    }),
    cancel: endpoint({
      method: 'DELETE',
      path: '/api/v1/jobs/{id}',
      summary: 'Cancel a job',
      access: 'bearer',
      scope: 'jobs:write',
      ...byId,
      answer: 'envelope',
      responses: { 200: Job },
      errors: ['NOT_FOUND', 'JOB_NOT_CANCELLABLE'],
    }),
  },
});
