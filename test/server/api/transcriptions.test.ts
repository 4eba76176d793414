/** Live transcriptions (extension), as clients use them. */
import { isDeepStrictEqual } from 'node:util';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { contract } from '../../../src/contract/index.ts';
import type { MedicalRecord } from '../../../src/contract/document.ts';
import type { Transcription } from '../../../src/contract/transcription.ts';
import { builtInTestClient } from '../../../server/index.ts';
import type { KeyOptions } from '../../../server/index.ts';
import { startApi, succeeded } from '../../support/api.ts';
import type { Api, ApiOptions, Ask } from '../../support/api.ts';
import { controlledEngine } from '../../support/controlled-engine.ts';
import { createHolding } from '../../support/held-calls.ts';
import { doubted, numberedSound, numberListener } from '../../support/numbered-sound.ts';
import { memoryKeychain } from '../../support/memory-keychain.ts';
import { backupOf, restoreTo } from '../../support/maintenance.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const { create, append, get, events, end, delete: remove } = contract.transcriptions.endpoints;
const { audio } = contract.records.endpoints;
const second = 32_000;

const start = (options: ApiOptions = {}): Promise<Api> => startApi(options, onTestFinished);
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

  test('becomes one record, of however many requests', async () => {
    const holding = createHolding();
    const api = await start({ store: holding.store });
    const { id } = await begin(api);
    await speak(api, id, soundOf(1));
    await api.call(end, { params: { id } });
    const ask = { body: { transcription_id: id } };
    const generate = () => api.call(contract.records.endpoints.generate, ask);
    const later = () => api.call(contract.records.endpoints.generate, { body: { ...ask.body, mode: 'async' } });
    const under = await Promise.all([holding.begin(0, generate), holding.begin(0, later)]);
    expect(under.map(({ isHeld }) => isHeld)).toEqual([true, true]);
    expect((await generate()).status).toBe(201);
    for (const each of under)
      expect(await each.release()).toMatchObject({
        status: 400,
        error: { details: { errors: [{ field: 'transcription_id' }] } },
      });
    expect(succeeded(await api.call(contract.records.endpoints.list)).items).toHaveLength(1);
    await until(async () => isKept(0, 1)(api));
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

/** How much sound the server keeps: pieces of live transcriptions, of which those of a tenth of a second are no files, and files. */
const kept = async (api: Api): Promise<{ pieces: unknown; files: number | null }> => {
  const { stored, audio_files: files } = succeeded(await api.call(contract.system.endpoints.status));
  return { pieces: stored['sounds'], files };
};
const isKept = (pieces: number, files: number) => async (api: Api) =>
  isDeepStrictEqual(await kept(api), { pieces, files });
const isGone = isKept(0, 0);
const until = (isSo: () => Promise<boolean>): Promise<void> => expect.poll(isSo, { interval: 5 }).toBe(true);

describe('the end of a live transcription', () => {
  test('comes by itself when nobody speaks for ten minutes, and a day later nothing is left', async () => {
    const api = await start();
    const { id } = await begin(api);
    await speak(api, id, soundOf(1));
    api.clock.advance(9 * 60_000);
    await api.call(append, { params: { id }, query: { offset: second }, body: soundOf(1) });
    api.clock.advance(9 * 60_000);
    expect((await api.call(get, { params: { id } })).data).toMatchObject({ status: 'open', offset: 2 * second });
    api.clock.advance(60_000);
    await until(async () => (await api.call(get, { params: { id } })).data.status === 'ended');
    expect(await kept(api)).toEqual({ pieces: 6, files: 1 });
    api.clock.advance(24 * 3_600_000);
    await until(() => isGone(api));
    const { access_token: token } = await api.tokens();
    expect((await api.call(get, { params: { id }, token })).status).toBe(404);
  });

  test('comes with the end of the login, and takes the sound away', async () => {
    const api = await start();
    const { access_token: token, refresh_token } = await api.tokens();
    const { id } = await begin(api, { token });
    await api.call(append, { params: { id }, query: { offset: 0 }, body: soundOf(1), token });
    expect(await kept(api)).toEqual({ pieces: 1, files: 1 });
    const { client_id, client_secret } = builtInTestClient;
    await api.call(contract.oauth.endpoints.revoke, { body: { token: refresh_token, client_id, client_secret } });
    await until(() => isGone(api));
    const status = succeeded(await api.call(contract.system.endpoints.status));
    expect(status.stored).toMatchObject({ transcriptions: 0, sounds: 0, phrases: 0 });
  });

  test('of a whole space leaves nothing of it', async () => {
    const api = await start();
    const { id } = await begin(api);
    await speak(api, id, soundOf(4));
    const { space } = succeeded(await api.call(contract.clients.endpoints.list)).items[0]!;
    const { documents } = succeeded(await api.call(contract.maintenance.endpoints.reset, { body: { space } }));
    expect(documents).toMatchObject({ transcriptions: 1 });
    expect((await api.call(get, { params: { id } })).status).toBe(404);
    await until(() => isGone(api));
  });
});

describe('limits of a live transcription', () => {
  test('is counted by seconds of sound, and not by requests', async () => {
    const api = await start({ rateLimit: 50 });
    const { id } = await begin(api);
    for (let offset = 0; offset < 60 * second; offset += second / 2) {
      const answer = await api.call(append, {
        params: { id },
        query: { offset },
        body: soundOf(1).subarray(0, second / 2),
      });
      expect(answer.status).toBe(200);
      expect(Number(answer.headers['x-ratelimit-remaining'])).toBeGreaterThan(0);
    }
    const more = { params: { id }, query: { offset: 60 * second }, body: soundOf(3) };
    const refused = await api.call(append, more);
    expect(refused).toMatchObject({ status: 429, error: { code: 'RATE_LIMIT_EXCEEDED' } });
    expect(refused.headers['retry-after']).toBe('2');
    api.clock.advance(2000);
    expect((await api.call(append, more)).status).toBe(200);
  });

  test('ends with eight open ones for each login', async () => {
    const api = await start();
    const ids = [];
    for (let count = 0; count < 8; count++) ids.push((await begin(api)).id);
    expect(await api.call(create, { body: {} })).toMatchObject({ status: 429, headers: { 'retry-after': '60' } });
    await api.call(end, { params: { id: ids[0]! } });
    await begin(api);
  });

  test('is nothing where nobody hears, or hears nothing live', async () => {
    const { live: _, ...deaf } = controlledEngine();
    const api = await start({ engine: deaf });
    const refused = await api.call(create, { body: {} });
    expect(refused).toMatchObject({
      status: 503,
      error: { code: 'ENGINE_UNAVAILABLE', details: { reason: 'not_live' } },
    });
    const client = await api.createClient();
    const login = { username: 'helena', password: 'right-here-1' };
    await api.createUser(login);
    const { access_token: token } = await api.tokens({ client, login });
    expect((await api.call(create, { body: {}, token })).error.details).toMatchObject({ reason: 'no_recogniser' });
  });

  test.each([
    ['a template that is none', { template_id: 'nothing' }],
    ['an exam that is none', { worklist_item_id: 'wli_1' }],
    ['a language that is none', { language: 'fr-FR' }],
  ])('is nothing for %s', async (_what, body) => {
    const api = await start();
    expect((await api.call(create, { body })).status).toBe(400);
  });
});

describe('a record of a live transcription', () => {
  test('is for its exam, in its language, by its template, and a job makes it as well', async () => {
    const api = await start();
    const item = await api.exam();
    const { id } = await begin(api, { body: { worklist_item_id: item, template_id: 'test_template_cardiology' } });
    await speak(api, id, soundOf(5));
    const job = await api.ended((await api.enqueue({ transcription_id: id })).id);
    expect(job).toMatchObject({ status: 'completed', worklist_item_id: item });
    const { get: getRecord } = contract.records.endpoints;
    const record = succeeded(await api.call(getRecord, { params: { id: job.record_id! } }));
    expect(record).toMatchObject({
      language: 'pt-BR',
      template_id: 'test_template_cardiology',
      worklist_item_id: item,
    });
    expect(record.transcript).toMatch(/Paciente/);
    expect((await api.call(get, { params: { id } })).status).toBe(404);
    await until(() => isKept(0, 1)(api));
  });

  test('asks about what a check behind the words has found, in the sound that is left', async () => {
    const engine = {
      ...controlledEngine(),
      live: numberListener((number) => (number % 3 === 0 ? 'final' : 'goes on'), 2),
    };
    const api = await start({ engine });
    const { id } = await begin(api);
    await speak(api, id, numberedSound(12));
    const pieces = [{ id, start: 0.3, end: 0.9 }];
    const record = await api.generate({ transcriptions: pieces });
    expect(record.transcript).toBe('n4 n5 n6 n7 n8 n9');
    const asked = record.findings_to_review!.filter(({ kind }) => kind === 'heard_differently');
    expect(asked.map(({ readings }) => readings?.at(-1))).toEqual([4, 5, 6, 7, 8, 9].map(doubted));
    expect(engine.calls.map((call) => call.step)).not.toContain('transcribe');
  });

  describe('that does not wait for the check of its words', () => {
    /** A server whose check ends when it is told to, and a record that was made before. */
    async function dictate(options: ApiOptions = {}) {
      const check = Promise.withResolvers<void>();
      const live = numberListener((number) => (number % 3 === 0 ? 'final' : 'goes on'), 100, check.promise);
      const api = await start({ engine: { ...controlledEngine(), live }, ...options });
      const { id } = await begin(api);
      await speak(api, id, numberedSound(6));
      const record = await api.generate({ transcription_id: id });
      expect((await api.call(get, { params: { id } })).status).toBe(404);
      return { api, record, check };
    }
    const read = async (api: Api, { id }: { id: string }) =>
      succeeded(await api.call(contract.records.endpoints.get, { params: { id } }));
    const asked = (record: MedicalRecord) =>
      (record.findings_to_review ?? []).flatMap(({ kind, status, readings }) =>
        status === 'open' && ['unchecked', 'heard_differently'].includes(kind) ? [[kind, ...(readings ?? [])]] : [],
      );
    const untilAsked = async (api: Api, record: MedicalRecord): Promise<MedicalRecord> => {
      let found = record;
      await until(async () => asked((found = await read(api, record))).every(([kind]) => kind !== 'unchecked'));
      return found;
    };

    test('says so, and asks once it has ended, also where somebody wrote meanwhile', async () => {
      const { api, record, check } = await dictate();
      expect(record.transcript).toBe('n1 n2 n3 n4 n5 n6');
      expect(asked(record)).toEqual([['unchecked'], ['unchecked']]);
      const sections = record.sections.map((each) => ({ ...each, text: each.text.replace(/n2/i, 'liver') }));
      const { update } = contract.records.endpoints;
      const edited = succeeded(await api.call(update, { params: { id: record.id }, body: { sections } }));
      check.resolve();
      const found = await untilAsked(api, edited);
      expect(found).toMatchObject({ version: 2, text: edited.text, status: 'draft' });
      expect(asked(found).map(([, , other]) => other)).toEqual([1, 3, 4, 5, 6].map(doubted));
      expect(found.findings_to_review!.map(({ kind }) => kind)).not.toContain('unchecked');
      await until(() => isKept(0, 1)(api));
    });

    test('warns who signs it, and takes the signature back if there is a doubt', async () => {
      const { api, record, check } = await dictate();
      const { update } = contract.records.endpoints;
      const sign = { status: 'final', grace_seconds: 60, require_resolved: true };
      const ask = { params: { id: record.id }, body: sign };
      expect((await api.call(update, ask)).error.code).toBe('OPEN_FINDINGS');
      const acknowledged = record.findings_to_review!.map(({ id }) => id);
      const signed = succeeded(await api.call(update, { ...ask, body: { ...sign, acknowledged } }));
      expect(signed).toHaveProperty('signing');
      check.resolve();
      const found = await untilAsked(api, record);
      expect(asked(found)).toHaveLength(6);
      expect(found).toMatchObject({ status: 'draft' });
      expect(found).not.toHaveProperty('signing');
    });

    test('warns in a report that is final before its check has ended, until the next version', async () => {
      const { api, record, check } = await dictate();
      const { update } = contract.records.endpoints;
      const sign = { params: { id: record.id }, body: { status: 'final' } } as const;
      const signed = succeeded(await api.call(update, sign));
      expect(signed).toMatchObject({ status: 'final' });
      check.resolve();
      const found = await untilAsked(api, record);
      expect(found).toMatchObject({ status: 'final', version: signed.version });
      const late = found.findings_to_review!.filter(({ kind }) => kind === 'heard_differently');
      expect(new Set(late.map(({ severity }) => severity))).toEqual(new Set(['warning']));
      expect(late.map(({ readings }) => readings?.at(-1))).toEqual([1, 2, 3, 4, 5, 6].map(doubted));
    });

    test('asks about all of it if the server stops meanwhile', async () => {
      const dataDir = await temporaryDirectory();
      const { api, record } = await dictate({ dataDir });
      await api.close();
      const after = await start({ dataDir, clock: api.clock });
      const found = await untilAsked(after, record);
      expect(asked(found)).toEqual([['heard_differently'], ['heard_differently']]);
      await until(() => isKept(0, 1)(after));
    });
  });

  test('is made of existing audio of the same owner, and of nothing else', async () => {
    const api = await start();
    const { generate } = contract.records.endpoints;
    const { id } = await begin(api);
    const other = await begin(api, { token: (await api.tokens()).access_token });
    const refused = async (body: object, field: string): Promise<void> => {
      const answer = await api.call(generate, { body });
      expect(answer, field).toMatchObject({ status: 400, error: { details: { errors: [{ field }] } } });
    };
    await refused({ transcription_id: id }, 'transcription_id');
    await speak(api, id, soundOf(2));
    await refused({ transcription_id: id, text: 'Test Patient. Normal.' }, 'transcription_id');
    await refused({ transcription_id: id, transcriptions: [{ id }] }, 'transcription_id');
    await refused({ transcriptions: [{ id, start: 2, end: 1 }] }, 'transcriptions.0.end');
    await refused({ transcriptions: [{ id }, { id, start: 2 }] }, 'transcriptions.1.id');
    await refused({ transcription_id: other.id }, 'transcription_id');
    expect(await kept(api)).toEqual({ pieces: 10, files: 0 });
  });
});

test('a live transcription goes on after a restart, from sound that nobody can read on the disk', async () => {
  const dataDir = await temporaryDirectory();
  const key: KeyOptions = { encrypt: 'keychain', keychain: memoryKeychain() };
  const sound = soundOf(20);
  const before = await startApi({ dataDir, key }, onTestFinished);
  const { id } = await begin(before);
  await speak(before, id, sound.subarray(0, 10 * second));
  const half = (await before.call(get, { params: { id } })).data.phrases;
  expect(half.length).toBeGreaterThan(0);
  const files = await readdir(join(dataDir, 'audio'));
  for (const file of files) {
    const content = await readFile(join(dataDir, 'audio', file));
    expect(content.includes(sound.subarray(0, 64))).toBe(false);
  }
  await before.close();
  const after = await startApi({ dataDir, key, clock: before.clock }, onTestFinished);
  const token = before.token;
  const found = (await after.call(get, { params: { id }, token })).data;
  expect(found).toMatchObject({ status: 'open', offset: 10 * second });
  expect(found.phrases.slice(0, half.length)).toEqual(half);
  const rest = { params: { id }, query: { offset: 10 * second }, body: sound.subarray(10 * second), token };
  expect((await after.call(append, rest)).data).toEqual({ offset: sound.length });
  const archive = await backupOf(after);
  expect((await restoreTo(after, archive)).status).toBe(200);
  const record = await after.generate({ transcription_id: id }, { token });
  expect(record.transcript).toMatch(/^Simulated transcript \(test mode\).* Impression: No acute abnormality\.$/);
  expect(record.source).toMatchObject({ audio_seconds: 20 });
  expect(JSON.stringify([before.logged, after.logged])).not.toMatch(/Simulated|acute/);
});

test('a late reader gets all final events, or those after the last one it saw', async () => {
  const api = await start();
  const { id } = await begin(api);
  await speak(api, id, soundOf(20));
  await api.call(end, { params: { id } });
  const url = events.path.replace('{id}', id);
  const follow = async (headers: Record<string, string> = {}): Promise<string[]> => {
    const { body } = await api.server.inject({ url, headers: { authorization: `Bearer ${api.token}`, ...headers } });
    return Array.from(body.matchAll(/^(?:id|event): (.*)$/gm), ([, found]) => found!);
  };
  const all = await follow();
  expect(all.slice(0, 4)).toEqual(['final', '1', 'final', '2']);
  expect(all.at(-1)).toBe('ended');
  expect(await follow({ 'last-event-id': '2' })).toEqual(all.slice(4));
  expect(await follow({ 'last-event-id': 'nonsense' })).toEqual(all);
});
