import * as fc from '../../support/properties.ts';
import { describe, expect, test } from 'vitest';
import { createWorklist, exam, fieldErrorsOf, refusal } from '../../support/worklist.ts';

async function day() {
  const worklist = createWorklist();
  await worklist.ingest(
    [
      exam({ accession_number: 'SL-1' }),
      exam({
        accession_number: 'SL-2',
        modality: 'MR',
        exam_description: 'RM de crânio',
        patient_name: 'PATIENT^DEMO',
      }),
      exam({ accession_number: 'SL-3', exam_datetime: '2026-03-03T00:30:00-03:00', patient_id: '99' }),
    ],
    { headers: { 'X-Source-System': 'RIS Norte' } },
  );
  const { items } = await worklist.ingest(exam({ accession_number: 'SL-4', exam_datetime: '2026-03-05T10:00' }));
  await worklist.setStatus(items[0]!.id!, { status: 'in_progress' });
  return worklist;
}

describe('GET /api/v1/worklists/items', () => {
  test.each([
    [{}, ['SL-4', 'SL-3', 'SL-2', 'SL-1']],
    [{ status: 'new' }, ['SL-3', 'SL-2', 'SL-1']],
    [{ status: 'completed' }, []],
    [{ modality: 'mr' }, ['SL-2']],
    [{ q: 'CRANIO demo' }, ['SL-2']],
    [{ q: 'crânio  DÉMO' }, ['SL-2']],
    [{ q: 'teste sl-3' }, ['SL-3']],
    [{ q: '0045871 torax' }, ['SL-4', 'SL-1']],
    [{ q: 'nobody' }, []],
    [{ source_system: 'RIS Norte', modality: 'CT' }, ['SL-3', 'SL-1']],
    [{ assigned_to: 'Dra. Helena Prado' }, ['SL-4']],
    [{ assigned_to: ['Dr. Bruno Nunes', 'Dra. Helena Prado'], source_system: ['RIS Norte', 'RIS Sul'] }, []],
    [{ source_system: ['RIS Norte', 'RIS Sul'] }, ['SL-3', 'SL-2', 'SL-1']],
    [{ accession_number: 'SL-3' }, ['SL-3']],
    [{ accession_number: ' SL-3 ' }, ['SL-3']],
    [{ accession_number: 'SL' }, []],
    [{ accession_number: 'sl-3' }, []],
    [{ study_uid: '1.2.3' }, []],
    [{ patient_id: '99' }, ['SL-3']],
    [{ patient_id: '0045871', status: 'new' }, ['SL-2', 'SL-1']],
    [{ patient_id: '0045871', accession_number: 'SL-3' }, []],
    [{ from: '2026-03-03' }, ['SL-4', 'SL-3']],
    [{ to: '2026-03-02' }, ['SL-2', 'SL-1']],
    [{ from: '2026-03-03T03:30:00Z', to: '2026-03-03T03:30:00Z' }, ['SL-3']],
    [{ from: '2026-03-06' }, []],
    [{ status: ['new', 'completed'] }, ['SL-3', 'SL-2', 'SL-1']],
    [{ status: ['new', 'in_progress'] }, ['SL-4', 'SL-3', 'SL-2', 'SL-1']],
    [{ modality: ['mr', 'US'] }, ['SL-2']],
    [{ modality: ['MR', 'CT'], status: ['in_progress'] }, ['SL-4']],
    [{ subspecialty: ['neuro'] }, ['SL-2']],
    [{ subspecialty: ['neuro', 'chest'] }, ['SL-4', 'SL-3', 'SL-2', 'SL-1']],
    [{ priority: ['STAT', 'HIGH'] }, []],
    [{ priority: 'ROUTINE', modality: 'MR' }, ['SL-2']],
    [{ hospital: ['Hospital São Lucas', 'Hospital, com vírgula'] }, []],
    [{ report: ['draft'] }, []],
    [{ status: 'new', modality: 'CT', to: '2026-03-02', q: 'teste' }, ['SL-1']],
  ] as const)('%j', async (query, found) => {
    const { items } = await (await day()).list(query);
    expect(items.map(({ accession_number }) => accession_number)).toEqual(found);
  });

  test.each([
    ['2026-03-02T00:30:00+14:00', '2026-03-01'],
    ['2026-03-01T23:30:00-12:00', '2026-03-02'],
    ['9999-12-31T23:30:00Z', '9999-12-31'],
    ['0001-01-01T00:30:00Z', '0001-01-01'],
  ])('an exam at %s belongs to %s in UTC', async (at, date) => {
    const worklist = createWorklist();
    await worklist.ingest(exam({ exam_datetime: at }));
    const { items } = await worklist.list({});
    await worklist.setStatus(items[0]!.id, { status: 'cancelled' });
    const found = { from: date, to: date };
    for (const query of [found, { ...found, status: 'cancelled' as const }, { from: date }, { to: date }]) {
      expect((await worklist.list(query)).items).toHaveLength(1);
    }
    expect((await worklist.list({ ...found, status: 'completed' })).items).toEqual([]);
    expect((await worklist.list({ from: '2000-01-01', to: '2000-01-01' })).items).toEqual([]);
  });

  test('each space sees its own', async () => {
    expect(await (await day()).list({}, { caller: { space: 'other' } })).toMatchObject({
      items: [],
      next_cursor: null,
    });
  });

  test('pages neither repeat nor skip, whatever arrives meanwhile', async () => {
    const worklist = createWorklist();
    const accessions = Array.from({ length: 7 }, (_, at) => `SL-${at}`);
    await worklist.ingest(accessions.map((accession_number) => exam({ accession_number })));
    const seen: (string | null)[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof worklist.list>> = await worklist.list({
        limit: 3,
        ...(cursor && { cursor }),
      });
      seen.push(...page.items.map(({ accession_number }) => accession_number));
      cursor = page.next_cursor;
      await worklist.ingest(exam({ accession_number: `new-${seen.length}` }));
    } while (cursor !== null);
    expect(seen).toEqual(accessions.toReversed());
  });

  test('pages give once what existed throughout the walk, whatever is inserted, updated, moved or removed', async () => {
    const change = fc.record({
      kind: fc.constantFrom('insert', 'update', 'move', 'remove'),
      which: fc.nat(),
    });
    const walk = fc.record({
      count: fc.integer({ min: 0, max: 12 }),
      limit: fc.integer({ min: 1, max: 5 }),
      between: fc.array(fc.array(change, { maxLength: 4 }), { maxLength: 14 }),
    });
    await fc.assert(
      fc.asyncProperty(walk, async ({ count, limit, between }) => {
        const worklist = createWorklist();
        let names = 0;
        const insert = async (): Promise<string> => {
          const { items } = await worklist.ingest(exam({ accession_number: `SL-${names++}` }));
          return items[0]!.id!;
        };
        const there: string[] = [];
        for (let at = 0; at < count; at++) there.push(await insert());
        const throughout = new Set(there);
        const given: string[] = [];
        let cursor: string | null = null;
        for (let turn = 0; turn === 0 || cursor !== null; turn++) {
          const page: Awaited<ReturnType<typeof worklist.list>> = await worklist.list({
            limit,
            ...(cursor && { cursor }),
          });
          given.push(...page.items.map(({ id }) => id));
          cursor = page.next_cursor;
          for (const { kind, which } of between[turn] ?? []) {
            const id = there[which % Math.max(1, there.length)];
            if (kind === 'insert') there.push(await insert());
            else if (id === undefined) continue;
            else if (kind === 'update') {
              await worklist.ingest({
                ...exam(),
                accession_number: (await worklist.item(id)).accession_number,
                exam_room: `${which}`,
              });
            } else if (kind === 'move') {
              const { status } = await worklist.item(id);
              await worklist.setStatus(id, { status: status === 'new' ? 'cancelled' : 'new' });
            } else {
              await worklist.store.transact(async (tx) => tx.remove('items', id));
              there.splice(there.indexOf(id), 1);
              throughout.delete(id);
            }
          }
        }
        expect(new Set(given).size).toBe(given.length);
        expect([...throughout].filter((id) => !given.includes(id))).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  test('a full last page has no cursor; a page holds 50 by default', async () => {
    const worklist = createWorklist();
    await worklist.ingest(Array.from({ length: 51 }, (_, at) => exam({ accession_number: `SL-${at}` })));
    expect((await worklist.list()).items).toHaveLength(50);
    expect((await worklist.list({ limit: 51 })).next_cursor).toBeNull();
  });

  test('a cursor that was changed, made up or taken from elsewhere is refused', async () => {
    const worklist = await day();
    const { next_cursor } = await worklist.list({ limit: 2 });
    const changed = `${next_cursor!.slice(0, -2)}${next_cursor!.endsWith('AA') ? 'BB' : 'AA'}`;
    const madeUp = Buffer.from((await worklist.list()).items[1]!.id).toString('base64url');
    const refusals = await Promise.all([
      ...[changed, madeUp, `${next_cursor}=`, 'x', '%00'].map((cursor) => refusal(worklist.list({ cursor }))),
      refusal(worklist.list({ cursor: next_cursor! }, { caller: { space: 'other' } })),
    ]);
    for (const error of refusals) {
      expect(error.code).toBe('VALIDATION_FAILED');
      expect(fieldErrorsOf(error)).toMatchObject([{ field: 'cursor', code: 'INVALID_VALUE' }]);
    }
  });
});

test('GET …/items/{id}/history is newest first, in pages', async () => {
  const worklist = createWorklist();
  const { items } = await worklist.ingest(exam());
  const { id = '' } = items[0]!;
  const moves = ['in_progress', 'completed', 'in_progress', 'cancelled'] as const;
  for (const status of moves) await worklist.setStatus(id, { status });
  const { data: first } = await worklist.routes.history({ params: { id }, query: { limit: 3 } }, worklist.call());
  expect(first.items.map(({ to }) => to)).toEqual(['cancelled', 'in_progress', 'completed']);
  const { data: second } = await worklist.routes.history(
    { params: { id }, query: { cursor: first.next_cursor! } },
    worklist.call(),
  );
  expect(second).toMatchObject({ items: [{ from: 'new', to: 'in_progress' }], next_cursor: null });
});
