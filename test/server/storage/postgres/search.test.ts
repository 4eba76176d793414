/** Pages of searches are those that a look at every document would give, however many have the words. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Documents } from '../../../../server/storage/collections.ts';
import type { Query, Store } from '../../../../server/storage/store.ts';
import { createMatcher } from '../../../../server/storage/transactions/conditions.ts';
import { explored } from '../../../support/explored.ts';
import { addressIn, newSchema } from '../../../support/postgres-schemas.ts';
import { openProcess } from '../../../support/postgres-process.ts';
import { idsOf, numbered, storedItem } from '../../../support/stored-item.ts';

/** More than the first window; in an exploring run more than the index of words gives at once. */
const count = explored.isOn ? 26_000 : 2600;

const names = ['Ana^Souza', 'Bruno Lima', "O'Brien\\x", 'Łukasz', 'SL-0042', 'naïve 007'];
const items: readonly Documents['items'][] = Array.from({ length: count }, (_, n) =>
  storedItem(numbered(n), {
    space: n % 3 === 0 ? 'other' : 'local',
    patient_name: names[n % names.length] ?? '',
    display_name: n < 4 ? 'Rarity at the end' : 'Everybody',
    status: n % 2 ? 'completed' : 'new',
  }),
);

let store: Store;
beforeAll(async () => {
  ({ store } = await openProcess(addressIn(newSchema())));
  await store.replace(
    (async function* () {
      for (const document of items) yield { collection: 'items' as const, document };
    })(),
  );
});
afterAll(() => store.close());

const texts = [
  'every',
  'rar',
  'rarity end',
  'souza',
  "o'brien",
  '42',
  '7 naive',
  'luk',
  'sl-00',
  'nowhere',
  'ev rar',
  "'\\",
];
const queries: readonly Query<'items'>[] = texts.flatMap((text) => [
  { text, limit: 20, is: { space: 'local' } },
  { text, limit: 3, is: { space: 'other', status: 'new' } },
  { text, limit: 7, before: numbered(count - 30) },
  { text, limit: count, is: { status: ['completed'] } },
  { text, limit: 2, before: numbered(2), is: { space: 'local' } },
]);

test.each(queries)('%o', async (query) => {
  const matches = createMatcher('items', query);
  const expected = items.filter((item) => matches(item) && (query.before === undefined || item.id < query.before));
  expect(idsOf(await store.find('items', query))).toEqual(idsOf(expected.toReversed()).slice(0, query.limit));
});
