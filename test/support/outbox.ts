/** An outbox over a store that forgets, with exams whose documents go through their states, and a clock that stands still. */
import { onTestFinished } from 'vitest';
import type { OutboundKind, Sender } from '../../server/delivery/channels/channel.ts';
import { Dispatcher } from '../../server/delivery/channels/sending/dispatcher.ts';
import { channelKinds } from '../../server/delivery/channels/registry.ts';
import { createIds } from '../../server/storage/ids.ts';
import type { Documents } from '../../server/storage/collections.ts';
import { createMemoryStore } from '../../server/storage/memory/memory-documents.ts';
import type { Store } from '../../server/storage/store.ts';
import { createTemplates } from '../../server/records/templates/templates.ts';
import { isoNow, manualClock } from '../../src/domain/clock.ts';
import { shippedTemplates } from '../../src/reporting/templates/shipped/index.ts';
import { writeDocument } from './outgoing-document.ts';
import type { Step } from './outgoing-document.ts';
import { threads } from './threads.ts';

type Message = Documents['messages'];

export const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export interface Outbox {
  readonly store: Store;
  readonly clock: ReturnType<typeof manualClock>;
  readonly log: Record<string, unknown>[];
  /** The next step of the document of that exam. */
  document(exam: string, step: Step): Promise<void>;
  /** Adds a channel of that kind, enabled. */
  channel(kind: string, settings?: Record<string, unknown>): Promise<Documents['channels']>;
  /** Opens the channel by its kind, or with that sender. */
  attach(channel: Documents['channels'], sender?: Sender): Promise<Sender>;
  /** Ends the dispatcher as a crash would, and begins a new one over the same store. */
  restart(): Promise<void>;
  /** Oldest first. */
  messages(): Promise<readonly Message[]>;
  change(id: string, changes: Partial<Message>): Promise<void>;
}

export function createOutbox(store = createMemoryStore()): Outbox {
  const clock = manualClock(Date.parse('2026-03-02T11:30:00.000Z'));
  const ids = createIds(clock);
  const log: Record<string, unknown>[] = [];
  const random = () => 0.5;
  const deps = {
    store,
    clock,
    random,
    log: (entry: Record<string, unknown>) => void log.push(entry),
    workers: threads,
    templates: createTemplates(shippedTemplates, store),
    letterheads: [],
  };
  let dispatcher = new Dispatcher(deps);
  const attached = new Map<string, Sender>();
  const detachAll = async (): Promise<void> => {
    for (const [id, sender] of attached) {
      await dispatcher.detach(id);
      await sender.close();
    }
    attached.clear();
  };
  onTestFinished(detachAll);
  let count = 0;

  return {
    store,
    clock,
    log,
    document: async (exam, step) => void (await writeDocument(store, { clock, ids }, exam, step)),
    async channel(kind, settings = {}) {
      const at = isoNow(clock);
      const channel: Documents['channels'] = {
        id: ids('chn'),
        name: `channel-${++count}`,
        kind,
        enabled: true,
        space: 'local',
        settings,
        secrets: {},
        mapping: null,
        created_at: at,
        updated_at: at,
        version: 1,
      };
      await store.transact(async (tx) => tx.put('channels', channel));
      return channel;
    },
    async attach(channel, sender) {
      const tell = (): void => {};
      const opened =
        sender ?? (await (channelKinds[channel.kind] as OutboundKind).open(channel, { ...deps, reportProblem: tell }));
      attached.set(channel.id, opened);
      dispatcher.attach(channel, opened, tell);
      return opened;
    },
    async restart() {
      await detachAll();
      dispatcher = new Dispatcher(deps);
    },
    messages: async () => (await store.find('messages', {})).toReversed(),
    async change(id, changes) {
      await store.transact(async (tx) => tx.put('messages', { ...(await tx.get('messages', id))!, ...changes }));
    },
  };
}
