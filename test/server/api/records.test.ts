/** Specification, section 4.3: medical records, a row of its tables each, and what the contract adds. */
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { audioTypeNames, audioTypes } from '../../../src/contract/document.ts';
import type { MedicalRecord } from '../../../src/contract/document.ts';
import { contract } from '../../../src/contract/index.ts';
import { dictated, startApi, succeeded } from '../../support/api.ts';
import { wav } from '../../support/audio.ts';
import { audioPart, multipart, multipartType } from '../http/multipart.ts';

const api = await startApi();
const { generate, list, get, update, delete: remove, correct, versions, version, audio } = contract.records.endpoints;
const speech = wav();
const base64 = speech.toString('base64');
const asMultipart = { 'content-type': multipartType };
const read = async (id: string) => succeeded(await api.call(get, { params: { id } }));

describe('§4.3 POST /api/v1/medical-records/generate', () => {
  test('text: every word lands in the document', async () => {
    const record = await api.generate({ text: dictated, language: 'en-US' });
    expect(record).toMatchObject({ transcript: dictated, source: { kind: 'text' }, language: 'en-US', job_id: null });
    const text = Object.fromEntries(record.sections.map((section) => [section.key, section.text]));
    expect(text).toMatchObject({
      findings: expect.stringContaining('ungs are clear, no effusion'),
      impression: expect.stringContaining('ormal examination'),
    });
  });

  test.each([['sync'], [undefined]] as const)('mode %s: 201 with the record and its ETag', async (mode) => {
    const answer = await api.call(generate, { body: { text: dictated, mode } });
    expect(answer).toMatchObject({
      status: 201,
      headers: { etag: '"1"' },
      data: { id: expect.stringMatching(/^rec_/), version: 1, status: 'draft' },
    });
  });

  test('mode async: 202 with a job, and its address in Location', async () => {
    const { status, headers, data } = await api.call(generate, { body: { text: dictated, mode: 'async' } });
    expect(status).toBe(202);
    expect(data).toMatchObject({ id: expect.stringMatching(/^job_/), status: 'queued' });
    expect(headers['location']).toBe(`/api/v1/jobs/${data.id}`);
    expect(
      (await api.send({ url: headers['location']!, headers: { authorization: `Bearer ${api.token}` } })).data,
    ).toMatchObject({ id: data.id });
  });

  test('template_id', async () => {
    expect(await api.generate({ text: dictated, template_id: 'test_template_dermatology' })).toMatchObject({
      template_id: 'test_template_dermatology',
    });
  });

  test.each(['pt-BR', 'en-US', 'es-ES'] as const)('language %s', async (language) => {
    expect(await api.generate({ text: dictated, language })).toMatchObject({ language });
  });

  test('audio in JSON, base64', async () => {
    const record = await api.generate({ audio: { content_type: 'audio/wav', data: base64 } });
    expect(record).toMatchObject({
      source: { kind: 'audio', content_type: 'audio/wav', audio_seconds: 1 },
      transcript: expect.stringMatching(/\w/),
    });
  });

  test('audio in multipart/form-data, the rest as fields', async () => {
    const item = await api.exam();
    const body = multipart([
      { name: 'language', value: 'pt-BR' },
      { name: 'template_id', value: 'test_template_general' },
      { name: 'worklist_item_id', value: item },
      { name: 'metadata', value: '{"device":"mic"}' },
      audioPart(speech),
    ]);
    const answer = await api.call(generate, { body, headers: asMultipart });
    expect(answer.status).toBe(201);
    expect(answer.data).toMatchObject({
      language: 'pt-BR',
      template_id: 'test_template_general',
      worklist_item_id: item,
      metadata: { device: 'mic' },
      source: { kind: 'audio' },
    });
  });

  test('audio asynchronously: the job makes the record and keeps the audio', async () => {
    const body = multipart([{ name: 'mode', value: 'async' }, audioPart(speech)]);
    const job = succeeded(await api.call(generate, { body, headers: asMultipart }), 202);
    const { record_id: id } = await api.ended(job.id);
    expect(await read(id!)).toMatchObject({ job_id: job.id, source: { kind: 'audio' } });
    expect((await api.call(audio, { params: { id: id! } })).status).toBe(200);
  });

  test.each(audioTypeNames)('audio is recognised by its content, not by its name: %s', async (type) => {
    const bytes = await readFile(new URL(`../../fixtures/audio/speech.${audioTypes[type]}`, import.meta.url));
    const body = multipart([audioPart(bytes, 'application/octet-stream')]);
    const answer = await api.call(generate, { body, headers: asMultipart });
    expect(answer).toMatchObject({ status: 201, data: { source: { kind: 'audio', content_type: type } } });
  });

  test.each([
    ['neither text nor audio', {}, 'text', 'FIELD_REQUIRED'],
    [
      'both text and audio',
      { text: dictated, audio: { content_type: 'audio/wav', data: base64 } },
      'audio',
      'INVALID_VALUE',
    ],
    ['empty text', { text: '' }, 'text', 'INVALID_VALUE'],
    ['blank text', { text: '  \n' }, 'text', 'INVALID_VALUE'],
    ['an unknown mode', { text: dictated, mode: 'later' }, 'mode', 'INVALID_VALUE'],
    ['an unknown language', { text: dictated, language: 'de-DE' }, 'language', 'INVALID_VALUE'],
    [
      'an unknown worklist item',
      { text: dictated, worklist_item_id: 'wli_unknown' },
      'worklist_item_id',
      'INVALID_VALUE',
    ],
    ['audio that is no base64', { audio: { content_type: 'audio/wav', data: '*' } }, 'audio.data', 'INVALID_FORMAT'],
    ['empty audio', { audio: { content_type: 'audio/wav', data: '' } }, 'audio', 'INVALID_VALUE'],
    ['audio without data', { audio: { content_type: 'audio/wav' } }, 'audio.data', 'FIELD_REQUIRED'],
    ['audio that is text', { audio: 'speech' }, 'audio', 'INVALID_TYPE'],
    ['an unknown field', { text: dictated, priority: 1 }, 'priority', 'UNKNOWN_FIELD'],
  ])('refused: %s', async (_name, body, field, code) => {
    const answer = await api.call(generate, { body });
    expect(answer).toMatchObject({ status: 400, error: { code: 'VALIDATION_FAILED' } });
    expect(answer.error.details.errors).toMatchObject([{ field, code }]);
  });

  test('the scope is medical_records:write', async () => {
    const { access_token } = await api.tokens({ scopes: ['medical_records:read', 'jobs:write'] });
    const answer = await api.call(generate, { body: { text: dictated }, token: access_token });
    expect(answer).toMatchObject({ status: 403, error: { details: { required_scope: 'medical_records:write' } } });
  });

  test('for a worklist item: it becomes in_progress; its document final, completed', async () => {
    const item = await api.exam();
    const itemNow = async () => succeeded(await api.call(contract.worklists.endpoints.get, { params: { id: item } }));
    const { id } = await api.generate({ text: dictated, worklist_item_id: item });
    expect(await itemNow()).toMatchObject({ status: 'in_progress', record_id: id, assigned_to: 'Dra. Teste' });
    succeeded(await api.call(update, { params: { id }, body: { status: 'final' } }));
    expect(await itemNow()).toMatchObject({ status: 'completed', record_id: id });
  });
});

describe('§4.3 GET /api/v1/medical-records', () => {
  test.each([
    ['status', (record: MedicalRecord) => ({ status: record.status, worklist_item_id: record.worklist_item_id })],
    [
      'template_id',
      (record: MedicalRecord) => ({ template_id: record.template_id, worklist_item_id: record.worklist_item_id }),
    ],
    ['worklist_item_id', (record: MedicalRecord) => ({ worklist_item_id: record.worklist_item_id })],
    ['q', () => ({ q: 'PNEUMOPERICARDIO' })],
    ['from and to', (record: MedicalRecord) => ({ from: record.created_at, to: record.created_at })],
  ])('filter %s', async (_name, queryOf) => {
    api.clock.advance(1000);
    const other = await api.generate({ text: dictated });
    api.clock.advance(1000);
    const worklist_item_id = await api.exam();
    const record = await api.generate({
      text: 'Test Patient. Findings: pneumopericárdio.',
      template_id: 'test_template_cardiology',
      worklist_item_id,
    });
    const { items } = succeeded(await api.call(list, { query: queryOf(record) }));
    expect(items).toContainEqual(record);
    expect(items.map(({ id }) => id)).not.toContain(other.id);
    await api.call(remove, { params: { id: record.id } });
  });

  test.each([list, get, versions])('the scope of $path is medical_records:read', async (endpoint) => {
    const { access_token } = await api.tokens({ scopes: ['medical_records:write', 'medical_records:delete'] });
    const answer = await api.call(endpoint, { params: { id: 'rec_any' }, token: access_token });
    expect(answer).toMatchObject({ status: 403, error: { details: { required_scope: 'medical_records:read' } } });
  });
});

describe('§4.3 GET /api/v1/medical-records/{id}', () => {
  test('the record as it was generated, with its version as ETag', async () => {
    const record = await api.generate();
    const answer = await api.call(get, { params: { id: record.id } });
    expect(answer).toMatchObject({ status: 200, data: record, headers: { etag: '"1"' } });
  });

  test('an unknown one is a 404', async () => {
    expect(await api.call(get, { params: { id: 'rec_unknown' } })).toMatchObject({
      status: 404,
      error: { code: 'NOT_FOUND' },
    });
  });
});

describe('§4.3 PUT /api/v1/medical-records/{id}', () => {
  test.each([
    ['title', 'Laudo revisto'],
    ['sections', [{ key: 'findings', title: 'Achados', text: 'Sem alterações.' }]],
    ['metadata', { reviewed: true }],
    ['status', 'final'],
  ])('replaces %s, and makes a version', async (field, value) => {
    const record = await api.generate();
    const answer = await api.call(update, { params: { id: record.id }, body: { [field]: value } });
    expect(answer).toMatchObject({
      status: 200,
      headers: { etag: '"2"' },
      data: { ...record, findings_to_review: expect.any(Array), text: expect.any(String), [field]: value, version: 2 },
    });
    expect(
      succeeded(await api.call(versions, { params: { id: record.id } })).items.map((each) => each.version),
    ).toEqual([2, 1]);
    expect(succeeded(await api.call(version, { params: { id: record.id, n: 1 } }))).toEqual(record);
  });

  test('If-Match: the present version is taken, another one is a 412', async () => {
    const { id } = await api.generate();
    const ask = { params: { id }, body: { title: 'Laudo' } };
    expect(await api.call(update, { ...ask, headers: { 'if-match': '"7"' } })).toMatchObject({
      status: 412,
      error: { code: 'VERSION_CONFLICT', details: { version: 1 } },
    });
    expect(await api.call(update, { ...ask, headers: { 'if-match': '"1"' } })).toMatchObject({
      status: 200,
      data: { version: 2 },
    });
    expect((await api.call(remove, { params: { id }, headers: { 'if-match': '"1"' } })).status).toBe(412);
    expect(
      (await api.call(correct, { params: { id }, body: { text: 'x' }, headers: { 'if-match': '"1"' } })).status,
    ).toBe(412);
    expect((await read(id)).version).toBe(2);
  });

  test('a final record: no way back to draft, no change but an addendum', async () => {
    const { id, sections } = await api.generate();
    const params = { id };
    succeeded(await api.call(update, { params, body: { status: 'final' } }));
    expect(await api.call(update, { params, body: { status: 'draft' } })).toMatchObject({
      status: 409,
      error: { code: 'INVALID_TRANSITION' },
    });
    expect(await api.call(update, { params, body: { sections: sections.slice(1) } })).toMatchObject({ status: 409 });
    const addendum = { key: 'addendum', title: 'Addendum', text: 'Compared with 2025: stable.' };
    const added = await api.call(update, { params, body: { sections: [...sections, addendum] } });
    expect(added).toMatchObject({ status: 200, data: { status: 'final', version: 3 } });
    expect(added.data.sections.at(-1)).toEqual(addendum);
  });

  test.each([
    ['nothing', {}, '', 'INVALID_VALUE'],
    ['an unknown field', { transcript: 'x' }, 'transcript', 'UNKNOWN_FIELD'],
    ['a section without text', { sections: [{ key: 'a', title: 'A' }] }, 'sections.0.text', 'FIELD_REQUIRED'],
    ['no sections', { sections: [] }, '', 'INVALID_VALUE'],
    ['a key that is none', { sections: [{ key: 'A B', title: 'A', text: '' }] }, 'sections.0.key', 'INVALID_FORMAT'],
    ['an unknown status', { status: 'signed' }, 'status', 'INVALID_VALUE'],
  ])('refused: %s', async (_name, body, field, code) => {
    const { id } = await api.generate();
    const answer = await api.call(update, { params: { id }, body });
    expect(answer).toMatchObject({ status: 400, error: { details: { errors: [{ field, code }] } } });
    expect((await read(id)).version).toBe(1);
  });

  test.each([update, correct])('the scope of $method $path is medical_records:write', async (endpoint) => {
    const { access_token } = await api.tokens({ scopes: ['medical_records:read', 'medical_records:delete'] });
    const answer = await api.call(endpoint, { params: { id: 'rec_any' }, body: { text: 'x' }, token: access_token });
    expect(answer).toMatchObject({ status: 403, error: { details: { required_scope: 'medical_records:write' } } });
  });
});

describe('§4.3 DELETE /api/v1/medical-records/{id}', () => {
  test('the record is gone with its versions and its audio', async () => {
    const { id } = await api.generate({ audio: { content_type: 'audio/wav', data: base64 } });
    const params = { id };
    expect(await api.call(remove, { params })).toMatchObject({ status: 200, data: { id, deleted: true } });
    for (const endpoint of [get, versions, audio]) expect((await api.call(endpoint, { params })).status).toBe(404);
    expect((await api.call(remove, { params })).status).toBe(404);
  });

  test('the scope is medical_records:delete', async () => {
    const { access_token } = await api.tokens({ scopes: ['medical_records:read', 'medical_records:write'] });
    const answer = await api.call(remove, { params: { id: 'rec_any' }, token: access_token });
    expect(answer).toMatchObject({ status: 403, error: { details: { required_scope: 'medical_records:delete' } } });
  });
});

describe('§4.3 POST /api/v1/medical-records/{id}/correct', () => {
  const spoken = () =>
    api.generate({ text: 'Test Patient. Findings: nodule in the left lobe. Impression: nodule.', language: 'en-US' });

  test('text: the instruction is applied and the changes are listed', async () => {
    const { id } = await spoken();
    const answer = await api.call(correct, {
      params: { id },
      body: { text: 'In the findings, replace left with right.' },
    });
    expect(answer).toMatchObject({ status: 200, headers: { etag: '"2"' }, data: { record: { id, version: 2 } } });
    expect(answer.data.changes).toMatchObject([
      { section: 'findings', before: expect.stringContaining('left'), after: expect.stringContaining('right') },
    ]);
  });

  test.each([
    ['JSON', { body: { audio: { content_type: 'audio/wav', data: base64 } } }],
    ['multipart', { body: multipart([audioPart(speech)]), headers: asMultipart }],
  ])('audio as %s: the recognised instruction is returned', async (_name, ask) => {
    const { id } = await spoken();
    const { status, data } = await api.call(correct, { params: { id }, ...ask });
    expect(status).toBe(200);
    expect(data.instruction).toMatch(/\w/);
  });

  test('an instruction that changes nothing says so and makes no version', async () => {
    const { id } = await spoken();
    const { data } = await api.call(correct, {
      params: { id },
      body: { text: 'In the findings, replace zebra with horse.' },
    });
    expect(data).toMatchObject({ changes: [], message: expect.stringMatching(/\w/), record: { version: 1 } });
    expect((await read(id)).version).toBe(1);
  });

  test.each([
    ['mode async', { text: 'x', mode: 'async' }, 'mode', 'INVALID_VALUE'],
    ['neither text nor audio', {}, 'text', 'FIELD_REQUIRED'],
    ['an unknown field', { text: 'x', template_id: 'y' }, 'template_id', 'UNKNOWN_FIELD'],
  ])('refused: %s', async (_name, body, field, code) => {
    const answer = await api.call(correct, { params: { id: (await spoken()).id }, body });
    expect(answer).toMatchObject({ status: 400, error: { details: { errors: [{ field, code }] } } });
  });

  test('a final record is not corrected: 409', async () => {
    const { id } = await spoken();
    succeeded(await api.call(update, { params: { id }, body: { status: 'final' } }));
    const answer = await api.call(correct, {
      params: { id },
      body: { text: 'In the findings, replace left with right.' },
    });
    expect(answer).toMatchObject({ status: 409, error: { code: 'INVALID_TRANSITION' } });
  });
});
