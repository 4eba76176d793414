/** Cancels exams that their system no longer lists. */
import { serviceActor } from '../../../storage/actor.ts';
import { scanPieces } from '../../../storage/scan.ts';
import { moveItem } from '../../../worklists/item-status.ts';
import type { ChannelConfig, MissingExams } from '../channel.ts';
import type { ApplierDeps } from './apply-message.ts';

const actor = () => serviceActor('channels.withdraw');

/** Spares exams that somebody has taken. A new order reinstates the exam. */
export async function cancelMissing(
  { store, clock, ids }: ApplierDeps,
  { space, name }: Pick<ChannelConfig, 'space' | 'name'>,
  { during, isNamed }: MissingExams,
): Promise<void> {
  const { orderReasons } = await import('../../../../src/sending/order-changes.ts');
  const mover = { who: name, holder: null, reason: orderReasons.cancelled, source_system: name };
  const conditions = { is: { space, source_system: name, status: 'new' }, during: { exam: during } };
  for await (const exams of scanPieces(store, 'items', conditions)) {
    const missing = exams.filter((exam) => !isNamed(exam));
    if (missing.length > 0) {
      await store.transact(async (tx) => {
        for (const { id } of missing) {
          const exam = await tx.get('items', id);
          if (exam?.status === 'new') await moveItem(tx, { clock, ids }, exam, 'cancelled', mover);
        }
      }, actor);
    }
  }
}
