/**
 * What an item says of its exam that no later message told already. Words and status of an order are told apart: a message that places an
 * order anew may come behind one that changed its words.
 */
import { statusAfter } from '../../../src/domain/order-status.ts';
import { areOutdated, isOpen, ordersIn, compareStatuses } from '../../../src/domain/orders.ts';
import type { Order } from '../../../src/domain/orders.ts';
import { isLater } from '../../../src/domain/message-stamp.ts';
import type { MessageStamp } from '../../../src/domain/message-stamp.ts';
import type { Documents } from '../../storage/collections.ts';
import { withNote } from '../check-item.ts';
import type { CheckedItem } from '../check-item.ts';
import { credibleOrders, ordersOf } from './told-orders.ts';

type StoredItem = Documents['items'];

/** `told`: when the message of the item was made. `now`: ISO 8601. */
export function newsOf(sent: CheckedItem, exam: StoredItem, told: MessageStamp | undefined, now: string): CheckedItem {
  const orders = ordersOf(sent);
  if (!orders || orders.length === 0 || sent.errors.length > 0) return sent;
  const dated = credibleOrders(orders, now);
  const known = ordersIn(exam.metadata) ?? [];
  const status = compareStatuses(dated, known);
  const isOld = areOutdated(dated, known);
  const progress = progressOf(sent, exam, told, isOld);
  const item = withProgress(isOld ? withoutWords(sent) : sent, progress, told);
  if (status === 'repeated') return repeated({ ...item, told: orders }, exam);
  if (status === 'news') return isOld ? withNote({ ...item, told: orders }, wordsOutdated) : item;
  const { status: _, order: _order, told: _told, ...words } = item;
  if (isOld) return { ...words, outdated: progress === undefined || progress === 'outdated' ? 'all' : 'status' };
  return status ? { ...words, told: orders.map(withoutPlacing), outdated: 'status' } : item;
}

/** Who says of a new exam how far it is tells that as of then. */
export const tellingProgress = (sent: CheckedItem, told: MessageStamp | undefined): CheckedItem =>
  told && sent.fields['exam_status'] !== undefined ? { ...sent, exam_status_told: told } : sent;

const wordsOutdated = 'A later message described the exam already; of this one the state of the order counts.';

function withProgress(
  item: CheckedItem,
  progress: ReturnType<typeof progressOf>,
  told: MessageStamp | undefined,
): CheckedItem {
  if (progress === undefined) return item;
  const { exam_status: _, ...fields } = item.fields;
  if (progress === 'outdated') return { ...item, fields };
  return { ...item, fields: { ...fields, ...progress }, exam_status_told: told! };
}

function withoutWords(sent: CheckedItem): CheckedItem {
  const { moved: _, zone: _zone, ...others } = sent;
  return { ...others, fields: {}, extra: undefined };
}

/** How far the exam is, which few messages say, is told apart from the rest, too. */
function progressOf({ fields }: CheckedItem, exam: StoredItem, told: MessageStamp | undefined, isOld: boolean) {
  const { exam_status } = fields;
  if (exam_status === undefined || !told) return undefined;
  const known = exam.exam_status_told;
  const isNews = known ? !isLater(known, told) : !isOld || !exam.exam_status;
  return isNews ? { exam_status } : 'outdated';
}

/**
 * A message that came before changes no status that somebody chose since. It brings back an exam that its sender had cancelled, for whoever
 * sent it may have ended before that.
 */
function repeated(sent: CheckedItem, exam: StoredItem): CheckedItem {
  const isPlaced = sent.told!.some(({ status }) => status === 'open');
  const { status, order: _, told, ...others } = sent;
  const about: CheckedItem = { ...others, told: told!.map(withoutPlacing) };
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
