/** Batches that a thread reads and packs, against the same ones read where all else is: nobody can tell the two apart. */
import * as fc from '../../support/properties.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { UnreadJson } from '../../../server/http/plugins/json-body.ts';
import { createMemoryStore } from '../../../server/storage/memory/memory-documents.ts';
import type { Store } from '../../../server/storage/store.ts';
import { createBundling } from '../../../server/worklists/ingest/bundling.ts';
import type { Bundling } from '../../../server/worklists/ingest/bundling.ts';
import { contract } from '../../../src/contract/index.ts';
import type { AppError } from '../../../src/contract/errors.ts';
import type { ManualClock } from '../../../src/domain/clock.ts';
import { examFields, startApi, succeeded } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { hookedFileSystem } from '../../support/hooked-file-system.ts';
import { openLowdbStore } from '../../support/lowdb-store.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { createWorklist, exam, fieldErrorsOf, refusal } from '../../support/worklist.ts';

/** Bytes of a body that a thread takes. */
const large = 16 * 1024;

/** Beside another ingest. */
const takes = (bundling: Bundling, space = 'local', bytes = large): Promise<boolean> =>
  bundling.during(async () => bundling.takes(space, bytes));

const ready = (bundling: Bundling) => eventually(async () => expect(await takes(bundling)).toBe(true));

/** One thread for all of these tests, which learns what each new store has defined. */
let current: Store;
const bundling = createBundling({
  store: { packer: { stringTable: (collection) => current.packer!.stringTable(collection) } },
  log: () => {},
  processors: 2,
  freeProcessors: () => 2,
});
beforeAll(() => ready(bundling));
afterAll(() => bundling.close());

/** Bundles that were put. */
let bundles = 0;
beforeEach(() => void (bundles = 0));

test('a thread packs nothing for a store that takes no packed documents', async () => {
  const without = createBundling({ store: {}, log: () => {}, processors: 2 });
  expect(await takes(without)).toBe(false);
  await without.close();
});

function counting(store: Store): Store {
  const transact: Store['transact'] = (work, actor) =>
    store.transact((tx) => {
      const packer = tx.packer && {
        canPut: tx.packer.canPut,
        put(...given: Parameters<typeof tx.packer.put>) {
          // Each work runs twice.
          bundles += 1 / 2;
          tx.packer?.put(...given);
        },
      };
      return work({ ...tx, ...(packer && { packer }) });
    }, actor);
  return { ...store, transact };
}

/** A worklist whose bodies all go to the thread. */
function threaded(store?: Store) {
  const open = (clock: ManualClock): Store => counting((current = store ?? createMemoryStore({ clock })));
  const worklist = createWorklist(open, () => bundling);
  const ingest = (body: unknown) => worklist.ingest(new UnreadJson(Buffer.from(JSON.stringify(body))));
  return { ...worklist, ingest };
}

/** The first exam defines the shape of exams. */
async function begun(store?: Store) {
  const worklist = threaded(store);
  await worklist.ingest([exam({ accession_number: 'first' })]);
  expect(bundles).toBe(0);
  return worklist;
}

const several = (count: number, fields: Record<string, unknown> = {}, prefix = 'SL') =>
  Array.from({ length: count }, (_, nth) =>
    exam({ accession_number: `${prefix}-${nth}`, patient_id: `P-${nth}`, ...fields }),
  );

test('new exams are packed by the thread, found and followed', async () => {
  const worklist = await begun();
  const heard: unknown[] = [];
  onTestFinished(worklist.feed.subscribe('local', (change) => heard.push(change)));
  const hospital = { hospital_name: 'São Lucas' };
  const { items, ...counts } = await worklist.ingest({ items: several(60, hospital) });
  expect(bundles).toBe(1);
  expect(counts).toMatchObject({ processed: 60, inserted: 60, updated: 0, deduped: 0, errors: [] });
  const told = { id: expect.stringMatching(/^wli_/), accession_number: 'SL-7' };
  expect(items[7]).toEqual({ ...told, status: 'inserted' });
  expect(heard).toHaveLength(60);
  expect(heard[7]).toEqual({ ...told, space: 'local', status: 'new', version: 1, change: 'inserted' });
  const { items: found } = await worklist.list({ accession_number: 'SL-7' });
  expect(found).toEqual([await worklist.item(items[7]!.id!)]);
  expect(found[0]).toMatchObject({ ...told, ...hospital, patient_id: 'P-7', version: 1 });
  expect((await worklist.list({ q: 'tórax', limit: 100 })).items).toHaveLength(61);
  await worklist.setStatus(items[7]!.id!, { status: 'in_progress' });
  expect(await worklist.history(items[7]!.id!)).toHaveLength(1);
  // What came often are words by now, and the next exams are packed with them.
  await worklist.ingest({ items: several(40, hospital, 'N') });
  expect(bundles).toBe(2);
  expect((await worklist.list({ accession_number: 'N-7' })).items[0]).toMatchObject(hospital);
});

const name = fc.constantFrom('A', 'B', 'C', 'D', 'E', 'F');
/** Most are plain and new, each of the others in its own way not. */
const sent = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ accession_number: fc.string({ unit: fc.constantFrom('x', 'y', '1'), minLength: 6 }) }),
  },
  fc.record({ accession_number: name }),
  fc.record({ accession_number: name, study_uid: fc.constantFrom('1.2.3', '1.2.4') }),
  fc.record({ study_uid: fc.constantFrom('1.2.3', '1.2.5'), accession_number: fc.constant(undefined) }),
  fc.record({ accession_number: name, modality: fc.constantFrom('ct', 'ZZ', 'ST') }),
  fc.record({ accession_number: name, metadata: fc.constantFrom({ ward: 3 }, { keep_absent: true }) }),
  fc.record({ accession_number: name, status: fc.constantFrom('cancelled', 'new') }),
  fc.record({ accession_number: name, patient_name: fc.constantFrom('OUTRA^PESSOA', '', null, ' TESTE^PACIENTE') }),
  fc.record({ accession_number: name, exam_datetime: fc.constantFrom('2026-03-02T08:30:00', 'tomorrow') }),
  fc.record({ accession_number: name, priority: fc.constant('STAT') }),
);
const batch = fc.array(
  sent.map((fields) => exam({ patient_id: 'P-1', ...fields })),
  { minLength: 1, maxLength: 6 },
);

const withoutIds = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll(/"(wli|bat|his)_[0-9A-Z]{26}"/g, '"$1"'));

test('any batch has the same result', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(batch, { minLength: 1, maxLength: 6 }), async (batches) => {
      const worklists = [createWorklist(), threaded()];
      const same = async (of: (worklist: ReturnType<typeof createWorklist>) => Promise<unknown>): Promise<void> => {
        const [expected, present] = await Promise.all(worklists.map(async (each) => withoutIds(await of(each))));
        expect(present).toEqual(expected);
      };
      for (const items of [[exam({ accession_number: 'first' })], ...batches]) {
        await same((worklist) =>
          worklist.ingest({ items }).catch(({ code, details }: AppError) => ({ code, details })),
        );
      }
      await same(async (worklist) => {
        const { items } = await worklist.list({ limit: 100 });
        return [items, await Promise.all(items.map(({ id }) => worklist.history(id)))];
      });
    }),
    { numRuns: 100 },
  );
  // Or nothing was compared.
  expect(bundles).toBeGreaterThan(30);
});

test.each([
  ['an exam that is known', [exam({ accession_number: 'first', exam_room: '3' })], { updated: 1 }],
  ['a study twice', ['A', 'B'].map((number) => exam({ accession_number: number, study_uid: '1.2' })), { updated: 1 }],
  ['an exam twice', several(1).concat(several(1)), { deduped: 1 }],
  ['metadata', several(1, { metadata: { ward: 3 } }), { inserted: 3 }],
])('while %s waits, new exams are stored as usual', async (_what, items, counts) => {
  const worklist = await begun();
  expect(await worklist.ingest({ items: [...several(2, {}, 'N'), ...items] })).toMatchObject(counts);
  expect(bundles).toBe(0);
  expect((await worklist.list({ accession_number: 'N-1' })).items).toHaveLength(1);
});

test('after a merge, exams become those of the remaining patient', async () => {
  const worklist = await begun();
  const told = { patient_id_issuer: null, facts: { patient_name: 'TESTE^PACIENTE' }, told_at: '2026-03-01T00:00:00Z' };
  const until = '2036-03-01T00:00:00.000Z';
  await worklist.store.transact(async (tx) => {
    const merge = { event: 'A40', into: { patient_id: 'P-9', patient_id_issuer: null }, told_at: told.told_at };
    for (const [patient_id, merged] of [
      ['P-1', { merge }],
      ['P-9', {}],
    ] as const)
      tx.put('told_patients', {
        ...told,
        ...merged,
        id: `pat_${patient_id}`,
        space: 'local',
        patient_id,
        expires_at: until,
      } as never);
  });
  await worklist.ingest({ items: several(3) });
  expect(bundles).toBe(0);
  expect((await worklist.list({ accession_number: 'SL-1' })).items[0]).toMatchObject({ patient_id: 'P-9' });
  // Nothing was told of these.
  await worklist.ingest({ items: several(3, { patient_id: 'P-2' }, 'N') });
  expect(bundles).toBe(1);
});

test.each([
  ['no JSON', '{"items":[', 'INVALID_JSON'],
  ['nothing', '', 'INVALID_JSON'],
  ['no UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'INVALID_JSON'],
  ['no items', '{"items":[]}', 'VALIDATION_FAILED'],
  ['too many items', JSON.stringify(several(1001)), 'PAYLOAD_TOO_LARGE'],
])('%s is refused as ever', async (_what, body, code) => {
  const { routes, call } = await begun();
  const error = await refusal(routes.ingest({ body: new UnreadJson(Buffer.from(body)) as never }, call()));
  expect(error.code).toBe(code);
});

test('a wrong exam is reported with its place', async () => {
  const worklist = await begun();
  const error = await refusal(worklist.ingest({ items: [exam({ modality: 'ZZ' })] }));
  expect(fieldErrorsOf(error)).toMatchObject([{ field: 'items.0.modality', code: 'INVALID_MODALITY' }]);
});

test('a transaction reads what it has bundled, and may change it', async () => {
  const { store, ...worklist } = await begun();
  const exams = await bundling.pack(Buffer.from(JSON.stringify(several(3))), {
    space: 'local',
    source_system: null,
    testMode: false,
  });
  const ids = [1, 2, 3].map((nth) => `wli_${String(nth).padStart(26, '0')}`);
  await store.transact(async (tx) => {
    tx.packer!.put(exams!.bundle, ids, '2026-03-02T11:00:00.000Z');
    const [found] = await tx.findEach('items', 'accession', 'local', ['SL-1']);
    expect(found).toMatchObject({ id: ids[1] });
    expect(await tx.count('items')).toBe(4);
    tx.put('items', { ...found!, exam_room: '3' });
    tx.remove('items', ids[2]!);
  });
  const { items } = await worklist.list();
  expect(items.map(({ accession_number, exam_room }) => [accession_number, exam_room])).toEqual([
    ['first', null],
    ['SL-1', '3'],
    ['SL-0', null],
  ]);
  const { to } = await store.commits();
  expect(await store.find('items', { during: { commit: { from: to, to } } })).toHaveLength(2);
});

test('bundles are on disk once they are answered, and come back with a start and from a backup', async () => {
  const directory = await temporaryDirectory();
  const options = { directory, memory: 2 ** 30 };
  const store = await openLowdbStore(options);
  const worklist = await begun(store);
  await worklist.ingest({ items: several(50, { hospital_name: 'São Lucas' }) });
  await worklist.ingest({ items: several(50, { hospital_name: 'São Lucas' }, 'N') });
  expect(bundles).toBe(2);
  const { items } = await worklist.list({ limit: 200 });
  expect(items).toHaveLength(101);
  await store.close();
  const again = await openLowdbStore(options);
  onTestFinished(() => again.close());
  const restarted = threaded(again);
  expect((await restarted.list({ limit: 200 })).items).toEqual(items);
  await restarted.ingest({ items: several(50, {}, 'M') });
  expect(bundles).toBe(3);
  // All words have other numbers now.
  await again.replace(again.dump());
  await restarted.ingest({ items: several(50, { hospital_name: 'São Lucas' }, 'R') });
  expect((await restarted.list({ accession_number: 'M-7' })).items).toHaveLength(1);
  expect((await restarted.list({ accession_number: 'R-7' })).items[0]).toMatchObject({ hospital_name: 'São Lucas' });
});

test('a bundle that the disk refuses has never been there', async () => {
  let isFull = false;
  const fs = hookedFileSystem((call) => {
    if (isFull && call === 'handle.write') throw Object.assign(new Error('full'), { code: 'ENOSPC' });
  });
  const store = await openLowdbStore({ directory: await temporaryDirectory(), memory: 2 ** 30, fs });
  onTestFinished(() => store.close());
  const worklist = await begun(store);
  isFull = true;
  const items = several(30);
  expect(await refusal(worklist.ingest({ items }))).toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
  expect((await worklist.list()).items).toHaveLength(1);
  expect((await worklist.list({ accession_number: 'SL-7' })).items).toEqual([]);
  isFull = false;
  expect(await worklist.ingest({ items })).toMatchObject({ inserted: 30 });
  expect((await worklist.list({ accession_number: 'SL-7' })).items).toHaveLength(1);
  expect(bundles).toBe(2);
});

describe('the thread', () => {
  const alone = (options: Partial<Parameters<typeof createBundling>[0]> = {}) => {
    const worklist = createWorklist(undefined, (store) =>
      createBundling({ store, log: () => {}, processors: 2, freeProcessors: () => 2, ...options }),
    );
    const own = worklist.bundling!;
    onTestFinished(() => own.close());
    return { ...worklist, bundling: own };
  };

  test('has large bodies, as many as it can pack soon, along with other ingests', async () => {
    const { bundling: own } = alone();
    expect(await takes(own)).toBe(false);
    await ready(own);
    expect(own.takes('local', large)).toBe(false);
    expect(await takes(own, 'local', 100)).toBe(false);
    expect(await takes(own, 'local', 2 ** 21)).toBe(false);
    const about = { space: 'local', source_system: null, testMode: false };
    const packing = own.pack(Buffer.alloc(large), about);
    expect(await takes(own)).toBe(false);
    expect(await packing).toBeUndefined();
    expect(await takes(own)).toBe(true);
  });

  test('is not there where it would take the only processor', async () => {
    expect(await takes(alone({ processors: 1 }).bundling)).toBe(false);
  });

  test('gets nothing while others use the other processors', async () => {
    let free = 2;
    const { bundling: own } = alone({ freeProcessors: () => free });
    await ready(own);
    free = 1.2;
    expect(await takes(own)).toBe(false);
    free = 1.8;
    expect(await takes(own)).toBe(true);
  });

  test('has ever fewer bodies of a space whose bodies are not plain, and all again once they are', async () => {
    const { bundling: own } = alone();
    await ready(own);
    const refused = async (space = 'local'): Promise<number> => {
      let count = 0;
      while (!(await takes(own, space))) count++;
      return count;
    };
    for (const expected of [1, 2, 4, 8, 16, 32, 64, 64]) {
      own.note('local', false);
      expect(await refused('other')).toBe(0);
      expect(await refused()).toBe(expected);
    }
    own.note('local', true);
    expect(await refused()).toBe(0);
    own.note('local', false);
    expect(await refused()).toBe(1);
  });

  test('may end while bodies wait for it', async () => {
    const worklist = alone();
    await ready(worklist.bundling);
    const ingested = worklist.ingest(new UnreadJson(Buffer.from(JSON.stringify(several(30)))));
    await worklist.bundling.close();
    expect(await ingested).toMatchObject({ inserted: 30 });
    expect(await takes(worklist.bundling)).toBe(false);
  });
});

test('over HTTP, of the same batches sent at once and again, each exam is there once, and each key answered once', async () => {
  const api = await startApi({ dataDir: await temporaryDirectory() }, onTestFinished);
  const { ingest } = contract.worklists.endpoints;
  const batches = Array.from({ length: 6 }, (_, at) => ({
    items: Array.from({ length: 100 }, (_item, nth) => examFields({ accession_number: `B-${(at % 3) * 50 + nth}` })),
  }));
  // The thread starts with the first of them.
  for (let round = 0; round < 4; round++) {
    const fresh = Array.from({ length: 100 }, (_, nth) => examFields({ accession_number: `${round}-${nth}` }));
    const bodies = [...batches, { items: fresh }];
    const send = () =>
      Promise.all(
        bodies.map((body, nth) =>
          api.call(ingest, { body: body as never, headers: { 'idempotency-key': `${round}-${nth}` } }),
        ),
      );
    const results = (await send()).map((answer) => succeeded(answer));
    const again = await send();
    expect(again.map((answer) => [answer.headers['idempotency-replayed'], succeeded(answer)])).toEqual(
      results.map((result) => ['true', result]),
    );
    const inserted = results.reduce((sum, result) => sum + result.inserted, 0);
    expect(inserted).toBe(round === 0 ? 300 : 100);
    for (const { processed, errors } of results) expect({ processed, errors }).toEqual({ processed: 100, errors: [] });
  }
  expect(await api.stored()).toMatchObject({ items: 600 });
});
