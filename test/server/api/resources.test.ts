/** Specification, section 2: resources and their fields, a row of its tables each. */
import { describe, expect, test } from 'vitest';
import { contract } from '../../../src/contract/index.ts';
import type { WorklistItem } from '../../../src/contract/worklist.ts';
import { dictated, examFields, startApi, startOfTests, succeeded } from '../../support/api.ts';

const api = await startApi();
const { oauth, worklists, records, jobs, templates } = contract;

const stored = async (id: string): Promise<WorklistItem> =>
  succeeded(await api.call(worklists.endpoints.get, { params: { id } }));
const refusedFor = async (fields: Record<string, unknown>, leaveOut: string[] = []) => {
  const body = Object.fromEntries(Object.entries(examFields(fields)).filter(([name]) => !leaveOut.includes(name)));
  const answer = await api.call(worklists.endpoints.ingest, { body });
  expect(answer).toMatchObject({ status: 400, error: { code: 'VALIDATION_FAILED' } });
  return answer.error.details.errors.map(({ field, code }) => `${field} ${code}`);
};

describe('§2.1 Worklist item (ingest input)', () => {
  const full = {
    accession_number: 'SL-FULL',
    study_uid: '1.2.826.0.1.3680043.8.498.1',
    patient_id: '0045871',
    patient_name: 'TESTE^PACIENTE',
    modality: 'CR',
    exam_datetime: '2026-03-02T08:30:00-03:00',
    exam_description: 'RX de tórax PA e perfil',
    patient_sex: 'F',
    patient_birth_date: '1971-06-14',
    patient_age: '54Y',
    exam_room: 'Sala 3',
    referring_physician: 'PRADO^HELENA^^DRA',
    hospital_name: 'Hospital São Lucas',
    location: 'Pronto-socorro',
    procedure_id: 'PROC-RX-TX',
    series_count: 2,
    images_count: 4,
    metadata: { priority: 'urgent', nested: { list: [1, null] } },
  };
  const item = api.exam(full).then(stored);

  test.each(Object.entries(full))('%s is taken and kept', async (field, value) => {
    expect((await item)[field as keyof WorklistItem]).toEqual(value);
  });

  test.each([
    ['accession_number alone', { accession_number: 'SL-ALONE' }],
    ['study_uid alone', { study_uid: '1.2.3.4', accession_number: undefined }],
  ])('at least one identifier: %s', async (_name, fields) => {
    expect(await api.ingest(examFields(fields))).toMatchObject({ inserted: 1, errors: [] });
  });

  test('at least one identifier: neither', async () => {
    expect(await refusedFor({}, ['accession_number'])).toEqual(['accession_number FIELD_REQUIRED']);
  });

  test.each(['patient_id', 'patient_name', 'modality', 'exam_datetime', 'exam_description'])(
    '%s is a core field: FIELD_REQUIRED when missing, empty or null',
    async (field) => {
      expect(await refusedFor({}, [field])).toEqual([`${field} FIELD_REQUIRED`]);
      for (const value of ['', '   ', null])
        expect(await refusedFor({ [field]: value })).toEqual([`${field} FIELD_REQUIRED`]);
    },
  );

  test.each(['CR', 'CT', 'MR', 'US', 'ct'])('modality %s', async (modality) => {
    expect((await stored(await api.exam({ modality }))).modality).toBe(modality.toUpperCase());
  });

  test('modality: an invalid one is INVALID_MODALITY, and the message suggests CR for computed radiography', async () => {
    const { errors } = await api.ingest([
      examFields(),
      examFields({ modality: 'XRAY' }),
      examFields({ modality: 'MG1' }),
    ]);
    const expected = { field: 'modality', error: 'INVALID_MODALITY' };
    expect(errors).toMatchObject([
      { ...expected, index: 1 },
      { ...expected, index: 2 },
    ]);
    expect(errors[0]!.message).toMatch(/CR for computed radiography, CT or MR$/);
    expect(errors[1]!.message).toMatch(/Did you mean MG\?$/);
  });

  test.each(['2026-03-02T08:30:00Z', '2026-03-02T08:30:00-03:00', '2026-03-02T08:30', '2026-02-28T23:59:59.123+05:30'])(
    'exam_datetime %s',
    async (exam_datetime) => {
      expect(await api.ingest(examFields({ exam_datetime }))).toMatchObject({ inserted: 1 });
    },
  );

  test.each(['02/03/2026 08:30', '2026-02-30T08:30:00Z', '2026-03-02', 'yesterday', '2026-03-02T25:00:00Z'])(
    'exam_datetime %s is INVALID_FORMAT',
    async (exam_datetime) => {
      expect(await refusedFor({ exam_datetime })).toEqual(['exam_datetime INVALID_FORMAT']);
    },
  );

  test.each(['M', 'F', 'O', 'U'])('patient_sex %s', async (patient_sex) => {
    expect((await stored(await api.exam({ patient_sex }))).patient_sex).toBe(patient_sex);
  });

  test.each([
    ['patient_sex', 'X', 'INVALID_VALUE'],
    ['patient_birth_date', '14/06/1971', 'INVALID_FORMAT'],
    ['patient_birth_date', '1971-02-30', 'INVALID_FORMAT'],
    ['patient_age', 54, 'INVALID_TYPE'],
    ['exam_room', {}, 'INVALID_TYPE'],
    ['referring_physician', ['PRADO'], 'INVALID_TYPE'],
    ['hospital_name', 7, 'INVALID_TYPE'],
    ['location', true, 'INVALID_TYPE'],
    ['procedure_id', 'p'.repeat(65), 'TOO_LONG'],
    ['series_count', 'three', 'INVALID_TYPE'],
    ['series_count', 1.5, 'INVALID_TYPE'],
    ['images_count', -1, 'INVALID_VALUE'],
    ['metadata', 'text', 'INVALID_TYPE'],
    ['metadata', [], 'INVALID_TYPE'],
    ['accession_number', 'a'.repeat(65), 'TOO_LONG'],
    ['accession_number', 4417, 'INVALID_TYPE'],
    ['study_uid', '1.02.3', 'INVALID_FORMAT'],
    ['study_uid', `1.${'2'.repeat(63)}`, 'TOO_LONG'],
    ['patient_id', 45871, 'INVALID_TYPE'],
  ])('%s: %j is %s', async (field, value, code) => {
    expect(await refusedFor({ [field]: value })).toEqual([`${field} ${code}`]);
  });

  test.each(['patient_sex', 'patient_birth_date', 'patient_age', 'exam_room', 'series_count', 'metadata'])(
    '%s is optional: absent, null or cleared',
    async (field) => {
      expect((await stored(await api.exam())) as object).toHaveProperty(field, null);
      const id = await api.exam({ [field]: null });
      expect((await stored(id)) as object).toHaveProperty(field, null);
    },
  );

  test('field names are snake_case; others are kept under metadata.extra, singly and in a batch', async () => {
    const single = await stored(await api.exam({ patientName: 'x', metadata: { a: 1 } }));
    expect(single.metadata).toEqual({ a: 1, extra: { patientName: 'x' } });
    const { items } = await api.ingest([examFields({ Ward: 3 })]);
    expect((await stored(items[0]!.id!)).metadata).toEqual({ extra: { Ward: 3 } });
    const names = Object.keys(worklists.endpoints.ingest.body.anyOf?.[0]?.properties ?? {});
    expect(names.filter((name) => !/^[a-z]+(_[a-z]+)*$/.test(name))).toEqual([]);
    // Extensions: of the order, and of the exam itself.
    const extensions = ['accession_issuer', 'exam_status', 'status'];
    expect(names.toSorted()).toEqual([...Object.keys(full), ...extensions].toSorted());
  });
});

describe('§2.2 Worklist item (stored)', () => {
  const moved = (async () => {
    const id = await api.exam({ accession_number: 'SL-STORED' });
    api.clock.advance(1000);
    const change = await api.call(worklists.endpoints.setStatus, {
      params: { id },
      body: { status: 'in_progress', reason: 'Exam started' },
    });
    return { id, change: succeeded(change), item: await stored(id) };
  })();

  test('id: assigned by the service, used in /api/v1/worklists/items/{id}', async () => {
    const { id, item } = await moved;
    expect(id).toMatch(/^wli_[0-9A-Z]{26}$/);
    expect(item.id).toBe(id);
  });

  test.each([
    ['accession_number', 'SL-STORED'],
    ['status', 'in_progress'],
    ['updated_at', '2026-03-02T11:30:01.000Z'],
    ['reason', 'Exam started'],
  ] as const)('%s', async (field, value) => {
    const { item, change } = await moved;
    expect(item[field]).toBe(value);
    expect(change[field]).toBe(value);
  });

  test('previous_status', async () => {
    expect((await moved).change.previous_status).toBe('new');
  });

  test('fields that were never shown: display_name, source_system, record_id, created_at, version, assigned_to', async () => {
    expect((await moved).item).toMatchObject({
      display_name: 'Paciente Teste',
      source_system: null,
      record_id: null,
      created_at: startOfTests,
      version: 2,
      assigned_to: 'Dra. Teste',
    });
  });
});

describe('§2.3 Ingest batch result', () => {
  const batch = (async () => {
    const [known, changed] = [examFields(), examFields()];
    await api.ingest([known, changed]);
    return api.ingest([known, { ...changed, exam_room: 'Sala 9' }, examFields(), examFields({ modality: 'XRAY' }), 7]);
  })();

  test.each([
    ['batch_id', expect.stringMatching(/^bat_[0-9A-Z]{26}$/)],
    ['processed', 5],
    ['inserted', 1],
    ['updated', 1],
    ['deduped', 1],
  ] as const)('%s', async (field, value) => {
    expect((await batch)[field]).toEqual(value);
  });

  test('errors and items', async () => {
    const { errors, items } = await batch;
    expect(errors.map(({ index }) => index)).toEqual([3, 4]);
    expect(items.map(({ status }) => status)).toEqual(['deduped', 'updated', 'inserted']);
  });

  test('errors is empty when there are none', async () => {
    expect((await api.ingest(examFields())).errors).toEqual([]);
  });
});

describe('§2.4 Per-item ingest error', () => {
  const error = api
    .ingest([examFields(), examFields({ accession_number: 'SL-BAD', modality: 'XRAY' })])
    .then(({ errors }) => errors[0]!);

  test.each([
    ['index', 1],
    ['accession_number', 'SL-BAD'],
    ['error', 'INVALID_MODALITY'],
    ['message', expect.stringContaining('modality')],
    ['field', 'modality'],
  ] as const)('%s', async (field, value) => {
    expect((await error)[field]).toEqual(value);
  });
});

describe('§2.5 Per-item ingest outcome', () => {
  const exam = examFields({ accession_number: 'SL-OUTCOME' });
  const outcomes = (async () => {
    const inserted = (await api.ingest(exam)).items[0]!;
    const updated = (await api.ingest({ ...exam, exam_room: 'Sala 1' })).items[0]!;
    const deduped = (await api.ingest(exam)).items[0]!;
    return { inserted, updated, deduped };
  })();

  test('id: for every item, of deduped ones as an extension', async () => {
    const { inserted, updated, deduped } = await outcomes;
    expect(inserted.id).toMatch(/^wli_/);
    expect(updated.id).toBe(inserted.id);
    expect(deduped.id).toBe(inserted.id);
  });

  test.each(['inserted', 'updated', 'deduped'] as const)('accession_number and status: %s', async (status) => {
    expect((await outcomes)[status]).toMatchObject({ accession_number: 'SL-OUTCOME', status });
  });

  test('message: optional, text for people', async () => {
    expect((await outcomes).deduped.message).toBe('Known already; nothing changed.');
    expect((await outcomes).inserted).not.toHaveProperty('message');
  });
});

describe('§2.6 Token response', () => {
  const granted = api.tokens({ scopes: ['jobs:read', 'worklists:read'] });

  test.each([
    ['access_token', expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/)],
    ['token_type', 'Bearer'],
    ['expires_in', 3600],
    ['refresh_token', expect.stringMatching(/^[\w-]{43}$/)],
    ['scope', 'jobs:read worklists:read'],
  ] as const)('%s', async (field, value) => {
    expect((await granted)[field]).toEqual(value);
  });
});

describe('§2.7 Response envelope', () => {
  test('success: success, data, meta with request_id, timestamp and processing_time_ms', async () => {
    const { json, headers } = await api.call(oauth.endpoints.validate);
    expect(Object.keys(json)).toEqual(['success', 'data', 'meta']);
    expect(json).toMatchObject({
      success: true,
      meta: { request_id: headers['x-request-id'], timestamp: expect.stringMatching(/^2026-03-02T11:30:0\d\.000Z$/) },
    });
    expect(String((json['meta'] as { processing_time_ms: number }).processing_time_ms)).toBe(
      headers['x-processing-time'],
    );
  });

  test('failure: success, error with code, message and details, meta with request_id and timestamp', async () => {
    const { json, headers } = await api.call(oauth.endpoints.validate, { token: null });
    expect(Object.keys(json)).toEqual(['success', 'error', 'meta']);
    expect(Object.keys(json['error'] as object)).toEqual(['code', 'message', 'details']);
    expect(json).toMatchObject({ success: false, meta: { request_id: headers['x-request-id'] } });
  });

  test('details is left out where there are none', async () => {
    const { error } = await api.send({ url: '/api/v1/nothing' });
    expect(Object.keys(error)).toEqual(['code', 'message']);
  });
});

describe('§2.8 Medical record, job and template', () => {
  test('a record has an identifier, a version and what the contract names, and no more', async () => {
    const record = await api.generate({ text: dictated, metadata: { study: 1 } });
    expect(record).toMatchObject({
      id: expect.stringMatching(/^rec_/),
      version: 1,
      status: 'draft',
      metadata: { study: 1 },
      source: { kind: 'text' },
    });
    const { properties, required } = records.endpoints.get.responses[200];
    expect(Object.keys(record)).toEqual(expect.arrayContaining([...required!]));
    expect(Object.keys(properties!)).toEqual(expect.arrayContaining(Object.keys(record)));
  });

  test('a job has an identifier and a status', async () => {
    const job = await api.enqueue();
    expect(job).toMatchObject({
      id: expect.stringMatching(/^job_/),
      status: 'queued',
      type: 'medical_record.generate',
    });
    const { waiting_for: _, ...always } = job;
    expect(Object.keys(always).toSorted()).toEqual([...jobs.endpoints.get.responses[200].required!].toSorted());
  });

  test('a template has an identifier', async () => {
    const template = await api.call(templates.endpoints.get, {
      params: { id: 'test_template_general' },
      query: { language: 'pt-BR' },
    });
    expect(template.data).toMatchObject({ id: 'test_template_general', language: 'pt-BR' });
    expect(template.data.sections.map(({ key }) => key)).toContain('findings');
  });
});
