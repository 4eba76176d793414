/** A PostgreSQL that fails at the worst moments: the outcome of every commit is known, and work goes on when it is back. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { AppError } from '../../../../src/contract/errors.ts';
import type { Store } from '../../../../server/storage/store.ts';
import { readAddress } from '../../../../server/storage/postgres/address.ts';
import { openConnections, unlimited } from '../../../../server/storage/postgres/connections.ts';
import type { Connection } from '../../../../server/storage/postgres/connections.ts';
import { startPostgres } from '../../../support/postgres.ts';
import type { Postgres } from '../../../support/postgres.ts';
import { addressIn, askDatabase, newSchema } from '../../../support/postgres-schemas.ts';
import { openProcess } from '../../../support/postgres-process.ts';

let server: Postgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server[Symbol.asyncDispose]());

const ask = <Row>(text: string, values: readonly unknown[] = []) => askDatabase<Row>(text, values, server);

async function open(): Promise<{ store: Store; schema: string }> {
  const schema = newSchema();
  const { store } = await openProcess(addressIn(schema, server));
  onTestFinished(() => store.close());
  return { store, schema };
}

/** Ends the connections of commits that wait for something. */
async function endThose(waiting: string): Promise<void> {
  const end = async () =>
    (
      await ask(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'laudio' AND wait_event = $1`,
        [waiting],
      )
    ).length;
  await expect.poll(end).toBeGreaterThan(0);
}

const put = (store: Store, id: string): Promise<void> =>
  store.transact(async (tx) => tx.put('settings', { id, value: 1 }));

test('a statement without an answer ends with its limit, and its connection with it', async () => {
  const { connection, prepares } = readAddress(addressIn(newSchema(), server), undefined);
  const connections = openConnections(connection, { prepares, answerTimeout: 100 });
  onTestFinished(() => connections.close());
  const sleep = (seconds: number) => (asked: Connection) => asked.run({ text: `SELECT pg_sleep(${seconds})` });
  await expect(connections.during('BEGIN', sleep(600))).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
  await connections.during('BEGIN', sleep(0.3), unlimited);
});

test('a commit whose connection ends after it was made is known to be made', async () => {
  const { store } = await open();
  // The commit is on the disk, and waits for a replica that never comes.
  const waitFor = async (replica: string): Promise<void> => {
    await ask(`ALTER SYSTEM SET synchronous_standby_names = '${replica}'`);
    await ask('SELECT pg_reload_conf()');
  };
  await put(store, 'before');
  await waitFor('nobody');
  const heard: (readonly string[])[] = [];
  store.watch('settings', (ids) => heard.push(ids));
  const committed = put(store, 'made');
  await endThose('SyncRep');
  await waitFor('');
  await committed;
  expect(await store.get('settings', 'made')).toBeDefined();
  expect(heard).toEqual([['made']]);
});

test('a commit whose connection ends before it was made has changed nothing, and says so', async () => {
  const { store, schema } = await open();
  await put(store, 'before');
  // COMMIT itself waits for a lock.
  await ask(
    `CREATE FUNCTION ${schema}.hold() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_advisory_xact_lock(42); RETURN NULL; END'`,
  );
  await ask(
    `CREATE CONSTRAINT TRIGGER hold AFTER INSERT ON ${schema}.settings DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ${schema}.hold()`,
  );
  const held = Promise.withResolvers<void>();
  const holding = askWhile(server, 'SELECT pg_advisory_lock(42)', held.promise);
  await expect
    .poll(async () => (await ask(`SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = 42 AND granted`)).length)
    .toBe(1);
  const refused = expect(put(store, 'not made')).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
  await endThose('advisory');
  held.resolve();
  await refused;
  await holding;
  expect(await store.get('settings', 'not made')).toBeUndefined();
  await put(store, 'after');
  expect(store.setbacks()).toBe(1);
});

/** Asks, and keeps the connection until then. */
async function askWhile({ socket, port }: Postgres, text: string, until: Promise<void>): Promise<void> {
  const { Client } = await import('pg');
  const client = new Client({ host: socket, port, user: 'laudio', database: 'laudio' });
  await client.connect();
  await client.query(text);
  await until;
  await client.end();
}

test.each(['fast', 'immediate'] as const)(
  'stopped (%s) under load and begun again: nothing lost, nothing twice',
  async (mode) => {
    const { store } = await open();
    const outcomes = new Map<string, 'made' | 'refused' | 'unknown'>();
    let isOver = false;
    const load = async (by: number): Promise<void> => {
      for (let nth = 0; !isOver; nth++) {
        const id = `${by} ${nth}`;
        const attempt = store.transact(async (tx) => {
          const count = Number((await tx.get('settings', `count ${by}`))?.value ?? 0);
          tx.put('settings', { id: `count ${by}`, value: count + 1 });
          tx.put('settings', { id, value: nth });
        });
        try {
          await attempt;
          outcomes.set(id, 'made');
        } catch (error) {
          const { code } = error as AppError;
          // A busy machine may take longer to start than anybody waits.
          outcomes.set(id, code === 'OUTCOME_UNKNOWN' ? 'unknown' : 'refused');
          expect(error).toMatchObject({
            code: expect.stringMatching(/^(STORAGE_UNAVAILABLE|OUTCOME_UNKNOWN)$/) as string,
            retryAfter: 1,
          });
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
      }
    };
    const loads = Promise.all([1, 2, 3, 4].map(load));
    const made = () => [...outcomes.values()].filter((each) => each === 'made').length;
    const refused = () => outcomes.size - made();
    await expect.poll(made).toBeGreaterThan(50);
    await server.stop(mode);
    await expect.poll(refused).toBeGreaterThan(10);
    await expect(store.probe()).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    await server.start();
    const before = made();
    await expect.poll(made).toBeGreaterThan(before + 50);
    isOver = true;
    await loads;
    await store.probe();
    const stored = new Map((await store.find('settings', {})).map(({ id, value }) => [id, value]));
    const ids = [...stored.keys()].filter((id) => !id.startsWith('count'));
    expect(ids.filter((id) => outcomes.get(id) !== 'unknown').toSorted()).toEqual(
      [...outcomes]
        .filter(([, how]) => how === 'made')
        .map(([id]) => id)
        .toSorted(),
    );
    for (const by of [1, 2, 3, 4])
      expect(stored.get(`count ${by}`)).toBe(ids.filter((id) => id.startsWith(`${by} `)).length);
  },
);
