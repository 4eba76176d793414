/** The contract's `Idempotency-Key`: per client and path, 24 hours, replayed, never run twice. */
import { describe, expect, test } from 'vitest';
import { contract } from '../../../src/contract/index.ts';
import { dictated, examFields, startApi, succeeded } from '../../support/api.ts';
import { wav } from '../../support/audio.ts';
import { controlledEngine } from '../../support/controlled-engine.ts';
import { audioPart, multipart, multipartType } from './multipart.ts';

const engine = controlledEngine();
const api = await startApi({ engine });
const { ingest } = contract.worklists.endpoints;
const { generate, correct, list } = contract.records.endpoints;
let number = 0;
const newKey = () => ({ 'idempotency-key': `key-${++number}` });

describe('Idempotency-Key', () => {
  test.each([
    ['ingest', ingest, () => ({ body: [examFields(), examFields({ modality: 'XRAY' })] })],
    ['generate sync', generate, () => ({ body: { text: dictated } })],
    ['generate async', generate, () => ({ body: { text: dictated, mode: 'async' } })],
    [
      'generate from multipart audio',
      generate,
      () => ({ body: multipart([audioPart(wav())]), headers: { 'content-type': multipartType } }),
    ],
  ] as const)('%s: the first answer is given again, with Idempotency-Replayed', async (_name, endpoint, askOf) => {
    const ask = askOf();
    const asked = { ...ask, headers: { ...('headers' in ask && ask.headers), ...newKey() } };
    const first = await api.call(endpoint, asked);
    const again = await api.call(endpoint, asked);
    expect(again.status).toBe(first.status);
    expect(again.data).toEqual(first.data);
    expect([again.headers['location'], again.headers['etag']]).toEqual([
      first.headers['location'],
      first.headers['etag'],
    ]);
    expect([first.headers['idempotency-replayed'], again.headers['idempotency-replayed']]).toEqual([undefined, 'true']);
    expect(again.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
  });

  test('correct: one version, however often it is sent', async () => {
    const { id } = await api.generate({ text: 'Test Patient. Findings: left nodule.', language: 'en-US' });
    const ask = { params: { id }, body: { text: 'In the findings, replace left with right.' }, headers: newKey() };
    for (const _ of [1, 2, 3]) expect(succeeded(await api.call(correct, ask)).record.version).toBe(2);
  });

  test('another payload: 422, audio included', async () => {
    const headers = newKey();
    await api.call(generate, { body: { text: dictated }, headers });
    expect(await api.call(generate, { body: { text: `${dictated} ` }, headers })).toMatchObject({
      status: 422,
      error: { code: 'IDEMPOTENCY_KEY_REUSED' },
    });
    const spoken = { ...newKey(), 'content-type': multipartType };
    await api.call(generate, { body: multipart([audioPart(wav())]), headers: spoken });
    const other = await api.call(generate, { body: multipart([audioPart(wav({ seconds: 2 }))]), headers: spoken });
    expect(other.status).toBe(422);
  });

  test('still running: 409 REQUEST_IN_PROGRESS with Retry-After', async () => {
    const ask = { body: { text: dictated }, headers: newKey() };
    const before = engine.calls.length;
    engine.hold();
    const first = api.call(generate, ask);
    await engine.called(before + 1);
    expect(await api.call(generate, ask)).toMatchObject({
      status: 409,
      error: { code: 'REQUEST_IN_PROGRESS' },
      headers: { 'retry-after': '1' },
    });
    engine.release();
    const { id } = succeeded(await first, 201);
    expect(succeeded(await api.call(generate, ask), 201)).toMatchObject({ id });
  });

  test('ten at once have one effect', async () => {
    const count = async () => succeeded(await api.call(list, { query: { limit: 200 } })).items.length;
    const before = await count();
    const ask = { body: { text: dictated }, headers: newKey() };
    const statuses = (await Promise.all(Array.from({ length: 10 }, () => api.call(generate, ask)))).map(
      ({ status }) => status,
    );
    expect(statuses.filter((status) => status === 201).length).toBeGreaterThanOrEqual(1);
    expect(statuses.every((status) => status === 201 || status === 409)).toBe(true);
    expect(await count()).toBe(before + 1);
  });

  test('per path: the same key elsewhere is another one', async () => {
    const headers = newKey();
    succeeded(await api.call(ingest, { body: examFields(), headers }));
    expect((await api.call(generate, { body: { text: dictated }, headers })).status).toBe(201);
  });

  test('a refused request keeps no answer: corrected, it runs', async () => {
    const headers = newKey();
    expect((await api.call(ingest, { body: examFields({ modality: 'XRAY' }), headers })).status).toBe(400);
    expect((await api.call(ingest, { body: examFields(), headers })).status).toBe(200);
  });

  test('kept 24 hours', async () => {
    const ask = { body: examFields(), headers: newKey() };
    succeeded(await api.call(ingest, ask));
    api.clock.advance(24 * 3_600_000 - 1);
    let { access_token: token } = await api.tokens();
    expect((await api.call(ingest, { ...ask, token })).headers['idempotency-replayed']).toBe('true');
    api.clock.advance(1);
    ({ access_token: token } = await api.tokens());
    const late = await api.call(ingest, { ...ask, token });
    expect(late).toMatchObject({ status: 200, data: { deduped: 1 } });
    expect(late.headers).not.toHaveProperty('idempotency-replayed');
  });

  test.each(['', ' ', 'two words', 'k'.repeat(256)])('a key that is none is refused: "%s"', async (key) => {
    const { access_token: token } = await api.tokens();
    const answer = await api.call(ingest, { body: examFields(), headers: { 'idempotency-key': key }, token });
    expect(answer).toMatchObject({
      status: 400,
      error: { details: { errors: [{ field: 'Idempotency-Key', code: 'INVALID_FORMAT' }] } },
    });
  });
});
