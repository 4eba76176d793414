/**
 * The members of a store in PostgreSQL: rows that each process renews by the clock of the database. A lease belongs to the oldest claim
 * for it. A member that was not renewed in time is put out by another one, with all its claims; that waits for the commits that depend on
 * them, so that nobody works under the same lease at the same time.
 */
import type { Clock } from '../../../src/domain/clock.ts';
import { createOrder } from '../../../src/domain/in-order.ts';
import { createListeners } from '../../../src/domain/listeners.ts';
import { leaseLost } from '../members.ts';
import type { Claim, LeaseHolder, Members } from '../members.ts';
import type { Connections } from './connections.ts';
import { memberKey, needLease } from './draft.ts';
import type { LeasedTransaction } from './draft.ts';
import { announceStatement, membersChanged } from './events.ts';
import { drawCommit } from './locks.ts';
import type { Locks } from './locks.ts';

/** By the clock of the database: how long a member is there without being renewed. */
const lifetime = "interval '15 seconds'";
/** In ms of the machine's clock: when it is renewed, and when it stops its work because it could not be. */
const renewal = 3000;
const ownLifetime = 10_000;

export interface PostgresMembers extends Members {
  /** Renews this member, puts out those that have gone, and takes over what they held. */
  round(): Promise<void>;
}

export interface MemberDeps {
  /** Quoted. */
  readonly schema: string;
  readonly connections: Connections;
  readonly locks: Locks;
  readonly id: string;
  /** The machine's. */
  readonly clock: Pick<Clock, 'elapsed'>;
}

interface OwnClaim {
  readonly name: string;
  readonly holder: LeaseHolder;
  /** Of its row; `undefined`: it has none. */
  place: string | undefined;
  isHeld: boolean;
}

export async function joinMembers({ schema, connections, locks, id, clock }: MemberDeps): Promise<PostgresMembers> {
  const { reads } = connections;
  const claims = new Set<OwnClaim>();
  const gone = createListeners();
  const inOrder = createOrder();
  let known = new Set<string>();
  let renewedAt = clock.elapsed();
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  /** Claims that were released, and whose rows may still be there. */
  let hasLeft = false;

  const isTimely = (): boolean => clock.elapsed() - renewedAt < ownLifetime;
  const announce = () => reads.run(announceStatement(schema, id, membersChanged));

  async function enter(): Promise<void> {
    await reads.run({
      text: `INSERT INTO ${schema}.members (id, until) VALUES ($1, clock_timestamp() + ${lifetime}) ON CONFLICT (id) DO UPDATE SET until = excluded.until`,
      values: [id],
    });
    renewedAt = clock.elapsed();
  }

  async function ask(claim: OwnClaim): Promise<void> {
    const [row] = await reads.run<{ place: string }>({
      text: `INSERT INTO ${schema}.claims (name, member) VALUES ($1, $2) RETURNING place`,
      values: [claim.name, id],
    });
    claim.place = row?.place;
  }

  /** Which of the claims are the oldest of their names. */
  async function findHeld(names: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await reads.run<{ place: string }>({
      text: `SELECT DISTINCT ON (name) place FROM ${schema}.claims WHERE name = ANY($1::text[]) ORDER BY name, place`,
      values: [names],
    });
    return new Set(rows.map(({ place }) => place));
  }

  /** Notes which leases are held now. The returned calls are still to be made. */
  function note(asked: Iterable<OwnClaim>, held: ReadonlySet<string>): (() => void | Promise<void>)[] {
    const calls: (() => void | Promise<void>)[] = [];
    for (const claim of asked) {
      const isHeld = claim.place !== undefined && held.has(claim.place);
      if (isHeld === claim.isHeld) continue;
      claim.isHeld = isHeld;
      calls.push(isHeld ? () => claim.holder.begin() : () => claim.holder.end());
    }
    return calls;
  }
  const make = async (calls: readonly (() => void | Promise<void>)[]): Promise<void> => {
    await Promise.all(calls.map(async (call) => call()));
  };

  async function renew(): Promise<void> {
    const asked = clock.elapsed();
    const [row] = await reads.run({
      text: `UPDATE ${schema}.members SET until = clock_timestamp() + ${lifetime} WHERE id = $1 RETURNING id`,
      values: [id],
    });
    if (row) renewedAt = asked;
    else {
      // Others have put this member out: it comes back as a new one, behind them.
      for (const claim of claims) claim.place = undefined;
      await enter();
    }
    for (const claim of claims) if (claim.place === undefined) await ask(claim);
    if (!hasLeft) return;
    hasLeft = false;
    const places = [...claims].map(({ place }) => place);
    await reads.run({
      text: `DELETE FROM ${schema}.claims WHERE member = $1 AND place <> ALL($2::bigint[])`,
      values: [id, places],
    });
    await announce();
  }

  async function putOut(): Promise<void> {
    const late = await reads.run<{ id: string }>({
      text: `SELECT id FROM ${schema}.members WHERE until < clock_timestamp() AND id <> $1`,
      values: [id],
    });
    for (const { id: member } of late) {
      await connections.during(locks.begin, async (connection) => {
        await connection.run(locks.take(new Map([[memberKey(member), true]]), drawCommit()));
        const removed = await connection.run({
          text: `DELETE FROM ${schema}.members WHERE id = $1 AND until < clock_timestamp() RETURNING id`,
          values: [member],
        });
        if (removed.length === 0) return;
        await connection.run({ text: `DELETE FROM ${schema}.claims WHERE member = $1`, values: [member] });
        await connection.run(announceStatement(schema, id, membersChanged));
      });
    }
  }

  async function round(): Promise<void> {
    let calls: (() => void | Promise<void>)[] = [];
    let hasGone = false;
    await inOrder(async () => {
      if (isClosed) return;
      try {
        await renew();
        await putOut();
        const rows = await reads.run<{ id: string }>({ text: `SELECT id FROM ${schema}.members`, values: [] });
        const present = new Set(rows.map(({ id: member }) => member));
        hasGone = [...known].some((member) => !present.has(member));
        known = present;
        calls = note(claims, await findHeld([...claims].map(({ name }) => name)));
      } catch (error) {
        if (!isTimely()) calls = note(claims, new Set());
        if (calls.length === 0) throw error;
      }
    });
    await make(calls);
    if (hasGone) gone.notify();
  }

  function plan(): void {
    if (isClosed) return;
    timer = setTimeout(
      () =>
        void round()
          .catch(() => undefined)
          .finally(plan),
      renewal,
    );
    timer.unref();
  }

  async function findPlace(name: string): Promise<string | undefined> {
    const [row] = await reads.run<{ place: string }>({
      text: `SELECT place FROM ${schema}.claims c JOIN ${schema}.members m ON m.id = c.member WHERE c.name = $1 AND NOT EXISTS (SELECT FROM ${schema}.claims o WHERE o.name = c.name AND o.place < c.place)`,
      values: [name],
    });
    return row?.place;
  }

  function createClaim(name: string, holder: LeaseHolder): Claim {
    const own: OwnClaim = { name, holder, place: undefined, isHeld: false };
    claims.add(own);
    const answered = (async () => {
      let calls: (() => void | Promise<void>)[] = [];
      await inOrder(async () => {
        if (!claims.has(own)) return;
        if (own.place === undefined) await ask(own);
        calls = note([own], await findHeld([name]));
      });
      await make(calls);
    })();
    // A round asks again.
    answered.catch(() => undefined);
    return {
      get isHeld() {
        return own.isHeld && isTimely();
      },
      answered,
      async confirm(tx) {
        const place = await findPlace(name);
        if (place === undefined || place !== own.place) throw leaseLost();
        (tx as Partial<LeasedTransaction>)[needLease]?.({ name, member: id, place });
      },
      show(state) {
        void inOrder(() =>
          reads.run({
            text: `UPDATE ${schema}.claims SET state = $1 WHERE place = $2`,
            values: [JSON.stringify(state ?? null), own.place],
          }),
        ).catch(() => undefined);
      },
      async release() {
        if (!claims.delete(own)) return;
        if (own.isHeld) {
          own.isHeld = false;
          await holder.end();
        }
        hasLeft = true;
        await inOrder(renew).catch(() => undefined);
      },
    };
  }

  await enter();
  known = await readPresent();
  await announce();
  plan();

  async function readPresent(): Promise<Set<string>> {
    const rows = await reads.run<{ id: string }>({
      text: `SELECT id FROM ${schema}.members WHERE until > clock_timestamp()`,
      values: [],
    });
    return new Set(rows.map(({ id: member }) => member));
  }

  return {
    id,
    present: readPresent,
    onGone: gone.add,
    claim: createClaim,
    async shown(name) {
      await inOrder.idle();
      const [row] = await reads.run<{ state: unknown }>({
        text: `SELECT state FROM ${schema}.claims WHERE name = $1 ORDER BY place LIMIT 1`,
        values: [name],
      });
      return row?.state ?? undefined;
    },
    async isHeld(beginning) {
      const rows = await reads.run({
        text: `SELECT 1 FROM ${schema}.claims WHERE starts_with(name, $1) LIMIT 1`,
        values: [beginning],
      });
      return rows.length > 0;
    },
    round,
    async close() {
      if (isClosed) return;
      isClosed = true;
      clearTimeout(timer);
      await inOrder.idle();
      claims.clear();
      await reads
        .run({
          text: `WITH left AS (DELETE FROM ${schema}.claims WHERE member = $1) DELETE FROM ${schema}.members WHERE id = $1`,
          values: [id],
        })
        .then(announce)
        .catch(() => undefined);
    },
  };
}
