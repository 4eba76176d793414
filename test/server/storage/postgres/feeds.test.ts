/** Feeds of several processes over one store: each knows the events of the others, and goes on where a follower left one of them. */
import { expect, onTestFinished, test } from 'vitest';
import type { ItemChange } from '../../../../server/storage/feeds.ts';
import { openFeed } from '../../../../server/storage/open-feed.ts';
import { readAddress } from '../../../../server/storage/postgres/address.ts';
import { openConnections } from '../../../../server/storage/postgres/connections.ts';
import { openEvents } from '../../../../server/storage/postgres/events.ts';
import { createLocks } from '../../../../server/storage/postgres/locks.ts';
import type { Store } from '../../../../server/storage/store.ts';
import { addressIn, askDatabase, newSchema } from '../../../support/postgres-schemas.ts';
import { openProcess } from '../../../support/postgres-process.ts';

const change = (version: number, space = 'local'): ItemChange => ({
  space,
  id: `wli_${version}`,
  accession_number: null,
  status: 'new',
  version,
  change: 'inserted',
});

async function openOne(schema: string) {
  const { store } = await openProcess(addressIn(schema));
  onTestFinished(() => store.close());
  const feed = await openFeed(store, 'items', () => 'run');
  const heard: { version: number; event: string }[] = [];
  feed.subscribe('local', ({ version }, event) => heard.push({ version, event }));
  return { store, feed, heard };
}

const publish = (store: Store, ...changes: readonly ItemChange[]): Promise<void> =>
  store.transact(async (tx) => changes.forEach((each) => tx.publish('items', each)));

test('have the same events in the same order, and know what came before they began', async () => {
  const schema = newSchema();
  const [one, other] = [await openOne(schema), await openOne(schema)];
  const beginning = one.feed.position('local');
  await publish(one.store, change(1), change(2, 'elsewhere'), change(3));
  await publish(other.store, change(4));
  await Promise.all([publish(one.store, change(5)), publish(other.store, change(6))]);
  for (const { heard } of [one, other]) await expect.poll(() => heard.length).toBe(5);
  expect(one.heard).toEqual(other.heard);
  const later = await openOne(schema);
  for (const { feed } of [one, other, later]) {
    const versions = (event: string) => feed.since('local', event)?.map(({ change: { version } }) => version);
    const all = one.heard.map(({ version }) => version);
    expect(versions(beginning)).toEqual(all);
    one.heard.forEach(({ event }, nth) => expect(versions(event)).toEqual(all.slice(nth + 1)));
    expect(versions(feed.position('local'))).toEqual([]);
    for (const unknown of ['run.1', 'x', `other${beginning}`, '', `${beginning}x`])
      expect(versions(unknown)).toBeUndefined();
  }
});

test('know how far back they know, where old events were removed', async () => {
  const schema = newSchema();
  const one = await openOne(schema);
  const beginning = one.feed.position('local');
  await publish(one.store, change(1));
  await publish(one.store, change(2));
  await expect.poll(() => one.heard.length).toBe(2);
  const [old, recent] = one.heard;
  await askDatabase(`UPDATE ${schema}.events SET at = now() - interval '4 days' WHERE x = $1::xid8`, [
    old?.event.split('.')[1],
  ]);
  const connections = openConnections(readAddress(addressIn(schema), undefined).connection, { prepares: true });
  onTestFinished(() => connections.close());
  const events = await openEvents({
    schema,
    connection: connections.feed,
    origin: 'sweeper',
    locks: createLocks(schema),
  });
  await events.forget();
  await events.close();
  const { feed } = await openOne(schema);
  expect(feed.since('local', beginning)).toBeUndefined();
  expect(feed.since('local', recent?.event ?? '')).toEqual([]);
});

test('begin again in every process where one of them replaces all documents', async () => {
  const schema = newSchema();
  const [one, other] = [await openOne(schema), await openOne(schema)];
  await publish(one.store, change(1));
  await expect.poll(() => other.heard.length).toBe(1);
  const replaced: string[] = [];
  one.store.positions?.onReplaced(() => replaced.push('one'));
  other.store.positions?.onReplaced(() => replaced.push('other'));
  const [{ event } = { event: '' }] = one.heard;
  await one.store.replace((async function* () {})());
  await expect.poll(() => replaced).toEqual(['other']);
  for (const { feed, store } of [one, other]) {
    feed.restart();
    expect(feed.since('local', event)).toBeUndefined();
    expect((await store.commits()).from).toBeGreaterThan(0);
  }
  // As after a failover: the numbers of transactions are those of another cluster.
  await askDatabase(`UPDATE ${schema}.meta SET cluster = 'another'`);
  const later = await openOne(schema);
  await expect.poll(() => replaced.toSorted()).toEqual(['one', 'other', 'other']);
  expect(later.feed.since('local', other.feed.position('local'))).toBeDefined();
});
