/** Whoever follows the audit trail gets each entry once and in order, whatever happens to the trail and to the connection. */
import { expect, onTestFinished, test } from 'vitest';
import { followTrail } from '../../../../server/operations/audit/follow-trail.ts';
import type { FollowOptions } from '../../../../server/operations/audit/follow-trail.ts';
import { appendFacts, readHead } from '../../../../server/operations/audit/trail.ts';
import type { AuditEntry } from '../../../../src/contract/audit.ts';
import { fact, openTestTrail } from './trails.ts';
import type { TestTrail } from './trails.ts';

interface Follower {
  /** Reads until there are so many events in all; gives them. */
  read(count: number): Promise<readonly Event[]>;
  next(): Promise<IteratorResult<Buffer, void>>;
  end(): Promise<void>;
}

interface Event {
  readonly name: string;
  readonly id: string;
  readonly data: AuditEntry;
}

function follow(trail: TestTrail, how: Partial<FollowOptions> = {}): Follower {
  const controller = new AbortController();
  const stream = followTrail(trail, trail.clock, { lastSeen: undefined, signal: controller.signal, ...how });
  let text = '';
  const events = (): Event[] =>
    [...text.matchAll(/^event: (.+)\nid: (.+)\ndata: (.+)$/gm)].map(([, name, id, data]) => ({
      name: name!,
      id: id!,
      data: JSON.parse(data!) as AuditEntry,
    }));
  const end = async (): Promise<void> => {
    controller.abort();
    while (!(await stream.next()).done);
  };
  onTestFinished(end);
  return {
    async read(count) {
      while (events().length < count) {
        const { done, value } = await stream.next();
        if (done) throw new Error('The stream ended.');
        text += value.toString();
      }
      return events();
    },
    next: () => stream.next(),
    end,
  };
}

const numbers = (events: readonly Event[]): number[] => events.map(({ data }) => data.number);
const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, nth) => from + nth);

test('gets what comes from now on, while entries move', async () => {
  const trail = await openTestTrail();
  await trail.enter(1, 10);
  const follower = follow(trail);
  await follower.next();
  for (let from = 11; from < 100; from += 9) {
    await trail.enter(from, from + 8);
    await trail.move();
    expect(numbers(await follower.read(from - 2))).toEqual(range(11, from + 8));
  }
});

test('goes on behind the last entry that it has, wherever that lies', async () => {
  const trail = await openTestTrail();
  await trail.enter(1, 45);
  await trail.move();
  const all = await follow(trail, { lastSeen: '0' }).read(45);
  expect(numbers(all)).toEqual(range(1, 45));
  for (const at of [1, 7, 8, 9, 30, 44]) {
    const rest = await follow(trail, { lastSeen: all[at - 1]!.id }).read(45 - at);
    expect(rest).toEqual(all.slice(at));
    expect(await follow(trail, { lastSeen: String(at) }).read(45 - at)).toEqual(rest);
  }
});

test('gets those alone that it asked for, and need not look through the others again', async () => {
  const trail = await openTestTrail();
  await trail.enter(1, 45);
  await trail.move();
  const follower = follow(trail, { lastSeen: '0', id: 'rec_of_3', user_id: 'usr_0' });
  expect(numbers(await follower.read(3))).toEqual([3, 18, 33]);
  const { hash } = await readHead(trail.store);
  const quiet = follow(trail, { lastSeen: '0', id: 'rec_none' });
  await quiet.next();
  expect((await quiet.next()).value?.toString()).toBe(`:\nid: 45:${hash}\n\n`);
});

test('learns that a restore replaced the trail, and continues with its entry', async () => {
  const [trail, backup] = [await openTestTrail(), await openTestTrail()];
  await trail.enter(1, 30);
  await backup.enter(2, 12);
  const follower = follow(trail);
  await follower.next();
  const replaced = await readHead(trail.store);
  const restore = async () => {
    await trail.store.replace(backup.store.dump());
    await trail.store.transact((tx) => appendFacts(tx, [{ ...fact(1), replaced }]));
  };
  await restore();
  const events = await follower.read(2);
  expect(events.map(({ name, id, data }) => [name, id.split(':')[0], data.replaced])).toEqual([
    ['reset', '11', undefined],
    ['entry', '12', replaced],
  ]);
  // It is told as well where the trail has grown beyond it while nobody was connected.
  await trail.enter(3, 30);
  const again = await follow(trail, { lastSeen: `30:${replaced.hash}` }).read(30);
  expect(again.map(({ name }) => name)).toEqual(['reset', ...range(12, 40).map(() => 'entry')]);
  expect(numbers(again.slice(1))).toEqual(range(12, 40));
});

test('is sent a sign of life, and ends with its connection', async () => {
  const trail = await openTestTrail();
  await trail.enter(1, 2);
  const follower = follow(trail);
  await follower.next();
  const waiting = follower.next();
  await expect
    .poll(() => {
      trail.clock.advance(15_000);
      return Promise.race([waiting, Promise.resolve(undefined)]);
    })
    .toMatchObject({ done: false, value: Buffer.from(':\n\n') });
  await follower.end();
  expect(await follower.next()).toMatchObject({ done: true });
});
