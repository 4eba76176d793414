/** Applies the status of an ingested item to its exam, by the rules of PATCH and of orders. */
import type { FieldError } from '../../../src/contract/errors.ts';
import type { WorklistStatus } from '../../../src/contract/worklist.ts';
import { orderReasons, statusAfter } from '../../../src/domain/order-status.ts';
import { decideMove, movesFrom } from '../../../src/domain/worklist-state.ts';
import type { Ids } from '../../storage/ids.ts';
import type { Documents } from '../../storage/collections.ts';
import type { CheckedItem } from '../check-item.ts';
import { createMove } from '../item-status.ts';
import type { MoveEntry } from '../item-status.ts';
import type { Arrival } from './merge.ts';
import type { Warning } from '../patients/check-patient.ts';

type StoredItem = Documents['items'];

export type StatusVerdict =
  | { readonly outcome: 'moved'; readonly item: StoredItem; readonly entry: MoveEntry }
  | { readonly outcome: 'kept'; readonly warning?: Warning }
  | { readonly outcome: 'refused'; readonly problem: FieldError };

/** The requested status; `order`: it comes from an order. */
interface RequestedStatus {
  readonly wanted: WorklistStatus;
  readonly order: CheckedItem['order'];
}

const kept: StatusVerdict = { outcome: 'kept' };

/** `item` already has the fields that came with the status. */
export function applyStatus(
  ids: Ids,
  item: StoredItem,
  { wanted, order }: RequestedStatus,
  arrival: Arrival,
): StatusVerdict {
  const to = findTarget(item, wanted, order);
  // Messages repeat the status of each order.
  if (to === undefined) return item.status === wanted || order ? kept : keptWith(item, wanted);
  const move = decideMove(item, to, { who: null, takeOver: false });
  if (move.outcome === 'same') return kept;
  if (move.outcome !== 'moved') return createRefusal('INVALID_TRANSITION', refusedMove(item, to));
  if (!arrival.mayManage) {
    return createRefusal('INSUFFICIENT_SCOPE', 'a change of status needs the scope worklists:manage; leave status out');
  }
  const reason = to === 'cancelled' || to === 'new' ? orderReasons[to] : null;
  const by = { ...arrival, holder: null, reason };
  const { moved, entry } = createMove(ids, item, { status: to, assigned_to: move.assigned_to }, by);
  return { outcome: 'moved', item: moved, entry };
}

/** An order in force takes no exam away from anybody; it only reinstates a cancelled one. */
function findTarget(
  item: StoredItem,
  wanted: WorklistStatus,
  order: RequestedStatus['order'] = 'placed',
): WorklistStatus | undefined {
  if (wanted === 'new') return statusAfter({ status: undefined, order }, item);
  return wanted === 'cancelled' ? statusAfter({ status: 'cancelled', order: undefined }, item) : wanted;
}

const keptWith = ({ status }: StoredItem, wanted: WorklistStatus): StatusVerdict => ({
  outcome: 'kept',
  warning: {
    code: 'STATUS_KEPT',
    message: wanted === 'cancelled' ? 'Another order of the exam is in force.' : `The exam is ${status}, and stays so.`,
  },
});

const createRefusal = (code: FieldError['code'], message: string): StatusVerdict => ({
  outcome: 'refused',
  problem: { field: 'status', message, code },
});

const refusedMove = ({ status }: StoredItem, to: WorklistStatus): string =>
  `an exam that is ${status} cannot become ${to}; it may become ${movesFrom(status).join(' or ')}`;
