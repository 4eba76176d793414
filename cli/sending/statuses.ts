/** Status wishes of a file, such as cancelled orders: ingest knows no status, so each is a call of its own. */
import type { Client } from '../../src/client/client.ts';
import { itemsOf } from '../../src/client/pages.ts';
import { AppError } from '../../src/contract/errors.ts';
import type { WorklistItem } from '../../src/contract/worklist.ts';
import { isWorthALook, lastWishes, orderReasons, wishedStatus } from '../../src/worklist-files/sending.ts';
import type { Item } from './entries.ts';
import type { Done, Success } from './outcomes.ts';
import { isTaken } from './outcomes.ts';
import type { Patience } from './patience.ts';

export interface StatusOutcome {
  /** Of the item, among all of the files. */
  readonly index: number;
  /** `kept`: another order of the exam stands. */
  readonly outcome: 'applied' | 'unchanged' | 'kept' | 'refused';
  readonly message: string | null;
  /** A cancelled exam that was ordered anew; otherwise an exam that was cancelled. */
  readonly reinstates?: true;
}

export interface StatusDeps {
  readonly worklists: Pick<Client['worklists'], 'get' | 'list' | 'setStatus'>;
  readonly patience: Patience;
  readonly signal: AbortSignal;
  /** Sent as `X-Source-System`, so that the history says from where it came. */
  readonly headers: Readonly<Record<string, string>>;
}

interface Wishing {
  readonly entry: Item;
  readonly outcome: Success;
}

/** Applies the wishes of a batch that was taken, the last one for each exam, in the order of the file. */
export async function applyStatuses(deps: StatusDeps, done: readonly Done[]): Promise<StatusOutcome[]> {
  const wishing = done.filter(isTaken).filter(({ entry }) => entry.wish !== undefined);
  const outcomes: StatusOutcome[] = [];
  for (const each of lastWishes(wishing, ({ entry }) => entry.accession ?? `study ${entry.study}`)) {
    const applied = await apply(deps, each);
    if (applied) outcomes.push({ index: each.entry.index, ...applied });
  }
  return outcomes;
}

/** `undefined` where there is nothing to do for an exam that goes on. */
async function apply(deps: StatusDeps, { entry, outcome }: Wishing): Promise<Omit<StatusOutcome, 'index'> | undefined> {
  const { worklists, patience, signal, headers } = deps;
  const wish = entry.wish!;
  if (!isWorthALook(wish, outcome)) return undefined;
  const stored = await patience(() => find(deps, entry, outcome.id));
  const isCancellation = wish.status === 'cancelled';
  if (!stored) return isCancellation ? { outcome: 'refused', message: 'The exam was not found.' } : undefined;
  const status = wishedStatus(wish, stored);
  if (status === undefined) {
    return isCancellation ? { outcome: 'kept', message: 'Another order of the exam stands.' } : undefined;
  }
  const kind = status === 'new' ? { reinstates: true as const } : {};
  try {
    const { data } = await patience(() =>
      worklists.setStatus(
        { params: { id: stored.id }, body: { status, reason: orderReasons[status] } },
        { signal, headers },
      ),
    );
    return { ...kind, outcome: data.previous_status === status ? 'unchanged' : 'applied', message: null };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'INVALID_TRANSITION') throw error;
    return { ...kind, outcome: 'refused', message: error.message };
  }
}

/** The stored exam: by its id where the answer told one, else by one of its identifiers; the text search narrows it down. */
async function find(
  { worklists, signal }: StatusDeps,
  { accession, study, wish }: Item,
  id: string | undefined,
): Promise<WorklistItem | undefined> {
  if (id !== undefined) return (await worklists.get({ params: { id } }, { signal })).data;
  const q = accession ?? wish?.patientId;
  if (typeof q !== 'string') return undefined;
  const found = itemsOf((paging) => worklists.list({ query: { q, limit: 200, ...paging } }, { signal }));
  for await (const stored of found) {
    if (accession === null ? stored.study_uid === study : stored.accession_number === accession) return stored;
  }
  return undefined;
}
