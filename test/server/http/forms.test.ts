/** Forms as generated clients send them. */
import { expect, test } from 'vitest';
import type { Endpoint } from '../../../src/contract/endpoint.ts';
import { contract } from '../../../src/contract/index.ts';
import { startApi } from '../../support/api.ts';
import { wav } from '../../support/audio.ts';
import { audioPart, multipart, multipartType } from './multipart.ts';
import type { Part } from './multipart.ts';

const api = await startApi();
const { generate, update } = contract.records.endpoints;
const send = (...parts: readonly Part[]) =>
  api.call(generate, { body: multipart(parts), headers: { 'content-type': multipartType } });

test.each([
  ['with the name of a file', { fileName: 'metadata.json', type: 'application/json' }],
  ['with the type of JSON', { type: 'application/json' }],
  ['as a text', {}],
])('a part that is no sound goes by its name: %s', async (_how, form) => {
  const answer = await send(audioPart(wav()), { name: 'metadata', value: '{"a":1}', ...form });
  expect(answer.status, JSON.stringify(answer.json)).toBe(201);
  expect(answer.json).toMatchObject({ data: { metadata: { a: 1 } } });
});

test('the audio is a file, or the JSON of its field', async () => {
  const data = Buffer.from(wav()).toString('base64');
  const json = (value: string) => send({ name: 'audio', value, type: 'application/json' });
  expect((await json(JSON.stringify({ content_type: 'audio/wav', data }))).status).toBe(201);
  const refused = { status: 400, json: { error: { code: 'VALIDATION_FAILED' } } };
  expect(await json(JSON.stringify({ content_type: 'audio/wav' }))).toMatchObject(refused);
  expect(await json(JSON.stringify({ content_type: 'audio/wav', data: '?' }))).toMatchObject(refused);
  expect(await json('{"content_type"')).toMatchObject({ status: 400 });
});

test('a file of another name is refused', async () => {
  const answer = await send(audioPart(wav()), { name: 'canary', value: 'x', fileName: 'x.wav' });
  expect(answer).toMatchObject({ status: 400, json: { error: { code: 'VALIDATION_FAILED' } } });
});

/** An empty list for each list that may be absent, as a client in Java sends them. */
const emptyLists = ({ body }: Endpoint): object =>
  Object.fromEntries(
    Object.entries(body?.properties ?? {}).flatMap(([name, { type }]) => (type === 'array' ? [[name, []]] : [])),
  );

test('an empty list that nobody set counts as absent', async () => {
  const body = { ...emptyLists(generate), text: 'Test Patient. Findings: clear.' };
  expect(Object.keys(body)).toContain('brought');
  const made = await api.call(generate, { body });
  expect(made, JSON.stringify(made.json)).toMatchObject({ status: 201 });
  const params = { id: (made.json as { data: { id: string } }).data.id };
  const changed = { ...emptyLists(update), title: 'Test report' };
  expect(await api.call(update, { params, body: changed })).toMatchObject({ status: 200 });
});
