/** Entries that no answer waits for, written together within a second. If the disk is full, the calls continue without them. */
import { isoNow } from '../../../src/domain/clock.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import { createOrder } from '../../../src/domain/in-order.ts';
import type { Log } from '../../runtime/log.ts';
import { serviceActor } from '../../storage/actor.ts';
import type { Reader, Store, Writer, WrittenIds } from '../../storage/store.ts';
import { maxIds } from './trail.ts';
import type { Fact } from './trail.ts';

/** In ms of the machine's clock. */
const gatherMs = 1000;
const retryMs = 5000;
/** Maximum of waiting entries while the store cannot write. */
const maxWaiting = 10_000;

export interface DeferredEntries {
  /** Records a fact within a second. */
  enter(fact: Omit<Fact, 'at'>): void;
  /** Records documents of a request. Requests in a row that differ only in these share an entry without request id. */
  enterMerged(fact: Fact): void;
  /** Writes the waiting entries, and resolves once the trail has them. Rejects if the store cannot write; they keep waiting. */
  flush(): Promise<void>;
  /** Writes them, but does not reject. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

export interface TrailDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** Enters facts in a transaction. */
  readonly enterFacts: (tx: Writer, facts: readonly Fact[]) => Promise<void>;
  /** Resolves once entered facts are in the trail. Default: they are with their commit. */
  readonly settled?: () => Promise<void>;
  /** Gets the time of each commit, from its call until it is durable, in ms. */
  readonly measureCommit?: (ms: number) => void;
  /** Reads what a transaction of this member has written; the result is called once that is committed. */
  readonly readWritten?: (tx: Reader, written: readonly WrittenIds[]) => Promise<() => void>;
}

/** Writes entries into the store, which must not be the audited one. */
export function createDeferredEntries(
  store: Store,
  { clock, log, enterFacts, settled, measureCommit }: TrailDeps,
): DeferredEntries {
  let waiting: Fact[] = [];
  /** The last waiting entry, if further documents may join it. */
  let open: (Fact & { readonly ids: string[] }) | undefined;
  let lost = 0;
  let timer: NodeJS.Timeout | undefined;
  const inOrder = createOrder();
  let isRefused = false;

  const later = (ms: number): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      inOrder(write).catch(() => later(retryMs));
    }, ms).unref();
  };

  /** Returns whether there is room for the fact. */
  const push = (fact: Fact): boolean => {
    open = undefined;
    const hasRoom = waiting.length < maxWaiting;
    if (hasRoom) waiting.push(fact);
    else lost++;
    later(gatherMs);
    return hasRoom;
  };

  async function write(): Promise<void> {
    if (waiting.length === 0) return;
    const facts = waiting;
    const gap: Fact[] =
      lost === 0
        ? []
        : [{ ...serviceActor('audit.gap'), at: isoNow(clock), kind: 'everything', ids: [], outcome: 'done' }];
    waiting = [];
    open = undefined;
    try {
      const begun = performance.now();
      await store.transact((tx) => enterFacts(tx, [...facts, ...gap]));
      measureCommit?.(performance.now() - begun);
      if (lost > 0) log({ level: 'error', event: 'audit_entries_lost', count: lost });
      lost = 0;
      isRefused = false;
    } catch (error) {
      waiting = [...facts, ...waiting];
      if (!isRefused) log({ level: 'error', event: 'audit_not_written', waiting: waiting.length });
      isRefused = true;
      throw error;
    }
  }

  const flush = async (): Promise<void> => {
    await inOrder(write);
    await settled?.();
  };

  const idle = async (): Promise<void> => inOrder(write).catch(() => undefined);

  return {
    enter: (fact) => void push({ ...fact, at: isoNow(clock) }),
    enterMerged(fact) {
      if (open && canMerge(open, fact) && open.ids.length + fact.ids.length <= maxIds) {
        open.ids.push(...fact.ids);
        open.request_id = null;
        return;
      }
      const own = { ...fact, ids: [...fact.ids] };
      // A fact without room counts as lost, like those that would have joined it.
      if (push(own)) open = own;
    },
    flush,
    idle,
    async close() {
      clearTimeout(timer);
      await idle();
    },
  };
}

const canMerge = (one: Fact, other: Fact): boolean =>
  // Compares the second.
  one.at.slice(0, 19) === other.at.slice(0, 19) &&
  one.client_id === other.client_id &&
  one.user_id === other.user_id &&
  one.by === other.by &&
  one.action === other.action &&
  one.kind === other.kind &&
  one.outcome === other.outcome &&
  one.address === other.address;
