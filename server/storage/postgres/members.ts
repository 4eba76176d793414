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
import type { Reader } from '../store.ts';
import type { Connections } from './connections.ts';
import { memberKey, needLease } from './draft.ts';
import type { LeasedTransaction } from './draft.ts';
import { announceStatement, membersChanged } from './events.ts';
import { drawCommit } from './locks.ts';
import type { Locks } from './locks.ts';

/** How long a member is there without being renewed, by the clock of the database. */
const lifetime = "interval '15 seconds'";
/** In ms of the machine's clock: when it is renewed, and when it stops its work because it could not be. */
const renewal = 3000;
const ownLifetime = 10_000;

export interface MemberDeps {
  /** Quoted. */
  readonly schema: string;
  readonly connections: Connections;
  readonly locks: Locks;
  readonly id: string;
  /** The URL at which other members reach this one. */
  readonly url?: string | undefined;
  /** The machine's. */
  readonly clock: Pick<Clock, 'elapsed'>;
}

interface OwnClaim {
  readonly name: string;
  readonly holder: LeaseHolder;
  /** `undefined`: the claim has no row. */
  place: string | undefined;
  isHeld: boolean;
}

/** A call of a holder that is due. */
type Call = () => void | Promise<void>;

export class PostgresMembers implements Members {
  readonly id: string;
  readonly #deps: MemberDeps;
  readonly #claims = new Set<OwnClaim>();
  readonly #gone = createListeners();
  /** Changes of this member's rows, one after the other. */
  readonly #inOrder = createOrder();
  #known: ReadonlySet<string> = new Set();
  #renewedAt: number;
  /** Rows of released claims may be there still. */
  #hasReleased = false;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  private constructor(deps: MemberDeps) {
    this.#deps = deps;
    this.id = deps.id;
    this.#renewedAt = deps.clock.elapsed();
  }

  static async join(deps: MemberDeps): Promise<PostgresMembers> {
    const members = new PostgresMembers(deps);
    await members.#enter();
    members.#known = await members.present();
    await members.#announce();
    return members;
  }

  /** Begins to renew this member, until `close`. */
  keep(): void {
    if (this.#isClosed) return;
    const next = (): void => this.keep();
    this.#timer = setTimeout(() => void this.round().then(next, next), renewal);
    this.#timer.unref();
  }

  async present(): Promise<ReadonlySet<string>> {
    const rows = await this.#ask<{ id: string }>(
      (schema) => `SELECT id FROM ${schema}.members WHERE until > now()`,
      [],
    );
    return new Set(rows.map(({ id }) => id));
  }

  onGone(listener: () => void): () => void {
    return this.#gone.add(listener);
  }

  claim(name: string, holder: LeaseHolder): Claim {
    const own: OwnClaim = { name, holder, place: undefined, isHeld: false };
    this.#claims.add(own);
    const answered = this.#claimFirst(own);
    // The next round asks again.
    answered.catch(() => undefined);
    const isTimely = (): boolean => this.#isTimely();
    return {
      get isHeld() {
        return own.isHeld && isTimely();
      },
      answered,
      confirm: (tx) => this.#confirm(own, tx),
      show: (state) => this.#show(own, state),
      release: () => this.#release(own),
    };
  }

  async shown(name: string): Promise<unknown> {
    await this.#inOrder.idle();
    const [row] = await this.#ask<{ state: unknown }>(
      (schema) => `SELECT state FROM ${schema}.claims WHERE name = $1 ORDER BY place LIMIT 1`,
      [name],
    );
    return row?.state ?? undefined;
  }

  async findHolderUrl(name: string): Promise<string | undefined> {
    const [holder] = await this.#ask<{ url: string | null }>(
      (schema) =>
        `SELECT m.url FROM ${schema}.claims c JOIN ${schema}.members m ON m.id = c.member WHERE c.name = $1 ORDER BY place LIMIT 1`,
      [name],
    );
    return holder?.url ?? undefined;
  }

  async isHeld(beginning: string): Promise<boolean> {
    const rows = await this.#ask(
      (schema) => `SELECT 1 FROM ${schema}.claims WHERE starts_with(name, $1) LIMIT 1`,
      [beginning],
    );
    return rows.length > 0;
  }

  /** Renews this member, puts out those that have gone, and takes over the leases that they held. */
  async round(): Promise<void> {
    const lost: Call[] = [];
    const calls: Call[] = [];
    let hasGone = false;
    try {
      await this.#inOrder(async () => {
        if (this.#isClosed) return;
        lost.push(...(await this.#renew()));
        await this.#putOut();
        const present = await this.present();
        hasGone = [...this.#known].some((member) => !present.has(member));
        this.#known = present;
        calls.push(...this.#note(this.#claims, await this.#findHeld()));
      });
    } catch (error) {
      if (!this.#isTimely()) await makeAll(this.#note(this.#claims, new Set()));
      throw error;
    }
    await makeAll(lost);
    await makeAll(calls);
    if (hasGone) this.#gone.notify();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#inOrder.idle();
    this.#claims.clear();
    await this.#leave().catch(() => undefined);
  }

  #ask<Row>(write: (schema: string) => string, values: readonly unknown[]): Promise<readonly Row[]> {
    const { schema, connections } = this.#deps;
    return connections.reads.run<Row>({ text: write(schema), values });
  }

  #announce(): Promise<unknown> {
    const { schema, connections, locks } = this.#deps;
    return connections.during(locks.begin, (connection) =>
      connection.run(announceStatement(schema, this.id, membersChanged)),
    );
  }

  #isTimely(): boolean {
    return this.#deps.clock.elapsed() - this.#renewedAt < ownLifetime;
  }

  async #enter(): Promise<void> {
    const asked = this.#deps.clock.elapsed();
    await this.#ask(
      (schema) => `INSERT INTO ${schema}.members (id, url, until) VALUES ($1, $2, now() + ${lifetime})`,
      [this.id, this.#deps.url ?? null],
    );
    this.#renewedAt = asked;
  }

  async #leave(): Promise<void> {
    const left = (schema: string) =>
      `WITH given AS (DELETE FROM ${schema}.claims WHERE member = $1) DELETE FROM ${schema}.members WHERE id = $1`;
    await this.#ask(left, [this.id]);
    await this.#announce();
  }

  /** Returns the calls of holders that have lost their leases. */
  async #renew(): Promise<readonly Call[]> {
    const asked = this.#deps.clock.elapsed();
    const renewed = await this.#ask(
      (schema) => `UPDATE ${schema}.members SET until = now() + ${lifetime} WHERE id = $1 RETURNING id`,
      [this.id],
    );
    let lost: readonly Call[] = [];
    if (renewed.length > 0) this.#renewedAt = asked;
    else {
      // Others have put this member out: it comes back behind them.
      for (const claim of this.#claims) claim.place = undefined;
      lost = this.#note(this.#claims, new Set());
      await this.#enter();
    }
    for (const claim of this.#claims) if (claim.place === undefined) await this.#insert(claim);
    if (!this.#hasReleased) return lost;
    this.#hasReleased = false;
    const places = Array.from(this.#claims, ({ place }) => place);
    await this.#ask(
      (schema) => `DELETE FROM ${schema}.claims WHERE member = $1 AND place <> ALL($2::bigint[])`,
      [this.id, places],
    );
    await this.#announce();
    return lost;
  }

  /** One claim for a name after the other: a later place is never seen before an earlier one. */
  async #insert(claim: OwnClaim): Promise<void> {
    const { schema, connections, locks } = this.#deps;
    const { name } = claim;
    claim.place = await connections.during(locks.begin, async (connection) => {
      await connection.run(locks.take(new Map([[`lease ${name}`, true]]), drawCommit()));
      const [row] = await connection.run<{ place: string }>({
        text: `INSERT INTO ${schema}.claims (name, member) VALUES ($1, $2) RETURNING place`,
        values: [name, this.id],
      });
      return row?.place;
    });
  }

  async #putOut(): Promise<void> {
    const { schema, connections, locks } = this.#deps;
    const late = await this.#ask<{ id: string }>(() => `SELECT id FROM ${schema}.members WHERE until < now()`, []);
    for (const { id } of late) {
      await connections.during(locks.begin, async (connection) => {
        await connection.run(locks.take(new Map([[memberKey(id), true]]), drawCommit()));
        const removed = await connection.run({
          text: `DELETE FROM ${schema}.members WHERE id = $1 AND until < clock_timestamp() RETURNING id`,
          values: [id],
        });
        if (removed.length === 0) return;
        await connection.run({ text: `DELETE FROM ${schema}.claims WHERE member = $1`, values: [id] });
        await connection.run(announceStatement(schema, this.id, membersChanged));
      });
    }
  }

  /** The places of the claims that are the oldest of their names. */
  async #findHeld(): Promise<ReadonlySet<string>> {
    const rows = await this.#ask<{ place: string }>(
      (schema) =>
        `SELECT DISTINCT ON (name) place FROM ${schema}.claims WHERE name = ANY($1::text[]) ORDER BY name, place`,
      [Array.from(this.#claims, ({ name }) => name)],
    );
    return new Set(rows.map(({ place }) => place));
  }

  /** Notes which leases are held now. */
  #note(claims: Iterable<OwnClaim>, held: ReadonlySet<string>): Call[] {
    const calls: Call[] = [];
    for (const claim of claims) {
      const isHeld = claim.place !== undefined && held.has(claim.place);
      if (isHeld === claim.isHeld) continue;
      claim.isHeld = isHeld;
      calls.push(isHeld ? () => claim.holder.begin() : () => claim.holder.end());
    }
    return calls;
  }

  async #claimFirst(own: OwnClaim): Promise<void> {
    const calls: Call[] = [];
    await this.#inOrder(async () => {
      if (!this.#claims.has(own)) return;
      if (own.place === undefined) await this.#insert(own);
      calls.push(...this.#note([own], await this.#findHeld()));
    });
    // Not in the order: whoever begins may claim more.
    await makeAll(calls);
  }

  async #confirm({ name, place }: OwnClaim, tx: Reader): Promise<void> {
    const [oldest] = await this.#ask<{ place: string }>(
      (schema) =>
        `SELECT place FROM ${schema}.claims c JOIN ${schema}.members m ON m.id = c.member WHERE c.name = $1 ORDER BY place LIMIT 1`,
      [name],
    );
    if (place === undefined || oldest?.place !== place) throw leaseLost();
    (tx as Partial<LeasedTransaction>)[needLease]?.({ name, member: this.id, place });
  }

  #show(own: OwnClaim, state: unknown): void {
    const write = () =>
      this.#ask(
        (schema) => `UPDATE ${schema}.claims SET state = $1 WHERE place = $2`,
        [JSON.stringify(state ?? null), own.place],
      );
    // A state that was not written is shown by the next change of it.
    this.#inOrder(write).catch(() => undefined);
  }

  async #release(own: OwnClaim): Promise<void> {
    if (!this.#claims.delete(own)) return;
    if (own.isHeld) {
      own.isHeld = false;
      await own.holder.end();
    }
    this.#hasReleased = true;
    // Where that fails the next round gives it back.
    await this.#inOrder(() => this.#renew()).catch(() => void (this.#hasReleased = true));
  }
}

const makeAll = async (calls: readonly Call[]): Promise<void> => {
  await Promise.all(calls.map(async (call) => call()));
};
