/** Status wishes of a file, such as cancelled orders: ingest knows no status, so each is a call of its own. */
import type { Client } from '../../src/client/client.ts';
import { itemsOf } from '../../src/client/pages.ts';
import { AppError } from '../../src/contract/errors.ts';
import type { WorklistItem } from '../../src/contract/worklist.ts';
import { cancelledReason } from '../../src/worklist-files/reading.ts';
import type { Item } from './entries.ts';
import type { Done } from './outcomes.ts';
import { isTaken } from './outcomes.ts';
import type { Patience } from './patience.ts';

export interface StatusOutcome {
  /** Of the item, among all of the files. */
  readonly index: number;
  readonly outcome: 'applied' | 'unchanged' | 'refused';
  readonly message: string | null;
}

export interface StatusDeps {
  readonly worklists: Pick<Client['worklists'], 'list' | 'setStatus'>;
  readonly patience: Patience;
  readonly signal: AbortSignal;
  /** Sent as `X-Source-System`, so that the history says from where it came. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Applies the wishes of a batch that was taken, in the order of the file. */
export async function applyStatuses(deps: StatusDeps, done: readonly Done[]): Promise<StatusOutcome[]> {
  const outcomes: StatusOutcome[] = [];
  for (const each of done) {
    if (!isTaken(each)) continue;
    const { entry, outcome } = each;
    const { index, wish } = entry;
    if (wish) outcomes.push({ index, ...(await apply(deps, entry, wish.status, outcome.id)) });
  }
  return outcomes;
}

async function apply(
  deps: StatusDeps,
  item: Item,
  status: NonNullable<Item['wish']>['status'],
  known: string | undefined,
): Promise<Omit<StatusOutcome, 'index'>> {
  const { worklists, patience, signal, headers } = deps;
  // An answer tells no id of an item that brought nothing new.
  const id = known ?? (await patience(() => find(deps, item)))?.id;
  if (id === undefined) return { outcome: 'refused', message: 'The exam was not found.' };
  try {
    const { data } = await patience(() =>
      worklists.setStatus({ params: { id }, body: { status, reason: cancelledReason } }, { signal, headers }),
    );
    return { outcome: data.previous_status === status ? 'unchanged' : 'applied', message: null };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'INVALID_TRANSITION') throw error;
    return { outcome: 'refused', message: error.message };
  }
}

/** The stored item with one of its identifiers; the text search narrows it down. */
async function find({ worklists, signal }: StatusDeps, item: Item): Promise<WorklistItem | undefined> {
  const q = item.accession ?? item.wish?.patientId;
  if (typeof q !== 'string') return undefined;
  const found = itemsOf((paging) => worklists.list({ query: { q, limit: 200, ...paging } }, { signal }));
  for await (const stored of found) {
    const { accession_number: accession, study_uid: study } = stored;
    if (item.accession === null ? study === item.study : accession === item.accession) return stored;
  }
  return undefined;
}
