/**
 * Drops outdated parts of an item. Description and status of an order have separate stamps, because the message that
 * places an order may arrive after one that changed its description.
 */
import { statusAfter } from '../../../src/domain/order-status.ts';
import { areOutdated, isOpen, ordersIn, compareStatuses } from '../../../src/domain/orders.ts';
import type { Order } from '../../../src/domain/orders.ts';
import { isLater } from '../../../src/domain/message-stamp.ts';
import type { MessageStamp } from '../../../src/domain/message-stamp.ts';
import type { Documents } from '../../storage/collections.ts';
import { withNote } from '../check-item.ts';
import type { CheckedItem } from '../check-item.ts';
import { credibleOrders, ordersOf } from './message-orders.ts';

type StoredItem = Documents['items'];

/** `stamp`: the stamp of the item's message. `now`: ISO 8601. */
export function ignoreOutdated(
  sent: CheckedItem,
  exam: StoredItem,
  stamp: MessageStamp | undefined,
  now: string,
): CheckedItem {
  const orders = ordersOf(sent);
  if (!orders || orders.length === 0 || sent.errors.length > 0) return sent;
  const dated = credibleOrders(orders, now);
  const known = ordersIn(exam.metadata) ?? [];
  const status = compareStatuses(dated, known);
  const isOld = areOutdated(dated, known);
  const progress = compareProgress(sent, exam, stamp, isOld);
  const item = withProgress(isOld ? withoutWords(sent) : sent, progress);
  if (status === 'repeated') return limitRepeated(item, orders, exam);
  if (status === 'news') return isOld ? withNote({ ...item, orders }, wordsOutdated) : item;
  const { status: _, order: _order, orders: _orders, ...words } = item;
  if (isOld) return { ...words, outdated: progress === undefined || progress === 'outdated' ? 'all' : 'status' };
  return status ? { ...words, orders: orders.map(withoutPlacing), outdated: 'status' } : item;
}

/** Stamps the progress of a new exam. */
export const withProgressStamp = (sent: CheckedItem, stamp: MessageStamp | undefined): CheckedItem =>
  stamp && sent.fields['exam_status'] !== undefined ? { ...sent, exam_status_told: stamp } : sent;

const wordsOutdated =
  'A later message about the exam arrived before; of this one only the state of the order was used.';

function withProgress(item: CheckedItem, progress: ReturnType<typeof compareProgress>): CheckedItem {
  if (progress === undefined) return item;
  const { exam_status: _, ...fields } = item.fields;
  if (progress === 'outdated') return { ...item, fields };
  const { exam_status, stamp } = progress;
  return { ...item, fields: { ...fields, exam_status }, exam_status_told: stamp };
}

function withoutWords(sent: CheckedItem): CheckedItem {
  const { moved: _, zone: _zone, ...others } = sent;
  return { ...others, fields: {}, extra: undefined };
}

/** The progress of the exam, which few messages contain, has its own stamp. */
function compareProgress({ fields }: CheckedItem, exam: StoredItem, stamp: MessageStamp | undefined, isOld: boolean) {
  const { exam_status } = fields;
  if (exam_status === undefined || !stamp) return undefined;
  const known = exam.exam_status_told;
  const isNews = known ? !isLater(known, stamp) : !isOld || !exam.exam_status;
  return isNews ? { exam_status, stamp } : 'outdated';
}

/**
 * A repeated message doesn't revert a status that a person chose since. It reinstates an exam that its sender had
 * cancelled, because an earlier attempt may have failed halfway.
 */
function limitRepeated(sent: CheckedItem, orders: readonly Order[], exam: StoredItem): CheckedItem {
  const isPlaced = orders.some((order) => order.status === 'open');
  const { status, order: _, ...others } = sent;
  const about: CheckedItem = { ...others, orders: orders.map(withoutPlacing) };
  const asked = statusAfter({ status: isPlaced ? undefined : 'cancelled', order: 'placed' }, exam);
  const isOther = asked !== undefined && asked !== exam.status;
  if (!isOther) return about;
  return { ...about, ...(isPlaced && status !== undefined && { status, order: 'standing' }), outdated: 'repeated' };
}

const withoutPlacing = (order: Order): Order => {
  if (!isOpen(order)) return order;
  const { status: _, ...others } = order;
  return others;
};
