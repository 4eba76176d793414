/** A speech model behind a server of audio transcriptions: every dialect, every failure, and sounds of any length. */
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import * as fc from '../../support/properties.ts';
import { describe, expect, it, test, vi } from 'vitest';
import type { Recogniser, TranscribeInput } from '../../../server/speech/recogniser.ts';
import { profileNames, getProfile } from '../../../server/speech/openai/recogniser/profiles.ts';
import type { HeardText } from '../../../src/domain/heard-text.ts';
import { describeRecogniser } from '../../suites/recogniser.suite.ts';
import { plain, segmentOf, verbose } from '../../support/fake-transcription-server.ts';
import type { AskedSound } from '../../support/fake-transcription-server.ts';
import type { Reply } from '../../support/http-server.ts';
import { refusal } from '../../support/language-model.ts';
import { dictated, speechModel, spoken } from '../../support/speech-model.ts';
import { toneLexicon } from '../../support/tone-words.ts';

const { server, clock, logged, open, choose, openWithDecoder } = await speechModel();
const { signal } = new AbortController();
const said = 'sem derrame nódulo dois milímetros direita';
const input = dictated(spoken(said), 6);
const hear = async (recogniser?: Recogniser, of: TranscribeInput = input): Promise<HeardText> =>
  (recogniser ?? (await open())).transcribe(of, signal);

/** Lets time pass once the server was asked, since whoever decodes has a deadline too, until the work has ended. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  let isOver = false;
  const over = (): void => void (isOver = true);
  work.then(over, over);
  while (!isOver) {
    if (server.sounds.length > 0) clock.advance(1000);
    await new Promise((resolve) => void setImmediate(resolve));
  }
  return work;
}

/** As vLLM answers. */
const segments = (asked: AskedSound): Reply => ({
  body: { text: asked.words.map(({ text }) => text).join(' '), duration: '6.0', segments: [segmentOf(asked.words)] },
});

describeRecogniser('openai', { hears: 'live' }, open);

test('words come with their times in the whole sound, in which silence was left out', async () => {
  const words = [...spoken('sem derrame', 5), ...spoken('nódulo direita', 40)];
  const heard = await hear(await open(), dictated(words, 60));
  expect(heard.text).toBe('sem derrame nódulo direita');
  heard.words!.forEach(({ start, end, from, to }, at) => {
    expect(heard.text.slice(start, end)).toBe(words[at]!.text);
    expect(Math.abs(from! - words[at]!.from)).toBeLessThan(0.05);
    expect(Math.abs(to! - words[at]!.to)).toBeLessThan(0.05);
  });
  expect(server.sounds).toHaveLength(1);
  expect(server.sounds[0]!.samples.length / 16_000).toBeLessThan(4);
});

test('the server gets the sound, the language, the model and terms of the exam, and nobody’s name', async () => {
  await hear();
  const [{ fields, fileName, headers }] = server.sounds as [AskedSound];
  expect(headers['authorization']).toBe('Bearer k3y-s3cret');
  expect(fields).toMatchObject({
    model: 'whisper-1',
    language: 'pt',
    response_format: 'verbose_json',
    temperature: '0',
  });
  expect(fields['timestamp_granularities[]']).toEqual(['word', 'segment']);
  expect(fields['prompt']).toMatch(/^TC de tórax, /);
  expect(String(fields['prompt']).split(', ').length).toBeLessThanOrEqual(10);
  expect(fileName).toBe('sound.wav');
  expect(server.asked[0]!.bytes.toString('utf8')).not.toMatch(/Maria|Silva|s3cret/);
  await hear(await open({ prompt: false }));
  expect(server.sounds[1]!.fields).not.toHaveProperty('prompt');
});

test.each(['webm', 'm4a', 'ogg', 'wav'] as const)('speech in %s reaches the server as WAV', async (ending) => {
  server.dialect = () => ({ body: { text: 'sem derrame' } });
  const file = await readFile(new URL(`../../fixtures/audio/speech.${ending}`, import.meta.url));
  const types = { webm: 'audio/webm', m4a: 'audio/mp4', ogg: 'audio/ogg', wav: 'audio/wav' } as const;
  const audio = { ...input.audio, content_type: types[ending] };
  const heard = await hear(await openWithDecoder(), { ...input, audio, read: async () => Readable.from([file]) });
  // No whole file seems to be cut off.
  expect(heard).toEqual({ text: 'sem derrame', sound: { voiced: expect.closeTo(0.8, 1) } });
  expect(server.sounds[0]!.samples.some((sample) => Math.abs(sample) > 0.05)).toBe(true);
});

test('a sound without a voice is not sent, and has no words', async () => {
  expect(await hear(await open(), dictated([], 30))).toEqual({ text: '', sound: { voiced: 0 } });
  expect(server.sounds).toEqual([]);
});

test('a dictation of any length is heard piece by piece: each word once, in order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ text: fc.constantFrom(...toneLexicon), gap: fc.integer({ min: 8, max: 300 }) }), {
        minLength: 20,
        maxLength: 60,
      }),
      fc.constantFrom(verbose, segments, plain),
      async (entries, dialect) => {
        server.dialect = dialect;
        let at = 0.5;
        const words = entries.map(({ text, gap }) => {
          const from = at;
          at += 0.3 + gap / 100;
          return { text, from, to: from + 0.3 };
        });
        const recogniser = await open({ seconds: 10, at_once: 3, twice: true });
        const heard = await hear(recogniser, dictated(words, at));
        expect(heard.text).toBe(words.map(({ text }) => text).join(' '));
        for (const { samples } of server.sounds) expect(samples.length / 16_000).toBeLessThanOrEqual(10.02);
        await recogniser.close();
      },
    ),
    { numRuns: 5 },
  );
});

describe('a server is asked for what it does', () => {
  const fieldsOf = (at: number): object => {
    const { model: _model, language, prompt: _prompt, ...rest } = server.sounds.at(at)!.fields;
    expect(language).toBe('pt');
    return rest;
  };
  it.each<[string, (asked: AskedSound) => Reply, object, boolean]>([
    [
      'gpt-4o: the text alone',
      (asked) =>
        asked.fields['response_format'] === 'json'
          ? plain(asked)
          : refusal(400, "response_format 'verbose_json' is not compatible with model 'gpt-4o-transcribe'"),
      { response_format: 'json', temperature: '0' },
      false,
    ],
    [
      'vLLM: segments, for which no words are asked',
      (asked) =>
        asked.fields['timestamp_granularities[]']
          ? refusal(400, 'timestamp_granularities: only segment is supported')
          : segments(asked),
      { response_format: 'verbose_json', temperature: '0' },
      true,
    ],
    [
      'speaches: words only for timestamp_granularities[]',
      (asked) => (asked.fields['timestamp_granularities[]'] ? verbose(asked) : segments(asked)),
      { response_format: 'verbose_json', 'timestamp_granularities[]': ['word', 'segment'], temperature: '0' },
      true,
    ],
    [
      'LocalAI: words are null',
      (asked) => ({ body: { ...(segments(asked).body as object), words: null } }),
      { response_format: 'verbose_json', 'timestamp_granularities[]': ['word', 'segment'], temperature: '0' },
      true,
    ],
    [
      'Mistral: nothing where language and times are both asked for',
      (asked) => (asked.fields['response_format'] === 'json' ? plain(asked) : { body: { text: '', segments: [] } }),
      { response_format: 'json', temperature: '0' },
      false,
    ],
    [
      'a server that takes no temperature and no prompt',
      (asked) =>
        asked.fields['temperature']
          ? refusal(422, 'extra fields not permitted: temperature')
          : asked.fields['prompt']
            ? refusal(422, 'extra fields not permitted: prompt')
            : verbose(asked),
      { response_format: 'verbose_json', 'timestamp_granularities[]': ['word', 'segment'] },
      true,
    ],
    [
      'a server that does not say what it refuses',
      (asked) => (asked.fields['response_format'] === 'verbose_json' ? refusal(400, 'Bad request') : plain(asked)),
      { response_format: 'json', temperature: '0' },
      false,
    ],
  ])('%s', async (_, dialect, fields, isTimed) => {
    server.dialect = dialect;
    const recogniser = await open();
    const heard = await hear(recogniser);
    expect(heard.text).toBe(said);
    expect(heard.words?.every(({ from }) => from !== undefined) ?? false).toBe(isTimed);
    for (const { confidence } of heard.words ?? []) expect(confidence ?? 0).toBeLessThan(1);
    const before = server.sounds.length;
    expect((await hear(recogniser)).text).toBe(said);
    expect(server.sounds).toHaveLength(before + 1);
    expect(fieldsOf(-1)).toEqual(fields);
  });

  it('the language is always sent: a server that refuses it is reported', async () => {
    server.dialect = () => refusal(400, "Unsupported language: 'pt'");
    await expect(hear()).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE', details: { reason: 'refused' } });
    expect(server.sounds).toHaveLength(1);
  });

  it.each([
    [{ url: 'https://api.groq.com/openai/v1', model: 'whisper-large-v3' }, 'api.groq.com'],
    [{ url: 'https://whisper.hospital.example:8443/v1', model: 'm' }, 'whisper.hospital.example:8443'],
  ])('and %j says where sound goes', async ({ url, model }, host) => {
    expect((await choose({ use: `openai:${model}`, options: { url } })).sendsTo).toBe(host);
    expect((await open()).sendsTo).toBeUndefined();
  });

  it('has a profile by its name', async () => {
    for (const name of profileNames) {
      const recogniser = await open({ profile: name });
      await hear(recogniser);
      expect(server.sounds.at(-1)!.fields['prompt'] === undefined).toBe(getProfile(name).promptTokens === 0);
    }
    await expect(open({ profile: 'other' })).rejects.toMatchObject({ code: 'CONFIGURATION' });
  });
});

describe('invented words of the model are kept separately', () => {
  const answering =
    (text: string, rest: object = {}) =>
    (asked: AskedSound): Reply => ({
      body: {
        text: `${text} sem derrame`,
        segments: [
          { text: ` ${text}`, start: 0, end: 0.2, avg_logprob: -0.1, no_speech_prob: 0, ...rest },
          { ...segmentOf(asked.words), text: ' sem derrame' },
        ],
      },
    });
  it.each<[string, (asked: AskedSound) => Reply, string]>([
    ['the prompt', (asked) => answering(String(asked.fields['prompt']))(asked), 'echo'],
    [
      'words over silence',
      answering('Muito obrigado a todos', { avg_logprob: -1.4, no_speech_prob: '0.9' }),
      'silence',
    ],
    ['what stands below films', answering('Legendas pela comunidade Amara.org'), 'silence'],
  ])('%s', async (_, dialect, reason) => {
    server.dialect = dialect;
    const heard = await hear();
    expect(heard.text).toBe('sem derrame');
    expect(heard.suppressed).toMatchObject([{ reason, at: 0, from: expect.any(Number) }]);
  });

  it('an answer that is the prompt alone is no word at all', async () => {
    server.dialect = ({ fields }) => ({ body: { text: fields['prompt'] } });
    expect(await hear()).toMatchObject({ text: '', suppressed: [{ reason: 'echo', at: 0 }] });
  });
});

describe('failures', () => {
  it.each<[string, string, number, () => Reply]>([
    ['the key is refused', 'key', 1, () => refusal(401, 'Incorrect API key provided: k3y-s3cret')],
    ['there is no such model', 'model', 1, () => refusal(404, 'Model "whisper-1" is not installed locally')],
    ['there is no such address, as with Ollama', 'address', 1, () => ({ status: 404, body: '404 page not found' })],
    ['there are too many requests', 'busy', 4, () => refusal(429, 'Rate limit')],
    ['it has to be waited for too long', 'busy', 1, () => refusal(429, 'Rate limit', { 'retry-after': '3600' })],
    ['it is overloaded', 'busy', 4, () => ({ status: 503, body: '<html>Service Unavailable</html>' })],
    ['it fails', 'failed', 4, () => ({ status: 500, body: '<html>oops</html>' })],
    ['it fails with 200', 'failed', 4, () => ({ body: { error: 'failed to read the audio' } })],
    ['the connection is cut', 'unreachable', 8, () => ({ cut: true })],
    ['the answer is a page', 'unreadable', 1, () => ({ body: '<html>Sign in</html>' })],
    ['the answer is another API', 'unreadable', 1, () => ({ body: { choices: [] } })],
    ['the answer breaks off', 'unreadable', 1, () => ({ body: '{"text":"sem' })],
    ['the answer is far too long', 'unreadable', 1, () => ({ body: `{"text":"${'a '.repeat(600_000)}"}` })],
    ['a gateway gives up', 'slow', 1, () => ({ status: 504, body: '' })],
  ])('%s', async (_, reason, requests, dialect) => {
    server.dialect = dialect;
    const failure: unknown = await inTime(hear()).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'ENGINE_UNAVAILABLE', details: { reason } });
    expect(server.sounds).toHaveLength(requests);
    expect(JSON.stringify([failure, String(failure), logged])).not.toMatch(/s3cret|oops|Sign in|derrame/);
  });

  it('an answer without an end', async () => {
    server.dialect = () => ({
      body: (async function* () {
        for (;;) yield ' '.repeat(65_536);
      })(),
    });
    await expect(hear()).rejects.toMatchObject({ details: { reason: 'unreadable' } });
  });

  it('it does not answer in time', async () => {
    const asked = Promise.withResolvers<void>();
    server.dialect = () => {
      asked.resolve();
      return new Promise(() => {});
    };
    const hearing = hear(await open({ timeout: 30 }));
    await asked.promise;
    clock.advance(30_000);
    await expect(hearing).rejects.toMatchObject({ details: { reason: 'slow' } });
    expect(server.sounds).toHaveLength(1);
  });

  it('a redirect is not followed: neither the key nor the sound goes anywhere else', async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      server.dialect = () => ({ status, headers: { location: `${server.url}/elsewhere` }, body: '' });
      await expect(hear()).rejects.toMatchObject({ details: { reason: 'address' } });
    }
    expect(server.asked.map(({ path }) => path)).toEqual(Array(5).fill('/v1/audio/transcriptions'));
  });

  it('the sound cannot be read', async () => {
    const read = async (): Promise<Readable> =>
      Readable.from([Buffer.from('not a sound, but enough bytes to look at'.repeat(9))]);
    await expect(hear(await open(), { ...input, read })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    expect(server.sounds).toEqual([]);
  });
});

describe('asked again', () => {
  it('after as long as the server says, and what passes is nobody’s trouble', async () => {
    server.dialect = (asked, count) => (count === 1 ? refusal(429, 'x', { 'retry-after': '20' }) : verbose(asked));
    const scheduled = vi.spyOn(clock, 'schedule');
    const again = clock.now() + 20_000;
    const hearing = hear();
    // The answer has come once what waits for that time does.
    await expect.poll(() => scheduled.mock.calls.some(([at]) => at === again)).toBe(true);
    clock.advance(19_999);
    expect(server.sounds).toHaveLength(1);
    clock.advance(1);
    expect((await hearing).text).toBe(said);
  });

  it.each<[string, Reply]>([
    ['a cut', { cut: true }],
    ['an overload', { status: 503, body: '' }],
    ['a failure', { status: 502, body: '<html>' }],
  ])('after %s', async (_, reply) => {
    server.dialect = (asked, count) => (count <= 2 ? reply : verbose(asked));
    expect((await inTime(hear())).text).toBe(said);
  });
});

test('a piece that is too long for the server goes in smaller ones, and so do those after it', async () => {
  server.dialect = (asked) =>
    asked.samples.length > 9 * 16_000
      ? { status: 413, body: '<html>413 Request Entity Too Large</html>' }
      : verbose(asked);
  const words = spoken(Array(40).fill('nódulo seis milímetros').join(' '));
  const recogniser = await open({ seconds: 30, at_once: 1 });
  const heard = await hear(recogniser, dictated(words, 62));
  expect(heard.text).toBe(words.map(({ text }) => text).join(' '));
  const refused = server.sounds.filter(({ samples }) => samples.length > 9 * 16_000).length;
  expect(refused).toBeLessThan(server.sounds.length / 2);
});

test('so many requests at once as were set, over all dictations, and the order is that of the sound', async () => {
  let [present, most] = [0, 0];
  server.dialect = async (asked, count) => {
    most = Math.max(most, (present += 1));
    // Later ones are answered first.
    for (let turns = 0; turns < 20 - count * 2; turns += 1) await new Promise((resolve) => void setImmediate(resolve));
    present -= 1;
    return verbose(asked);
  };
  const words = spoken(Array(14).fill('cisto rim baço').join(' '), 1, 0.7);
  const recogniser = await open({ seconds: 10, at_once: 2 });
  const [one, other] = await Promise.all([
    hear(recogniser, dictated(words, 44)),
    hear(recogniser, dictated(words, 44)),
  ]);
  expect(one.text).toBe(words.map(({ text }) => text).join(' '));
  expect(other).toEqual(one);
  expect(most).toBe(2);
  expect(server.sounds.length).toBeGreaterThan(6);
});

test('one that nobody waits for any more leaves its places at once', async () => {
  const asked = Promise.withResolvers<void>();
  server.dialect = () => {
    asked.resolve();
    return new Promise(() => {});
  };
  const recogniser = await open({ at_once: 1 });
  const caller = new AbortController();
  const first = recogniser.transcribe(input, caller.signal);
  await asked.promise;
  const waiting = new AbortController();
  const second = recogniser.transcribe(input, waiting.signal);
  waiting.abort();
  await expect(second).rejects.toThrow();
  caller.abort();
  await expect(first).rejects.toThrow();
  server.dialect = verbose;
  expect((await hear(recogniser)).text).toBe(said);
});

test('a second model of the server hears facts again, and the first hears where they differ', async () => {
  server.dialect = (asked) => {
    const isOther = asked.fields['model'] === 'other-1';
    const words = asked.words.map((word) =>
      isOther && word.text === 'direita' ? { ...word, text: 'esquerda' } : word,
    );
    return verbose({ ...asked, words });
  };
  const recogniser = await open({ twice: true, second: 'other-1', doubt: 0.34 });
  const heard = await hear(recogniser);
  expect(heard.text).toBe(said);
  expect(server.sounds.map(({ fields }) => fields['model'])).toEqual(['whisper-1', 'other-1', 'whisper-1']);
  expect(heard.otherReadings).toMatchObject([{ text: expect.stringContaining('esquerda') }]);
  await expect(recogniser.probe(signal)).rejects.toMatchObject({ details: { reason: 'model' } });
});

test('where one piece fails, the others are called off', async () => {
  server.dialect = (_asked, count) => (count === 2 ? refusal(401, 'no') : new Promise(() => {}));
  const words = spoken(Array(14).fill('cisto rim baço').join(' '), 1, 0.7);
  const hearing = hear(await open({ seconds: 10, at_once: 3, twice: true }), dictated(words, 44));
  await expect(hearing).rejects.toMatchObject({ details: { reason: 'key' } });
});
