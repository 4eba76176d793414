/** Slow hashes beside everything else. */
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { builtIn, testUser } from '../../../server/auth/accounts.ts';
import { createHashing } from '../../../server/auth/hashing.ts';
import { decoyHash, secretCosts } from '../../../server/runtime/secrets.ts';
import { cheapSecrets } from '../../support/cheap-secrets.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const hashing = createHashing({ threads: 1, costs: cheapSecrets });
afterAll(() => hashing.close());
const asked = { kind: 'client', address: '192.0.2.1' } as const;

test('a secret gives its own hash and no other, in whichever Unicode form it was typed', async () => {
  const hash = await hashing.hash('sião café', 'client');
  expect(hash).toMatch(/^scrypt\$16\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
  expect(await hashing.hash('sião café', 'client')).not.toBe(hash);
  expect(await hashing.verify('sião café'.normalize('NFD'), hash, asked)).toBe(true);
  expect(await hashing.verify('siao cafe', hash, asked)).toBe(false);
});

test.each(['', 'scrypt', 'bcrypt$16$8$1$aa$bb', 'scrypt$16$8$1$$', 'scrypt$16$8$1$aa$'])(
  'an invalid hash matches nothing: %s',
  async (hash) => {
    expect(await hashing.verify('', hash, asked)).toBe(false);
  },
);

test('a hash that cannot be made is refused, and the next one is made', async () => {
  const hash = await hashing.hash('right', 'client');
  await expect(hashing.verify('x', 'scrypt$3$8$1$aaaa$bbbb', asked)).rejects.toMatchObject({ code: 'SERVER_BUSY' });
  expect(await hashing.verify('right', hash, asked)).toBe(true);
});

test('a decoy has the form and the cost of a hash, and nothing gives it', async () => {
  const decoy = hashing.decoy('client');
  expect(decoy).toMatch(/^scrypt\$16\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
  expect(await hashing.verify('', decoy, asked)).toBe(false);
});

test('the documented password settings match the code, at their cost', async () => {
  expect(await hashing.verify(builtIn.secret, builtIn.secret_hash, asked)).toBe(true);
  expect(await hashing.verify(testUser.password, testUser.password_hash, asked)).toBe(true);
  const costOf = (hash: string) => hash.split('$').slice(1, 4).map(Number);
  expect(costOf(builtIn.secret_hash)).toEqual(Object.values(secretCosts.client));
  expect(costOf(testUser.password_hash)).toEqual(Object.values(secretCosts.password));
});

test('by default passwords cost what OWASP advises, and generated secrets cost less', async () => {
  const usual = createHashing({ threads: 1 });
  onTestFinished(() => usual.close());
  expect(await usual.hash('x', 'password')).toMatch(/^scrypt\$32768\$8\$3\$/);
  expect(usual.decoy('password')).toMatch(/^scrypt\$32768\$8\$3\$/);
  expect(await usual.hash('x', 'client')).toMatch(/^scrypt\$4096\$8\$1\$/);
  expect(usual.decoy('client')).toMatch(/^scrypt\$4096\$8\$1\$/);
});

test('the disk does not wait for them', async () => {
  const file = await open(join(await temporaryDirectory(), 'journal'), 'w');
  onTestFinished(() => file.close());
  const decoy = decoyHash({ N: 2 ** 14, r: 8, p: 1 });
  let done = 0;
  // In libuv's four threads these would stand before the disk, all of them.
  const hashes = Array.from({ length: 40 }, () =>
    hashing.verify('x', decoy, asked).then(() => {
      done++;
    }),
  );
  for (let write = 0; write < 2; write++) {
    await file.write('commit');
    await file.datasync();
  }
  // Behind them the first write would begin with 37 of them done, however slow the disk is.
  expect(done).toBeLessThan(36);
  await Promise.all(hashes);
});

test('the queue is limited; the next is refused at once, others are not, and the longest waiting is not forgotten', async () => {
  const limits = { perAddress: 2, total: 3 };
  const bounded = createHashing({ threads: 1, limits: { password: limits, client: limits }, costs: cheapSecrets });
  onTestFinished(() => bounded.close());
  const decoy = decoyHash({ N: 2 ** 12, r: 8, p: 1 });
  const ask = (kind: 'password' | 'client', address: string) => bounded.verify('x', decoy, { kind, address });
  // The first is at work already, so it does not wait.
  const taken = [1, 2, 3].map(() => ask('password', 'a'));
  expect(() => ask('password', 'a')).toThrow(expect.objectContaining({ code: 'SERVER_BUSY', retryAfter: 3 }));
  taken.push(ask('password', 'b'), ask('client', 'a'), ask('client', 'a'));
  expect(() => ask('password', 'c')).toThrow(expect.objectContaining({ code: 'SERVER_BUSY' }));
  // The operator is not counted.
  const own = Array.from({ length: 5 }, () => bounded.hash('x', 'client'));
  expect(await Promise.all(taken)).toEqual(taken.map(() => false));
  expect(await Promise.all(own)).toHaveLength(5);
  expect(await ask('password', 'a')).toBe(false);
});

test('closing refuses what waits', async () => {
  const ending = createHashing({ threads: 1 });
  const waiting = [1, 2, 3].map(() => ending.verify('x', ending.decoy('password'), asked));
  const refused = Promise.allSettled(waiting);
  await ending.close();
  expect((await refused).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(() => ending.verify('x', hashing.decoy('client'), asked)).toThrow(
    expect.objectContaining({ code: 'SERVER_BUSY' }),
  );
});
