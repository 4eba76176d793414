/** What an operator may have got wrong is refused at the start, with the next step. */
import { expect, onTestFinished, test } from 'vitest';
import { readAddress } from '../../../../server/storage/postgres/address.ts';
import { checkDocuments } from '../../../../server/storage/postgres/check.ts';
import { requireVersion } from '../../../../server/storage/postgres/schema.ts';
import { addressIn, askDatabase, newSchema } from '../../../support/postgres-schemas.ts';
import { openProcess } from '../../../support/postgres-process.ts';
import { openerOf } from '../../../support/open-stores.ts';
import { databaseName } from '../../../support/postgres.ts';
import { inject } from 'vitest';

const configuration = (text: RegExp) => ({ code: 'CONFIGURATION', message: expect.stringMatching(text) as string });

test.each([
  ['postgres:x', /cannot be read/],
  ['//laudio:secret@host/db', /has a password/],
  ['//laudio@host/db?foo=1', /parameter/],
  ['//laudio@host/db?schema=a&schema=b', /parameter/],
  ['//laudio@host/db?schema=A-b', /no plain name/],
  ['//laudio@host/db?sslmode=maybe', /no such sslmode/],
  ['//laudio@host/db?sslrootcert=/x', /for an encrypted connection/],
  ['//laudio@host/db?sslmode=verify-full&sslrootcert=/nowhere/ca.pem', /cannot be read/],
  ['//laudio@host/db?prepare=maybe', /on or off/],
  ['//50%secret@host/db', /has a %/],
  ['//laudio@host/50%secret', /has a %/],
])('an address: %s', (address, text) => {
  let refusal: unknown;
  try {
    readAddress(address, undefined);
  } catch (error) {
    refusal = error;
  }
  expect(refusal).toMatchObject(configuration(text));
  const { message, hint } = refusal as { message: string; hint: string };
  expect(message + hint).not.toContain('secret');
  expect(hint).not.toBe('');
});

test('an address is read as it is meant', () => {
  const { connection, ...address } = readAddress('//a%40b@db.example:6000/x?schema=y&prepare=off', 'key');
  expect(address).toEqual({ schema: 'y', prepares: false, shown: 'db.example:6000', isOpen: true });
  expect(connection).toEqual({
    host: 'db.example',
    port: 6000,
    user: 'a@b',
    database: 'x',
    password: 'key',
    ssl: false,
  });
  expect(readAddress('//laudio@[::1]/x', undefined)).toMatchObject({
    isOpen: false,
    connection: { host: '::1', port: 5432 },
  });
  const encrypted = readAddress('//laudio@db.example/x?sslmode=verify-full', undefined);
  expect(encrypted).toMatchObject({ isOpen: false, connection: { ssl: { servername: 'db.example' } } });
});

test('servers that are away, and databases and users that they do not have', async () => {
  const { port } = inject('postgres');
  const open = (address: string) => openerOf(address, 'memory')({});
  await expect(open('postgres://laudio@127.0.0.1:1/laudio')).rejects.toMatchObject({
    code: 'STORAGE_UNAVAILABLE',
    message: expect.stringMatching(/127\.0\.0\.1:1 cannot be reached \(ECONNREFUSED\)/) as string,
  });
  const present = addressIn(newSchema());
  await expect(open(present.replace(`/${databaseName}?`, '/nowhere?'))).rejects.toMatchObject(
    configuration(/no database nowhere/),
  );
  // On loopback it asks for a password.
  await expect(open(`postgres://${databaseName}@127.0.0.1:${port}/${databaseName}`)).rejects.toMatchObject(
    configuration(/refuses the user laudio/),
  );
  await expect(open(`${present}&sslmode=require`.replace(/host=[^&]*&/, ''))).rejects.toMatchObject(
    configuration(/takes no encrypted connections/),
  );
  expect(() => requireVersion(13, 'db.example')).toThrow(/too old/);
});

test('a check changes nothing: without tables there is none, and a missing one is empty', async () => {
  const own = newSchema();
  const check = () => checkDocuments(readAddress(addressIn(own), undefined));
  await expect(check()).rejects.toMatchObject(configuration(/has no tables/));
  expect(await askDatabase(`SELECT FROM pg_namespace WHERE nspname = '${own}'`)).toEqual([]);
  const { store } = await openProcess(addressIn(own));
  await store.transact(async (tx) => tx.put('settings', { id: 'one', value: 1 }));
  await store.close();
  await askDatabase(`DROP TABLE ${own}.phrases`);
  const tables = () => askDatabase(`SELECT tablename FROM pg_tables WHERE schemaname = '${own}' ORDER BY 1`);
  const before = await tables();
  expect(await check()).toMatchObject({ problems: [], found: { documents: { settings: 1, phrases: 0 } } });
  expect(await tables()).toEqual(before);
});

test('schemas of others, of newer versions, and without the right to make them', async () => {
  const foreign = newSchema();
  await askDatabase(`CREATE SCHEMA ${foreign}`);
  await askDatabase(`CREATE TABLE ${foreign}.items (id int)`);
  await expect(openProcess(addressIn(foreign))).rejects.toMatchObject(configuration(/tables of another program/));
  expect(await askDatabase(`SELECT FROM pg_tables WHERE schemaname = '${foreign}'`)).toHaveLength(1);
  const own = newSchema();
  await (await openProcess(addressIn(own))).store.close();
  for (const [change, text] of [
    ['documents = documents + 1', /newer version/],
    ['documents = 1, form = 99', /newer version/],
    ['documents = 0, form = 1', /older version/],
    [`program = 'other'`, /another program/],
  ] as const) {
    await askDatabase(`UPDATE ${own}.meta SET ${change}`);
    await expect(openProcess(addressIn(own))).rejects.toMatchObject(configuration(text));
  }
  const user = `guest_${own}`;
  await askDatabase(`CREATE ROLE ${user} LOGIN`);
  onTestFinished(async () => void (await askDatabase(`DROP ROLE ${user}`)));
  const asGuest = addressIn(newSchema()).replace(`${databaseName}@`, `${user}@`);
  await expect(openProcess(asGuest)).rejects.toMatchObject(configuration(/may not make the tables/));
});

test('a clock that is wrong: minutes are reported and work, more is refused before it stamps anything', async () => {
  const own = newSchema();
  const leads: number[] = [];
  for (const [minutes, reported] of [
    [0, 0],
    [-5, 1],
  ] as const) {
    const { store, members } = await openProcess(addressIn(own), {
      minutesAhead: minutes,
      onClockApart: (lead) => void leads.push(lead),
    });
    // Once, however often it is renewed.
    await members.round();
    expect(members.clockLead() / 60_000).toBeCloseTo(minutes, 1);
    expect(leads).toHaveLength(reported);
    await store.close();
  }
  for (const [minutes, text] of [
    [60, /60 minutes ahead of that of the PostgreSQL/],
    [-15, /15 minutes behind that/],
  ] as const) {
    const refusal = { code: 'STORAGE_UNAVAILABLE', message: expect.stringMatching(text) as string };
    await expect(openProcess(addressIn(own), { minutesAhead: minutes })).rejects.toMatchObject(refusal);
  }
  expect(await askDatabase(`SELECT FROM ${own}.members`)).toEqual([]);
});
