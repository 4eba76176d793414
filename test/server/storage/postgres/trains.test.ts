/** When drafts leave: full trains cost least, and nobody waits for long behind a train that waits. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { TakenConnection } from '../../../../server/storage/postgres/connections.ts';
import type { Draft } from '../../../../server/storage/postgres/draft.ts';
import type { Arrival } from '../../../../server/storage/postgres/journey.ts';
import { createTrains } from '../../../../server/storage/postgres/trains.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate'] }));
afterEach(() => void vi.useRealTimers());

const connection = { give: () => {} } as unknown as TakenConnection;
/** A draft that writes so many keys, which nobody else touches. */
function draftOf(name: string, count = 1): Draft {
  const written = new Set(Array.from({ length: count }, (_, nth) => `${name} ${nth}`));
  return { name, keys: () => ({ read: new Set(), written }) } as unknown as Draft;
}

function heldTrains() {
  const rides: { readonly names: string[]; readonly end: PromiseWithResolvers<Arrival> }[] = [];
  const trains = createTrains(
    { take: async () => connection },
    {
      make(_, drafts) {
        const end = Promise.withResolvers<Arrival>();
        rides.push({ names: drafts.map((draft) => (draft as unknown as { name: string }).name), end });
        return end.promise;
      },
      makeAlone: () => Promise.reject(new Error('nobody is alone here')),
    },
  );
  const arrive = async (nth: number): Promise<void> => {
    rides[nth]!.end.resolve({ stale: new Set(), x: String(nth) });
    await vi.advanceTimersByTimeAsync(0);
  };
  const commit = async (draft: Draft): Promise<void> => {
    void trains.commit(draft);
    await vi.advanceTimersByTimeAsync(0);
  };
  return { commit, arrive, left: () => rides.map(({ names }) => names) };
}

test('few drafts wait for the train under way, and share the next one', async () => {
  const { commit, arrive, left } = heldTrains();
  for (const name of ['a', 'b', 'c']) await commit(draftOf(name));
  expect(left()).toEqual([['a']]);
  await arrive(0);
  expect(left()).toEqual([['a'], ['b', 'c']]);
});

test('many keys do not wait', async () => {
  const { commit, left } = heldTrains();
  for (const name of ['a', 'b', 'c']) await commit(draftOf(name, 200));
  expect(left()).toEqual([['a'], ['b']]);
});

test('behind a train that waits for somebody, others go on; behind two of them, nobody', async () => {
  const { commit, arrive, left } = heldTrains();
  for (const name of ['a', 'b']) await commit(draftOf(name));
  await vi.advanceTimersByTimeAsync(30);
  expect(left()).toEqual([['a'], ['b']]);
  await commit(draftOf('c'));
  await vi.advanceTimersByTimeAsync(30);
  expect(left()).toEqual([['a'], ['b']]);
  await arrive(0);
  expect(left()).toEqual([['a'], ['b'], ['c']]);
});
