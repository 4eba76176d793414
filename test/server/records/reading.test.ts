/** Lists, versions and audio of records (specification 4.3 and extensions). */
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { RawOutput } from '../../../src/contract/endpoint.ts';
import { wav } from '../../support/audio.ts';
import { createRecordService, dictated, elsewhere } from '../../support/record-service.ts';
import type { RecordService } from '../../support/record-service.ts';
import { refusal } from '../../support/worklist.ts';
import { searchedLength } from '../../../src/contract/record.ts';

type Query = Parameters<RecordService['routes']['records']['list']>[0]['query'];

test('filters narrow the list, newest first', async () => {
  const service = await createRecordService();
  const item = await service.exam();
  const first = await service.generate({ text: dictated, worklist_item_id: item });
  service.clock.advance(24 * 3600 * 1000);
  const second = await service.generate({
    text: 'Paciente Teste. Achados: derrame pericárdico.',
    template_id: 'test_template_cardiology',
  });
  await service.routes.records.update({ params: { id: second.id }, body: { status: 'final' } }, service.call());
  const listed = async (query: Query) =>
    (await service.routes.records.list({ query }, service.call())).data.items.map(({ id }) => id);
  expect(await listed({})).toEqual([second.id, first.id]);
  expect(await listed({ status: 'draft' })).toEqual([first.id]);
  expect(await listed({ template_id: 'test_template_cardiology' })).toEqual([second.id]);
  expect(await listed({ worklist_item_id: item })).toEqual([first.id]);
  expect(await listed({ worklist_item_id: 'wli_0' })).toEqual([]);
  expect(await listed({ from: '2026-03-03' })).toEqual([second.id]);
  expect(await listed({ to: '2026-03-02' })).toEqual([first.id]);
  expect(await listed({ q: 'PERICARDICO derrame' })).toEqual([second.id]);
  expect((await service.routes.records.list({ query: {} }, service.call({ caller: elsewhere }))).data.items).toEqual(
    [],
  );
});

test('a text longer than any report is searched up to a bound, the title always', async () => {
  const service = await createRecordService();
  const { id } = await service.generate();
  const text = `beginning ${'x '.repeat(searchedLength / 2)} ending`;
  const sections = [{ key: 'findings', title: 'Findings', text }];
  await service.routes.records.update({ params: { id }, body: { title: 'Crown', sections } }, service.call());
  const found = async (q: string) =>
    (await service.routes.records.list({ query: { q } }, service.call())).data.items.length;
  expect([await found('beginning'), await found('crown'), await found('ending')]).toEqual([1, 1, 0]);
});

test('a walk through the pages meets every record once', async () => {
  const service = await createRecordService();
  const made: string[] = [];
  for (let n = 0; n < 5; n++) made.unshift((await service.generate()).id);
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const query: Query = { limit: 2, ...(cursor !== undefined && { cursor }) };
    const { data } = await service.routes.records.list({ query }, service.call());
    seen.push(...data.items.map(({ id }) => id));
    cursor = data.next_cursor ?? undefined;
    if (seen.length === 2) await service.generate();
  } while (cursor !== undefined);
  expect(seen).toEqual(made);
});

test('a version that never was is a 404', async () => {
  const service = await createRecordService();
  const { id } = await service.generate();
  const version = service.routes.records.version({ params: { id, n: 2 } }, service.call());
  expect((await refusal(version)).code).toBe('NOT_FOUND');
});

async function withAudio() {
  const service = await createRecordService();
  const bytes = wav();
  const upload = await service.upload(bytes);
  const record = await service.generate({ audio: { content_type: 'audio/wav', data: '' } }, { upload });
  const get = async (headers: Record<string, string> = {}): Promise<RawOutput> =>
    service.routes.records.audio({ params: { id: record.id } }, service.call({ headers }));
  return { bytes, record, get };
}

const bodyOf = async ({ body }: RawOutput): Promise<Buffer> =>
  body instanceof Readable ? buffer(body) : Buffer.alloc(0);

test('the audio comes back as it was sent', async () => {
  const { bytes, record, get } = await withAudio();
  const answer = await get();
  expect(answer).toMatchObject({
    status: 200,
    headers: {
      'Content-Type': 'audio/wav',
      'Content-Length': String(bytes.length),
      'Accept-Ranges': 'bytes',
      ETag: `"${record.source.sha256}"`,
      'Content-Disposition': `inline; filename="${record.id}.wav"`,
    },
  });
  expect(await bodyOf(answer)).toEqual(bytes);
});

test.each([
  ['bytes=0-9', 0, 9],
  ['bytes=44-', 44, 16043],
  ['bytes=-4', 16040, 16043],
  ['bytes=-99999', 0, 16043],
  ['bytes=16000-99999', 16000, 16043],
])('%s is a part', async (range, start, end) => {
  const { bytes, get } = await withAudio();
  const answer = await get({ Range: range });
  expect(answer.status).toBe(206);
  expect(answer.headers).toMatchObject({
    'Content-Range': `bytes ${start}-${end}/${bytes.length}`,
    'Content-Length': String(end - start + 1),
  });
  expect(await bodyOf(answer)).toEqual(bytes.subarray(start, end + 1));
});

test.each(['bytes=16044-', 'bytes=-0'])('%s cannot be satisfied: 416', async (range) => {
  const { bytes, get } = await withAudio();
  const answer = await get({ Range: range });
  expect(answer).toMatchObject({ status: 416, headers: { 'Content-Range': `bytes */${bytes.length}` }, body: null });
});

test.each(['bytes=9-0', 'bytes=0-1,4-5', 'bytes=-', 'items=0-1', 'nonsense'])('%s is ignored', async (range) => {
  const { bytes, get } = await withAudio();
  const answer = await get({ Range: range });
  expect(answer.status).toBe(200);
  expect(await bodyOf(answer)).toEqual(bytes);
});

test('a range of an older state is ignored', async () => {
  const { record, get } = await withAudio();
  const other = await get({ Range: 'bytes=0-1', 'If-Range': '"other"' });
  expect(other.status).toBe(200);
  await bodyOf(other);
  const same = await get({ Range: 'bytes=0-1', 'If-Range': `"${record.source.sha256}"` });
  expect(same.status).toBe(206);
  await bodyOf(same);
});

test('a record from text has no audio: 404', async () => {
  const service = await createRecordService();
  const { id } = await service.generate();
  expect((await refusal(service.routes.records.audio({ params: { id } }, service.call()))).code).toBe('NOT_FOUND');
});
