/** Changes the status of an item: for a call, a new generation, or a signature. */
import { AppError } from '../../src/contract/errors.ts';
import type { WorklistStatus } from '../../src/contract/worklist.ts';
import { isoNow } from '../../src/domain/clock.ts';
import { decideAssignment, decideMove, movesFrom } from '../../src/domain/worklist-state.ts';
import type { Caller } from '../http/call.ts';
import { whoIs } from '../http/caller.ts';
import type { Ids } from '../storage/ids.ts';
import type { WorklistDeps } from './deps.ts';
import type { Documents } from '../storage/collections.ts';
import type { Reader, Transaction } from '../storage/store.ts';
import { putItem } from './put-item.ts';

type StoredItem = Documents['items'];

export interface Mover {
  /** The person, or the application if no person was involved; see `whoIs`. */
  readonly who: string;
  /** The new holder if the move takes the exam; `null` for nobody. */
  readonly holder: string | null;
  readonly reason?: string | null | undefined;
  readonly source_system?: string | null;
  /** Takes the exam even if somebody else holds it. */
  readonly take_over?: boolean;
  /** Stored unchanged with the history entry. */
  readonly metadata?: Record<string, unknown> | undefined;
}

/** The mover for a caller. Applications may start an exam, but only people hold it. */
export const toMover = (caller: Caller): Pick<Mover, 'who' | 'holder'> => ({
  who: whoIs(caller),
  holder: caller.user && whoIs(caller),
});

/** Reads the caller's item. NOT_FOUND for an item of another space too, so that its existence is not revealed. */
export async function readOwnItem(reader: Reader, space: string, id: string): Promise<StoredItem> {
  const item = await reader.get('items', id);
  if (item?.space !== space) throw new AppError('NOT_FOUND', { message: 'There is no worklist item with this id.' });
  return item;
}

/**
 * Moves the item, stores its history and publishes the change. Does nothing if the item has that status and holder.
 * Throws INVALID_TRANSITION with `details` `{status, assigned_to}` if somebody else holds the exam, and `{status,
 * requested, allowed}` if the status doesn't allow the move.
 */
export async function moveItem(
  tx: Transaction,
  services: Pick<WorklistDeps, 'clock' | 'ids'>,
  item: StoredItem,
  to: WorklistStatus,
  by: Mover,
): Promise<StoredItem> {
  const move = decideMove(item, to, { who: by.holder, takeOver: by.take_over ?? false });
  if (move.outcome === 'same') return item;
  if (move.outcome === 'held') throw heldByOther(item, 'Send metadata.take_over: true to take it over.');
  if (move.outcome === 'refused') throw refusedMove(item, to);
  return putMoved(tx, services, item, { status: to, assigned_to: move.assigned_to }, by);
}

/**
 * Assigns the item to the user with that display name, like `moveItem`. Does nothing if the user has it. Throws
 * INVALID_TRANSITION if somebody else holds the exam or it is over.
 */
export async function assignItem(
  tx: Transaction,
  services: Pick<WorklistDeps, 'clock' | 'ids'>,
  item: StoredItem,
  to: string,
  by: Mover,
): Promise<StoredItem> {
  const move = decideAssignment(item, to, { who: by.holder, takeOver: by.take_over ?? false });
  if (move.outcome === 'same') return item;
  if (move.outcome === 'held') throw heldByOther(item, 'Send take_over: true to give it away nevertheless.');
  if (move.outcome === 'refused') {
    throw new AppError('INVALID_TRANSITION', {
      message: `An exam that is ${item.status} cannot be given to anybody.`,
      details: { status: item.status, allowed: movesFrom(item.status) },
    });
  }
  return putMoved(tx, services, item, { status: 'in_progress', assigned_to: to, assigned_by: by.who }, by);
}

const heldByOther = ({ status, assigned_to }: StoredItem, hint: string): AppError =>
  new AppError('INVALID_TRANSITION', {
    message: 'Somebody else has taken this exam.',
    details: { status, assigned_to },
    hint,
  });

function putMoved(
  tx: Transaction,
  { clock, ids }: Pick<WorklistDeps, 'clock' | 'ids'>,
  item: StoredItem,
  to: Position,
  by: Mover,
): StoredItem {
  const { moved, entry } = createMove(ids, item, to, { ...by, at: isoNow(clock) });
  putItem(tx, moved, 'status');
  tx.put('history', entry);
  return moved;
}

/** Status and holder of an exam. */
type Position = Pick<StoredItem, 'status' | 'assigned_to' | 'assigned_by'>;

/** The history entry of a move, which has a status before it. */
export type MoveEntry = Documents['history'] & { readonly from: WorklistStatus };

/** The moved item and its history entry. */
export function createMove(
  ids: Ids,
  item: StoredItem,
  to: Position,
  { at, ...by }: Mover & { readonly at: string },
): { moved: StoredItem; entry: MoveEntry } {
  const { id, space } = item;
  const reason = by.reason || null;
  const { assigned_by, ...rest } = item;
  const moved: StoredItem = {
    ...rest,
    // `assigned_by` stays while the holder stays; taking an exam clears it.
    ...(assigned_by !== undefined && to.assigned_to === item.assigned_to && { assigned_by }),
    ...to,
    reason,
    updated_at: at,
    version: item.version + 1,
  };
  const entry = {
    id: ids('his'),
    item_id: id,
    space,
    at,
    who: by.who,
    from: item.status,
    to: to.status,
    reason,
    source_system: by.source_system ?? null,
    ...(to.assigned_by !== undefined && to.assigned_to !== null && { assigned_to: to.assigned_to }),
    ...(by.metadata && { metadata: by.metadata }),
  };
  return { moved, entry };
}

/** 409: the status doesn't allow the move. */
export const refusedMove = ({ status }: Pick<StoredItem, 'status'>, to: WorklistStatus): AppError =>
  new AppError('INVALID_TRANSITION', {
    message: `An exam that is ${status} cannot become ${to}.`,
    details: { status, requested: to, allowed: movesFrom(status) },
  });
