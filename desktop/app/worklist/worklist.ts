/**
 * The worklist as the app last read it, available at once and offline, with the person's own pending changes applied.
 */
import { join } from 'node:path';
import { itemsOf } from '../../../src/client/pages.ts';
import { isTransient } from '../../../src/client/transient.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { contract } from '../../../src/contract/index.ts';
import { array, object, string } from '../../../src/contract/schema.ts';
import type { TypeOf } from '../../../src/contract/schema.ts';
import { WorklistItem } from '../../../src/contract/worklist.ts';
import type { Colleague, HistoryEntry, WorklistStatus } from '../../../src/contract/worklist.ts';
import { isoNow } from '../../../src/domain/clock.ts';
import { sampleDay } from '../../../src/domain/sample-day.ts';
import { firstOpen } from '../../../src/domain/worklist-order.ts';
import { decideAssignment, decideMove, isOver } from '../../../src/domain/worklist-state.ts';
import { isNamedBy } from '../../../src/sending/follow-orders.ts';
import type { StoredExams } from '../../../src/sending/follow-orders.ts';
import { orderReasons } from '../../../src/sending/order-changes.ts';
import type { CallOutput } from '../../bridge/calls.ts';
import type { Changes } from '../changes/changes.ts';
import { followEvents } from '../../../src/client/events/event-feed.ts';
import { jsonFile } from '../json-file.ts';
import type { Service, ServiceDeps } from '../service.ts';
import { importFile } from './worklist-import.ts';

const ItemEvent = contract.worklists.endpoints.events.responses[200];
type ItemEvent = TypeOf<typeof ItemEvent>;

const StoredWorklist = object({ as_of: string(), items: array(WorklistItem) });

interface StatusDecision {
  readonly status: WorklistStatus;
  /** The status when the person decided. */
  readonly seen?: WorklistStatus;
  readonly reason?: string;
  readonly take_over?: boolean;
}

interface AssignDecision {
  readonly to: Colleague;
  readonly reason?: string;
}

/** Milliseconds after a change until the list is written, so that a busy list is not written for each change. */
const writeDelay = 1000;
/** Most tries to set the status of an exam that changes each time. */
const mostAttempts = 3;
/** With more changed exams than this the whole list is read. */
const manyItems = 20;

export interface Worklist extends Service<'worklist'> {
  /** The exam, as the app last read it. */
  known(itemId: string): WorklistItem | undefined;
  /** Whether the exam is completed, as far as the app knows. */
  isCompleted(itemId: string): boolean;
}

/** The test data that an empty list gets. */
interface TestList {
  readonly isTest: () => boolean;
  /** Whether an empty list of test data fills itself. */
  readonly fills: boolean;
}

export async function createWorklist(
  deps: ServiceDeps,
  changes: Changes,
  { isTest, fills }: TestList,
): Promise<Worklist> {
  const { clock, connect } = deps;
  const file = jsonFile(join(deps.directory, 'worklist.json'), StoredWorklist, deps.sealing);
  const stored = await file.read();
  let items = new Map((stored?.items ?? []).map((item) => [item.id, item]));
  let asOf: string | null = stored?.as_of ?? null;
  let unwritten: (() => void) | undefined;
  let refreshing: Promise<void> | undefined;
  let changed = new Map<string, ItemEvent>();
  let catchingUp: Promise<void> = Promise.resolve();

  const write = (): Promise<void> => {
    unwritten = undefined;
    return asOf === null ? Promise.resolve() : file.write({ as_of: asOf, items: [...items.values()] });
  };
  const writeSoon = (): void => {
    unwritten ??= clock.schedule(clock.now() + writeDelay, () => {
      write().catch(() => deps.log({ level: 'warn', event: 'worklist_not_kept' }));
    });
  };
  const fetchAll = async (): Promise<void> => {
    const at = isoNow(clock);
    // The first list is no news; exams that come into an empty list are.
    const isNews = asOf !== null;
    const fresh = new Map<string, WorklistItem>();
    const { worklists } = connect().client;
    for await (const item of itemsOf((paging) => worklists.list({ query: { ...paging, limit: 200 } })))
      fresh.set(item.id, item);
    const before = items;
    items = fresh;
    asOf = at;
    writeSoon();
    for (const item of fresh.values()) {
      const known = before.get(item.id);
      if (isNews && known?.version !== item.version) tellItem(item, known ? 'updated' : 'inserted');
    }
  };
  const refresh = (): Promise<void> =>
    (refreshing ??= fetchAll().finally(() => {
      refreshing = undefined;
    }));
  /** Offline the list stays as it is. */
  const tryRefresh = (): Promise<void> =>
    refresh().catch((error: unknown) => {
      if (!isTransient(error)) throw error;
    });

  const tellItem = ({ id, status, version }: WorklistItem, change: ItemEvent['change']): void =>
    deps.tell('item', { id, status, version, change });
  const fetchItem = async (id: string): Promise<WorklistItem> => {
    const { data } = await connect().client.worklists.get({ params: { id } });
    items.set(id, data);
    if (asOf !== null) writeSoon();
    return data;
  };
  /** Reads a changed exam before the pages are told, so that they find the new version here. */
  const catchUp = async (): Promise<void> => {
    const batch = changed;
    changed = new Map();
    if (batch.size > manyItems) return tryRefresh();
    for (const event of batch.values()) {
      try {
        const known = items.get(event.id);
        const item = known && known.version >= event.version ? known : await fetchItem(event.id);
        tellItem(item, event.change);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
      }
    }
  };
  const onItem = (event: ItemEvent): void => {
    changed.set(event.id, event);
    if (changed.size === 1)
      catchingUp = catchingUp.then(catchUp).catch(() => deps.log({ level: 'error', event: 'worklist_not_followed' }));
  };
  const feed = followEvents({
    clock,
    random: deps.random,
    open: (signal) => connect().client.worklists.events({}, { signal }),
    schema: ItemEvent,
    onEvent: onItem,
    onOpen: () => void tryRefresh().catch(() => undefined),
  });
  const forgetOnline = deps.onOnline(() => feed.hurry());

  const setStatus = async (item: WorklistItem, decision: StatusDecision): Promise<void> => {
    const { status, reason, take_over } = decision;
    if (!isStillMeant(item, decision, connect().person.display_name)) throw closedMeanwhile(item);
    await connect().client.worklists.setStatus(
      {
        params: { id: item.id },
        body: {
          status,
          ...(reason !== undefined && { reason }),
          ...(take_over === true && { metadata: { take_over: true } }),
        },
      },
      { headers: { 'if-match': `"${item.version}"` } },
    );
  };
  changes.define(
    'worklist.status',
    async ({ subject: id, payload }) => {
      const attempt = async (item: WorklistItem, left: number): Promise<void> => {
        await setStatus(item, payload as StatusDecision).catch(async (error: unknown) => {
          if (left === 0 || !(error instanceof AppError) || error.code !== 'VERSION_CONFLICT') throw error;
          // The exam has changed meanwhile; the person's decision may still make sense.
          await attempt(await fetchItem(id), left - 1);
        });
      };
      await attempt(items.get(id) ?? (await fetchItem(id)), mostAttempts);
      tellItem(await fetchItem(id), 'status');
    },
    ({ subject }) => subject,
  );

  changes.define(
    'worklist.assign',
    async ({ subject: id, payload }) => {
      const { to, reason } = payload as AssignDecision;
      await connect().client.worklists.assign({
        params: { id },
        body: { to: to.id, ...(reason !== undefined && { reason }) },
      });
      tellItem(await fetchItem(id), 'status');
    },
    ({ subject }) => subject,
  );

  const withDecisions = (item: WorklistItem): WorklistItem => {
    const me = connect().person.display_name;
    return changes.waiting(item.id).reduce((seen, { kind, payload }) => {
      if (kind === 'worklist.status') return withStatus(seen, payload as StatusDecision, me);
      return kind === 'worklist.assign' ? withHolder(seen, payload as AssignDecision, me) : seen;
    }, item);
  };
  const seen = async (id: string): Promise<WorklistItem> => withDecisions(items.get(id) ?? (await fetchItem(id)));
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
      const item = await fetchItem(id);
      const holder = error.details?.['assigned_to'];
      const revision = deps.revision();
      return typeof holder === 'string'
        ? { outcome: 'held', item, holder, revision }
        : { outcome: 'closed', item, holder: null, revision };
    }
  }

  const exams: StoredExams = {
    async find(item, known) {
      // The service's answer has no id for an item that brought nothing new.
      const id = known ?? [...items.values()].find((stored) => isNamedBy(stored, item))?.id;
      return id === undefined ? undefined : seen(id);
    },
    async setStatus(stored, status) {
      if (stored.status === status) return 'unchanged';
      await changes.make('worklist.status', stored.id, () => ({ status, reason: orderReasons[status] }));
      return 'applied';
    },
    // Whatever the error is, the exam itself was accepted, and the remark says the rest.
    isRefusal: () => true,
  };

  return {
    handlers: {
      async 'worklist.list'({ refresh: asked, ids, first }) {
        if (asked === true || asOf === null) await tryRefresh();
        const wanted = ids === undefined ? [...items.values()] : ids.flatMap((id) => items.get(id) ?? []);
        const shown = changes.waiting().length === 0 ? wanted : wanted.map(withDecisions);
        const revision = deps.revision();
        return { items: first === undefined ? shown : firstOpen(shown, first), as_of: asOf, revision };
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
        if (!isTest()) throw new AppError('FORBIDDEN', { message: 'The sample day is test data.' });
        if (unasked === true && (!fills || items.size > 0)) return { inserted: 0 };
        const { data } = await connect().client.worklists.ingest(
          { body: { items: sampleDay(clock.now(), language) } },
          { headers: { 'x-source-system': 'SAMPLE-DAY' } },
        );
        await tryRefresh();
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
        importFile(bytes!, { worklists: connect().client.worklists, refresh: tryRefresh, exams }),
    },
    known: (itemId) => items.get(itemId),
    isCompleted: (itemId) => items.get(itemId)?.status === 'completed',
    async close() {
      forgetOnline();
      await feed.close();
      await refreshing?.catch(() => undefined);
      await catchingUp;
      if (unwritten) {
        unwritten();
        await write().catch(() => deps.log({ level: 'warn', event: 'worklist_not_kept' }));
      }
    },
  };
}

/**
 * Whether the person's decision still makes sense for the exam as it is now: an old decision does not reopen an exam
 * that somebody reported or cancelled meanwhile, and does not release an exam that somebody else has taken.
 */
function isStillMeant(item: WorklistItem, { status, seen = item.status }: StatusDecision, me: string): boolean {
  if (item.status === status) return true;
  if (isOver(item.status)) return item.status === seen;
  return status !== 'new' || item.assigned_to === null || item.assigned_to === me;
}

const closedMeanwhile = ({ status, assigned_to }: WorklistItem): AppError =>
  new AppError('INVALID_TRANSITION', {
    message: 'Somebody else has changed this exam meanwhile.',
    details: { status, ...(status === 'in_progress' && { assigned_to }) },
  });

/** The exam with the new status; unchanged if the change is not possible. */
function withStatus(item: WorklistItem, { status, reason, take_over }: StatusDecision, who: string): WorklistItem {
  const move = decideMove(item, status, { who, takeOver: take_over === true });
  return move.outcome === 'moved' ? { ...item, status, assigned_to: move.assigned_to, reason: reason ?? null } : item;
}

/** The exam in the hands of the colleague; unchanged if it is over meanwhile. */
function withHolder(item: WorklistItem, { to }: AssignDecision, who: string): WorklistItem {
  const move = decideAssignment(item, to.display_name, { who, takeOver: false });
  if (move.outcome !== 'moved') return item;
  return { ...item, status: 'in_progress', assigned_to: move.assigned_to, assigned_by: who };
}
