/** A database of an earlier version, with processes of it beside the present one, gets what its tables lack. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { collectionNames } from '../../../../server/storage/collections.ts';
import type { Query, Reader } from '../../../../server/storage/store.ts';
import { readAddress } from '../../../../server/storage/postgres/address.ts';
import { checkDocuments } from '../../../../server/storage/postgres/check.ts';
import { columnsIn, form, forms } from '../../../../server/storage/postgres/layout.ts';
import { requireForm } from '../../../../server/storage/postgres/schema.ts';
import type { UpgradeState } from '../../../../server/storage/postgres/upgrade.ts';
import { addressIn, askDatabase, newSchema } from '../../../support/postgres-schemas.ts';
import { openProcess } from '../../../support/postgres-process.ts';
import { idsOf, numbered, putItems, storedItem } from '../../../support/stored-item.ts';

test('columns that are new make a further form', () => {
  const columns = collectionNames.flatMap((collection) =>
    columnsIn(collection).map(({ name, type }) => `${collection}.${name} ${type}`),
  );
  const fingerprint = createHash('sha256').update(columns.toSorted().join('\n')).digest('hex').slice(0, 12);
  expect(forms.at(-1), 'Add the fingerprint to `forms` in layout.ts.').toBe(fingerprint);
});

/** Columns that an earlier version did not have: of each kind, and one of names for which rows have no room. */
const newColumns = ['g_modality', 'k_accession', 'i_exam', 't_text'];
const count = 250;

/** Exams with two accession numbers, as two orders give them. */
const exam = (n: number, changes: Parameters<typeof storedItem>[1] = {}) =>
  storedItem(numbered(n), {
    modality: n % 2 ? 'CT' : 'MR',
    accession_number: `A-${n}`,
    exam_datetime: `2026-03-${String(1 + (n % 28)).padStart(2, '0')}T10:00:00.000Z`,
    display_name: `Patient ${n}`,
    metadata: { orders: [{ accession_number: `A-${n}` }, { accession_number: `B-${n}` }] },
    ...changes,
  });

const queries: readonly Query<'items'>[] = [
  { is: { space: 'local', modality: 'MR' } },
  { is: { space: 'local', accession: 'B-7' } },
  { is: { space: 'local', accession: 'A-3' } },
  { is: { space: 'local' }, during: { exam: { from: Date.parse('2026-03-05'), to: Date.parse('2026-03-06') } } },
  { is: { space: 'local' }, text: 'patient 12', limit: 10 },
  { is: { space: 'local' }, text: 'renamed' },
];
const answer = (reader: Reader) => Promise.all(queries.map(async (query) => idsOf(await reader.find('items', query))));

/** The usable indexes of the table of exams, whatever their names. */
const listIndexes = (schema: string) =>
  askDatabase(
    `SELECT split_part(pg_get_indexdef(indexrelid), ' USING ', 2) AS index FROM pg_index WHERE indrelid = '${schema}.items'::regclass AND indisvalid ORDER BY 1`,
  );

/** Makes the tables those of a version that knew less, of which a process runs still. */
async function makeEarlier(own: string): Promise<void> {
  await askDatabase(`ALTER TABLE ${own}.items ${newColumns.map((name) => `DROP COLUMN ${name}`).join(', ')}`);
  await askDatabase(`DELETE FROM ${own}.names`);
  await askDatabase(`DROP TABLE ${own}.unfilled`);
  await askDatabase(`UPDATE ${own}.meta SET form = 0`);
  await askDatabase(`INSERT INTO ${own}.members (id, form, until) VALUES ('earlier', 0, now() + interval '1 hour')`);
}

test('new columns are filled once no earlier process is left, and what asks by them waits meanwhile', async () => {
  const own = newSchema();
  const { store: first } = await openProcess(addressIn(own));
  await putItems(first, ...Array.from({ length: count }, (_, n) => exam(n)));
  await first.close();
  await makeEarlier(own);

  const states: UpgradeState[] = [];
  const ended = Promise.withResolvers<void>();
  const waits = Promise.withResolvers<void>();
  const onUpgrade = (state: UpgradeState) => {
    states.push(state);
    if (state === 'waits') waits.resolve();
    if (state === 'ended') ended.resolve();
  };
  const one = await openProcess(addressIn(own), { onUpgrade });
  await waits.promise;
  const busy = { code: 'SERVER_BUSY', retryAfter: 5 };
  for (const query of queries) await expect(one.store.find('items', query)).rejects.toMatchObject(busy);
  await expect(one.store.findEach('items', 'accession', 'local', ['A-1'])).rejects.toMatchObject(busy);
  await expect(one.store.count('items', { is: { space: 'local', modality: 'CT' } })).rejects.toMatchObject(busy);
  await expect(one.store.oldest('items', { is: { modality: 'CT' } })).rejects.toMatchObject(busy);
  await expect(one.store.transact((tx) => answer(tx))).rejects.toMatchObject(busy);
  // Everything else goes on.
  const unasked = {
    is: { space: 'local', status: 'new', modality: undefined },
    during: { exam: undefined },
    text: undefined,
  };
  expect(await one.store.find('items', unasked)).toHaveLength(count);
  await putItems(
    one.store,
    exam(count, { display_name: 'Renamed' }),
    exam(1, { display_name: 'Renamed', modality: 'MR' }),
  );
  // A process of the earlier version changes a row that has its columns already.
  const changed = exam(1, { modality: 'CT', accession_number: 'C-1', metadata: null });
  await askDatabase(`UPDATE ${own}.items SET doc = $1, x = pg_current_xact_id() WHERE id = $2`, [
    JSON.stringify(changed),
    changed.id,
  ]);
  const address = readAddress(addressIn(own), undefined);
  expect(await checkDocuments(address)).toMatchObject({ problems: [], found: { documents: { items: count + 1 } } });
  expect(await askDatabase(`SELECT form FROM ${own}.meta`)).toEqual([{ form: 0 }]);

  await askDatabase(`DELETE FROM ${own}.members WHERE id = 'earlier'`);
  await one.members.round();
  await ended.promise;
  expect(states).toEqual(['waits', 'began', 'ended']);
  const other = newSchema();
  const { store: fresh } = await openProcess(addressIn(other));
  await putItems(fresh, ...Array.from({ length: count + 1 }, (_, n) => exam(n)));
  await putItems(fresh, exam(count, { display_name: 'Renamed' }), changed);
  expect(await answer(one.store)).toEqual(await answer(fresh));
  expect(await one.store.transact((tx) => answer(tx))).toEqual(await answer(fresh));
  expect(await checkDocuments(address)).toMatchObject({ problems: [] });
  expect(await askDatabase(`SELECT form FROM ${own}.meta`)).toEqual([{ form }]);
  expect(await listIndexes(own)).toEqual(await listIndexes(other));
  await Promise.all([one.store.close(), fresh.close()]);
  // Nothing is left to do.
  const { store: last } = await openProcess(addressIn(own), { onUpgrade: () => expect.unreachable() });
  expect(await answer(last)).toHaveLength(queries.length);
  await last.close();
});

/** A process that has completed the tables. */
async function openCompleting(address: string) {
  const ended = Promise.withResolvers<void>();
  const onUpgrade = (state: UpgradeState): void => {
    if (state === 'ended') ended.resolve();
  };
  const opened = await openProcess(address, { onUpgrade });
  await ended.promise;
  return opened;
}

test('what one process left is completed by the next, and indexes alone wait for nobody', async () => {
  const own = newSchema();
  await (await openProcess(addressIn(own))).store.close();
  const indexes = await listIndexes(own);
  await makeEarlier(own);
  // The first version whose members have no form.
  await askDatabase(`ALTER TABLE ${own}.members DROP COLUMN form`);
  await (await openProcess(addressIn(own))).store.close();
  await askDatabase(`DELETE FROM ${own}.members`);
  await (await openCompleting(addressIn(own))).store.close();
  expect(await askDatabase(`SELECT FROM ${own}.unfilled`)).toEqual([]);
  await askDatabase(`DROP INDEX ${own}.items_g_space_g_modality_id_idx`);
  await askDatabase(`INSERT INTO ${own}.members (id, form, until) VALUES ('earlier', 0, now() + interval '1 hour')`);
  await (await openCompleting(addressIn(own))).store.close();
  expect(await listIndexes(own)).toEqual(indexes);
});

test('a process that comes while columns are filled that it does not write is refused', async () => {
  const own = newSchema();
  const { store } = await openProcess(addressIn(own));
  const connection = {
    run: async <Row>({ text, values }: { text: string; values?: readonly unknown[] }) => askDatabase<Row>(text, values),
  };
  await requireForm(connection, own);
  await askDatabase(`UPDATE ${own}.meta SET form = form + 1`);
  await expect(requireForm(connection, own)).rejects.toMatchObject({ code: 'CONFIGURATION' });
  await store.close();
});

test('a process that slept while a newer version took over writes nothing more, and comes back no more', async () => {
  const own = newSchema();
  let outdated = 0;
  const { store, members } = await openProcess(addressIn(own), { onOutdated: () => outdated++ });
  await putItems(store, exam(1));
  await askDatabase(`UPDATE ${own}.members SET until = '-infinity'`);
  await askDatabase(`UPDATE ${own}.meta SET form = form + 1`);

  const refusal = { code: 'STORAGE_UNAVAILABLE', message: expect.stringContaining('newer version of Laudio') };
  const alone = { id: 'job_1' };
  await expect(putItems(store, exam(2))).rejects.toMatchObject(refusal);
  await expect(store.transact(async (tx) => tx.remove('items', alone.id))).rejects.toMatchObject(refusal);
  await expect(store.overhaul(async (tx) => tx.remove('items', numbered(1)))).rejects.toMatchObject(refusal);
  await expect(store.replace((async function* () {})())).rejects.toMatchObject(refusal);
  const begun: string[] = [];
  const holder = { begin: () => void begun.push('upgrade'), end: () => undefined };
  await expect(members.claim('anything', holder).answered).rejects.toMatchObject(refusal);
  // Twice, as rounds go on; it is told once, and readiness asks by the same call.
  for (let round = 0; round < 2; round++) await expect(store.probe()).rejects.toMatchObject(refusal);
  expect({ outdated, begun }).toEqual({ outdated: 1, begun: [] });
  expect(await askDatabase(`SELECT FROM ${own}.members WHERE until > now()`)).toEqual([]);
  expect(idsOf(await store.find('items', { is: { space: 'local' } }))).toEqual([numbered(1)]);
  await store.close();
});
