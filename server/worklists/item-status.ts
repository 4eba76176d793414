/** Changes the status of an item: for a call, for a generation that starts, for a document that is signed. */
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
  /** The person, or the application where no person was involved; see `whoIs`. */
  readonly who: string;
  /** Who holds the exam if the move takes it; `null`: nobody. */
  readonly holder: string | null;
  readonly reason?: string | null | undefined;
  readonly source_system?: string | null;
  /** Takes the exam even if somebody else holds it. */
  readonly take_over?: boolean;
  /** Stored with the history entry, unchanged. */
  readonly metadata?: Record<string, unknown> | undefined;
}

/** Who moves an item for a call. An application marks an exam as begun, but only a person holds it. */
export const moverOf = (caller: Caller): Pick<Mover, 'who' | 'holder'> => ({
  who: whoIs(caller),
  holder: caller.user && whoIs(caller),
});

/** The caller's item. Throws NOT_FOUND for an item of another space too, so that its existence is not disclosed. */
export async function ownItem(reader: Reader, space: string, id: string): Promise<StoredItem> {
  const item = await reader.get('items', id);
  if (item?.space !== space) throw new AppError('NOT_FOUND', { message: 'There is no worklist item with this id.' });
  return item;
}

/**
 * Moves the item within the transaction, writes its history and publishes the change. Writes nothing where the item has
 * that status already. Writes history also when somebody takes the exam over from somebody else. Throws INVALID_TRANSITION: `details` =
 * `{status, assigned_to}` where somebody else holds the exam, `{status, requested, allowed}` where the status does not
 * allow the move.
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
 * Gives the item to a user by that display name, as `moveItem` moves one. Writes nothing where the user has it already. Throws
 * INVALID_TRANSITION where somebody else holds the exam, and where the exam is over.
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
  const { moved, entry } = movedItem(ids, item, to, { ...by, at: isoNow(clock) });
  putItem(tx, moved, 'status');
  tx.put('history', entry);
  return moved;
}

/** In which state an exam is, and with whom. */
type Position = Pick<StoredItem, 'status' | 'assigned_to' | 'assigned_by'>;

/** The item after the move, and the entry of its history. */
export function movedItem(
  ids: Ids,
  item: StoredItem,
  to: Position,
  { at, ...by }: Mover & { readonly at: string },
): { moved: StoredItem; entry: Documents['history'] } {
  const { id, space } = item;
  const reason = by.reason || null;
  const { assigned_by, ...rest } = item;
  const moved: StoredItem = {
    ...rest,
    // Whoever was given the exam keeps it; who takes an exam was given nothing.
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
    ...(to.assigned_by !== undefined && { assigned_to: to.assigned_to! }),
    ...(by.metadata && { metadata: by.metadata }),
  };
  return { moved, entry };
}

/** 409: the status of the item does not allow the move. */
export const refusedMove = ({ status }: Pick<StoredItem, 'status'>, to: WorklistStatus): AppError =>
  new AppError('INVALID_TRANSITION', {
    message: `An exam that is ${status} cannot become ${to}.`,
    details: { status, requested: to, allowed: movesFrom(status) },
  });
