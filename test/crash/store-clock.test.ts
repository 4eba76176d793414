/** The clock of the machine is set back by a day between two runs: nothing is lost, mixed up, or over before its time. */
import { expect, onTestFinished, test } from 'vitest';
import { contract } from '../../src/contract/index.ts';
import { manualClock } from '../../src/domain/clock.ts';
import { examFields, startApi, startOfTests, succeeded } from '../support/api.ts';
import type { DataOf } from '../support/api.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const { worklists, oauth } = contract;
const { ingest, list } = worklists.endpoints;
const hour = 3600 * 1000;
const start = Date.parse(startOfTests);

test('a server that starts a day before it ended goes on as if it were later', async () => {
  const dataDir = await temporaryDirectory();
  const run = (at: number) => startApi({ dataDir, clock: manualClock(at) }, onTestFinished);
  const batch = (count: number) => Array.from({ length: count }, () => examFields());
  const ask = { body: batch(3), headers: { 'idempotency-key': 'over-midnight' } };

  const first = await run(start);
  const answer = await first.call(ingest, ask);
  const before = succeeded(answer).items.map(({ id }) => id!);
  const waiting = await first.enqueue(undefined, { headers: { 'x-laudio-simulate': 'job=slow:60000' } });
  await first.close();

  const second = await run(start - 24 * hour);
  const as = { token: first.token };
  expect((await second.call(oauth.endpoints.validate, as)).status).toBe(200);
  const replayed = await second.call(ingest, { ...ask, ...as });
  expect(replayed.headers['idempotency-replayed']).toBe('true');
  expect(replayed.data).toEqual(answer.data);
  const after = (await second.ingest(batch(4), as)).items.map(({ id }) => id!);
  const all = [...before, ...after];
  expect(all).toEqual(all.toSorted());
  const pages: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: DataOf<typeof list> = succeeded(
      await second.call(list, { ...as, query: { limit: 3, ...(cursor && { cursor }) } }),
    );
    pages.push(...page.items.map(({ id }) => id));
    cursor = page.next_cursor;
  }
  expect(pages).toEqual(all.toReversed());
  second.clock.advance(60_000);
  expect((await second.ended(waiting.id, as)).status).toBe('completed');
  await second.close();

  // What lasts an hour, or a day, from when it was made is over then.
  const third = await run(start + 25 * hour);
  expect((await third.call(oauth.endpoints.validate, as)).status).toBe(401);
  const anew = await third.call(ingest, ask);
  expect(anew.headers['idempotency-replayed']).toBeUndefined();
  expect(succeeded(anew)).toMatchObject({ processed: 3, inserted: 0, deduped: 3 });
});
