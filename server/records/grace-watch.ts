/**
 * Completes signatures when their grace period ends. Their only state is in the store, so a restarted server completes
 * them; each completes in the transaction that finds it due, so none completes twice.
 */
import { createOrder } from '../../src/domain/in-order.ts';
import { createWaits } from '../runtime/clock/waits.ts';
import { describeError } from '../../src/domain/describe-error.ts';
import type { RecordDeps } from './deps.ts';
import { serviceActor } from '../storage/actor.ts';
import type { SignatureDeps } from './exam.ts';
import { isSigning, recordOfDocument } from './signature-state.ts';
import type { SigningRecord } from './signature-state.ts';
import { findRecord } from './stored-record.ts';

export interface GraceWatch {
  /** Starts with all pending signatures. Called again when every document may have changed. */
  start(): Promise<void>;
  /** Completes no more signatures; resolves once running completions have ended. */
  stop(): Promise<void>;
  /** Resolves once no completion is running; later ones don't count. */
  idle(): Promise<void>;
}

/** ms until the next attempt after a storage failure. */
const storagePause = 5000;

type Deps = SignatureDeps & Pick<RecordDeps, 'store' | 'log'>;

export function createGraceWatch(deps: Deps): GraceWatch {
  const { store, clock, log } = deps;
  const waits = createWaits(clock);
  /** Due times, in the time of `waits`. */
  const due = new Map<string, number>();
  /** Signatures that this process has heard begin. */
  const begun = new Set<string>();
  const inOrder = createOrder();
  let runs = false;
  let cancelAlarm = (): void => {};
  let unsubscribe = (): void => {};

  function setAlarm(): void {
    cancelAlarm();
    if (!runs || due.size === 0) return;
    const next = Math.min(...due.values());
    cancelAlarm = waits.schedule(next, () => inOrder(completeDue));
  }

  const dueOf = ({ id, signing }: SigningRecord): number =>
    waits.end(id, Date.parse(signing.at), Date.parse(signing.final_at), begun.delete(id));

  const drop = (id: string): void => {
    due.delete(id);
    begun.delete(id);
    waits.forget(id);
  };

  async function completeDue(): Promise<void> {
    const now = waits.now();
    for (const [id, at] of due) {
      if (!runs || at > now) continue;
      try {
        const later = await end(id);
        if (later === undefined) drop(id);
        else due.set(id, later);
      } catch (error) {
        log({ level: 'error', event: 'signature_not_ended', record_id: id, ...describeError(error) });
        due.set(id, waits.now() + storagePause);
      }
    }
    setAlarm();
  }

  /** Completes the signature unless it was taken back. Returns its due time if that is later. */
  async function end(id: string): Promise<number | undefined> {
    const seen = await findRecord(store, id);
    if (!seen || !isSigning(seen)) return undefined;
    if (dueOf(seen) > waits.now()) return dueOf(seen);
    // Imported on demand, to keep the start fast.
    const { completeSignature: endSigning } = await import('./grace.ts');
    return store.transact(
      async (tx) => {
        const record = await findRecord(tx, id);
        if (!record || !isSigning(record)) return undefined;
        if (dueOf(record) > waits.now()) return dueOf(record);
        await endSigning(tx, deps, record);
        return undefined;
      },
      () => serviceActor('records.signing', seen.pending_signature),
    );
  }

  return {
    async start() {
      runs = true;
      unsubscribe();
      unsubscribe = store.subscribe('records', (changes) => {
        for (const { id, change } of changes) {
          if (change !== 'signing') continue;
          begun.add(id);
          // Scheduled now; `end` finds the actual due time.
          due.set(id, waits.now());
        }
        if (begun.size > 0) void inOrder(completeDue);
      });
      await inOrder(async () => {
        due.clear();
        waits.clear();
        const during = { signing: { from: -Infinity, to: Infinity } };
        for (const record of (await store.find('records', { during })).map(recordOfDocument))
          if (isSigning(record)) due.set(record.id, dueOf(record));
        setAlarm();
      });
    },
    async stop() {
      runs = false;
      unsubscribe();
      cancelAlarm();
      await inOrder.idle();
    },
    idle: inOrder.idle,
  };
}
