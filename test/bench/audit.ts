/** A server with a long audit trail: its start, its memory, and a search through all of the trail. */
import { join } from 'node:path';
import { appendFacts } from '../../server/operations/audit/trail.ts';
import { createSegmenter } from '../../server/operations/audit/segmenter.ts';
import { createIds } from '../../server/storage/ids.ts';
import { serviceActor } from '../../server/storage/actor.ts';
import { contract } from '../../src/contract/index.ts';
import { systemClock } from '../../src/node/clock.ts';
import { createFileBlobs, openLowdbStore } from '../support/lowdb-store.ts';
import type { Bench, Row } from './bench.ts';
import { adminTokenOf } from './caller.ts';
import { takeTurns } from './rounds.ts';
import { measureLoaded } from './start-up.ts';

const count = 200_000;
/** Entries in one transaction. */
const batch = 100;

export async function auditRows({ serve, fresh }: Bench): Promise<Row[]> {
  const directory = fresh();
  await fill(directory);
  const empty = fresh();
  const [none, many] = [await measureLoaded(() => serve(empty), 3), await measureLoaded(() => serve(directory), 3)];
  await using serving = await serve(directory);
  const authorization = `Bearer ${await adminTokenOf(serving.ready)}`;
  const { search } = await takeTurns(
    {
      async search() {
        const begun = performance.now();
        const url = `${serving.ready.url}${contract.audit.endpoints.list.path}?id=rec_none`;
        const answer = await fetch(url, { headers: { authorization } });
        if (!answer.ok) throw new Error(`The search was answered with ${answer.status}.`);
        await answer.text();
        return performance.now() - begun;
      },
    },
    5,
  );
  const what = `with ${count.toLocaleString('en')} entries in the audit trail`;
  const against = 'the same with an empty one';
  return [
    {
      what: `laudio serve, ready ${what}`,
      against,
      value: many.elapsed,
      base: none.elapsed,
      unit: 'ms',
      target: { atMost: 1.3 },
    },
    {
      what: `laudio serve, ready ${what}, memory`,
      against,
      value: many.rss / 2 ** 20,
      base: none.rss / 2 ** 20,
      unit: 'MiB',
      target: { atMost: 1.2 },
    },
    {
      what: `a search without a hit ${what}`,
      against: 'a goal of 2 s',
      value: search,
      base: 2000,
      unit: 'ms',
      target: { atMost: 1 },
    },
  ];
}

async function fill(directory: string): Promise<void> {
  const store = await openLowdbStore({ directory });
  const blobs = await createFileBlobs(join(directory, 'audio'));
  const ids = createIds(systemClock);
  for (let entered = 0; entered < count; entered += batch) {
    const at = new Date().toISOString();
    const facts = Array.from({ length: batch }, () => ({
      ...serviceActor('records.get', { user_id: 'usr_01JNBK4V9Q0000000000000000', client_id: 'ris' }),
      at,
      kind: 'records',
      ids: [ids('rec')],
      outcome: 'done' as const,
    }));
    await store.transact((tx) => appendFacts(tx, facts));
  }
  const segmenter = createSegmenter({ store, blobs, ids, clock: systemClock, log: () => {} });
  await segmenter.run();
  await segmenter.close();
  await store.compact();
  await store.close();
}
