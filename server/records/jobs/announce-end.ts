/** Announces the end of a job to webhooks, with ids and states only. */
import type { EventType } from '../../../src/contract/events.ts';
import { announcedVersion } from '../../../src/domain/announced-version.ts';
import { findExam } from '../exam.ts';
import type { EventAnnouncer } from '../deps.ts';
import type { Transaction } from '../../storage/store.ts';
import type { StoredJob } from './stored-job.ts';

const eventOf = {
  completed: 'medical_record.job.completed',
  failed: 'medical_record.job.failed',
  cancelled: 'medical_record.job.cancelled',
} as const satisfies Record<string, EventType>;

/** Adds the announcement to the transaction that ends the job. */
export async function announceEnd(tx: Transaction, announcer: EventAnnouncer, job: StoredJob): Promise<void> {
  const type = Object.hasOwn(eventOf, job.status) ? eventOf[job.status as keyof typeof eventOf] : undefined;
  if (!type) return;
  const item = await findExam(tx, job.space, job.worklist_item_id);
  const record = job.record_id === null ? undefined : await tx.get('records', job.record_id);
  await announcer.announce(tx, {
    space: job.space,
    type,
    data: {
      job_id: job.id,
      record_id: job.record_id,
      worklist_item_id: job.worklist_item_id,
      accession_number: item?.accession_number ?? null,
      status: job.status,
      ...(record && announcedVersion(record, 'generated')),
      // The error's message stays with the job; the code reveals only the kind of failure.
      ...(job.error && { error_code: job.error.code }),
    },
  });
}
