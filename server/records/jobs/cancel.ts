/** Cancels a job: it ends without a record, whatever its progress. */
import type { Job } from '../../../src/contract/job.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { mayBecome } from '../../../src/domain/job-state.ts';
import type { Call } from '../../http/call.ts';
import type { RecordDeps } from '../deps.ts';
import { removeBlob } from '../uploads/remove-blob.ts';
import { announceEnd } from './announce-end.ts';
import { advance, readJob, toJob } from './stored-job.ts';

export type CancelDeps = Pick<RecordDeps, 'clock' | 'announcer' | 'blobs' | 'log'>;

/** Cancels the job and deletes its audio. 404 if the space has no such job; 409 JOB_NOT_CANCELLABLE if it has ended. */
export async function cancelJob(services: CancelDeps, id: string, call: Call): Promise<{ status: 200; data: Job }> {
  const { blob, ...answer } = await call.commit(async (tx) => {
    const job = await readJob(tx, call.caller.space, id);
    if (!mayBecome(job.status, 'cancelled')) {
      throw new AppError('JOB_NOT_CANCELLABLE', { details: { status: job.status } });
    }
    const cancelled = advance(
      job,
      'cancelled',
      services.clock,
      { level: 'info', message: 'Cancelled.' },
      { audio: null },
    );
    tx.put('jobs', cancelled);
    await announceEnd(tx, services.announcer, cancelled);
    return { status: 200 as const, data: toJob(cancelled), blob: job.audio?.blob };
  });
  if (blob !== undefined) await removeBlob(services, blob);
  return answer;
}
