/** Which speech models can be chosen as recogniser, and what an operator is told of one that is tried. */
import { describe, expect, it } from 'vitest';
import type { Recogniser } from '../../../server/speech/recogniser.ts';
import type { AskedSound } from '../../support/fake-transcription-server.ts';
import type { Reply } from '../../support/http-server.ts';
import { refusal } from '../../support/language-model.ts';
import { speechModel } from '../../support/speech-model.ts';

const { server, clock, logged, open, choose } = await speechModel();
const { signal } = new AbortController();

describe('a choice', () => {
  it.each([
    [{ use: 'openai' }, 'model'],
    [{ use: 'openai:x' }, 'url'],
    [{ use: 'openai:x', options: { url: 'ftp://host' } }, 'The url of the recogniser must look like'],
    [{ use: 'openai:x', options: { url: 'https://user:s3cret@host/v1' } }, 'The url of the recogniser must look like'],
    [{ use: 'openai:x', options: { url: 'http://speech.example.com/v1' } }, 'unencrypted'],
    [{ use: 'openai:x', options: { url: 'https://host/v1', at_once: 0 } }, 'at_once'],
    [{ use: 'openai:x', options: { url: 'https://host/v1', profile: 'Groq' } }, 'profile'],
    [{ use: 'openai:x', options: { url: 'https://host/v1', key: 's3cret' } }, 'key is none of its options'],
    [{ use: 'openai:x', options: { url: 'https://host/v1' }, key: 's3cret\nline' }, 'LAUDIO_RECOGNISER_KEY'],
  ])('%j is refused in words', async (choice, words) => {
    const error = (await choose(choice).catch((reason: unknown) => reason)) as { hint?: string };
    expect(error).toMatchObject({ code: 'CONFIGURATION' });
    expect(`${String(error)} ${error.hint}`).toContain(words);
    expect(JSON.stringify(error) + String(error)).not.toContain('s3cret');
  });
});

const sentences: Readonly<Record<string, string>> = {
  pt: 'Os pulmões estão limpos.',
  en: 'The lungs are clear.',
  es: 'Los pulmones están limpios.',
};
const sentence = sentences['en']!;
const loud = ({ samples }: AskedSound): boolean => samples.some((sample) => Math.abs(sample) > 0.05);
/** As Whisper hears the sentences of the trial, and nothing in silence. Without a language it is asked about the Spanish one. */
const whisper = (asked: AskedSound): Reply => {
  const language = (asked.fields['language'] as string | undefined) ?? 'es';
  const text = sentences[language]!;
  return {
    body: loud(asked)
      ? {
          language,
          text,
          words: text.split(' ').map((word, at) => ({ word, start: at * 0.3, end: at * 0.3 + 0.2 })),
          segments: [{ text, start: 0, end: 1.2, avg_logprob: -0.2 }],
        }
      : { text: '', words: [], segments: [] },
  };
};
const works = {
  server: 'works',
  key: 'works',
  model: 'works',
  answer: 'works',
  speech: 'works',
  language: 'works',
  times: 'works',
  confidence: 'works',
  prompt: 'works',
  silence: 'works',
};

describe('a trial', () => {
  const outcomes = async (recogniser?: Recogniser) =>
    Object.fromEntries(
      (await (recogniser ?? (await open())).trials!(signal)).map(({ what, result }) => [what, result]),
    );

  it('reports that all works, with synthetic audio', async () => {
    server.dialect = whisper;
    expect(await outcomes()).toEqual(works);
    expect(server.sounds).toHaveLength(Object.keys(sentences).length + 2);
    expect(logged).toEqual([]);
  });

  it('tries the second model as well, in one line', async () => {
    server.dialect = (asked) => (asked.fields['model'] === 'other-1' ? { body: { text: '' } } : whisper(asked));
    expect(await outcomes(await open({ second: 'other-1' }))).toEqual({ ...works, second: 'fails' });
  });

  it.each<[string, () => void, object]>([
    [
      'its list of models is closed',
      () => void (server.models = refusal(401, 'no')),
      { server: 'untried', key: 'fails', answer: 'untried' },
    ],
    ['it lists no models', () => void (server.models = { status: 404, body: '' }), works],
    [
      'it has not the model',
      () => void (server.dialect = () => refusal(404, 'model not found')),
      { server: 'works', model: 'fails', speech: 'untried' },
    ],
    [
      'it has no transcriptions',
      () => void (server.dialect = () => ({ status: 404, body: '404 page not found' })),
      { server: 'works', answer: 'fails' },
    ],
    ['it takes no key', () => void (server.dialect = () => refusal(403, 'no')), { key: 'fails', times: 'untried' }],
    [
      'it is late',
      () => {
        server.dialect = (asked) => {
          clock.advance(100_000);
          return whisper(asked);
        };
      },
      { ...works, answer: 'partly' },
    ],
    [
      'it hears nothing',
      () => void (server.dialect = () => ({ body: { text: '' } })),
      { answer: 'works', speech: 'fails' },
    ],
    [
      'it hears something else',
      () => void (server.dialect = (asked) => ({ body: { text: loud(asked) ? 'Then loans are dear' : '' } })),
      { speech: 'partly', times: 'partly', confidence: 'partly' },
    ],
    [
      'it tells of sentences, and takes no prompt',
      () => {
        server.dialect = (asked) => {
          if (asked.fields['prompt']) return refusal(400, 'unknown field: prompt');
          return { body: { ...(whisper(asked).body as object), words: null } };
        };
      },
      { ...works, times: 'partly', prompt: 'partly' },
    ],
    [
      'it makes words up over silence',
      () => void (server.dialect = (asked) => (loud(asked) ? whisper(asked) : { body: { text: 'Thank you.' } })),
      { ...works, silence: 'partly' },
    ],
  ])('says what is missing where %s', async (_, set, wanted) => {
    server.dialect = whisper;
    set();
    expect(await outcomes()).toMatchObject(wanted);
  });

  it('says in which language it misheard the sentence, and that it takes any speech for English', async () => {
    server.dialect = (asked) =>
      asked.fields['language'] === 'es' || asked.fields['language'] === undefined
        ? { body: { ...(whisper({ ...asked, fields: { language: 'en' } }).body as object) } }
        : whisper(asked);
    const trials = await (await open()).trials!(signal);
    expect(trials).toContainEqual({
      what: 'speech',
      result: 'partly',
      message: 'The model recognises other words than those of the sentence in Spanish.',
      hint: expect.stringContaining('laudio engine bench') as string,
    });
    expect(trials.find(({ what }) => what === 'language')).toMatchObject({ result: 'partly' });
  });

  it('says that times come without a language only', async () => {
    server.dialect = (asked) =>
      asked.fields['response_format'] === 'json'
        ? { body: { text: loud(asked) ? sentence : '' } }
        : { body: { text: '' } };
    const trials = await (await open()).trials!(signal);
    expect(trials.find(({ what }) => what === 'times')).toMatchObject({
      result: 'partly',
      message: expect.stringContaining('only if no language is requested'),
    });
  });

  it('of a server that is not there ends at once', async () => {
    const recogniser = await open({ url: 'http://127.0.0.1:1/v1' });
    expect(await outcomes(recogniser)).toMatchObject({ server: 'fails', answer: 'untried' });
    await expect(recogniser.probe(signal)).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' });
  });

  it('at the start of a server asks for its models alone', async () => {
    const recogniser = await open();
    await recogniser.probe(signal);
    server.models = { body: { data: [{ id: 'other' }] } };
    await expect(recogniser.probe(signal)).rejects.toMatchObject({ details: { reason: 'model' } });
    expect(server.sounds).toEqual([]);
  });
});
