/** The members of a store in PostgreSQL, by the clock of the database. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { readAddress } from '../../../../server/storage/postgres/address.ts';
import { openConnections } from '../../../../server/storage/postgres/connections.ts';
import type { Connections, Statement } from '../../../../server/storage/postgres/connections.ts';
import { createLocks } from '../../../../server/storage/postgres/locks.ts';
import { PostgresMembers } from '../../../../server/storage/postgres/members.ts';
import { openSchema } from '../../../../server/storage/postgres/schema.ts';
import { storageUnavailable } from '../../../../server/storage/transactions/document-store.ts';
import { systemClock } from '../../../../src/node/clock.ts';
import { describeMembers } from '../../../suites/members.suite.ts';
import { addressIn, askDatabase, newSchema } from '../../../support/postgres-schemas.ts';

function openSubject() {
  const schema = newSchema();
  const address = readAddress(addressIn(schema), undefined);
  const locks = createLocks(schema);
  const joined: PostgresMembers[] = [];
  const putOut = (member: string) =>
    askDatabase(`UPDATE ${schema}.members SET until = '-infinity' WHERE id = $1`, [member]);
  return {
    putOut,
    /** `breakOff` is asked after each statement whether its answer is lost. */
    async join(breakOff: (statement: Statement) => boolean = () => false) {
      const real = openConnections(address.connection, address);
      onTestFinished(() => real.close());
      await openSchema(real, address, locks);
      const fail = (statement: Statement): void => {
        if (breakOff(statement)) throw storageUnavailable();
      };
      const connections: Connections = {
        ...real,
        reads: {
          async run<Row>(statement: Statement) {
            const rows = await real.reads.run<Row>(statement);
            fail(statement);
            return rows;
          },
        },
        async during(begin, work, ...options) {
          const sent: Statement[] = [];
          const result = await real.during(
            begin,
            (connection) => work({ run: (statement) => (sent.push(statement), connection.run(statement)) }),
            ...options,
          );
          sent.forEach(fail);
          return result;
        },
      };
      const id = `member ${joined.length + 1}`;
      const { now } = systemClock;
      const member = await PostgresMembers.join({ schema, connections, locks, id, clock: systemClock, now });
      joined.push(member);
      return member;
    },
    async lose(member: string) {
      // All know what was before.
      for (const each of joined) await each.round();
      await putOut(member);
      for (const each of joined) if (each.id !== member) await each.round();
    },
  };
}

describeMembers('PostgreSQL', openSubject);

const failure = new Error('thrown by a holder');

/** Notes what it hears; the next call fails where `fails` says so. */
function createHolder(name: string, heard: string[]) {
  const fails = { begin: false, end: false };
  const call = (which: 'begin' | 'end') => async (): Promise<void> => {
    heard.push(`${name} ${which}s`);
    if (!fails[which]) return;
    fails[which] = false;
    throw failure;
  };
  return { fails, holder: { begin: call('begin'), end: call('end') } };
}

describe('work under a lease', () => {
  test('that could not begin ends and begins in the next round, and keeps no other work from it', async () => {
    const { join, lose } = openSubject();
    const [one, two] = [await join(), await join()];
    const heard: string[] = [];
    const [first, last] = [createHolder('first', heard), createHolder('last', heard)];
    for (const name of ['first', 'last']) await one.claim(name, { begin() {}, end() {} }).answered;
    const claims = [two.claim('first', first.holder), two.claim('last', last.holder)];
    for (const { answered } of claims) await answered;
    first.fails.begin = true;
    await expect(lose(one.id)).rejects.toBe(failure);
    const before = ['first begins', 'last begins', 'first ends'];
    expect(heard).toEqual(before);
    await two.round();
    await two.round();
    expect(heard).toEqual([...before, 'first begins']);
    expect(claims.map(({ isHeld }) => isHeld)).toEqual([true, true]);
    // The first answer too.
    const third = createHolder('third', heard);
    third.fails.begin = third.fails.end = true;
    await expect(two.claim('third', third.holder).answered).rejects.toBe(failure);
    await two.round();
    expect(heard.slice(4)).toEqual(['third begins', 'third ends', 'third begins']);
  });

  test('whose end failed gives the lease back', async () => {
    const { join } = openSubject();
    const [one, two] = [await join(), await join()];
    const { holder, fails } = createHolder('one', []);
    const claim = one.claim('house', holder);
    await claim.answered;
    const next = two.claim('house', { begin() {}, end() {} });
    await next.answered;
    fails.end = true;
    await expect(claim.release()).rejects.toBe(failure);
    await two.round();
    expect(next.isHeld).toBe(true);
  });

  test('ends where another member took over, though the way back is broken, and begins again', async () => {
    const { join, putOut } = openSubject();
    let isBroken = false;
    const [one, two] = [await join(({ text }) => isBroken && text.includes('INSERT INTO')), await join()];
    const heard: string[] = [];
    const claim = one.claim('house', createHolder('one', heard).holder);
    await claim.answered;
    await putOut(one.id);
    await two.round();
    isBroken = true;
    await expect(one.round()).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    expect(heard).toEqual(['one begins', 'one ends']);
    isBroken = false;
    await one.round();
    expect(heard).toEqual(['one begins', 'one ends', 'one begins']);
    expect(claim.isHeld).toBe(true);
  });

  test('is held once, though the answer to a claim was lost', async () => {
    const { join } = openSubject();
    let isBroken = true;
    const [one, two] = [await join(({ text }) => isBroken && text.includes('.claims (name')), await join()];
    const claim = one.claim('house', { begin() {}, end() {} });
    await expect(claim.answered).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    isBroken = false;
    await one.round();
    expect(claim.isHeld).toBe(true);
    const next = two.claim('house', { begin() {}, end() {} });
    await next.answered;
    expect(next.isHeld).toBe(false);
    await claim.release();
    await two.round();
    expect(next.isHeld).toBe(true);
  });
});
