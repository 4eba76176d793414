/** The exams as last read: on disk, and kept current while the service is reachable. */
import { join } from 'node:path';
import { followEvents } from '../../../src/client/events/event-feed.ts';
import { itemsOf } from '../../../src/client/pages.ts';
import { isTransient } from '../../../src/client/transient.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { contract } from '../../../src/contract/index.ts';
import { array, object, string } from '../../../src/contract/schema.ts';
import type { TypeOf } from '../../../src/contract/schema.ts';
import { WorklistItem } from '../../../src/contract/worklist.ts';
import { isoNow } from '../../../src/domain/clock.ts';
import { createOrder } from '../../../src/domain/in-order.ts';
import { jsonFile } from '../json-file.ts';
import type { ServiceDeps } from '../service.ts';

const ItemEvent = contract.worklists.endpoints.events.responses[200];
type ItemEvent = TypeOf<typeof ItemEvent>;

const StoredWorklist = object({ as_of: string(), items: array(WorklistItem) });

/** Milliseconds between a change and the write, so that a busy list is not written at each change. */
const writeDelay = 1000;
/** With more changed exams than this, the whole list is read. */
const manyItems = 20;

export interface ExamList {
  /** Returns a new array. */
  all(): WorklistItem[];
  get(id: string): WorklistItem | undefined;
  /** When the service returned the list, in ISO 8601; `null`: never read. */
  asOf(): string | null;
  /** Reads the list. Offline it stays unchanged. */
  refresh(): Promise<void>;
  /** Reads the exam. */
  fetch(id: string): Promise<WorklistItem>;
  /** Notifies the pages of a change. */
  emit(item: WorklistItem, change: ItemEvent['change']): void;
  close(): Promise<void>;
}

export async function openExamList(deps: ServiceDeps): Promise<ExamList> {
  const { clock, connect } = deps;
  const file = jsonFile(join(deps.directory, 'worklist.json'), StoredWorklist, deps.sealing);
  const stored = await file.read();
  let items = new Map((stored?.items ?? []).map((item) => [item.id, item]));
  let asOf: string | null = stored?.as_of ?? null;
  let unwritten: (() => void) | undefined;
  let refreshing: Promise<void> | undefined;
  let changed = new Map<string, ItemEvent>();
  const inOrder = createOrder();

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
    // The first list raises no events; exams that arrive in an empty list do.
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
      if (isNews && known?.version !== item.version) emitItem(item, known ? 'updated' : 'inserted');
    }
  };
  const refresh = (): Promise<void> =>
    (refreshing ??= fetchAll().finally(() => {
      refreshing = undefined;
    }));
  /** Offline the list stays unchanged. */
  const tryRefresh = (): Promise<void> =>
    refresh().catch((error: unknown) => {
      if (!isTransient(error)) throw error;
    });

  const emitItem = ({ id, status, version }: WorklistItem, change: ItemEvent['change']): void =>
    deps.emit('item', { id, status, version, change });
  const fetchItem = async (id: string): Promise<WorklistItem> => {
    const { data } = await connect().client.worklists.get({ params: { id } });
    items.set(id, data);
    if (asOf !== null) writeSoon();
    return data;
  };
  /** Reads a changed exam before notifying the pages, so that they find the new version here. */
  const catchUp = async (): Promise<void> => {
    const batch = changed;
    changed = new Map();
    if (batch.size > manyItems) return tryRefresh();
    for (const event of batch.values()) {
      if (event.change === 'removed') {
        forget(event);
        continue;
      }
      try {
        const known = items.get(event.id);
        const item = known && known.version >= event.version ? known : await fetchItem(event.id);
        emitItem(item, event.change);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
      }
    }
  };
  /** The service has it no longer, so that this computer must not keep it either. */
  const forget = ({ id, status, version }: ItemEvent): void => {
    if (!items.delete(id)) return;
    writeSoon();
    deps.emit('item', { id, status, version, change: 'removed' });
  };
  const onItem = (event: ItemEvent): void => {
    changed.set(event.id, event);
    if (changed.size === 1) inOrder(catchUp).catch(() => deps.log({ level: 'error', event: 'worklist_not_followed' }));
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

  return {
    all: () => [...items.values()],
    get: (id) => items.get(id),
    asOf: () => asOf,
    refresh: tryRefresh,
    fetch: fetchItem,
    emit: emitItem,
    async close() {
      forgetOnline();
      await feed.close();
      await refreshing?.catch(() => undefined);
      await inOrder.idle();
      if (unwritten) {
        unwritten();
        await write().catch(() => deps.log({ level: 'warn', event: 'worklist_not_kept' }));
      }
    },
  };
}
