/**
 * The members of a store in PostgreSQL: rows that each process renews by the clock of the database. A lease belongs to the oldest claim
 * for it. A member that was not renewed in time is put out by another one, with all its claims; that waits for the commits that depend on
 * them, so that nobody works under the same lease at the same time.
 */
import type { Clock } from '../../../src/domain/clock.ts';
import { createOrder } from '../../../src/domain/in-order.ts';
import type { InOrder } from '../../../src/domain/in-order.ts';
import { createListeners } from '../../../src/domain/listeners.ts';
import { isClockApart, leaseLost } from '../members.ts';
import type { Claim, LeaseHolder, Members } from '../members.ts';
import type { Reader } from '../store.ts';
import type { Connections } from './connections.ts';
import { memberKey, needLease } from './draft.ts';
import type { LeasedTransaction } from './draft.ts';
import { announceStatement, membersChanged } from './events.ts';
import { form } from './layout.ts';
import { drawCommit, outdated } from './locks.ts';
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
  /** The time of this computer, in ms since 1970. */
  readonly now: () => number;
  /** Called with the lead of the clock of this computer when it gets too far from the database's. */
  readonly onClockApart?: ((lead: number) => void) | undefined;
  /** Called once where a newer version has taken over while this process slept. */
  readonly onOutdated?: (() => void) | undefined;
}

/** The time of the database in ms since 1970, as a column. */
const storeTime = '(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS at';

/** Whether the tables are not completed by a newer version, as a condition. */
const isPresentForm = (schema: string, parameter: string): string =>
  `(SELECT form FROM ${schema}.meta) <= ${parameter}::int`;

interface OwnClaim {
  readonly name: string;
  readonly holder: LeaseHolder;
  /** `undefined`: the claim has no row. */
  place: string | undefined;
  isHeld: boolean;
  /** The place under which the holder has begun; `undefined`: it does not work. */
  begun: string | undefined;
  /** Calls of the holder, one after the other. */
  readonly inOrder: InOrder;
}

export class PostgresMembers implements Members {
  readonly id: string;
  readonly #deps: MemberDeps;
  readonly #claims = new Set<OwnClaim>();
  readonly #gone = createListeners();
  /** Changes of this member's rows, one after the other. */
  readonly #inOrder = createOrder();
  #known: ReadonlySet<string> = new Set();
  #renewedAt: number;
  #clockLead = 0;
  /** Rows of claims that are no more may be there still. */
  #hasRemains = false;
  /** A newer version has completed the tables. */
  #isOutdated = false;
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
    this.#timer = setTimeout(() => {
      const refreshing = this.#refresh();
      // Not behind the holders: a member whose work begins slowly is there all the same.
      refreshing.then(next, next);
      this.#finish(refreshing).catch(() => undefined);
    }, renewal);
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
    const own: OwnClaim = { name, holder, place: undefined, isHeld: false, begun: undefined, inOrder: createOrder() };
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

  clockLead(): number {
    return this.#clockLead;
  }

  /** Renews this member, puts out those that have gone, and takes over the leases that they held. */
  round(): Promise<void> {
    return this.#finish(this.#refresh());
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#inOrder.idle();
    this.#claims.clear();
    await this.#leave().catch(() => undefined);
  }

  /** Asks the database which leases are held. Returns whether members have gone. */
  async #refresh(): Promise<boolean> {
    try {
      return await this.#inOrder(async () => {
        if (this.#isClosed) return false;
        await this.#renew();
        await this.#putOut();
        const previous = this.#known;
        this.#known = await this.present();
        this.#note(this.#claims, await this.#findHeld());
        return [...previous].some((member) => !this.#known.has(member));
      });
    } catch (error) {
      if (!this.#isTimely()) this.#note(this.#claims, new Set());
      throw error;
    }
  }

  /**
   * Calls the holders of leases that were won or lost. A `begin` that failed, or a call that was not made, is due again in the next
   * round; an `end` that failed is not repeated.
   */
  async #finish(refreshing: Promise<boolean>): Promise<void> {
    const [refreshed] = await Promise.allSettled([refreshing]);
    const called = await Promise.allSettled(Array.from(this.#claims, callHolder));
    if (refreshed.status === 'fulfilled' && refreshed.value) this.#gone.notify();
    for (const each of [refreshed, ...called]) if (each.status === 'rejected') throw each.reason;
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
    const isIn = await this.#stamp(
      (schema) =>
        `INSERT INTO ${schema}.members (id, url, form, until) SELECT $1, $2, $3::int, now() + ${lifetime} WHERE ${isPresentForm(schema, '$3')}`,
      [this.id, this.#deps.url ?? null, form],
    );
    if (isIn) return;
    if (!this.#isOutdated) this.#deps.onOutdated?.();
    this.#isOutdated = true;
    throw outdated();
  }

  /** Writes the row of this member, and compares the clocks. Returns whether it was there. */
  async #stamp(write: (schema: string) => string, values: readonly unknown[]): Promise<boolean> {
    const { clock, now } = this.#deps;
    const asked = clock.elapsed();
    const [row] = await this.#ask<{ at: number }>((schema) => `${write(schema)} RETURNING ${storeTime}`, values);
    if (!row) return false;
    this.#renewedAt = asked;
    // The database looked at its clock half way.
    this.#noteLead(now() - (clock.elapsed() - asked) / 2 - row.at);
    return true;
  }

  #noteLead(lead: number): void {
    const wasApart = isClockApart(this.#clockLead);
    this.#clockLead = lead;
    if (!wasApart && isClockApart(lead)) this.#deps.onClockApart?.(lead);
  }

  async #leave(): Promise<void> {
    const left = (schema: string) =>
      `WITH given AS (DELETE FROM ${schema}.claims WHERE member = $1) DELETE FROM ${schema}.members WHERE id = $1`;
    await this.#ask(left, [this.id]);
    await this.#announce();
  }

  async #renew(): Promise<void> {
    const isRenewed = await this.#stamp(
      (schema) =>
        `UPDATE ${schema}.members SET until = now() + ${lifetime} WHERE id = $1 AND ${isPresentForm(schema, '$2')}`,
      [this.id, form],
    );
    if (!isRenewed) {
      // Others have put this member out: it comes back behind them.
      for (const claim of this.#claims) claim.place = undefined;
      this.#note(this.#claims, new Set());
      await this.#enter();
    }
    for (const claim of this.#claims) if (claim.place === undefined) await this.#insert(claim);
    if (!this.#hasRemains) return;
    this.#hasRemains = false;
    try {
      const places = Array.from(this.#claims, ({ place }) => place);
      await this.#ask(
        (schema) => `DELETE FROM ${schema}.claims WHERE member = $1 AND place <> ALL($2::bigint[])`,
        [this.id, places],
      );
      await this.#announce();
    } catch (error) {
      this.#hasRemains = true;
      throw error;
    }
  }

  /** One claim for a name after the other: a later place is never seen before an earlier one. */
  async #insert(claim: OwnClaim): Promise<void> {
    const { schema, connections, locks } = this.#deps;
    const { name } = claim;
    try {
      claim.place = await connections.during(locks.begin, async (connection) => {
        await locks.take(connection, new Map([[`lease ${name}`, true]]), drawCommit());
        const [row] = await connection.run<{ place: string }>({
          text: `INSERT INTO ${schema}.claims (name, member) VALUES ($1, $2) RETURNING place`,
          values: [name, this.id],
        });
        return row?.place;
      });
    } catch (error) {
      // Its row may be there all the same, before that of the next attempt.
      this.#hasRemains = true;
      throw error;
    }
  }

  async #putOut(): Promise<void> {
    const { schema, connections, locks } = this.#deps;
    const late = await this.#ask<{ id: string }>(() => `SELECT id FROM ${schema}.members WHERE until < now()`, []);
    for (const { id } of late) {
      await connections.during(locks.begin, async (connection) => {
        await locks.take(connection, new Map([[memberKey(id), true]]), drawCommit());
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
  #note(claims: Iterable<OwnClaim>, held: ReadonlySet<string>): void {
    for (const claim of claims) claim.isHeld = claim.place !== undefined && held.has(claim.place);
  }

  async #claimFirst(own: OwnClaim): Promise<void> {
    await this.#inOrder(async () => {
      if (!this.#claims.has(own)) return;
      if (own.place === undefined) await this.#insert(own);
      const held = await this.#findHeld();
      // It may have been released meanwhile.
      if (this.#claims.has(own)) this.#note([own], held);
    });
    // Not in the order: whoever begins may claim more.
    await callHolder(own);
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
    own.isHeld = false;
    try {
      await callHolder(own);
    } finally {
      this.#hasRemains = true;
      // Where that fails the next round gives it back.
      await this.#inOrder(() => this.#renew()).catch(() => undefined);
    }
  }
}

/** Calls the holder if it does not work although the lease is held, or works under one that was lost, or lost and won again. */
const callHolder = (own: OwnClaim): Promise<void> =>
  own.inOrder(async () => {
    if (own.begun !== undefined && (!own.isHeld || own.begun !== own.place)) {
      own.begun = undefined;
      await own.holder.end();
    }
    if (!own.isHeld || own.begun !== undefined) return;
    const { place } = own;
    try {
      await own.holder.begin();
    } catch (error) {
      // Without it the next attempt would begin over what this one left running.
      await (async () => own.holder.end())().catch(() => undefined);
      throw error;
    }
    own.begun = place;
  });
