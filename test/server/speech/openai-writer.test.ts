/** A language model as writer: labels and proposals, in every dialect, and the rules' document wherever it fails. */
import { beforeEach, describe, expect, it, test } from 'vitest';
import type { ComposeInput } from '../../../server/speech/writer-data.ts';
import { shippedTemplates } from '../../../src/reporting/templates/shipped/index.ts';
import { templateIn } from '../../../src/reporting/templates/template.ts';
import { describeWriter } from '../../suites/writer.suite.ts';
import { completion, questionIn } from '../../support/fake-chat-server.ts';
import type { Reply } from '../../support/http-server.ts';
import { languageModel, refusal } from '../../support/language-model.ts';

const { server, clock, logged, open, choose } = await languageModel();
const rules = await choose({ use: 'rules' });
const [id, data] = Object.entries(shippedTemplates)[0]!;
const template = templateIn('en-US', id, data);
const { signal } = new AbortController();
const said = 'Test Patient. Cough at night. er nodule 6 mm right upper lobe. Impression: lung nodule.';
const input: ComposeInput = { heard: { text: said }, template, language: 'en-US', exam: null };
const byRules = await rules.compose(input, signal);
const textIn = ({ sections }: { sections: readonly { key: string; text: string }[] }, key: string) =>
  sections.find((section) => section.key === key)?.text;
const toFindings = 'Cough at night. Er nodule 6 mm right upper lobe.';
const better = (sentence: { text: string }): { section?: string; text?: string } => {
  if (sentence.text.startsWith('Cough')) return { section: 'impression' };
  return sentence.text.startsWith('er') ? { text: 'A nodule of 6 mm in the right upper lobe.' } : {};
};

describe('with a model that is not to be trusted', () => {
  const spoilt = [
    (text: string) => `${text} with cancer`,
    (text: string) => text.replace(/\d/g, '9'),
    (text: string) => `not ${text}`,
    (text: string) => text.split(' ').toReversed().join(' '),
    (text: string) => text.toUpperCase(),
  ];
  beforeEach(() => {
    server.model = ({ text }) => ({ section: 'impression', text: spoilt[text.length % spoilt.length]!(text) });
  });
  describeWriter('openai', open, { leavesLong: true });
});

test('a sentence is put where the model says, its wording is proposed, and both are shown', async () => {
  server.model = better;
  const document = await (await open()).compose(input, signal);
  expect(textIn(byRules, 'findings')).toBe(toFindings);
  expect(textIn(document, 'findings')).toBe('A nodule of 6 mm in the right upper lobe.');
  expect(textIn(document, 'impression')).toBe('Cough at night. Lung nodule.');
  expect(document.provenance.operations.map(({ step, rule }) => `${step} ${rule}`)).toEqual(
    expect.arrayContaining(['sections label', 'wording proposal']),
  );
  expect(logged).toMatchObject([{ event: 'writer_proposals', sentences: 3, labels: 2, wordings: 1, refused: {} }]);
});

test('the model gets sentences and sections, and no names; the key is only in a header', async () => {
  await (
    await open()
  ).compose({ ...input, exam: { patient_name: 'Paciente Teste', modality: 'CT', exam_description: 'Chest' } }, signal);
  const [chat] = server.chats();
  expect(chat!.headers['authorization']).toBe('Bearer k3y-s3cret');
  expect(chat!.body).not.toMatch(/Paciente|Test Patient|s3cret/);
  expect(questionIn(chat!).sentences.map(({ text }) => text)).toEqual([
    'Cough at night.',
    'er nodule 6 mm right upper lobe.',
    'lung nodule.',
  ]);
  expect(JSON.parse(chat!.body)).toMatchObject({ model: 'medical-small', stream: false, temperature: 0 });
});

test('without wording only what has no section is asked about', async () => {
  const writer = await open({ wording: false });
  server.model = better;
  expect(textIn(await writer.compose(input, signal), 'findings')).toBe('Er nodule 6 mm right upper lobe.');
  expect(questionIn(server.chats()[0]!).sentences).toHaveLength(2);
  await writer.compose({ ...input, heard: { text: 'Findings: cyst.' } }, signal);
  expect(server.chats()).toHaveLength(1);
});

test('refusals are counted, and their text is never shown', async () => {
  server.model = ({ text }) => {
    if (text.startsWith('Cough')) return { section: 'patient' };
    return text.startsWith('er')
      ? { text: 'Nodule 9 mm left upper lobe.' }
      : { text: 'Lung cancer.', section: 'findings' };
  };
  const document = await (await open()).compose(input, signal);
  expect(document.sections).toEqual(byRules.sections);
  expect(logged).toMatchObject([{ level: 'info', refused: { facts: 1, words: 1, section: 2 } }]);
  expect(JSON.stringify(logged)).not.toMatch(/nodule|cough|cancer/i);
});

test('an instruction is carried out by the rules, and the model is not asked', async () => {
  const sections = [{ key: 'findings', title: 'Findings', text: 'Cyst on the right.' }];
  const correction = { instruction: 'Replace right with left', sections, last: null, language: 'en-US' as const };
  const writer = await open();
  expect(await writer.correct(correction, signal)).toEqual(await rules.correct(correction, signal));
  expect(server.asked).toEqual([]);
});

const events = (pieces: readonly object[], end = 'data: [DONE]\n\n'): Reply => ({
  headers: { 'content-type': 'text/event-stream' },
  body: `: hello\n\n${pieces.map((piece) => `data: ${JSON.stringify(piece)}\r\n\r\n`).join('')}${end}`,
});
const delta = (content: string, rest: object = {}): object => ({
  choices: [{ index: 0, delta: { content }, ...rest }],
});
const halves = (text: string): string[] => [text.slice(0, 20), text.slice(20)];

describe('accepted answers of a model', () => {
  it.each<[string, (content: string) => Reply]>([
    ['as the format has it', (content) => completion(content)],
    [
      'as events that nobody asked for',
      (content) => events([...halves(content).map((half) => delta(half)), delta('', { finish_reason: 'stop' })]),
    ],
    [
      'as events without a type',
      (content) => ({ ...events([delta(content, { finish_reason: 'stop' })], ''), headers: {} }),
    ],
    ['with a byte order mark', (content) => ({ body: `\uFEFF${JSON.stringify(completion(content).body)}` })],
    ['in a fence', (content) => completion(`Here you are:\n\`\`\`json\n${content}\n\`\`\`\nDone.`)],
    ['after thoughts', (content) => completion(`<think>The {user} wants [JSON].</think>\n${content}`)],
    ['with thoughts beside it', (content) => completion(content, { message: { content, reasoning_content: 'Hm.' } })],
    ['in parts', (content) => completion(halves(content).map((text) => ({ type: 'text', text })))],
    [
      'as a tool',
      (content) =>
        completion(null, {
          message: {
            content: null,
            tool_calls: [{ type: 'function', function: { name: 'sentences', arguments: content } }],
          },
          finish_reason: 'tool_calls',
        }),
    ],
    [
      'as a tool, in events',
      (content) =>
        events(
          halves(content).map((half) => ({
            choices: [{ delta: { tool_calls: [{ index: 0, function: { arguments: half } }] } }],
          })),
        ),
    ],
    ['as an old function', (content) => completion(null, { message: { function_call: { arguments: content } } })],
    ['as text of JSON', (content) => completion(JSON.stringify(content))],
    [
      'as a bare list, with ids as text',
      (content) =>
        completion(
          JSON.stringify(
            (JSON.parse(content) as { sentences: { id: number }[] }).sentences
              .map((each) => ({ ...each, id: String(each.id) }))
              .toReversed(),
          ),
        ),
    ],
    [
      'with null for what there is not',
      (content) => completion(content, { message: { content, refusal: null, tool_calls: null } }),
    ],
  ])('%s', async (_, dialect) => {
    server.model = better;
    server.dialect = dialect;
    const document = await (await open()).compose(input, signal);
    expect(textIn(document, 'findings')).toBe('A nodule of 6 mm in the right upper lobe.');
    expect(server.chats()).toHaveLength(1);
  });
});

describe('the document is that of the rules, at once or after one repair, where', () => {
  it.each<[string, string, number, (content: string) => Reply]>([
    ['the key is refused', 'key', 1, () => refusal(401, 'Incorrect API key provided: k3y-s3cret')],
    ['there is no such model', 'model', 1, () => refusal(404, 'The model `medical-small` does not exist')],
    ['there is no such address', 'address', 1, () => ({ status: 404, body: 'Not Found' })],
    ['it is elsewhere', 'address', 1, () => ({ status: 307, headers: { location: 'http://127.0.0.1:1/' }, body: '' })],
    ['there are too many requests', 'busy', 1, () => refusal(429, 'Rate limit', { 'retry-after': '7' })],
    ['it is overloaded', 'busy', 1, () => refusal(503, 'Loading model')],
    ['it fails', 'failed', 1, () => ({ status: 500, body: '<html>oops</html>' })],
    ['it fails with 200', 'failed', 1, () => ({ body: { error: { message: 'CUDA out of memory' } } })],
    ['the connection is cut, twice', 'unreachable', 2, () => ({ cut: true })],
    [
      'the text is too long for it',
      'too_long',
      1,
      () => refusal(400, "This model's maximum context length is 10 tokens"),
    ],
    [
      'the answer is cut short',
      'truncated',
      1,
      (content) => completion(content.slice(0, 30), { finish_reason: 'length' }),
    ],
    ['events end in the middle', 'truncated', 1, (content) => events([delta(content.slice(0, 30))], '')],
    ['its policy declines', 'declined', 1, () => refusal(400, 'The response was filtered: content_filter')],
    ['it declines', 'declined', 1, () => completion(null, { message: { content: null, refusal: 'I cannot help.' } })],
    ['its filter declines', 'declined', 1, () => completion('', { finish_reason: 'content_filter' })],
    ['the answer is a page', 'unreadable', 1, () => ({ body: '<html>Sign in</html>' })],
    ['the answer is another API', 'unreadable', 1, () => ({ body: { message: { content: '{}' } } })],
    ['the answer has no choice', 'unfit', 1, () => ({ body: { choices: [] } })],
    ['the answer is far too long', 'unreadable', 1, () => ({ body: ' '.repeat(1_100_000) })],
    ['it chats', 'unfit', 2, () => completion('Of course! The lungs are {clear}.')],
    ['its JSON breaks off', 'unfit', 2, (content) => completion(content.slice(0, -3))],
    ['it forgets a sentence', 'unfit', 2, () => completion('{"sentences":[]}')],
    ['it makes a sentence up', 'unfit', 2, (content) => completion(content.replace('"id":1', '"id":99'))],
    ['it names a sentence twice', 'unfit', 2, (content) => completion(content.replace('"id":2', '"id":1'))],
    ['it gives other types', 'unfit', 2, (content) => completion(content.replaceAll('"findings"', '7'))],
    ['it gives nothing', 'unfit', 2, () => completion('null')],
  ])('%s', async (_, reason, chats, dialect) => {
    server.dialect = dialect;
    const document = await (await open()).compose(input, signal);
    expect(document.sections).toEqual(byRules.sections);
    expect(document.provenance).toEqual(byRules.provenance);
    expect(server.chats()).toHaveLength(chats);
    expect(logged).toMatchObject([{ event: 'writer_fell_back', reason }]);
    expect(JSON.stringify(logged)).not.toMatch(/nodule|cough|s3cret|CUDA|clear/i);
  });

  it('nothing listens', async () => {
    const writer = await open({ url: 'http://127.0.0.1:1/v1' });
    expect((await writer.compose(input, signal)).sections).toEqual(byRules.sections);
    expect(logged).toMatchObject([{ reason: 'unreachable' }]);
  });

  it('it is slow', async () => {
    const asked = Promise.withResolvers<void>();
    server.dialect = () => {
      asked.resolve();
      return new Promise(() => {});
    };
    const composing = (await open({ timeout: 5 })).compose(input, signal);
    await asked.promise;
    clock.advance(5000);
    expect((await composing).sections).toEqual(byRules.sections);
    expect(logged).toMatchObject([{ reason: 'slow', pause_s: 30 }]);
  });

  it('the document is very long: nothing is sent', async () => {
    const long = { ...input, heard: { text: 'Lungs are clear. '.repeat(1500) } };
    expect(await (await open()).compose(long, signal)).toEqual(await rules.compose(long, signal));
    expect(server.asked).toEqual([]);
  });
});

test('an answer without the form is asked for once more, and then taken', async () => {
  server.model = better;
  server.dialect = (content, _asked, count) => completion(server.chats().length === 1 ? `Sure ${count}` : content);
  expect(textIn(await (await open()).compose(input, signal), 'findings')).toMatch(/^A nodule/);
  const { messages } = JSON.parse(server.chats()[1]!.body) as { messages: { role: string }[] };
  expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
});

test('after a failure the model is left in peace for a while, and asked again then', async () => {
  const writer = await open();
  server.dialect = () => refusal(429, 'slow down', { 'retry-after': '7' });
  await writer.compose(input, signal);
  server.dialect = completion;
  await writer.compose(input, signal);
  clock.advance(6999);
  await writer.compose(input, signal);
  expect(server.chats()).toHaveLength(1);
  clock.advance(1);
  await writer.compose(input, signal);
  expect(server.chats()).toHaveLength(2);
  expect(logged).toMatchObject([{ pause_s: 7 }, { event: 'writer_proposals', skipped: 2 }]);
});

describe('a server is asked for what it takes', () => {
  const took = (): object[] =>
    server.chats().map(({ body }) => {
      const {
        messages: _messages,
        model: _model,
        stream: _stream,
        ...rest
      } = JSON.parse(body) as Record<string, unknown>;
      return Object.keys(rest).map((key) => (key === 'response_format' ? (rest[key] as { type: string }).type : key));
    });
  it.each<[string, (body: string) => Reply | undefined, string[]]>([
    [
      'but not JSON Schema',
      (body) =>
        body.includes('json_schema') ? refusal(400, "'response_format.type' must be 'json_object'") : undefined,
      ['reasoning_effort', 'chat_template_kwargs', 'temperature', 'json_object'],
    ],
    [
      'no format',
      (body) =>
        body.includes('response_format') ? refusal(422, 'extra fields not permitted: response_format') : undefined,
      ['reasoning_effort', 'chat_template_kwargs', 'temperature'],
    ],
    [
      'no temperature',
      (body) => (body.includes('temperature') ? refusal(400, "Unsupported value: 'temperature'") : undefined),
      ['reasoning_effort', 'chat_template_kwargs', 'json_schema'],
    ],
    [
      'no thinking',
      (body) =>
        body.includes('reasoning_effort')
          ? refusal(400, 'Unrecognized request argument supplied: reasoning_effort')
          : undefined,
      ['temperature', 'json_schema'],
    ],
    [
      'nothing more, and does not say so',
      (body) => (/reasoning|temperature|response_format/.test(body) ? refusal(400, 'Bad request') : undefined),
      [],
    ],
  ])('%s: what it refused is not asked again', async (_, refuses, wanted) => {
    server.dialect = (content, { body }) => refuses(body) ?? completion(content);
    const writer = await open();
    await writer.compose(input, signal);
    expect(logged).toMatchObject([{ event: 'writer_proposals' }]);
    const before = server.chats().length;
    await writer.compose(input, signal);
    expect(server.chats()).toHaveLength(before + 1);
    expect(took().at(-1)).toEqual(wanted);
  });

  it('a server that refuses everything ends it', async () => {
    server.dialect = () => refusal(400, 'Bad request');
    expect((await (await open()).compose(input, signal)).sections).toEqual(byRules.sections);
    expect(logged).toMatchObject([{ reason: 'refused' }]);
  });

  it('a refused document is asked for again by the next', async () => {
    const writer = await open();
    server.dialect = () => refusal(400, 'Bad request');
    await writer.compose(input, signal);
    clock.advance(30_000);
    server.dialect = completion;
    await writer.compose(input, signal);
    expect(took().at(-1)).toEqual(['reasoning_effort', 'chat_template_kwargs', 'temperature', 'json_schema']);
  });
});

test('a document that nobody waits for any more ends the question', async () => {
  const asked = Promise.withResolvers<void>();
  server.dialect = () => {
    asked.resolve();
    return new Promise(() => {});
  };
  const caller = new AbortController();
  const composing = (await open()).compose(input, caller.signal);
  await asked.promise;
  caller.abort();
  await expect(composing).rejects.toThrow();
  expect(logged).toEqual([]);
});

test('a connection that is cut once is made again', async () => {
  server.model = better;
  server.dialect = (content) => (server.chats().length === 1 ? { cut: true } : completion(content));
  expect(textIn(await (await open()).compose(input, signal), 'findings')).toMatch(/^A nodule/);
});

describe('an impression', () => {
  const asked = { findings: ['Cyst on the right.', '4.', 'No mass.'], language: 'en-US' } as const;
  const proposal = { text: 'Cyst on the right.', basis: [0] };

  it('is proposed of the sentences that have words, under their numbers', async () => {
    server.impression = (sentences) => sentences.map(({ id, text }) => ({ text, basis: [String(id), id, 'x'] }));
    expect(await (await open()).proposeImpression!(asked, signal)).toEqual([
      { text: 'Cyst on the right.', basis: [0, Number.NaN] },
      { text: 'No mass.', basis: [2, Number.NaN] },
    ]);
    expect(logged).toEqual([]);
  });

  it('is asked for once more if the answer has another form, and then fails', async () => {
    server.impression = () => [proposal];
    server.dialect = (content) => completion(server.chats().length === 1 ? 'Sure!' : content);
    expect(await (await open()).proposeImpression!(asked, signal)).toEqual([proposal]);
    for (const unfit of [[{ text: 7, basis: [] }], [{ text: 'Cyst.' }], ['Cyst.']]) {
      server.dialect = () => completion(JSON.stringify({ sentences: unfit }));
      await expect((await open()).proposeImpression!(asked, signal)).rejects.toMatchObject({
        details: { reason: 'unfit' },
      });
    }
  });

  it('has a deadline, and ends with its caller', async () => {
    let begun = Promise.withResolvers<void>();
    server.dialect = () => {
      begun.resolve();
      return new Promise(() => {});
    };
    const writer = await open({ timeout: 5 });
    const late = writer.proposeImpression!(asked, signal);
    await begun.promise;
    clock.advance(5000);
    await expect(late).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE', details: { reason: 'slow' } });
    begun = Promise.withResolvers<void>();
    const caller = new AbortController();
    const left = writer.proposeImpression!(asked, caller.signal);
    await begun.promise;
    caller.abort();
    await expect(left).rejects.toThrow();
  });

  it('is never proposed by the rules', () => expect(rules.proposeImpression).toBeUndefined());
});
