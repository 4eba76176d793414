/**
 * Sound of every bad kind, as whole files over HTTP, to a recogniser that really hears (tone-model.ts): each ends in an honest
 * document or a clear refusal, at once and as a job, and never in words that nobody said.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { AudioType, MedicalRecord } from '../../../src/contract/document.ts';
import { contract } from '../../../src/contract/index.ts';
import type { Api, Ask } from '../../support/api.ts';
import { startApi, succeeded } from '../../support/api.ts';
import { startTranscriptionServer, verbose } from '../../support/fake-transcription-server.ts';
import { flacOf } from '../../support/flac.ts';
import { organs, pitchOf, tones, wavOf } from '../../support/sound.ts';
import { installToneModel } from '../../support/tone-model.ts';
import { saidInTones } from '../../support/tone-words.ts';

const models = await mkdtemp(join(tmpdir(), 'laudio-models-'));
afterAll(() => rm(models, { recursive: true, force: true }));
await installToneModel(models);
const server = await startTranscriptionServer();
afterAll(() => server.close());

const { generate, update } = contract.records.endpoints;
const { decide, provenance } = contract.reviews.endpoints;
const local = await startApi({ recogniser: { use: 'local:tone', options: { models } } });
const remote = await startApi({ recogniser: { use: 'openai:whisper-1', options: { url: `${server.url}/v1` } } });
const login = { username: 'nunes', password: 'correct horse' };
const tokenOf = async (api: Api): Promise<string> => {
  await api.createUser({ ...login, display_name: 'Dra. Nunes' });
  return (await api.tokens({ client: await api.createClient(), login })).access_token;
};
const tokens = new Map([
  [local, await tokenOf(local)],
  [remote, await tokenOf(remote)],
]);

interface Sent {
  readonly type?: AudioType;
  readonly mode?: 'sync' | 'async';
}
const asked = (api: Api, bytes: Uint8Array, { type = 'audio/wav', mode = 'sync' }: Sent = {}): Ask => ({
  token: tokens.get(api)!,
  body: {
    audio: { content_type: type, data: Buffer.from(bytes).toString('base64') },
    language: 'pt-BR',
    template_id: 'chest_ct',
    mode,
  },
});
const documentOf = async (api: Api, bytes: Uint8Array, sent: Sent = {}): Promise<MedicalRecord> =>
  succeeded(await api.call(generate, asked(api, bytes, sent)), 201) as MedicalRecord;

/** The kinds of findings that are about the sound. */
const ofSound = new Set(['nothing_heard', 'little_understood', 'language_differs', 'sound_cut', 'suppressed']);
const toldOf = ({ findings_to_review: findings = [] }: MedicalRecord): string[] =>
  findings.filter(({ kind }) => ofSound.has(kind)).map(({ kind, severity }) => `${severity}: ${kind}`);
const messageOf = ({ findings_to_review: findings = [] }: MedicalRecord, kind: string): string =>
  findings.find((finding) => finding.kind === kind)!.message;

const words = 'coração pulmão fígado rim';
const low = organs.filter((tone) => pitchOf(tone) < 3400);
const silent = (seconds: number, rate = 16_000): Float32Array => new Float32Array(seconds * rate);
const joined = (...sounds: Float32Array[]): Float32Array => Float32Array.from(sounds.flatMap((sound) => [...sound]));
/** Without the fading at its end: the speaker was cut off. */
const broken = joined(tones(organs), tones([0, 1]).subarray(0, 16_000 * 0.6));
const fixture = (name: string): Promise<Buffer> => readFile(new URL(`../../fixtures/audio/${name}`, import.meta.url));

test('where the app says that sound is missing, the document asks at the place, in its language', async () => {
  const token = tokens.get(local)!;
  const { body } = asked(local, wavOf([tones(organs)]));
  const at = (sound_gaps: unknown): Ask => ({ token, body: { ...(body as object), sound_gaps } });
  const made = succeeded(await local.call(generate, at([{ at: 2, seconds: 15.2 }])), 201) as MedicalRecord;
  expect(toldOf(made)).toEqual(['warning: sound_cut']);
  expect(messageOf(made, 'sound_cut')).toMatch(/0:02.* 15 s /);
  // It is asked until somebody decides, whatever is written meanwhile.
  const sections = made.sections.map((section) => ({ ...section, text: `${section.text} Normal.` }));
  const changed = await local.call(update, { token, params: { id: made.id }, body: { sections } });
  expect(toldOf(succeeded(changed, 200) as MedicalRecord)).toEqual(['warning: sound_cut']);
  const written = { text: 'Test Patient. Normal.', sound_gaps: [{ at: 2, seconds: 15 }] };
  expect((await local.call(generate, { token, body: written })).status).toBe(400);
});

describe('becomes an honest document', () => {
  const cases: [string, () => Buffer | Promise<Buffer>, string, string[]][] = [
    ['whole', () => wavOf([tones(organs)]), words, []],
    [
      'of a telephone',
      () => wavOf([tones(low, { rate: 8000 })], { rate: 8000, encoding: 'A-law' }),
      'coração pulmão fígado',
      [],
    ],
    [
      'of 96 kHz in two channels',
      () =>
        wavOf(
          [1, 0.5].map((share) => tones(organs, { rate: 96_000, amplitude: share / 2 })),
          { rate: 96_000, encoding: 'PCM of 24 bits' },
        ),
      words,
      [],
    ],
    ['of which one channel is silent', () => wavOf([silent(2.8), tones(organs)]), words, []],
    [
      'of which one channel has its sign turned',
      () => wavOf([tones(organs), tones(organs).map((sample) => -sample)]),
      words,
      [],
    ],
    [
      'clipped',
      () => wavOf([tones(organs, { amplitude: 1.3 }).map((sample) => Math.max(-1, Math.min(1, sample)))]),
      words,
      [],
    ],
    ['with long silences', () => wavOf([joined(silent(20), tones(organs), silent(20))]), words, []],
    ['without a sound', () => wavOf([silent(6)]), '', ['warning: nothing_heard']],
    ['that ends in the midst of a word', () => wavOf([broken]), `${words} coração`, ['question: sound_cut']],
    [
      'whose file is cut off',
      () => wavOf([tones(organs)]).subarray(0, 60_000),
      'coração pulmão fí',
      ['warning: sound_cut'],
    ],
    [
      'whose head promises more than anybody records',
      () => wavOf([tones(organs)], { promised: 0x7fff_ffff }),
      words,
      [],
    ],
    [
      'in words that the model does not know',
      () => wavOf([tones([7, 7, 7, null, 7, 7, 7, null, 7, 7, 7, null, 7, 7, 7, null])]),
      '',
      ['warning: little_understood'],
    ],
  ];
  test.each(cases)('sound %s', async (_, sound, transcript, told) => {
    const record = await documentOf(local, await sound());
    expect(record.transcript).toBe(transcript);
    expect(toldOf(record)).toEqual(told);
    const said = new Set(transcript.split(' '));
    for (const { text } of record.sections) {
      for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) expect(said).toContain(word);
    }
  });

  test.each<[string, AudioType]>([
    ['tones.webm', 'audio/webm'],
    ['tones.opus.ogg', 'audio/ogg'],
    ['tones.stereo.mp3', 'audio/mpeg'],
    ['tones.m4a', 'audio/mp4'],
    ['tones.fragments.m4a', 'audio/mp4'],
    ['tones.flac', 'audio/flac'],
  ])('of %s, whole and cut off', async (name, type) => {
    const bytes = await fixture(name);
    const whole = await documentOf(local, bytes, { type });
    expect([whole.transcript, toldOf(whole)]).toEqual([words, []]);
    const cut = await documentOf(local, bytes.subarray(0, bytes.length * 0.7), { type });
    expect(words.startsWith(cut.transcript ?? '-')).toBe(true);
    expect(cut.transcript).toMatch(/^coração pulmão/);
    expect(toldOf(cut)).toEqual(['warning: sound_cut']);
    expect(messageOf(cut, 'sound_cut')).toMatch(/cortado/);
  });

  test('of twenty minutes in a hundred kilobytes: its words, and where they were said', async () => {
    const bytes = flacOf([tones([0, 1]), 16_000 * 1200, tones([6]), 16_000]);
    const record = await documentOf(local, bytes, { type: 'audio/flac' });
    expect([record.transcript, toldOf(record)]).toEqual(['coração rim', []]);
    const origin = succeeded(await local.call(provenance, { token: tokens.get(local)!, params: { id: record.id } }));
    expect(origin.heard_words?.at(-1)?.from).toBeCloseTo(1200.8, 0);
  });

  test('and its findings stay when somebody edits, until somebody dismisses them', async () => {
    const { id, sections } = await documentOf(local, wavOf([tones(organs)]).subarray(0, 60_000));
    const ask = { token: tokens.get(local)!, params: { id } };
    const edited = { sections: sections.map((section) => ({ ...section, text: `${section.text} Sem derrame.` })) };
    const record = succeeded(await local.call(update, { ...ask, body: edited }));
    expect(toldOf(record)).toEqual(['warning: sound_cut']);
    const finding = record.findings_to_review!.find(({ kind }) => kind === 'sound_cut')!.id;
    const dismissal = { ...ask, params: { id, finding }, body: { status: 'dismissed' } };
    const reviewed = succeeded(await local.call(decide, dismissal));
    expect(reviewed.findings_to_review!.find((each) => each.id === finding)!.status).toBe('dismissed');
  });
});

describe('is refused, and says why', () => {
  const whole = wavOf([tones(organs)]);
  const cases: [string, () => Buffer | Promise<Buffer>, AudioType, object][] = [
    ['of 0 s', () => wavOf([silent(0)]), 'audio/wav', { message: expect.stringContaining('it holds no sound') }],
    ['of no bytes', () => Buffer.alloc(0), 'audio/wav', { message: expect.any(String) }],
    [
      'that ends in its head',
      () => whole.subarray(0, 30),
      'audio/wav',
      { message: expect.stringContaining('it ends before') },
    ],
    [
      'whose index was never written',
      async () => (await fixture('tones.index-last.m4a')).subarray(0, 9000),
      'audio/mp4',
      { message: expect.stringContaining('its index is missing') },
    ],
    [
      'that promises weeks',
      () => flacOf([tones([0])], { promised: 2 ** 35 }),
      'audio/flac',
      { message: 'The audio is longer than 12 hours. Send it in parts.' },
    ],
    [
      'of a codec that nobody decodes here',
      () => fixture('tones.vorbis.webm'),
      'audio/webm',
      { code: 'UNSUPPORTED_MEDIA_TYPE', message: expect.stringContaining('A_VORBIS') },
    ],
  ];
  test.each(cases)('sound %s', async (_, sound, type, error) => {
    const answer = await local.call(generate, asked(local, await sound(), { type }));
    expect(answer.error).toMatchObject({ code: 'VALIDATION_FAILED', ...error });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
  });

  test('as a job, which fails at once, with the reason', async () => {
    const token = tokens.get(local)!;
    const answer = await local.call(generate, asked(local, wavOf([silent(0)]), { mode: 'async' }));
    const { id } = succeeded(answer, 202);
    const job = async () => succeeded(await local.call(contract.jobs.endpoints.get, { token, params: { id } }));
    await expect.poll(async () => (await job()).status).toBe('failed');
    expect(await job()).toMatchObject({
      attempts: 1,
      error: { code: 'VALIDATION_FAILED', message: expect.stringContaining('it holds no sound') },
    });
  });
});

test('as a job, sound that is cut off becomes the same document', async () => {
  const token = tokens.get(local)!;
  const answer = await local.call(generate, asked(local, wavOf([broken]), { mode: 'async' }));
  const { id } = succeeded(answer, 202);
  const job = async () => succeeded(await local.call(contract.jobs.endpoints.get, { token, params: { id } }));
  await expect.poll(async () => (await job()).status).toBe('completed');
  const params = { id: (await job()).record_id! };
  const record = succeeded(await local.call(contract.records.endpoints.get, { token, params })) as MedicalRecord;
  expect([record.transcript, toldOf(record)]).toEqual([`${words} coração`, ['question: sound_cut']]);
});

describe('a server of speech models', () => {
  /** Sound in which the fake server hears these words, with silence around them. */
  const said = (text: string, ends = 1): Buffer => {
    const spoken = text.split(' ').map((word, at) => ({ text: word, from: 1 + at * 0.5, to: 1.3 + at * 0.5 }));
    return wavOf([saidInTones(spoken, 1 + spoken.length * 0.5 + ends)]);
  };
  const text = 'sem derrame fígado normal';

  test('hears as usual', async () => {
    server.dialect = verbose;
    const record = await documentOf(remote, said(text));
    expect([record.transcript, toldOf(record)]).toEqual([text, []]);
  });

  test('is not asked about silence', async () => {
    const before = server.sounds.length;
    const record = await documentOf(remote, wavOf([silent(6)]));
    expect([record.transcript, toldOf(record), server.sounds.length]).toEqual(['', ['warning: nothing_heard'], before]);
  });

  test.each([
    ['by its name', { language: 'french' }],
    [
      'beside the one that was asked for',
      { language: 'portuguese', detected_language: 'french', detected_language_probability: 0.9 },
    ],
  ])('that names another language, %s, is believed unless the words contradict it', async (_, told) => {
    const french = 'le foie est sans particularité';
    server.dialect = () => ({ body: { ...told, text: french, segments: [] } });
    const foreign = await documentOf(remote, said(text));
    expect([foreign.transcript, toldOf(foreign)]).toEqual([french, ['warning: language_differs']]);
    expect(messageOf(foreign, 'language_differs')).toMatch(/francês.*português/);
    server.dialect = (asked) => ({ body: { ...told, text: asked.words.map(({ text: word }) => word).join(' ') } });
    expect(toldOf(await documentOf(remote, said(text)))).toEqual([]);
  });

  test('without a language gives words whose language is detected', async () => {
    const english = 'the lungs are clear and there is no effusion in the right hemithorax, the liver is normal';
    server.dialect = () => ({ body: { text: english } });
    const record = await documentOf(remote, said(`${text} ${text} ${text}`));
    expect([record.transcript, toldOf(record)]).toEqual([english, ['warning: language_differs']]);
  });

  test('that is hardly sure of the words has that said of the whole', async () => {
    server.dialect = (asked) => ({
      body: {
        text: asked.words.map(({ text: word }) => word).join(' '),
        words: asked.words.map(({ text: word, from, to }) => ({ word, start: from, end: to, probability: 0.2 })),
      },
    });
    const record = await documentOf(remote, said('sem derrame fígado normal rim direita cisto'));
    expect(toldOf(record)).toEqual(['warning: little_understood']);
  });

  test('hears a sound that is cut off, and the document says so', async () => {
    server.dialect = verbose;
    const record = await documentOf(remote, said(text).subarray(0, 80_000));
    expect(toldOf(record)).toEqual(['warning: sound_cut']);
  });
});
