/** Removes one exam with what belongs to it, into the trash. */
import { AppError } from '../../../src/contract/errors.ts';
import { hasEnded } from '../../../src/domain/job-state.ts';
import type { StoredDocument, Transaction } from '../../storage/store.ts';
import type { OperationDeps } from '../deps.ts';
import { moveToTrash, trashMs } from '../maintenance/trash.ts';

/** NOT_FOUND, or INVALID_TRANSITION while a job of the exam runs. */
export async function removeExam(
  tx: Transaction,
  { clock }: Pick<OperationDeps, 'clock'>,
  id: string,
): Promise<{ id: string; deleted: true; expires_at: string }> {
  const item = await tx.get('items', id);
  if (!item) throw new AppError('NOT_FOUND');
  const jobs = await tx.find('jobs', { is: { item: id } });
  const running = jobs.find(({ status }) => !hasEnded(status));
  if (running) {
    throw new AppError('INVALID_TRANSITION', {
      message: 'A job of this exam runs.',
      details: { job_id: running.id },
      hint: 'Wait for its end, or cancel it.',
    });
  }
  const documents: StoredDocument[] = [{ collection: 'items', document: item }];
  for (const document of await tx.find('history', { is: { item: id } }))
    documents.push({ collection: 'history', document });
  for (const record of await tx.find('records', { is: { item: id } })) {
    documents.push({ collection: 'records', document: record });
    for (const document of await tx.find('versions', { is: { record: record.id } }))
      documents.push({ collection: 'versions', document });
  }
  for (const document of jobs) documents.push({ collection: 'jobs', document });
  moveToTrash(tx, clock, 'exam', documents);
  return { id, deleted: true, expires_at: new Date(clock.now() + trashMs).toISOString() };
}
