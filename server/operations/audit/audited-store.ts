/**
 * A store that records the changes of every transaction in the audit trail, so that no handler can forget it. Derived documents
 * (versions, histories, deliveries) and the server's internal notes are not recorded.
 */
import type { Log } from '../../runtime/log.ts';
import type { CollectionName } from '../../storage/collections.ts';
import type { Documents } from '../../storage/documents.ts';
import type { Store, Transaction } from '../../storage/store.ts';
import { serviceActor } from '../../storage/actor.ts';
import type { Actor } from '../../storage/actor.ts';
import { isoNow } from '../../../src/domain/clock.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import { createDeferredEntries } from './deferred-entries.ts';
import type { DeferredEntries } from './deferred-entries.ts';
import { appendFacts } from './trail.ts';
import type { Fact } from './trail.ts';

const entered: ReadonlySet<CollectionName> = new Set<CollectionName>([
  'items',
  'records',
  'priors',
  'users',
  'clients',
  'webhooks',
  'channels',
  'templates',
  'macros',
  'vocabulary',
  'settings',
]);
/** The server itself changes these repeatedly while it works on them. */
const enteredOfCalls: ReadonlySet<CollectionName> = new Set<CollectionName>(['jobs', 'transcriptions']);

/**
 * Actions recorded within a second after their commit, because systems send them in quick succession: the history of an exam, which
 * is in the commit, already names the sender.
 */
const enteredLater: ReadonlySet<string> = new Set(['worklists.ingest', 'channels.take']);

/** The facts of one run of a transaction. */
class Changes {
  readonly #ids = new Map<CollectionName, Set<string>>();
  readonly #grants: Fact[] = [];
  /** The last change: a batch writes all of its items in a row. `ids`: the recorded ids, if the collection is recorded. */
  #last: { readonly collection: CollectionName; readonly ids: Set<string> | undefined } | undefined;

  note(actor: Actor, collection: CollectionName, id: string): void {
    if (this.#last?.collection !== collection) this.#last = { collection, ids: this.#idsOf(actor, collection) };
    this.#last.ids?.add(id);
  }

  #idsOf(actor: Actor, collection: CollectionName): Set<string> | undefined {
    const isEntered = entered.has(collection) || (actor.by !== 'service' && enteredOfCalls.has(collection));
    if (!isEntered) return undefined;
    const ids = this.#ids.get(collection) ?? new Set();
    this.#ids.set(collection, ids);
    return ids;
  }

  /** A grant names its person and client. */
  noteGrant({ id, user_id, client_id, revoked_at, revoked_tokens }: Documents['grants'], at: string): void {
    const action = revoked_at !== null ? 'logout' : revoked_tokens.length > 0 ? 'token_revoked' : 'login';
    const by = user_id === null ? 'client' : 'person';
    this.#grants.push({
      ...serviceActor(action),
      by,
      user_id,
      client_id,
      at,
      kind: 'grants',
      ids: [id],
      outcome: 'done',
    });
  }

  facts(actor: Actor, at: string): Fact[] {
    const changed = Array.from(this.#ids, ([kind, ids]): Fact => ({
      ...actor,
      at,
      kind,
      ids: [...ids],
      outcome: 'done',
    }));
    return this.#grants.length === 0 ? changed : [...changed, ...this.#grants];
  }
}

/** A store that records its changes, and the entries that are not written yet. */
export function openTrail(
  store: Store,
  around: { clock: Clock; log: Log },
): { store: Store; gathered: DeferredEntries } {
  const gathered = createDeferredEntries(store, around);
  return { store: createAuditedStore(store, around.clock, gathered), gathered };
}

function createAuditedStore(store: Store, clock: Clock, { enterMerged: enterTogether }: DeferredEntries): Store {
  const noting = ({ packer, ...tx }: Transaction, changes: Changes, actor: Actor): Transaction => ({
    ...tx,
    put<C extends CollectionName>(collection: C, document: Documents[C]) {
      if (collection === 'grants') changes.noteGrant(document as Documents['grants'], isoNow(clock));
      else changes.note(actor, collection, document.id);
      tx.put(collection, document);
    },
    ...(packer && {
      packer: {
        canPut: packer.canPut,
        put(bundle, ids, at) {
          for (const id of ids) changes.note(actor, bundle.collection, id);
          packer.put(bundle, ids, at);
        },
      },
    }),
    remove(collection: CollectionName, id: string) {
      changes.note(actor, collection, id);
      tx.remove(collection, id);
    },
  });

  /** A store may run the work again: each run has separate changes. */
  const entering =
    <T>(work: (tx: Transaction) => Promise<T>, actor: Actor, leave: (facts: readonly Fact[]) => void) =>
    async (tx: Transaction): Promise<T> => {
      const changes = new Changes();
      const result = await work(noting(tx, changes, actor));
      const facts = changes.facts(actor, isoNow(clock));
      if (enteredLater.has(actor.action)) leave(facts);
      else if (facts.length > 0) await appendFacts(tx, facts);
      return result;
    };

  return {
    ...store,
    async transact(work, actorOf = () => serviceActor('service')) {
      let left: readonly Fact[] = [];
      const noted = entering(work, actorOf(), (facts) => void (left = facts));
      const result = await store.transact(noted);
      for (const fact of left) enterTogether(fact);
      return result;
    },
    overhaul: (work) => store.overhaul(work),
  };
}
