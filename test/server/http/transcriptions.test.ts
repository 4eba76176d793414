/** Live transcriptions (extension), as clients use them. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { contract } from '../../../src/contract/index.ts';
import type { Transcription } from '../../../src/contract/transcription.ts';
import { startApi, succeeded } from '../../support/api.ts';
import type { Api, Ask } from '../../support/api.ts';

const { create, append, get, end, delete: remove } = contract.transcriptions.endpoints;
const { audio } = contract.records.endpoints;
const second = 32_000;

const start = (): Promise<Api> => startApi({}, onTestFinished);
const begin = async (api: Api, ask: Ask = {}): Promise<Transcription> =>
  succeeded(await api.call(create, { body: { language: 'en-US' }, ...ask }), 201);
/** Sound of which no two samples within a second are the same. */
const soundOf = (seconds: number): Buffer =>
  Buffer.from(Int16Array.from({ length: seconds * 16_000 }, (_, at) => at % 16_000).buffer);
const speak = async (api: Api, id: string, sound: Buffer, step = 6400): Promise<void> => {
  for (let offset = 0; offset < sound.length; offset += step) {
    const body = sound.subarray(offset, offset + step);
    const answer = await api.call(append, { params: { id }, query: { offset }, body });
    expect(answer).toMatchObject({ status: 200, data: { offset: offset + body.length } });
  }
};

describe('a live transcription', () => {
  test('has its words while somebody speaks, and becomes a record with the sound and the words', async () => {
    const api = await start();
    const { id, ...begun } = await begin(api);
    expect(id).toMatch(/^trn_[0-9A-HJKMNP-TV-Z]{26}$/);
    expect(begun).toEqual({
      status: 'open',
      language: 'en-US',
      template_id: null,
      worklist_item_id: null,
      offset: 0,
      format: 'pcm_s16le',
      sample_rate: 16_000,
      chunk_ms: 400,
      phrases: [],
      error: null,
      created_at: '2026-03-02T11:30:00.000Z',
      expires_at: '2026-03-02T11:40:00.000Z',
    });
    const sound = soundOf(20);
    await speak(api, id, sound);
    const record = await api.generate({ transcription_id: id });
    expect(record.transcript).toMatch(/^Simulated transcript \(test mode\).* Impression: No acute abnormality\.$/);
    expect(record.source).toMatchObject({ kind: 'audio', audio_seconds: 20, content_type: 'audio/wav' });
    const stored = await api.send({
      url: audio.path.replace('{id}', record.id),
      headers: { authorization: `Bearer ${api.token}` },
    });
    expect(stored.headers['content-length']).toBe(String(44 + sound.length));
    expect((await api.call(get, { params: { id } })).status).toBe(404);
  });

  test('takes sound once, however often it comes, and says where sound is missing', async () => {
    const api = await start();
    const { id } = await begin(api);
    const sound = soundOf(2);
    const post = (offset: number, body: Buffer) => api.call(append, { params: { id }, query: { offset }, body });
    expect((await post(0, sound.subarray(0, second))).data).toEqual({ offset: second });
    expect((await post(0, sound.subarray(0, second))).data).toEqual({ offset: second });
    const gap = await post(second + 2, sound.subarray(second + 2));
    expect(gap).toMatchObject({ status: 409, error: { code: 'OFFSET_CONFLICT', details: { offset: second } } });
    expect((await post(10, sound.subarray(10))).data).toEqual({ offset: 2 * second });
    for (const [offset, body] of [
      [1, sound],
      [0, sound.subarray(1)],
      [-2, sound],
    ] as const) {
      expect((await post(offset, body)).status).toBe(400);
    }
    expect((await api.call(end, { params: { id } })).data).toMatchObject({ offset: 2 * second });
    expect((await post(second, sound.subarray(second))).status).toBe(200);
    const late = await post(2 * second, sound);
    expect(late).toMatchObject({ status: 409, error: { code: 'INVALID_TRANSITION' } });
  });

  test('is the login’s that began it, and is gone once it is discarded', async () => {
    const api = await start();
    const { id } = await begin(api);
    const { access_token: token } = await api.tokens();
    const ask = { params: { id }, token };
    for (const answer of [
      await api.call(get, ask),
      await api.call(end, ask),
      await api.call(remove, ask),
      await api.call(append, { ...ask, query: { offset: 0 }, body: soundOf(1) }),
    ]) {
      expect(answer.status).toBe(404);
    }
    expect((await api.call(remove, { params: { id } })).data).toEqual({ id, deleted: true });
    expect((await api.call(get, { params: { id } })).status).toBe(404);
  });
});
