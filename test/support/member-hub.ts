/** Members of one store in one process, whose store answers late, as one over a network does. */
import { leaseLost } from '../../server/storage/members.ts';
import type { Claim, LeaseHolder, Members } from '../../server/storage/members.ts';
import { createListeners } from '../../src/domain/listeners.ts';

interface Lease {
  /** The claims of members, in the order in which they asked. */
  readonly waiting: HubClaim[];
  holder: HubClaim | undefined;
  state: unknown;
}

interface HubClaim {
  readonly member: string;
  readonly holder: LeaseHolder;
}

export interface MemberHub {
  /** Another member. */
  join(): Members;
  /**
   * The member is gone for all others, which take over its leases; it doesn't know, as one that sleeps. Resolves once the others have
   * begun the work.
   */
  lose(member: string): Promise<void>;
  /** The member that was lost learns so, and ends its work. */
  wake(member: string): Promise<void>;
  /** The member that holds the lease. */
  holderOf(name: string): string | undefined;
  /** Says where the other members reach the one that joined last. */
  locateLast(url: string): void;
  /** Says by how many ms the clock of the member that joins next is ahead of the store's. */
  leadNext(lead: number): void;
}

const later = () => new Promise<void>((resolve) => setImmediate(resolve));

export function createMemberHub(): MemberHub {
  const present = new Set<string>();
  const leases = new Map<string, Lease>();
  const gone = createListeners();
  /** Claims of lost members, which work on. */
  const asleep: HubClaim[] = [];
  let joined = 0;
  let nextLead = 0;
  const urls = new Map<string, string>();

  const leaseOf = (name: string): Lease => {
    let lease = leases.get(name);
    if (!lease) leases.set(name, (lease = { waiting: [], holder: undefined, state: undefined }));
    return lease;
  };
  async function grant(lease: Lease): Promise<void> {
    if (lease.holder) return;
    lease.holder = lease.waiting.shift();
    lease.state = undefined;
    await lease.holder?.holder.begin();
  }
  async function free(lease: Lease, claim: HubClaim): Promise<void> {
    const at = lease.waiting.indexOf(claim);
    if (at >= 0) lease.waiting.splice(at, 1);
    if (lease.holder !== claim) return;
    lease.holder = undefined;
    await grant(lease);
  }
  async function leave(member: string): Promise<void> {
    present.delete(member);
    const freed: Promise<void>[] = [];
    for (const lease of leases.values()) {
      for (const claim of lease.waiting.filter((each) => each.member === member)) void free(lease, claim);
      if (lease.holder?.member !== member) continue;
      asleep.push(lease.holder);
      freed.push(free(lease, lease.holder));
    }
    await Promise.all(freed);
    gone.notify();
  }

  return {
    join() {
      const id = `member ${++joined}`;
      present.add(id);
      const lead = nextLead;
      nextLead = 0;
      return {
        id,
        async present() {
          await later();
          return new Set(present);
        },
        onGone: gone.add,
        claim(name, holder): Claim {
          const lease = leaseOf(name);
          const claim: HubClaim = { member: id, holder };
          const isHeld = () => lease.holder === claim;
          const ask = async (): Promise<void> => {
            await later();
            if (!present.has(id)) return;
            lease.waiting.push(claim);
            await grant(lease);
          };
          return {
            get isHeld() {
              return isHeld();
            },
            answered: ask(),
            async confirm() {
              if (!isHeld()) throw leaseLost();
            },
            show(state) {
              if (isHeld()) lease.state = state;
            },
            async release() {
              if (isHeld()) await holder.end();
              await free(lease, claim);
            },
          };
        },
        async shown(name) {
          await later();
          return leases.get(name)?.state;
        },
        async findHolderUrl(name) {
          await later();
          return urls.get(leases.get(name)?.holder?.member ?? '');
        },
        async isHeld(beginning) {
          await later();
          return Array.from(leases).some(([name, { holder }]) => holder && name.startsWith(beginning));
        },
        clockLead: () => lead,
        close: () => leave(id),
      };
    },
    lose: leave,
    async wake(member) {
      for (const claim of asleep) if (claim.member === member) await claim.holder.end();
    },
    leadNext: (lead) => void (nextLead = lead),
    locateLast: (url) => void urls.set(`member ${joined}`, url),
    holderOf: (name) => leases.get(name)?.holder?.member,
  };
}
