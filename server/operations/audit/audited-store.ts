/**
 * A store that records the changes of every transaction in the audit trail, so that no handler can forget it. Derived documents
 * (versions, histories, deliveries) and the server's internal notes are not recorded.
 */
import type { CollectionName } from '../../storage/collections.ts';
import type { Documents } from '../../storage/documents.ts';
import type { Reader, Store, WrittenIds } from '../../storage/store.ts';
import { serviceActor } from '../../storage/actor.ts';
import type { Actor } from '../../storage/actor.ts';
import { isoNow, machineClockOf } from '../../../src/domain/clock.ts';
import { createDeferredEntries } from './deferred-entries.ts';
import type { DeferredEntries, TrailDeps } from './deferred-entries.ts';
import type { Fact } from './trail.ts';

const entered: ReadonlySet<CollectionName> = new Set<CollectionName>([
  'items',
  'records',
  'priors',
  'users',
  'clients',
  'webhooks',
  'subscriptions',
  'channels',
  'templates',
  'macros',
  'vocabulary',
  'settings',
]);
/** The server itself changes these repeatedly while it works on them. */
const enteredOfCalls: ReadonlySet<CollectionName> = new Set<CollectionName>(['jobs', 'transcriptions']);
/** Signing a report writes these too, but there the entry of the record is enough. */
const enteredOfOperator: ReadonlySet<CollectionName> = new Set<CollectionName>(['messages']);

/**
 * Actions recorded within a second after their commit, because systems send them in quick succession: the history of an exam, which
 * is in the commit, already names the sender.
 */
const enteredLater: ReadonlySet<string> = new Set(['worklists.ingest', 'channels.take']);

/** The facts about documents that a transaction has written, all but grants; `at` is ISO 8601. */
function listFacts(written: readonly WrittenIds[], actor: Actor, at: string): Fact[] {
  const facts: Fact[] = [];
  for (const { collection: kind, ids } of written)
    if (isEntered(actor, kind)) facts.push({ ...actor, at, kind, ids: [...ids], outcome: 'done' });
  return facts;
}

/** The facts about grants. */
async function listGrantFacts(tx: Reader, ids: readonly string[], actor: Actor, at: string): Promise<Fact[]> {
  const grants = await Promise.all(ids.map((id) => tx.get('grants', id)));
  return grants.flatMap((grant) => (grant ? [toGrantFact(grant, actor, at)] : []));
}

const isEntered = ({ by }: Actor, collection: CollectionName): boolean =>
  entered.has(collection) ||
  (by !== 'service' && enteredOfCalls.has(collection)) ||
  (by === 'operator' && enteredOfOperator.has(collection));

/** A grant names its person and client. */
function toGrantFact(grant: Documents['grants'], { request_id, address }: Actor, at: string): Fact {
  const { id, user_id, client_id, revoked_at, revoked_tokens } = grant;
  const action = revoked_at !== null ? 'logout' : revoked_tokens.length > 0 ? 'token_revoked' : 'login';
  const by = user_id === null ? 'client' : 'person';
  return { by, user_id, client_id, action, request_id, address, at, kind: 'grants', ids: [id], outcome: 'done' };
}

/** A store that records its changes, and the entries that are not written yet. */
export function openTrail(store: Store, around: TrailDeps): { store: Store; gathered: DeferredEntries } {
  const gathered = createDeferredEntries(store, around);
  return { store: createAuditedStore(store, around, gathered), gathered };
}

function createAuditedStore(
  store: Store,
  { clock, enterFacts, measureCommit, readWritten }: TrailDeps,
  { enterMerged }: DeferredEntries,
): Store {
  const machine = machineClockOf(clock);
  return {
    ...store,
    async transact(work, actorOf = () => serviceActor('service')) {
      const begun = machine.elapsed();
      const actor = actorOf();
      const isLater = enteredLater.has(actor.action);
      // A store may run the work again: the facts of the last run count.
      let left: readonly Fact[] = [];
      let count: (() => void) | undefined;
      const result = await store.transact(async (tx) => {
        const answer = await work(tx);
        const written = tx.written();
        count = await readWritten?.(tx, written);
        const at = isoNow(clock);
        const facts = listFacts(written, actor, at);
        const grants = written.find(({ collection }) => collection === 'grants');
        if (grants) facts.push(...(await listGrantFacts(tx, grants.ids, actor, at)));
        if (isLater) left = facts;
        else if (facts.length > 0) await enterFacts(tx, facts);
        return answer;
      });
      for (const fact of left) enterMerged(fact);
      measureCommit?.(machine.elapsed() - begun);
      count?.();
      return result;
    },
    overhaul: (work) => store.overhaul(work),
  };
}
