/** The calls for jobs (specification 4.4). */
import type { Handlers } from '../../src/contract/endpoint.ts';
import { AppError } from '../../src/contract/errors.ts';
import type { jobs } from '../../src/contract/job.ts';
import type { Call } from '../http/call.ts';
import { cancelJob } from '../records/jobs/cancel.ts';
import type { CancelDeps } from '../records/jobs/cancel.ts';
import { createLog } from '../records/jobs/run-job.ts';
import { readJob, toJob, withWait } from '../records/jobs/stored-job.ts';
import type { StoredJob } from '../records/jobs/stored-job.ts';
import { readPage } from '../http/paging.ts';
import { periodIn } from '../http/period.ts';
import { readRecord, toRecord } from '../records/stored-record.ts';
import type { RecordDeps } from '../records/deps.ts';
import { etagOf } from '../http/versions.ts';

export function jobRoutes(services: CancelDeps & Pick<RecordDeps, 'store' | 'jobs'>): Handlers<typeof jobs, Call> {
  const { store, jobs: runner } = services;
  return {
    async list({ query }, { caller: { space } }) {
      const { status, type } = query;
      const conditions = { is: { space, status, type }, during: { created: periodIn(query) } };
      const found: StoredJob[] = [];
      const { items, next_cursor } = await readPage(store, 'jobs', space, conditions, query, (job) => {
        found.push(job);
        return toJob(job);
      });
      const waitingFor = runner.waitingFor(found);
      return { status: 200, data: { items: items.map((job) => withWait(job, waitingFor.get(job.id))), next_cursor } };
    },

    async get({ params }, { caller }) {
      const job = await readJob(store, caller.space, params.id);
      return { status: 200, data: withWait(toJob(job), runner.waitingFor([job]).get(job.id)) };
    },

    async logs({ params }, { caller }) {
      const job = await readJob(store, caller.space, params.id);
      return { status: 200, data: { items: createLog(job, runner.unheardSince(job)) } };
    },

    async result({ params }, { caller }) {
      const job = await readJob(store, caller.space, params.id);
      switch (job.status) {
        case 'queued':
        case 'in_progress':
          throw new AppError('JOB_NOT_FINISHED', {
            details: { status: job.status, progress: job.progress },
            retryAfter: 1,
          });
        case 'failed':
        case 'cancelled':
          return { status: 200, data: { job_id: job.id, status: job.status, error: job.error } };
        case 'completed': {
          const record = await readRecord(store, caller.space, job.record_id ?? '').catch((error: unknown) => {
            throw error instanceof AppError && error.code === 'NOT_FOUND' ? new AppError('JOB_RESULT_GONE') : error;
          });
          return { status: 200, data: toRecord(record), headers: { ETag: etagOf(record) } };
        }
      }
    },

    cancel: ({ params }, call) => cancelJob(services, params.id, call),
  };
}
