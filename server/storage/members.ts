/**
 * The port of the members: the processes that work over one store, each a server. Work that only one of them may do at a time has a
 * lease; the member that holds it works, and another one takes over once that one is gone. A store of one process has one member,
 * which holds every lease that it asks for.
 */
import { AppError } from '../../src/contract/errors.ts';
import type { Clock } from '../../src/domain/clock.ts';
import type { Reader, Store } from './store.ts';

export interface Members {
  /** The id of this member, a new one at each start. */
  readonly id: string;
  /** The ids of the members that are there, this one included. */
  present(): Promise<ReadonlySet<string>>;
  /** Calls `listener` once members have gone, and others hold their leases. The returned function ends that. */
  onGone(listener: () => void): () => void;
  /** Asks for the lease of that name, until `release`. */
  claim(name: string, holder: LeaseHolder): Claim;
  /** The state that the holder of the lease shows; `undefined`: none. */
  shown(name: string): Promise<unknown>;
  /** The URL of the member that holds the lease; `undefined`: nobody does, or it has none. */
  findHolderUrl(name: string): Promise<string | undefined>;
  /** Whether a member holds a lease whose name begins like that. */
  isHeld(beginning: string): Promise<boolean>;
  /** ms by which the clock of this computer is ahead of the store's, as it was at the last renewal; negative: behind. */
  clockLead(): number;
  /** Gives all leases back, without calling their holders. */
  close(): Promise<void>;
}

/** Whether the clocks are further apart than the minute that is tolerated elsewhere. */
export const isClockApart = (lead: number): boolean => Math.abs(lead) > 60_000;

/** In ms: less is the time of the question to the store rather than a clock that is wrong. */
const minLead = 1000;

/**
 * A clock that shows the store's time, the same in all members, however far the clocks of their computers are apart: what one member
 * issues for a minute, another one redeems or removes. A store of one process has no members.
 */
export function createCommonClock(clock: Clock, members: Pick<Members, 'clockLead'> | undefined): Clock {
  if (!members) return clock;
  const findLead = (): number => {
    const lead = Math.round(members.clockLead());
    return Math.abs(lead) < minLead ? 0 : lead;
  };
  return {
    now: () => clock.now() - findLead(),
    elapsed: () => clock.elapsed(),
    schedule: (at, task) => clock.schedule(at + findLead(), task),
  };
}

/** The work under a lease. */
export interface LeaseHolder {
  /** Called when this member gets the lease. */
  begin(): void | Promise<void>;
  /** Called when this member has lost the lease or gives it back, and after `begin` has failed, which may come again then. */
  end(): void | Promise<void>;
}

export interface Claim {
  /** Whether this member holds the lease. */
  readonly isHeld: boolean;
  /** Settles once the store has answered for the first time, and if it granted the lease, `begin` has ended. */
  readonly answered: Promise<void>;
  /**
   * Makes the transaction depend on the lease: it rejects with AppError STORAGE_UNAVAILABLE unless this member still holds the lease
   * at the commit. So a member that was asleep commits nothing of what others have taken over.
   */
  confirm(tx: Reader): Promise<void>;
  /** Shows the state of the work to the other members. */
  show(state: unknown): void;
  /** Ends the work, then gives the lease back. */
  release(): Promise<void>;
}

/** The error of a member that commits work after its lease. */
export const leaseLost = (): AppError =>
  new AppError('STORAGE_UNAVAILABLE', {
    message: 'Another process of the server has taken over this work.',
    retryAfter: 1,
  });

/** The member of a store of one process. */
export function createLoneMember(id: string): Members {
  const held = new Map<string, number>();
  const shown = new Map<string, unknown>();
  const count = (name: string, change: 1 | -1): void => {
    const claims = (held.get(name) ?? 0) + change;
    if (claims > 0) held.set(name, claims);
    else held.delete(name);
  };
  return {
    id,
    present: async () => new Set([id]),
    onGone: () => () => {},
    claim(name, { begin, end }) {
      let isHeld = true;
      count(name, 1);
      const begun = begin();
      return {
        get isHeld() {
          return isHeld;
        },
        answered: Promise.resolve(begun),
        confirm: async () => {},
        show: (state) => void shown.set(name, state),
        async release() {
          if (!isHeld) return;
          isHeld = false;
          try {
            await end();
          } finally {
            count(name, -1);
            shown.delete(name);
          }
        },
      };
    },
    shown: async (name) => shown.get(name),
    findHolderUrl: async () => undefined,
    isHeld: async (beginning) => [...held.keys()].some((name) => name.startsWith(beginning)),
    clockLead: () => 0,
    close: async () => held.clear(),
  };
}

/** A store whose transactions depend on a lease. */
export const leasedStore = (store: Store, confirm: Claim['confirm']): Store => ({
  ...store,
  transact: (work, actor) =>
    store.transact(async (tx) => {
      await confirm(tx);
      return work(tx);
    }, actor),
});

/** A part of the server that works from `start` to `stop`. `start` is called again if every document may have changed. */
export interface Part {
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** A part that works only in the member that holds the lease. `create` gets the store that it writes to. */
export function underLease<P extends Part>(
  { store, members }: { readonly store: Store; readonly members: Members },
  name: string,
  create: (store: Store) => P,
): P {
  let claim: Claim | undefined;
  const part = create(leasedStore(store, async (tx) => claim?.confirm(tx)));
  return {
    ...part,
    async start() {
      if (claim?.isHeld) return part.start();
      claim ??= members.claim(name, { begin: () => part.start(), end: () => part.stop() });
      await claim.answered;
    },
    async stop() {
      await claim?.release();
      claim = undefined;
    },
  };
}

/** The leases of work of one kind, such as the webhooks of each client. */
export interface LeaseSet {
  /** Whether this member holds the lease. The first call asks for it. */
  has(key: string): boolean;
  /** Whether this member has asked for the lease, which it may not hold. Asks for nothing. */
  isClaimed(key: string): boolean;
  /** Settles once the store has answered. */
  answered(key: string): Promise<void>;
  confirm(key: string, tx: Reader): Promise<void>;
  show(key: string, state: unknown): void;
  shown(key: string): Promise<unknown>;
  release(key: string): Promise<void>;
  releaseAll(): Promise<void>;
}

/** The name of the lease for one piece of work of a kind. */
export const leaseName = (kind: string, key: string): string => `${kind} ${key}`;

/** `begin` is called for leases that this member gets after `has` said no. */
export function createLeaseSet(
  members: Members,
  kind: string,
  { begin, end }: { begin(key: string): void | Promise<void>; end(key: string): void | Promise<void> },
): LeaseSet {
  const claims = new Map<string, Claim>();
  const openClaim = (key: string): Claim => {
    const present = claims.get(key);
    if (present) return present;
    let isAsking = true;
    const claim = members.claim(leaseName(kind, key), {
      // Not awaited: `begin` may ask for the same lease. It handles its own failures.
      begin: () => void (isAsking || begin(key)),
      end: () => (claims.has(key) ? end(key) : undefined),
    });
    isAsking = false;
    claims.set(key, claim);
    return claim;
  };
  const release = async (key: string): Promise<void> => {
    const claim = claims.get(key);
    claims.delete(key);
    await claim?.release();
  };
  return {
    has: (key) => openClaim(key).isHeld,
    isClaimed: (key) => claims.has(key),
    answered: (key) => openClaim(key).answered,
    confirm: (key, tx) => openClaim(key).confirm(tx),
    show: (key, state) => openClaim(key).show(state),
    shown: (key) => members.shown(leaseName(kind, key)),
    release,
    async releaseAll() {
      await Promise.all(Array.from(claims.keys(), release));
    },
  };
}
