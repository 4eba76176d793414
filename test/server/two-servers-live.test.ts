/** Two servers over one store: a live transcription is one wherever its calls arrive, and goes on when its server has gone. */
import { expect, test } from 'vitest';
import type { Store } from '../../server/storage/store.ts';
import { contract } from '../../src/contract/index.ts';
import { succeeded } from '../support/api.ts';
import type { Api } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { startTwo } from '../support/two-servers.ts';

const { create, append, get, events, end } = contract.transcriptions.endpoints;
const { records } = contract;
const pieceBytes = 6400;
const piece = (nth: number): Buffer => Buffer.alloc(pieceBytes, nth + 1);

const startBoth = () => startTwo({ listen: true, operatorToken: 'operator-token-of-the-tests' });

async function dictate(servers: readonly [Api, Api]) {
  const { token } = servers[0];
  const { id } = succeeded(await servers[0].call(create, { token, body: { language: 'en-US' } }), 201);
  const params = { id };
  const send = (api: Api, nth: number) =>
    api.call(append, { token, params, query: { offset: nth * pieceBytes }, body: piece(nth) });
  return { id, token, params, send };
}

test('sixty pieces at both in turn are one dictation, whose record either makes', async () => {
  const { servers, engine, store } = await startBoth();
  const [one, other] = servers;
  const { id, token, params, send } = await dictate(servers);
  for (let nth = 0; nth < 60; nth++)
    expect(succeeded(await send(servers[nth % 2 ? 0 : 1], nth)).offset).toBe((nth + 1) * pieceBytes);
  expect(await send(other, 70)).toMatchObject({ status: 409, error: { details: { offset: 60 * pieceBytes } } });
  for (const api of servers)
    expect(succeeded(await api.call(get, { token, params }))).toMatchObject({ id, offset: 60 * pieceBytes });
  engine.hold();
  const generating = other.generate({ transcription_id: id }, { token });
  await eventually(async () => expect((await store.get('transcriptions', id))?.status).not.toBe('open'));
  // The record gets no sound that comes after it was asked for.
  expect((await send(one, 60)).status).toBe(409);
  engine.release();
  const record = await generating;
  expect(record.source).toMatchObject({ kind: 'audio', audio_seconds: 12 });
  const audio = await one.send({
    url: records.endpoints.audio.path.replace('{id}', record.id),
    headers: { authorization: `Bearer ${token}` },
  });
  expect(audio.headers['content-length']).toBe(String(44 + 60 * pieceBytes));
});

test('words arrive at the other one as at the one that hears', async () => {
  const { servers } = await startBoth();
  const { token, params, send } = await dictate(servers);
  for (let nth = 0; nth < 20; nth++) succeeded(await send(servers[1], nth));
  succeeded(await servers[1].call(end, { token, params }));
  const hear = async (api: Api): Promise<string[]> => {
    const url = events.path.replace('{id}', params.id);
    const { body } = await api.server.inject({ url, headers: { authorization: `Bearer ${token}` } });
    return body.split('\n\n').filter((event) => /^(?:id|event: (?:final|ended))/m.test(event));
  };
  const heard = await hear(servers[0]);
  expect(heard.at(-1)).toContain('event: ended');
  expect(await hear(servers[1])).toEqual(heard);
});

test('a server without a part in it reads nothing of it', async () => {
  const { servers, start } = await startBoth();
  const read: string[] = [];
  await start({
    store: (real: Store): Store => ({
      ...real,
      get: (collection, id) => (read.push(collection), real.get(collection, id)),
    }),
  });
  const { token, params, send } = await dictate(servers);
  const other = await servers[0].tokens();
  read.length = 0;
  for (let nth = 0; nth < 4; nth++) succeeded(await send(servers[0], nth));
  await servers[0].call(contract.oauth.endpoints.revoke, { body: { token: other.refresh_token } });
  succeeded(await servers[0].call(end, { token, params }));
  expect(read.filter((collection) => collection === 'transcriptions' || collection === 'grants')).toEqual([]);
});

test('one whose server has gone goes on at the other, and loses nothing acknowledged', async () => {
  const { servers, hub } = await startBoth();
  const [one, other] = servers;
  const { token, params, send, id } = await dictate(servers);
  for (let nth = 0; nth < 10; nth++) succeeded(await send(servers[nth % 2 ? 0 : 1], nth));
  const holder = hub.holderOf(`live ${id}`) ?? '';
  await hub.lose(holder);
  expect(hub.holderOf(`live ${id}`)).not.toBe(holder);
  await eventually(async () =>
    expect(succeeded(await other.call(get, { token, params })).offset).toBe(10 * pieceBytes),
  );
  // The server that slept stores nothing of what it still gets.
  expect((await send(one, 10)).status).toBe(503);
  succeeded(await send(other, 10));
  const record = await other.generate({ transcription_id: id }, { token });
  expect(record.source).toMatchObject({ audio_seconds: 2.2 });
});
