/** Documents out of a server and into one, as readable lines. */
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { contract } from '../../../../src/contract/index.ts';
import { dictated, startApi, succeeded } from '../../../support/api.ts';
import type { Api } from '../../../support/api.ts';
import { wav } from '../../../support/audio.ts';
import { controlledEngine } from '../../../support/controlled-engine.ts';
import { everything, exportOf, seedTo } from '../../../support/maintenance.ts';

const { records, oauth, webhooks } = contract;
const spoken = { audio: { content_type: 'audio/wav' as const, data: wav().toString('base64') } };
const start = (options: Parameters<typeof startApi>[0] = {}, atEnd = onTestFinished): Promise<Api> =>
  startApi(options, atEnd);

const linesOf = (text: string): string[] => text.split('\n').slice(0, -1);
const textOf = (lines: readonly string[]): string => `${lines.join('\n')}\n`;

/** Exams, documents and jobs, a client with a webhook, a person. */
async function filled(atEnd = onTestFinished): Promise<Api> {
  const api = await start({}, atEnd);
  const worklist_item_id = await api.exam();
  await api.generate({ ...spoken, worklist_item_id });
  await api.ended((await api.enqueue()).id);
  await api.createUser({ username: 'helena', password: 'right-here-1' });
  const { client_id } = await api.createClient();
  await api.call(webhooks.endpoints.put, { params: { client_id }, body: { url: 'http://127.0.0.1:9/events' } });
  return api;
}

/** A server that no test changes, and one that takes nothing. */
const source = await filled(afterAll);
const refusing = await startApi();

describe('an export', () => {
  test('begins with what it is, and has a document a line', async () => {
    const [header, ...lines] = linesOf(await exportOf(source));
    expect(JSON.parse(header!)).toEqual({
      laudio: 'export',
      schema: 1,
      version: '0.0.0-test',
      created_at: expect.stringMatching(/^2026-03-02T/),
    });
    for (const line of lines) {
      expect(JSON.parse(line)).toEqual({ collection: expect.any(String), document: expect.any(Object) });
    }
  });

  test('has no secrets, and no names of audio', async () => {
    const text = await exportOf(source);
    expect(text).not.toMatch(
      /secret|hash|scrypt|whsec_|signing_key|"d":|blb_|"collection":"(grants|codes|refresh_tokens|idempotency|settings)"/,
    );
  });

  test('has them where they are asked for', async () => {
    const text = await exportOf(source, { secrets: true });
    for (const word of ['secret_hash', 'password_hash', 'whsec_', 'signing_key', '"collection":"refresh_tokens"']) {
      expect(text).toContain(word);
    }
  });

  test('of some collections has those alone', async () => {
    const text = await exportOf(source, { collections: 'items,history' });
    const collections = linesOf(text)
      .slice(1)
      .map((line) => JSON.parse(line).collection as string);
    expect(new Set(collections)).toEqual(new Set(['items', 'history']));
  });

  test.each(['patients', 'settings', 'items,grants'])('refuses %s', async (collections) => {
    const answer = await source.call(contract.maintenance.endpoints.export, { query: { collections } });
    expect(answer).toMatchObject({ status: 400, error: { details: { errors: [{ field: 'collections' }] } } });
  });
});

describe('a seed', () => {
  test('makes of an export what was exported', async () => {
    const text = await exportOf(source);
    const other = await start();
    const seeded = await seedTo(other, text);
    expect(seeded).toMatchObject({ status: 200, data: { documents: { items: 1, records: 2, jobs: 1, webhooks: 1 } } });
    const again = linesOf(await exportOf(other)).slice(1);
    // The fresh server's own test user has another id.
    expect(again).toEqual(expect.arrayContaining(linesOf(text).slice(1)));
  });

  test('of everything brings the logins along', async () => {
    const other = await start();
    expect((await seedTo(other, await exportOf(source, { secrets: true }))).status).toBe(200);
    expect((await other.call(oauth.endpoints.validate, { token: source.token })).status).toBe(200);
    expect((await other.call(oauth.endpoints.validate)).status).toBe(401);
  });

  test('of a server into itself changes nothing: audio, passwords and secrets stay', async () => {
    const api = await filled();
    const stored = async () => linesOf(await everything(api)).map((line) => JSON.parse(line) as unknown);
    const before = await stored();
    expect((await seedTo(api, await exportOf(api))).status).toBe(200);
    expect(await stored()).toEqual(before);
    const { items } = succeeded(await api.call(records.endpoints.list));
    const spokenOne = items.find(({ source }) => source.kind === 'audio')!;
    expect((await api.call(records.endpoints.audio, { params: { id: spokenOne.id } })).status).toBe(200);
  });

  test('of more than a commit should have is one change all the same, and is held to the same', async () => {
    const one = await start();
    await one.exam({ accession_number: 'SL-0' });
    const [header, line] = linesOf(await exportOf(one, { collections: 'items' })) as [string, string];
    const { id } = JSON.parse(line).document as { id: string };
    const lines = Array.from({ length: 1500 }, (_, n) =>
      line.replace(id, `${id.slice(0, -4)}${String(n).padStart(4, '0')}`).replace('SL-0', `SL-${n}`),
    );
    const api = await start();
    await api.exam({ accession_number: 'here' });
    const search = (q: string) => api.call(contract.worklists.endpoints.list, { query: { q } });
    const before = await everything(api);
    const bad = lines.with(1200, lines[1200]!.replace(/"patient_name":"[^"]*"/, '"patient_name":"SOMEBODY^REAL"'));
    const { status, error } = await seedTo(api, textOf([header, ...bad]));
    expect([status, error.message]).toEqual([
      400,
      expect.stringMatching(/^Line 1202: items: .*only contain test patients/),
    ]);
    expect(await everything(api)).toBe(before);
    expect(await seedTo(api, textOf([header, ...lines]))).toMatchObject({
      status: 200,
      data: { documents: { items: 1500 } },
    });
    expect(succeeded(await search('SL-1499')).items).toHaveLength(1);
    expect(succeeded(await search('here')).items).toHaveLength(1);
    expect(await api.exam({ accession_number: 'later' })).toMatch(/^wli_/);
  });

  test('lets nobody in whose secret it does not have', async () => {
    const text = await exportOf(source);
    const other = await start();
    await seedTo(other, text);
    const client = linesOf(text)
      .map((line) => JSON.parse(line))
      .find(({ collection, document }) => collection === 'clients' && !document.test_mode);
    const body = { grant_type: 'refresh_token', refresh_token: 'x', client_id: client.document.id, client_secret: '' };
    for (const client_secret of ['x', 'scrypt$1$1$1$$']) {
      const answer = await other.call(oauth.endpoints.token, { body: { ...body, client_secret } });
      expect(answer).toMatchObject({ status: 401, json: { error: 'invalid_client' } });
    }
  });

  test('runs the jobs that are queued in it', async () => {
    const engine = controlledEngine();
    const api = await start({ engine });
    engine.hold();
    await api.enqueue();
    await api.enqueue();
    const { id } = await api.enqueue({ text: dictated });
    const text = await exportOf(api);
    expect(text).toContain('"status":"queued"');
    const other = await start();
    await seedTo(other, text);
    expect(await other.ended(id)).toMatchObject({ status: 'completed' });
    engine.release();
  });
});

describe('all or nothing:', () => {
  const problems: readonly (readonly [what: string, change: (line: string) => string, message: RegExp])[] = [
    ['not JSON', (line) => line.slice(1), /^Line 2: the line is not JSON\.$/],
    [
      'no collection',
      (line) => line.replace('"items"', '"patients"'),
      /^Line 2: patients: there is no such collection/,
    ],
    ['a field missing', (line) => line.replace(/"modality":"CT",?/, ''), /^Line 2: items: modality is required/],
    ['a field too many', (line) => line.replace('{"id"', '{"nonsense":1,"id"'), /^Line 2: items: nonsense/],
    ['a bad value', (line) => line.replace('"modality":"CT"', '"modality":"XX"'), /^Line 2: items: modality/],
    [
      'a person who is no test patient',
      (line) => line.replace('TESTE^PACIENTE', 'SILVA^MARIA'),
      /^Line 2: items: .*only contain test patients/,
    ],
    ['the same id twice', (line) => `${line}\n${line}`, /^Line 3: items: a line above has the same id/],
  ];

  test.each(problems)('%s', async (_what, change, message) => {
    const [header, line, ...rest] = linesOf(await exportOf(source));
    const before = await everything(refusing);
    const { status, error } = await seedTo(refusing, textOf([header!, change(line!), ...rest]));
    expect([status, error.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(error.message).toMatch(message);
    expect(error.message).not.toMatch(/SILVA|XX\b/);
    expect(await everything(refusing)).toBe(before);
  });

  test.each(['', '\n', '{}', 'items', '{"laudio":"export"}'])('a file that does not begin as one: %j', async (text) => {
    expect(await seedTo(refusing, text)).toMatchObject({ status: 400, error: { code: 'VALIDATION_FAILED' } });
  });

  test('a newer schema', async () => {
    const text = (await exportOf(source)).replace('"schema":1', '"schema":99');
    expect((await seedTo(refusing, text)).error.message).toMatch(/newer version/);
  });

  test('an open job whose audio is elsewhere', async () => {
    const engine = controlledEngine();
    const api = await start({ engine });
    engine.hold();
    await api.enqueue(spoken);
    const text = await exportOf(api, { collections: 'jobs' });
    const { error } = await seedTo(refusing, text);
    expect(error.message).toMatch(/^Line 2: jobs: the audio of this open job is missing/);
    engine.release();
  });

  test('a client of real data in a space of test data', async () => {
    const text = await exportOf(refusing, { collections: 'clients' });
    const real = text
      .replace('"test_mode":true', '"test_mode":false')
      .replace('"id":"test_tc_local"', '"id":"lc_other"');
    expect((await seedTo(refusing, real)).error.message).toMatch(/test data or real data, not both/);
  });
});

describe('a reset', () => {
  const { reset } = contract.maintenance.endpoints;

  test('leaves the built-in test client with its logins, and nothing else', async () => {
    const api = await filled();
    const { data } = await api.call(reset, { body: {} });
    expect(data).toMatchObject({ space: null, documents: { items: 1, records: 2, clients: 1, settings: 0 } });
    const collections = linesOf(await everything(api)).map((line) => JSON.parse(line).collection as string);
    expect(new Set(collections)).toEqual(new Set(['clients', 'users', 'grants', 'refresh_tokens', 'settings']));
    expect((await api.call(oauth.endpoints.validate)).status).toBe(200);
    expect(await api.exam()).toMatch(/^wli_/);
  });

  test('of a space takes what that holds, and leaves the others', async () => {
    const api = await filled();
    const client = await api.createClient({ test_mode: true });
    const { access_token: token } = await api.tokens({ client });
    await api.exam({}, { token });
    await api.ended((await api.enqueue({ text: dictated }, { token })).id, { token });
    const before = await exportOf(api);
    const { data } = await api.call(reset, { body: { space: client.space } });
    expect(data).toMatchObject({ space: client.space, documents: { items: 1, jobs: 1, records: 1, clients: 0 } });
    const gone = linesOf(before).filter(
      (line) => line.includes(`"space":"${client.space}"`) && /"(items|records|jobs)"/.test(line),
    );
    const after = linesOf(await exportOf(api));
    expect(gone).toHaveLength(3);
    expect(after).not.toEqual(expect.arrayContaining([gone[0]]));
    expect((await api.call(oauth.endpoints.validate, { token })).status).toBe(200);
    expect(after.filter((line) => line.includes('"collection":"items"'))).toHaveLength(1);
  });
});
