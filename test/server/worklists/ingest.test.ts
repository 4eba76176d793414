import { describe, expect, test } from 'vitest';
import type { ItemChange } from '../../../server/storage/feeds.ts';
import { createWorklist, exam, fieldErrorsOf, refusal } from '../../support/worklist.ts';

const testClient = { caller: { test_mode: true } };

describe('2.1 bodies', () => {
  test.each([
    ['one item', exam()],
    ['an array', [exam()]],
    ['a wrapped array', { items: [exam()] }],
    ['a wrapped array beside other fields', { items: [exam()], sender: 'RIS' }],
    ['an item with a field of its own called items', exam({ items: 3 })],
  ])('%s', async (_shape, body) => {
    const worklist = createWorklist();
    expect(await worklist.ingest(body)).toMatchObject({ processed: 1, inserted: 1 });
  });

  test.each([
    ['nothing', undefined, '', 'INVALID_TYPE'],
    ['null', null, '', 'INVALID_TYPE'],
    ['a text', 'item', '', 'INVALID_TYPE'],
    ['a number', 1, '', 'INVALID_TYPE'],
    ['an empty array', [], 'items', 'FIELD_REQUIRED'],
    ['an empty wrapped array', { items: [] }, 'items', 'FIELD_REQUIRED'],
    ['items that are no list', { items: 'all' }, 'items', 'INVALID_TYPE'],
    ['an array of a text', ['item'], 'items.0', 'INVALID_TYPE'],
    ['an array of an array', [[exam()]], 'items.0', 'INVALID_TYPE'],
  ])('%s is refused', async (_shape, body, field, code) => {
    const error = await refusal(createWorklist().ingest(body));
    expect(error.code).toBe('VALIDATION_FAILED');
    expect(fieldErrorsOf(error)).toEqual([expect.objectContaining({ field, code })]);
  });

  test('1,000 items are taken, one more is too many', async () => {
    const worklist = createWorklist();
    const items = Array.from({ length: 1001 }, (_, at) => exam({ accession_number: `SL-${at}` }));
    const error = await refusal(worklist.ingest({ items }));
    expect(error).toMatchObject({ code: 'PAYLOAD_TOO_LARGE', details: { limit_items: 1000 } });
    expect(await worklist.store.count('items')).toBe(0);
    expect(await worklist.ingest({ items: items.slice(1) })).toMatchObject({
      processed: 1000,
      inserted: 1000,
      errors: [],
    });
  });
});

describe('2.1 fields', () => {
  test.each([
    [{ modality: 'ZZ' }, 'modality', 'INVALID_MODALITY'],
    [{ modality: 7 }, 'modality', 'INVALID_MODALITY'],
    [{ exam_datetime: '02/03/2026' }, 'exam_datetime', 'INVALID_FORMAT'],
    [{ exam_datetime: '2026-02-30T10:00:00Z' }, 'exam_datetime', 'INVALID_FORMAT'],
    [{ patient_name: undefined }, 'patient_name', 'FIELD_REQUIRED'],
    [{ patient_name: '  ' }, 'patient_name', 'FIELD_REQUIRED'],
    [{ patient_name: null }, 'patient_name', 'FIELD_REQUIRED'],
    [{ patient_name: { family: 'Teste' } }, 'patient_name', 'INVALID_TYPE'],
    [{ patient_name: 'TESTE\0^PACIENTE' }, 'patient_name', 'INVALID_FORMAT'],
    [{ patient_id: undefined }, 'patient_id', 'FIELD_REQUIRED'],
    [{ exam_description: undefined }, 'exam_description', 'FIELD_REQUIRED'],
    [{ accession_number: undefined }, 'accession_number', 'FIELD_REQUIRED'],
    [{ accession_number: '' }, 'accession_number', 'FIELD_REQUIRED'],
    [{ accession_number: 4417 }, 'accession_number', 'INVALID_TYPE'],
    [{ accession_number: 'A'.repeat(65) }, 'accession_number', 'TOO_LONG'],
    [{ accession_number: 'SL\u00001' }, 'accession_number', 'INVALID_FORMAT'],
    [{ accession_number: 'SL\u200b1' }, 'accession_number', 'INVALID_FORMAT'],
    [{ study_uid: '1.02' }, 'study_uid', 'INVALID_FORMAT'],
    [{ study_uid: 'abc' }, 'study_uid', 'INVALID_FORMAT'],
    [{ patient_sex: 'X' }, 'patient_sex', 'INVALID_VALUE'],
    [{ patient_birth_date: '1971-13-14' }, 'patient_birth_date', 'INVALID_FORMAT'],
    [{ series_count: '3' }, 'series_count', 'INVALID_TYPE'],
    [{ images_count: -1 }, 'images_count', 'INVALID_VALUE'],
    [{ series_count: 1.5 }, 'series_count', 'INVALID_TYPE'],
    [{ metadata: 'urgent' }, 'metadata', 'INVALID_TYPE'],
    [{ metadata: [] }, 'metadata', 'INVALID_TYPE'],
  ])('%j is refused', async (fields, field, code) => {
    const worklist = createWorklist();
    const sent = Object.fromEntries(Object.entries(exam(fields)).filter(([, value]) => value !== undefined));
    const single = await refusal(worklist.ingest(sent));
    expect(fieldErrorsOf(single)).toEqual([{ field, code, message: expect.any(String) }]);
    const batch = await refusal(worklist.ingest([sent]));
    expect(fieldErrorsOf(batch)).toEqual([{ field: `items.0.${field}`, code, message: expect.any(String) }]);
    expect(await worklist.store.count('items')).toBe(0);
  });

  test('all faults of a single item are reported at once', async () => {
    const error = await refusal(
      createWorklist().ingest({ accession_number: 'SL-1', exam_datetime: 'tomorrow', modality: 'CT' }),
    );
    expect(fieldErrorsOf(error).map(({ field, code }) => [field, code])).toEqual([
      ['patient_id', 'FIELD_REQUIRED'],
      ['patient_name', 'FIELD_REQUIRED'],
      ['exam_datetime', 'INVALID_FORMAT'],
      ['exam_description', 'FIELD_REQUIRED'],
    ]);
  });

  test('errors do not repeat what was sent', async () => {
    const error = await refusal(
      createWorklist().ingest(exam({ patient_name: 'CANARY\0', modality: 'CANARY', study_uid: 'CANARY' })),
    );
    expect(JSON.stringify([error.message, error.details])).not.toContain('CANARY');
  });

  test.each([31, 32])('metadata of 32 levels is kept, of 33 refused (%s inner levels)', async (inner) => {
    let metadata: Record<string, unknown> = {};
    for (let level = 0; level < inner; level++) metadata = { level: metadata };
    const worklist = createWorklist();
    if (inner === 31) return expect(await worklist.ingest(exam({ metadata }))).toMatchObject({ inserted: 1 });
    const error = await refusal(worklist.ingest(exam({ metadata })));
    return expect(fieldErrorsOf(error)).toMatchObject([{ field: 'metadata', code: 'INVALID_VALUE' }]);
  });

  test('fields that are not listed are kept under metadata.extra', async () => {
    const worklist = createWorklist();
    const { items } = await worklist.ingest(exam({ priority: 'STAT', metadata: { ward: 3, extra: { bed: 4 } } }));
    expect(await worklist.item(items[0]!.id!)).toMatchObject({
      metadata: { ward: 3, extra: { bed: 4, priority: 'STAT' } },
    });
  });

  test('keys that reach a prototype do no harm', async () => {
    const worklist = createWorklist();
    const sent = JSON.parse(
      JSON.stringify(exam()).replace('{', '{"__proto__":{"status":"completed"},"metadata":{"__proto__":{"x":1}},'),
    );
    const { items } = await worklist.ingest(sent);
    expect((await worklist.item(items[0]!.id!)).status).toBe('new');
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });
});

describe('2.2 stored items', () => {
  test('have every field', async () => {
    const worklist = createWorklist();
    const { items } = await worklist.ingest(exam({ modality: ' ct ', exam_room: '' }), {
      headers: { 'X-Source-System': 'RIS Norte' },
    });
    expect(await worklist.item(items[0]!.id!)).toEqual({
      ...exam(),
      commit: expect.any(Number),
      id: expect.stringMatching(/^wli_/),
      space: 'local',
      study_uid: null,
      display_name: 'Paciente Teste',
      patient_sex: null,
      patient_birth_date: null,
      patient_age: null,
      exam_room: null,
      referring_physician: null,
      hospital_name: null,
      location: null,
      procedure_id: null,
      series_count: null,
      images_count: null,
      metadata: null,
      status: 'new',
      reason: null,
      source_system: 'RIS Norte',
      record_id: null,
      assigned_to: null,
      created_at: '2026-03-02T11:00:00.000Z',
      updated_at: '2026-03-02T11:00:00.000Z',
      version: 1,
    });
  });

  test.each([
    ['RIS', 'RIS'],
    ['  ', null],
    ['S\u00e3o Lucas', 'São Lucas'],
    [Buffer.from('São Lucas').toString('latin1'), 'São Lucas'],
  ])('X-Source-System %j is kept as %j', async (header, kept) => {
    const worklist = createWorklist();
    const { items } = await worklist.ingest(exam(), { headers: { 'X-Source-System': header } });
    expect((await worklist.item(items[0]!.id!)).source_system).toBe(kept);
  });

  test.each(['A'.repeat(129), 'RIS\u0007'])(
    'an X-Source-System that is too long or not printable is refused',
    async (header) => {
      const worklist = createWorklist();
      const error = await refusal(worklist.ingest(exam(), { headers: { 'X-Source-System': header } }));
      expect(fieldErrorsOf(error)).toMatchObject([{ field: 'X-Source-System', code: 'INVALID_FORMAT' }]);
      expect(await worklist.store.count('items')).toBe(0);
    },
  );
});

describe('2.3 to 2.5 answers', () => {
  test('a part of a batch may be refused, and the counters add up', async () => {
    const worklist = createWorklist();
    await worklist.ingest([exam({ accession_number: 'SL-1' }), exam({ accession_number: 'SL-2' })]);
    const result = await worklist.ingest([
      exam({ accession_number: 'SL-1' }),
      exam({ accession_number: 'SL-2', exam_room: 'Sala 2' }),
      exam({ accession_number: 'SL-3', modality: 'ZZ' }),
      exam({ accession_number: 'SL-4' }),
      { accession_number: 'SL-5', modality: 'CT', exam_datetime: 'soon' },
      'no item',
    ]);
    expect(result).toEqual({
      batch_id: expect.stringMatching(/^bat_/),
      processed: 6,
      inserted: 1,
      updated: 1,
      deduped: 1,
      errors: [
        {
          index: 2,
          accession_number: 'SL-3',
          error: 'INVALID_MODALITY',
          message: expect.stringContaining('CR for computed radiography'),
          field: 'modality',
        },
        {
          index: 4,
          accession_number: 'SL-5',
          error: 'FIELD_REQUIRED',
          message: expect.stringContaining('patient_name, exam_datetime'),
          field: 'patient_id',
        },
        { index: 5, accession_number: null, error: 'INVALID_TYPE', message: 'an item must be an object', field: '' },
      ],
      items: [
        {
          id: expect.stringMatching(/^wli_/),
          accession_number: 'SL-1',
          status: 'deduped',
          message: expect.any(String),
        },
        { id: expect.stringMatching(/^wli_/), accession_number: 'SL-2', status: 'updated' },
        { id: expect.stringMatching(/^wli_/), accession_number: 'SL-4', status: 'inserted' },
      ],
    });
    expect(await worklist.store.count('items')).toBe(3);
  });

  test('a batch without any valid item is a 400 and stores nothing', async () => {
    const worklist = createWorklist();
    const items = ['A', 'B', 'C'].map((accession_number) => exam({ accession_number, exam_datetime: 'soon' }));
    const error = await refusal(worklist.ingest({ items }));
    expect(error).toMatchObject({ code: 'VALIDATION_FAILED', status: 400 });
    expect(fieldErrorsOf(error).map(({ field }) => field)).toEqual([0, 1, 2].map((at) => `items.${at}.exam_datetime`));
    expect(await worklist.store.count('items')).toBe(0);
  });

  test('a retired modality is taken and flagged', async () => {
    const { items } = await createWorklist().ingest(exam({ modality: 'MA' }));
    expect(items[0]).toMatchObject({ status: 'inserted', message: 'The modality MA is retired; MR replaced it.' });
  });
});

describe('3.3 outcomes', () => {
  test('no item with the same accession number or study UID: inserted', async () => {
    const worklist = createWorklist();
    await worklist.ingest(exam({ study_uid: '1.2.1' }));
    const { items } = await worklist.ingest(exam({ accession_number: 'SL-2', study_uid: '1.2.2' }));
    expect(items).toMatchObject([{ status: 'inserted' }]);
  });

  test.each([
    ['accession number', { accession_number: 'SL-1', study_uid: '1.2.2' }],
    ['study UID', { accession_number: 'SL-2', study_uid: '1.2.1' }],
    ['study UID alone', { accession_number: undefined, study_uid: '1.2.1', location: 'UTI' }],
  ])('matched by its %s and given new information: updated', async (_identifier, fields) => {
    const worklist = createWorklist();
    const first = await worklist.ingest(exam({ study_uid: '1.2.1' }));
    const second = await worklist.ingest(JSON.parse(JSON.stringify(exam(fields))));
    expect(second.items).toMatchObject([{ id: first.items[0]!.id, status: 'updated' }]);
    expect(await worklist.item(first.items[0]!.id!)).toMatchObject({
      ...JSON.parse(JSON.stringify(fields)),
      version: 2,
    });
  });

  test('matched, with nothing to change: deduped', async () => {
    const worklist = createWorklist();
    const sent = exam({ study_uid: '1.2.1', metadata: { a: [1, { b: 2 }] }, priority: 'STAT' });
    const { items } = await worklist.ingest(sent);
    const before = await worklist.item(items[0]!.id!);
    worklist.clock.advance(1000);
    const written = ['{"priority":"STAT","metadata":{"a":[1,{"b":2}]},"study_uid":" 1.2.1","modality":"ct"}'].map(
      (text) => JSON.parse(text) as object,
    );
    for (const again of [sent, ...written, { accession_number: 'SL-1' }]) {
      expect(await worklist.ingest(again, { headers: { 'X-Source-System': 'PACS' } })).toMatchObject({ deduped: 1 });
    }
    expect(await worklist.item(items[0]!.id!)).toEqual(before);
  });

  test('an update brings any part: absent fields stay, null clears, the shown name follows', async () => {
    const worklist = createWorklist();
    const { items } = await worklist.ingest(exam({ exam_room: 'Sala 1', hospital_name: 'Norte' }));
    worklist.clock.advance(1000);
    await worklist.ingest({ accession_number: 'SL-1', exam_room: null, patient_name: 'PATIENT^TEST' });
    expect(await worklist.item(items[0]!.id!)).toMatchObject({
      exam_room: null,
      hospital_name: 'Norte',
      patient_name: 'PATIENT^TEST',
      display_name: 'Test Patient',
      version: 2,
      created_at: '2026-03-02T11:00:00.000Z',
      updated_at: '2026-03-02T11:00:01.000Z',
    });
  });

  test('an update does not empty a core field', async () => {
    const worklist = createWorklist();
    await worklist.ingest(exam());
    const error = await refusal(worklist.ingest({ accession_number: 'SL-1', exam_description: null }));
    expect(fieldErrorsOf(error)).toMatchObject([{ field: 'exam_description', code: 'FIELD_REQUIRED' }]);
  });

  test('identifiers of two different items: IDENTIFIER_CONFLICT, and neither changes', async () => {
    const worklist = createWorklist();
    await worklist.ingest([exam({ study_uid: '1.2.1' }), exam({ accession_number: 'SL-2', study_uid: '1.2.2' })]);
    const crossed = exam({ accession_number: 'SL-1', study_uid: '1.2.2', exam_room: 'Sala 9' });
    expect(fieldErrorsOf(await refusal(worklist.ingest(crossed)))).toMatchObject([
      { field: 'study_uid', code: 'IDENTIFIER_CONFLICT' },
    ]);
    const result = await worklist.ingest([crossed, exam({ accession_number: 'SL-3' })]);
    expect(result.errors).toMatchObject([{ index: 0, accession_number: 'SL-1', error: 'IDENTIFIER_CONFLICT' }]);
    expect((await worklist.list()).items.map(({ exam_room }) => exam_room)).toEqual([null, null, null]);
  });

  test('items of one batch that match each other are applied in order', async () => {
    const worklist = createWorklist();
    const result = await worklist.ingest([
      exam({ study_uid: '1.2.1' }),
      { study_uid: '1.2.1', accession_number: 'SL-9' },
      exam({ accession_number: 'SL-1' }),
      { accession_number: 'SL-9', exam_room: 'Sala 1' },
      { study_uid: '1.2.1', exam_room: 'Sala 1' },
    ]);
    expect(result.items.map(({ status }) => status)).toEqual(['inserted', 'updated', 'inserted', 'updated', 'deduped']);
    expect((await worklist.list()).items).toMatchObject([
      { accession_number: 'SL-1', version: 1 },
      { accession_number: 'SL-9', study_uid: '1.2.1', exam_room: 'Sala 1', version: 3 },
    ]);
  });

  test('an exam that is completed or cancelled may be corrected and keeps its status', async () => {
    const worklist = createWorklist();
    const { items } = await worklist.ingest(exam());
    const id = items[0]!.id!;
    for (const status of ['cancelled', 'new', 'completed'] as const) {
      await worklist.setStatus(id, { status });
      expect(await worklist.ingest(exam({ exam_room: status }))).toMatchObject({ updated: 1 });
      expect(await worklist.item(id)).toMatchObject({ status, exam_room: status });
    }
  });

  test('items of another space are never matched', async () => {
    const worklist = createWorklist();
    await worklist.ingest(exam());
    expect(await worklist.ingest(exam(), { caller: { space: 'other' } })).toMatchObject({ inserted: 1 });
  });
});

describe('1 test mode', () => {
  test('only test patients are taken', async () => {
    const worklist = createWorklist();
    const real = exam({ accession_number: 'SL-2', patient_name: 'SILVA^MARIA' });
    const result = await worklist.ingest([exam(), real], testClient);
    expect(result).toMatchObject({
      inserted: 1,
      errors: [{ index: 1, error: 'TEST_DATA_REQUIRED', field: 'patient_name' }],
    });
    expect(fieldErrorsOf(await refusal(worklist.ingest(real, testClient)))).toMatchObject([
      { code: 'TEST_DATA_REQUIRED' },
    ]);
    expect(await worklist.ingest({ accession_number: 'SL-1', location: 'UTI' }, testClient)).toMatchObject({
      updated: 1,
    });
    expect(await worklist.ingest(real)).toMatchObject({ inserted: 1 });
  });
});

describe('readers of the worklist', () => {
  test('hears of each changed item once, after the commit', async () => {
    const worklist = createWorklist();
    const heard: ItemChange[] = [];
    worklist.feed.subscribe('local', (change) => heard.push(change));
    worklist.feed.subscribe('other', () => expect.unreachable());
    const { items } = await worklist.ingest([
      exam(),
      exam({ exam_room: 'Sala 1' }),
      exam({ accession_number: 'SL-2', modality: 'ZZ' }),
    ]);
    const { id } = items[0]!;
    expect(heard).toEqual([
      { space: 'local', id, accession_number: 'SL-1', status: 'new', version: 2, change: 'inserted' },
    ]);
    await worklist.ingest([exam({ exam_room: 'Sala 1' })]);
    await worklist.ingest([exam({ exam_room: 'Sala 2' })]);
    expect(heard.slice(1)).toEqual([
      { space: 'local', id, accession_number: 'SL-1', status: 'new', version: 3, change: 'updated' },
    ]);
  });

  test('hears nothing of a batch that was not stored', async () => {
    const worklist = createWorklist();
    worklist.feed.subscribe('local', () => expect.unreachable());
    const call = worklist.call();
    const failing = { ...call, commit: () => Promise.reject(new Error('no space left')) };
    await expect(worklist.routes.ingest({ body: exam() as never }, failing)).rejects.toThrow('no space left');
  });
});
