/** Searches of one caller take turns; those of others do not wait for them. */
import { expect, onTestFinished, test } from 'vitest';
import { createSearchPlaces } from '../../../server/http/search-places.ts';
import { contract } from '../../../src/contract/index.ts';
import { startApi, succeeded } from '../../support/api.ts';

const { worklists } = contract;

test('a hundred at once: two of a client run at a time, and another client is served meanwhile', async () => {
  let running = 0;
  let most = 0;
  const held: (() => void)[] = [];
  let isHolding = true;
  const api = await startApi(
    {
      store: (real) => ({
        ...real,
        async find(collection, query) {
          if (query.text?.startsWith('slow') !== true) return real.find(collection, query);
          most = Math.max(most, ++running);
          if (isHolding) await new Promise<void>((resolve) => held.push(resolve));
          running--;
          return real.find(collection, query);
        },
      }),
    },
    onTestFinished,
  );
  const list = (q: string, token = api.token) => api.call(worklists.endpoints.list, { query: { q }, token });
  const flood = Array.from({ length: 100 }, (_, n) => list(`slow${n}`));
  await expect.poll(() => held.length).toBe(2);
  const other = (await api.tokens({ client: await api.createClient({ test_mode: true }) })).access_token;
  expect(succeeded(await list('quick', other)).items).toEqual([]);
  // What is no search of the same client does not wait either.
  expect(succeeded(await api.call(worklists.endpoints.list)).items).toEqual([]);
  isHolding = false;
  for (const release of held) release();
  expect((await Promise.all(flood)).every(({ status }) => status === 200)).toBe(true);
  expect(most).toBe(2);
});

test('a place is given back whatever becomes of the search, and whoever has left searches nothing', async () => {
  const places = createSearchPlaces();
  const { signal } = new AbortController();
  for (let turn = 0; turn < 3; turn++)
    await expect(places('a', () => Promise.reject(new Error('failed')), signal)).rejects.toThrow('failed');
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const before = gates.map(({ promise }) => places('a', () => promise, signal));
  const left = new AbortController();
  const gone = places('a', () => expect.unreachable(), left.signal);
  const later = places('a', async () => 'found', signal);
  left.abort();
  for (const { resolve } of gates) resolve();
  await Promise.all(before);
  await expect(gone).rejects.toMatchObject({ code: 'INTERRUPTED' });
  expect(await later).toBe('found');
});
