/** What the members of every store have to do: share out work by leases, and take over that of members that have gone. */
import { describe, expect, test } from 'vitest';
import type { Claim, Members } from '../../server/storage/members.ts';
import { createLeaseSet } from '../../server/storage/members.ts';
import type { Reader } from '../../server/storage/store.ts';

/** Members of one store; of some stores there is only one. */
export interface MembersSubject {
  join(): Members | Promise<Members>;
  /** The member is gone for the others; it doesn't know. Absent where there is only one. */
  readonly lose?: (member: string) => Promise<void>;
}

const tx = {} as Reader;
const lost = { code: 'STORAGE_UNAVAILABLE' };

export function describeMembers(name: string, open: () => MembersSubject | Promise<MembersSubject>): void {
  describe(`members of ${name}`, () => {
    /** Asks for the lease; notes what it hears. */
    const claim = async (member: Members, heard: string[], lease = 'house'): Promise<Claim> => {
      const note = (what: string) => () => void heard.push(`${member.id} ${what}`);
      const asked = member.claim(lease, { begin: note('begins'), end: note('ends') });
      await asked.answered;
      return asked;
    };

    test('each has an id of its own, and is there', async () => {
      const member = await (await open()).join();
      expect(await member.present()).toContain(member.id);
    });

    test('one that is alone has each lease that it asks for, until it gives it back', async () => {
      const member = await (await open()).join();
      const heard: string[] = [];
      const own = await claim(member, heard);
      expect(own.isHeld).toBe(true);
      await own.confirm(tx);
      own.show({ status: 'open' });
      expect(await member.shown('house')).toEqual({ status: 'open' });
      expect(await member.isHeld('hou')).toBe(true);
      expect(await member.isHeld('mou')).toBe(false);
      await own.release();
      await own.release();
      expect(own.isHeld).toBe(false);
      expect(await member.isHeld('hou')).toBe(false);
      expect(await member.shown('house')).toBeUndefined();
      expect(heard).toEqual([`${member.id} begins`, `${member.id} ends`]);
    });

    test('a set of leases asks for each once, and hears of those that come later', async () => {
      const { join, lose } = await open();
      const begun: string[] = [];
      const createSet = (member: Members) =>
        createLeaseSet(member, 'channel', { begin: (key) => void begun.push(`${member.id} ${key}`), end: () => {} });
      const [one, other] = [await join(), lose && (await join())];
      const first = createSet(one);
      first.has('a');
      await first.answered('a');
      expect(first.has('a')).toBe(true);
      if (!other || !lose) return expect(begun).toEqual([]);
      const second = createSet(other);
      second.has('a');
      await second.answered('a');
      expect(second.has('a')).toBe(false);
      await expect(second.confirm('a', tx)).rejects.toMatchObject(lost);
      await lose(one.id);
      expect(second.has('a')).toBe(true);
      expect(begun).toContain(`${other.id} a`);
      await expect(first.confirm('a', tx)).rejects.toMatchObject(lost);
    });

    test('of several only one holds a lease; the next one begins when that one has ended or is gone', async () => {
      const { join, lose } = await open();
      if (!lose) return;
      const [one, two, three] = [await join(), await join(), await join()];
      const heard: string[] = [];
      const claims = [];
      for (const member of [one, two, three]) claims.push(await claim(member, heard));
      expect(claims.map(({ isHeld }) => isHeld)).toEqual([true, false, false]);
      await claims[0]?.release();
      let gone = 0;
      const leave = three.onGone(() => (gone += 1));
      await lose(two.id);
      leave();
      expect(gone).toBe(1);
      expect(await three.present()).toEqual(new Set([one.id, three.id]));
      await expect(claims[1]?.confirm(tx)).rejects.toMatchObject(lost);
      await claims[2]?.confirm(tx);
      expect(heard).toEqual([`${one.id} begins`, `${one.id} ends`, `${two.id} begins`, `${three.id} begins`]);
    });
  });
}
