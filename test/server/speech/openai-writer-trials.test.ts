/** Which language models can be chosen as writer, and what an operator is told of one that is tried. */
import { describe, expect, it, test } from 'vitest';
import type { Writer } from '../../../server/speech/writer.ts';
import { completion } from '../../support/fake-chat-server.ts';
import { languageModel, refusal } from '../../support/language-model.ts';

const { server, clock, logged, open, choose } = await languageModel();
const { signal } = new AbortController();

test('a key that no header can hold is refused in words', async () => {
  const choice = { use: 'openai:x', options: { url: 'https://host/v1' }, key: 's3cret\nline' };
  const opening = choose(choice);
  await expect(opening).rejects.toMatchObject({
    code: 'CONFIGURATION',
    message: expect.not.stringContaining('s3cret'),
  });
});

describe('a choice', () => {
  it.each([
    [{ use: 'openai' }, 'model'],
    [{ use: 'openai:x' }, 'url'],
    [{ use: 'openai:x', options: { url: 'ftp://host' } }, 'The url of the writer must look like'],
    [{ use: 'openai:x', options: { url: 'https://user:s3cret@host/v1' } }, 'The url of the writer must look like'],
    [{ use: 'openai:x', options: { url: 'https://host/v1?key=s3cret' } }, 'The url of the writer must look like'],
    [{ use: 'openai:x', options: { url: 'http://llm.example.com/v1' } }, 'unencrypted'],
    [{ use: 'openai:x', options: { url: 'https://host/v1', timeout: 0 } }, 'timeout'],
    [{ use: 'openai:x', options: { url: 'https://host/v1', key: 's3cret' } }, 'key is none of its options'],
  ])('%j is refused in words', async (choice, words) => {
    const error: unknown = await choose(choice).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'CONFIGURATION' });
    expect(String(error)).toContain(words);
    expect(JSON.stringify(error) + String(error)).not.toContain('s3cret');
  });
});

describe('a trial', () => {
  const outcomes = async (writer?: Writer) =>
    Object.fromEntries((await (writer ?? (await open())).trials!(signal)).map(({ what, result }) => [what, result]));
  const works = { server: 'works', key: 'works', model: 'works', answer: 'works', json: 'works', proposals: 'works' };

  it('reports that all works, without anybody’s dictation', async () => {
    expect(await outcomes()).toEqual(works);
    expect(logged).toEqual([]);
  });

  it.each<[string, () => void, object]>([
    [
      'its list of models is closed',
      () => void (server.models = refusal(401, 'no')),
      { server: 'untried', key: 'fails', answer: 'untried' },
    ],
    ['it lists no models', () => void (server.models = { status: 404, body: '' }), works],
    ['it lists other models, and has this one', () => void (server.models = { body: { data: [{ id: 'a' }] } }), works],
    ['it lists something else', () => void (server.models = { body: [1] }), works],
    [
      'it has not the model',
      () => void (server.dialect = () => refusal(404, 'model not found')),
      { server: 'works', model: 'fails', answer: 'untried' },
    ],
    [
      'it takes no key',
      () => void (server.dialect = () => refusal(403, 'no')),
      { server: 'works', key: 'fails', json: 'untried' },
    ],
    [
      'it is busy',
      () => void (server.dialect = () => refusal(429, 'no')),
      { server: 'works', answer: 'fails', json: 'untried' },
    ],
    [
      'it has JSON mode alone',
      () =>
        void (server.dialect = (content, { body }) =>
          body.includes('json_schema') ? refusal(400, 'json_schema') : completion(content)),
      { ...works, json: 'partly' },
    ],
    [
      'it only chats',
      () => void (server.dialect = () => completion('Hello!')),
      { answer: 'works', json: 'fails', proposals: 'untried' },
    ],
    [
      'it keeps to the form at the second attempt',
      () => {
        server.dialect = (content) => completion(server.chats().length === 1 ? 'Hello!' : content);
      },
      { ...works, json: 'partly' },
    ],
    [
      'it is late',
      () => {
        server.dialect = (content) => {
          clock.advance(11_000);
          return completion(content);
        };
      },
      { ...works, answer: 'partly' },
    ],
    [
      'it proposes what is refused',
      () => void (server.model = () => ({ text: 'Cancer.' })),
      { ...works, proposals: 'partly' },
    ],
  ])('says what is missing where %s', async (_, set, wanted) => {
    set();
    expect(await outcomes()).toMatchObject(wanted);
  });

  it('names the models that there are, where the one that was chosen is not', async () => {
    server.models = { body: { data: [{ id: 'large' }, { id: 'small' }] } };
    server.dialect = () => refusal(404, 'model not found');
    const trials = await (await open()).trials!(signal);
    expect(trials.find(({ what }) => what === 'model')).toMatchObject({
      result: 'fails',
      hint: 'The server lists large, small.',
    });
  });

  it('of a server that is not there ends at once', async () => {
    const writer = await open({ url: 'http://127.0.0.1:1/v1' });
    expect(await outcomes(writer)).toMatchObject({ server: 'fails', answer: 'untried' });
    await expect(writer.probe(signal)).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' });
  });

  it('at the start of a server asks for its models alone', async () => {
    const writer = await open();
    await writer.probe(signal);
    server.models = { body: { data: [{ id: 'other' }] } };
    await expect(writer.probe(signal)).rejects.toMatchObject({ details: { reason: 'model' } });
    expect(server.chats()).toEqual([]);
  });
});
