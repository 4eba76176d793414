/**
 * The audit trail of several members. A number in each commit would make all commits wait for one another, so a commit stores its facts
 * without one, and the member that holds a lease numbers and hashes them soon after, in one order for all.
 */
import { createBell } from '../../../src/domain/bell.ts';
import { createOrder } from '../../../src/domain/in-order.ts';
import type { Log } from '../../runtime/log.ts';
import { describeError } from '../../../src/domain/describe-error.ts';
import type { Ids } from '../../storage/ids.ts';
import type { Part } from '../../storage/members.ts';
import { readAll } from '../../storage/scan.ts';
import type { Store, Writer } from '../../storage/store.ts';
import { appendFacts } from './trail.ts';
import type { Fact } from './trail.ts';

/** Documents per transaction. */
const batch = 200;
/** In ms of the machine's clock: how long facts gather, and the pause after a failure. */
const gatherMs = 200;
const retryMs = 2000;
/** In ms: how long a reader of the trail waits for the member that numbers. */
const patienceMs = 5000;

export interface Chain extends Part {
  /** Whether this member numbers. */
  works(): boolean;
  /** Resolves once the facts that are stored by now are numbered, or after a few seconds without a member that numbers. */
  settled(): Promise<void>;
}

/** Stores facts in their commit, to be numbered later. */
export const createFactStore =
  (ids: Ids) =>
  async (tx: Writer, facts: readonly Fact[]): Promise<void> =>
    tx.put('audit_facts', { id: ids('auf'), facts: [...facts] });

export function createChain(store: Store, log: Log): Chain {
  const inOrder = createOrder();
  let isWorking = false;
  let unwatch = (): void => {};
  let timer: NodeJS.Timeout | undefined;

  async function append(ids: readonly string[]): Promise<void> {
    await store.transact(async (tx) => {
      const found = await Promise.all(ids.map((id) => tx.get('audit_facts', id)));
      const facts = found.flatMap((each) => each?.facts ?? []);
      for (const id of ids) tx.remove('audit_facts', id);
      if (facts.length > 0) await appendFacts(tx, facts);
    });
  }

  const readWaiting = async (): Promise<string[]> => (await readAll(store, 'audit_facts')).map(({ id }) => id);

  async function appendAll(): Promise<void> {
    const waiting = (await readWaiting()).toReversed();
    for (let at = 0; at < waiting.length && isWorking; at += batch) await append(waiting.slice(at, at + batch));
  }

  const later = (ms: number): void => {
    if (!isWorking) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      inOrder(appendAll).catch((error: unknown) => {
        log({ level: 'warn', event: 'audit_not_numbered', ...describeError(error) });
        later(retryMs);
      });
    }, ms).unref();
  };

  return {
    async start() {
      isWorking = true;
      unwatch();
      unwatch = store.watch('audit_facts', () => later(gatherMs));
      later(0);
    },
    async stop() {
      isWorking = false;
      unwatch();
      clearTimeout(timer);
      timer = undefined;
      await inOrder.idle();
    },
    works: () => isWorking,
    async settled() {
      const bell = createBell();
      const changed = new Set<string>();
      const leave = store.watch('audit_facts', (ids) => {
        for (const id of ids) changed.add(id);
        bell.ring();
      });
      try {
        // All: the newest may be numbered before older ones of a member whose clock is behind.
        const waiting = new Set(await readWaiting());
        // Another member may have taken over meanwhile.
        if (isWorking && waiting.size > 0) void inOrder(appendAll).catch(() => undefined);
        const patience = AbortSignal.timeout(patienceMs);
        while (waiting.size > 0 && !patience.aborted) {
          const rung = bell.rung(patience);
          const ids = [...changed].filter((id) => waiting.has(id));
          changed.clear();
          // A change may be the commit that stored the facts, announced late.
          const present = await Promise.all(ids.map((id) => store.get('audit_facts', id)));
          for (const [nth, id] of ids.entries()) if (!present[nth]) waiting.delete(id);
          if (waiting.size > 0) await rung;
        }
      } finally {
        leave();
      }
    },
  };
}
