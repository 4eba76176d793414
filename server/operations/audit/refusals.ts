/**
 * Enters refused logins and calls in groups: the first of a group at once, the others as one entry with their count when the
 * time of the group is over. A guesser makes few entries, and none of the guesses is missing from the count.
 */
import type { Clock } from '../../../src/domain/clock.ts';
import type { DeferredEntries } from './deferred-entries.ts';
import type { Fact } from './trail.ts';

type Refusal = Omit<Fact, 'at' | 'outcome' | 'count'>;

interface Group {
  /** The newest refusal, which the entry of the others shows. */
  newest: Refusal;
  /** Refusals since the last entry. */
  waiting: number;
  readonly cancel: () => void;
}

/** Maximum of concurrent groups. Refusals beyond share one group for each action, without an address. */
const maxGroups = 1000;

export interface Refusals {
  /** `ms`: how long further refusals of the same group are collected. */
  enter(refusal: Refusal, ms: number): void;
  /** Enters what is counted and not entered yet; the groups go on. */
  flush(): void;
  /** Enters it, and ends the groups. */
  close(): void;
}

export function createRefusals({ enter }: Pick<DeferredEntries, 'enter'>, clock: Clock): Refusals {
  const groups = new Map<string, Group>();

  const write = (refusal: Refusal, count?: number): void =>
    enter({ ...refusal, outcome: 'refused', ...(count !== undefined && { count }) });

  const end = (key: string): void => {
    const group = groups.get(key);
    groups.delete(key);
    group?.cancel();
    if (group && group.waiting > 0) write(group.newest, group.waiting);
  };

  const findKey = ({ by, user_id, client_id, action, ids, address }: Refusal): string =>
    JSON.stringify([action, by, user_id, client_id, address, ids]);

  return {
    enter(refusal, ms) {
      const own = findKey(refusal);
      const isCrowded = !groups.has(own) && groups.size >= maxGroups;
      const counted = isCrowded ? { ...refusal, user_id: null, client_id: null, ids: [], address: null } : refusal;
      const key = isCrowded ? findKey(counted) : own;
      const group = groups.get(key);
      if (group) {
        group.newest = counted;
        group.waiting++;
        return;
      }
      groups.set(key, { newest: counted, waiting: 0, cancel: clock.schedule(clock.now() + ms, () => end(key)) });
      write(counted);
    },
    flush() {
      for (const group of groups.values()) {
        if (group.waiting > 0) write(group.newest, group.waiting);
        group.waiting = 0;
      }
    },
    close() {
      for (const key of groups.keys()) end(key);
    },
  };
}
