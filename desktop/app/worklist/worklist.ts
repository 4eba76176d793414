/** The worklist as last read, available at once and offline, with the person's pending changes applied. */
import { appMessage } from '../../../src/contract/messages/app.ts';
import { itemsOf } from '../../../src/client/pages.ts';
import { AppError } from '../../../src/contract/errors.ts';
import type { Colleague, HistoryEntry, WorklistItem } from '../../../src/contract/worklist.ts';
import { sampleDay } from '../../../src/domain/sample-day.ts';
import { firstOpen } from '../../../src/domain/worklist-order.ts';
import { isNamedBy } from '../../../src/sending/follow-orders.ts';
import type { StoredExams } from '../../../src/sending/follow-orders.ts';
import { orderReasons } from '../../../src/sending/order-changes.ts';
import type { CallOutput } from '../../bridge/calls.ts';
import type { Changes } from '../changes/changes.ts';
import type { Service, ServiceDeps } from '../service.ts';
import { defineDecisions } from './exam-decisions.ts';
import type { StatusDecision } from './exam-decisions.ts';
import { openExamList } from './exam-list.ts';
import { importFile } from './worklist-import.ts';

export interface Worklist extends Service<'worklist'> {
  /** The exam, as last read. */
  known(itemId: string): WorklistItem | undefined;
  /** Whether the exam is completed, as far as the app knows. */
  isCompleted(itemId: string): boolean;
}

/** The sample exams for an empty test list. */
interface TestList {
  readonly isTest: () => boolean;
  /** Whether an empty test list is filled automatically. */
  readonly fills: boolean;
}

export async function createWorklist(
  deps: ServiceDeps,
  changes: Changes,
  { isTest, fills }: TestList,
): Promise<Worklist> {
  const { clock, connect } = deps;
  const list = await openExamList(deps);
  const withDecisions = defineDecisions(deps, changes, list);
  const seen = async (id: string): Promise<WorklistItem> => withDecisions(list.get(id) ?? (await list.fetch(id)));
  /** The exam with its revision. */
  const seenNow = async (id: string): Promise<CallOutput<'worklist.set_status'>> => ({
    item: await seen(id),
    revision: deps.revision(),
  });

  async function take(id: string, takeOver: boolean, reopen: boolean): Promise<CallOutput<'worklist.take'>> {
    const before = await seen(id);
    // Only an explicit `reopen` opens a completed exam again; taking it does not.
    if (before.status === 'completed' && !reopen)
      return { outcome: 'closed', item: before, revision: deps.revision(), holder: null };
    const decision: StatusDecision = {
      status: 'in_progress',
      seen: before.status,
      ...(takeOver && { take_over: true }),
    };
    try {
      const made = await changes.make('worklist.status', id, () => decision);
      return { outcome: made ? 'taken' : 'queued', ...(await seenNow(id)), holder: null };
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'INVALID_TRANSITION') throw error;
      const item = await list.fetch(id);
      const holder = error.details?.['assigned_to'];
      const revision = deps.revision();
      return typeof holder === 'string'
        ? { outcome: 'held', item, holder, revision }
        : { outcome: 'closed', item, holder: null, revision };
    }
  }

  const exams: StoredExams = {
    async find(item, known) {
      // The service's answer has no id for an item that changed nothing.
      const id = known ?? list.all().find((stored) => isNamedBy(stored, item))?.id;
      return id === undefined ? undefined : seen(id);
    },
    async setStatus(stored, status) {
      if (stored.status === status) return 'unchanged';
      await changes.make('worklist.status', stored.id, () => ({ status, reason: orderReasons[status] }));
      return 'applied';
    },
    // The exam itself was accepted despite the error, and the remark explains the rest.
    isRefusal: () => true,
  };

  return {
    handlers: {
      async 'worklist.list'({ refresh: asked, ids, first }) {
        if (asked === true || list.asOf() === null) await list.refresh();
        const wanted = ids === undefined ? list.all() : ids.flatMap((id) => list.get(id) ?? []);
        const shown = changes.waiting().length === 0 ? wanted : wanted.map(withDecisions);
        const revision = deps.revision();
        return { items: first === undefined ? shown : firstOpen(shown, first), as_of: list.asOf(), revision };
      },
      'worklist.take': ({ id, take_over, reopen }) => take(id, take_over === true, reopen === true),
      async 'worklist.set_status'({ id, status, reason }) {
        const before = await seen(id);
        const decision: StatusDecision = { status, seen: before.status, ...(reason !== undefined && { reason }) };
        await changes.make('worklist.status', id, () => decision);
        return seenNow(id);
      },
      async 'worklist.colleagues'() {
        const { worklists } = connect().client;
        const all: Colleague[] = [];
        for await (const each of itemsOf((paging) => worklists.colleagues({ query: { ...paging, limit: 200 } })))
          all.push(each);
        return { items: all.filter(({ id }) => id !== connect().person.id) };
      },
      async 'worklist.assign'({ id, ...decision }) {
        const made = await changes.make('worklist.assign', id, () => decision);
        return { outcome: made ? 'given' : 'queued', ...(await seenNow(id)) };
      },
      async 'worklist.sample_day'({ language, unasked }) {
        if (!isTest()) throw new AppError('FORBIDDEN', { message: appMessage('sample_day') });
        if (unasked === true && (!fills || list.all().length > 0)) return { inserted: 0 };
        const { data } = await connect().client.worklists.ingest(
          { body: { items: sampleDay(clock.now(), language) } },
          { headers: { 'x-source-system': 'SAMPLE-DAY' } },
        );
        await list.refresh();
        return { inserted: data.inserted };
      },
      async 'worklist.history'({ id }) {
        const { worklists } = connect().client;
        const entries: HistoryEntry[] = [];
        for await (const entry of itemsOf((paging) => worklists.history({ params: { id }, query: paging })))
          entries.push(entry);
        return { items: entries };
      },
      'worklist.import': (_input, bytes) =>
        importFile(bytes, { worklists: connect().client.worklists, refresh: list.refresh, exams }),
    },
    known: list.get,
    isCompleted: (itemId) => list.get(itemId)?.status === 'completed',
    close: list.close,
  };
}
