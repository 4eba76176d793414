/** The contract's files of a record: exports in every format, the audio with its ranges, templates. */
import { describe, expect, test } from 'vitest';
import { contract } from '../../../src/contract/index.ts';
import { exportFormats } from '../../../src/contract/export.ts';
import type { ExportFormat } from '../../../src/contract/export.ts';
import { dictated, examFields, startApi, succeeded } from '../../support/api.ts';
import { wav } from '../../support/audio.ts';

const api = await startApi();
const { export: exportRecord, audio } = contract.records.endpoints;
const speech = wav();
const spoken = api.generate({ audio: { content_type: 'audio/wav', data: speech.toString('base64') } });
const written = api.generate({ text: dictated, language: 'en-US' });

describe('GET /api/v1/medical-records/{id}/export', () => {
  const beginnings: Record<Exclude<ExportFormat, 'dicom-measurements'>, RegExp> = {
    txt: /\w/,
    html: /^<!doctype html>/i,
    pdf: /^%PDF-1\./,
    fhir: /"resourceType": "/,
    hl7: /^MSH\|\^~\\&\|/,
    'dicom-pdf': /^\0{128}DICM/,
    'dicom-sr': /^\0{128}DICM/,
    'dicom-enhanced-sr': /^\0{128}DICM/,
  };

  const { 'dicom-measurements': _, ...ofEachReport } = exportFormats;
  test.each(Object.entries(ofEachReport))('%s', async (format, type) => {
    const { id } = await written;
    const { status, headers, text } = await api.call(exportRecord, { params: { id }, query: { format } });
    expect(status).toBe(200);
    expect(headers['content-type']).toBe(type);
    expect(headers['content-disposition']).toMatch(
      new RegExp(`^attachment; filename="\\d{4}-\\d\\d-\\d\\d_report_${id.slice(-8)}(?:\\.[a-z0-9]+)+"$`),
    );
    expect(headers['cache-control']).toBe('no-store');
    expect(text).toMatch(beginnings[format as keyof typeof beginnings]);
    if (!format.endsWith('pdf')) expect(text).toContain('no effusion');
  });

  test('dicom-measurements: a report without a measurement has none', async () => {
    const query = { format: 'dicom-measurements' as const };
    const answer = await api.call(exportRecord, { params: { id: (await written).id }, query });
    expect(answer).toMatchObject({ status: 400, error: { details: { errors: [{ field: 'format' }] } } });
    const { id } = await api.generate({
      text: 'Test Patient. Findings: nodule of 6 mm in the right lung.',
      language: 'en-US',
    });
    const { headers, text } = await api.call(exportRecord, { params: { id }, query });
    expect(headers['content-type']).toBe(exportFormats['dicom-measurements']);
    expect(text).toMatch(/^\0{128}DICM[^]*Nodule/);
  });

  test.each([{}, { format: 'docx' }, { format: 'PDF' }])('refused: %j', async (query) => {
    const answer = await api.call(exportRecord, { params: { id: (await written).id }, query });
    expect(answer).toMatchObject({ status: 400, error: { details: { errors: [{ field: 'format' }] } } });
  });

  test('an exam without a study UID gets no DICOM object, which would be in a separate study', async () => {
    const { items } = succeeded(
      await api.call(contract.worklists.endpoints.ingest, { body: examFields({ study_uid: undefined }) }),
    );
    const { id } = await api.generate({ text: dictated, language: 'en-US', worklist_item_id: items[0]!.id! });
    for (const format of ['dicom-pdf', 'dicom-sr', 'dicom-enhanced-sr'] as const) {
      const answer = await api.call(exportRecord, { params: { id }, query: { format } });
      expect(answer).toMatchObject({ status: 400, error: { details: { errors: [{ field: 'format' }] } } });
      expect(answer.text).not.toMatch(/2\.25\.\d/);
    }
    expect((await api.call(exportRecord, { params: { id }, query: { format: 'pdf' } })).status).toBe(200);
  });

  test('an unknown record is a 404', async () => {
    expect((await api.call(exportRecord, { params: { id: 'rec_unknown' }, query: { format: 'txt' } })).status).toBe(
      404,
    );
  });
});

describe('GET /api/v1/medical-records/{id}/audio', () => {
  const get = async (range?: string) =>
    api.server.inject({
      url: audio.path.replace('{id}', (await spoken).id),
      headers: { authorization: `Bearer ${api.token}`, ...(range !== undefined && { range }) },
    });

  test('the audio as it was sent', async () => {
    const { statusCode, headers, rawPayload } = await get();
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'audio/wav',
      'accept-ranges': 'bytes',
      'content-length': String(speech.length),
    });
    expect(rawPayload.equals(speech)).toBe(true);
  });

  test.each([
    ['bytes=0-9', 0, 9],
    ['bytes=44-', 44, speech.length - 1],
    ['bytes=-8', speech.length - 8, speech.length - 1],
    ['bytes=100-999999999', 100, speech.length - 1],
  ])('a part: %s', async (range, first, last) => {
    const { statusCode, headers, rawPayload } = await get(range);
    expect(statusCode).toBe(206);
    expect(headers).toMatchObject({
      'content-range': `bytes ${first}-${last}/${speech.length}`,
      'content-length': String(last - first + 1),
    });
    expect(rawPayload.equals(speech.subarray(first, last + 1))).toBe(true);
  });

  test('a part beyond the end: 416', async () => {
    const { statusCode, headers, body } = await get('bytes=999999-');
    expect([statusCode, headers['content-range'], body]).toEqual([416, `bytes */${speech.length}`, '']);
  });

  test.each(['bytes=5-2', 'lines=1-2', 'bytes=a-b'])('an invalid range is ignored: %s', async (range) => {
    expect((await get(range)).statusCode).toBe(200);
  });

  test('a record from text has none', async () => {
    expect(await api.call(audio, { params: { id: (await written).id } })).toMatchObject({
      status: 404,
      error: { code: 'NOT_FOUND' },
    });
  });
});

describe('HEAD', () => {
  test.each(['/api/v1/medical-records', '/api/v1/jobs', '/api/oauth/validate', '/healthz', '/openapi.json'])(
    '%s: the headers alone',
    async (url) => {
      const headers = { authorization: `Bearer ${api.token}` };
      const [head, get] = [await api.send({ method: 'HEAD', url, headers }), await api.send({ url, headers })];
      expect([head.status, head.text]).toEqual([200, '']);
      expect(head.headers['content-type']).toBe(get.headers['content-type']);
    },
  );
});
