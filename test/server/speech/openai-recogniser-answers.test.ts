/** Whatever a server of audio transcriptions answers: it is read as words, or is a failure; what nobody said is told apart. */
import * as fc from '../../support/properties.ts';
import { describe, expect, it, test } from 'vitest';
import { parseSegments } from '../../../server/speech/openai/recogniser/answers.ts';
import type { Segment } from '../../../server/speech/hearing/words.ts';
import { findSuppressionReason } from '../../../server/speech/hearing/hallucinations.ts';
import { toTranscript } from '../../../server/speech/hearing/transcripts.ts';
import { reasonOf } from '../../../server/speech/openai/recogniser/failures.ts';
import { formatPrompt, termsFor } from '../../../server/speech/openai/recogniser/terms.ts';
import { languages } from '../../../src/contract/shared.ts';
import { shippedTemplates } from '../../../src/reporting/templates/shipped/index.ts';
import { templateIn } from '../../../src/reporting/templates/template.ts';

const json = (answer: unknown, seconds = 4): Segment[] =>
  parseSegments('application/json', typeof answer === 'string' ? answer : JSON.stringify(answer), seconds);
/** The words, each as `text from-to confidence`. */
const told = (segments: readonly Segment[]): string[] =>
  segments.flatMap(({ words }) =>
    words.map(({ text, data: { from, to, confidence } = {} }) =>
      [text, from === undefined ? '' : `${from.toFixed(1)}-${to!.toFixed(1)}`, confidence?.toFixed(2) ?? '']
        .filter((part) => part !== '')
        .join(' '),
    ),
  );

const text = 'Sem derrame. Nódulo: 6 mm';
const words = [
  { word: 'Sem', start: 0, end: 0.4 },
  { word: 'derrame', start: 0.5, end: 1.1 },
  { word: 'Nódulo', start: 2, end: 2.5 },
  { word: '6', start: 2.6, end: 2.8 },
  { word: 'mm', start: 2.9, end: 3.2 },
];
const segments = [
  { id: 0, start: 0, end: 1.2, text: ' Sem derrame.', avg_logprob: -0.1, no_speech_prob: 0.01 },
  { id: 1, start: 2, end: 3.2, text: ' Nódulo: 6 mm', avg_logprob: -0.5, no_speech_prob: 0.02 },
];
const timed = ['Sem 0.0-0.4', 'derrame. 0.5-1.1', 'Nódulo: 2.0-2.5', '6 2.6-2.8', 'mm 2.9-3.2'];
const sure = timed.map((word, at) => `${word} ${at < 2 ? '0.90' : '0.61'}`);
const bySegment = [
  'Sem 0.0-1.2 0.90',
  'derrame. 0.0-1.2 0.90',
  ...['Nódulo:', '6', 'mm'].map((w) => `${w} 2.0-3.2 0.61`),
];

describe('words are understood', () => {
  it.each<[string, unknown, string[]]>([
    ['as OpenAI tells them', { task: 'transcribe', language: 'portuguese', duration: 4, text, words, segments }, sure],
    ['without segments', { text, words }, timed],
    ['as a text alone', { text }, ['Sem', 'derrame.', 'Nódulo:', '6', 'mm']],
    [
      'of vLLM: segments alone, the length as a text, null for the unknown',
      { duration: '4.0', text, words: null, segments: segments.map((each) => ({ ...each, no_speech_prob: null })) },
      bySegment,
    ],
    [
      'with numbers as text',
      {
        text,
        segments: segments.map((each) => ({
          ...each,
          start: String(each.start),
          end: `${each.end}`,
          avg_logprob: String(each.avg_logprob),
        })),
      },
      bySegment,
    ],
    [
      'of LocalAI in nanoseconds, with words that are null',
      {
        text,
        segments: segments.map((each) => ({ ...each, start: each.start * 1e9, end: each.end * 1e9, words: null })),
      },
      bySegment,
    ],
    [
      'in milliseconds',
      { text, words: words.map((word) => ({ ...word, start: word.start * 1000, end: word.end * 1000 })) },
      timed,
    ],
    [
      'of whisper.cpp: within segments, in parts, each with its probability',
      {
        text: ' Sem derrame.\n Nódulo: 6 mm',
        segments: [
          {
            ...segments[0],
            words: [
              { word: ' Sem', start: 0, end: 0.4, probability: 0.9 },
              { word: ' der', start: 0.5, end: 0.7, probability: 0.8 },
              { word: 'rame', start: 0.7, end: 1.1, probability: 0.3 },
              { word: '.', start: 1.1, end: 1.1, probability: 0.1 },
            ],
          },
          { ...segments[1], words: [] },
        ],
      },
      ['Sem 0.0-0.4 0.90', 'derrame. 0.5-1.1 0.30', ...bySegment.slice(2)],
    ],
    [
      'of gpt-4o: with the likelihood of tokens, without times',
      {
        text: 'Sem derrame.',
        logprobs: [
          { token: 'Sem', logprob: -0.1, bytes: [83] },
          { token: ' derr', logprob: -0.2 },
          { token: 'ame', logprob: -1.5 },
          { token: '.', logprob: -3 },
        ],
      },
      ['Sem 0.90', 'derrame. 0.22'],
    ],
    [
      'with a probability that is none: unknown, never sure',
      { text: 'a', words: [{ word: 'a', probability: 7 }] },
      ['a'],
    ],
    ['with a likelihood above 1: unknown', { text: 'a', segments: [{ text: 'a', avg_logprob: 0.4 }] }, ['a']],
    [
      'with words that the text has not, and the other way round',
      {
        text: 'Sem um derrame',
        words: [
          { word: 'Uh', start: 0, end: 1 },
          { word: 'Sem', start: 1, end: 2 },
          { word: 'derrame', start: 2, end: 3 },
        ],
      },
      ['Sem 1.0-2.0', 'um', 'derrame 2.0-3.0'],
    ],
    [
      'with times that go back or cannot be',
      {
        text: 'a b c',
        words: [
          { word: 'a', start: 2, end: 3 },
          { word: 'b', start: 1, end: 1.5 },
          { word: 'c', start: 'soon', end: 9 },
        ],
      },
      ['a 2.0-3.0', 'b 2.0-2.0', 'c'],
    ],
    ['with segments about something else', { text: 'Sem', segments: [{ text: 'Other', start: 0, end: 1 }] }, ['Sem']],
    ['in segments alone', { segments: [{ text: ' Sem' }, { text: ' derrame' }] }, ['Sem', 'derrame']],
    ['with a byte order mark', `\uFEFF${JSON.stringify({ text: 'Sem' })}`, ['Sem']],
    [
      'with accents in pieces',
      { text: 'No\u0301dulo', words: [{ word: 'N\u00f3dulo', start: 0, end: 1 }] },
      ['N\u00f3dulo 0.0-1.0'],
    ],
    ['where there are none', { text: '', segments: [] }, []],
    ['where there are none, and nothing but null', { text: ' ', segments: null, words: null, duration: '0' }, []],
  ])('%s', (_, answer, wanted) => {
    expect(told(json(answer))).toEqual(wanted);
  });

  it.each([
    [
      'of a stream with an end',
      [
        { type: 'transcript.text.delta', delta: 'Sem ' },
        { type: 'transcript.text.done', text: 'Sem derrame' },
      ],
    ],
    ['of a stream of segments', [{ text: 'Sem' }, { text: 'derrame' }]],
  ])('%s', (_, events) => {
    const body = `${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}data: [DONE]\n\n`;
    expect(told(parseSegments('text/event-stream', body, 4))).toEqual(['Sem', 'derrame']);
    expect(told(parseSegments('', body, 4))).toEqual(['Sem', 'derrame']);
  });
});

describe('a failure is', () => {
  const reason = (type: string, body: string): unknown => {
    try {
      return parseSegments(type, body, 1);
    } catch (error) {
      return reasonOf(error) ?? error;
    }
  };
  it.each([
    ['a page', 'text/html', '<html>Sign in</html>', 'unreadable'],
    ['bare text', 'text/plain', 'Sem derrame', 'unreadable'],
    ['a list', 'application/json', '[1]', 'unreadable'],
    ['another API', 'application/json', '{"choices":[]}', 'unreadable'],
    ['an error with 200', 'application/json', '{"error":"failed to process audio"}', 'failed'],
    ['JSON that breaks off', 'application/json', '{"text":"Sem', 'unreadable'],
    [
      'a stream that breaks off',
      'text/event-stream',
      'data: {"type":"transcript.text.delta","delta":"Sem"}\n\n',
      'failed',
    ],
    ['an error in a stream', 'text/event-stream', 'data: {"error":{"message":"x"}}\n\n', 'failed'],
  ])('%s', (_, type, body, wanted) => {
    expect(reason(type, body)).toBe(wanted);
  });

  test('nothing but words or a failure, for any JSON and any text', () => {
    const value = fc.oneof(fc.jsonValue(), fc.constantFrom(null, 'NaN', '1e999', -1, 1e300, 'a'));
    const word = fc.dictionary(fc.constantFrom('word', 'start', 'end', 'probability', 'text'), value);
    const segment = fc.dictionary(fc.constantFrom('text', 'start', 'end', 'avg_logprob', 'no_speech_prob'), value);
    const answer = fc.record({
      text: fc.oneof(fc.lorem(), value),
      words: fc.oneof(fc.array(word), value),
      segments: fc.oneof(fc.array(segment), value),
      logprobs: fc.oneof(fc.array(fc.dictionary(fc.constantFrom('token', 'logprob'), value)), value),
    });
    fc.assert(
      fc.property(
        fc.oneof(
          answer.map((each) => JSON.stringify(each)),
          fc.string(),
        ),
        (body) => {
          const heard = reason('application/json', body);
          if (typeof heard === 'string') return;
          for (const { data: known } of (heard as Segment[]).flatMap((each) => each.words)) {
            const { from = 0, to = from, confidence = 0.5 } = known ?? {};
            expect(from >= 0 && to >= from && confidence >= 0 && confidence <= 1).toBe(true);
          }
        },
      ),
    );
  });
});

describe('text that nobody spoke', () => {
  const terms = ['TC de tórax', 'costofrênicos', 'mediastino', 'parênquima'];
  const segment = (said: string, rest: Partial<Segment> = {}): Segment => ({
    words: said.split(' ').map((word) => ({ text: word })),
    ...rest,
  });
  const sent = { terms, seconds: 10, voiced: 5 };
  it.each<[string, Segment, Partial<typeof sent>, string | undefined]>([
    ['the prompt', segment(formatPrompt(terms)), {}, 'echo'],
    ['a part of it', segment('Costofrênicos, mediastino, parênquima.'), {}, 'echo'],
    ['it again and again', segment(`${formatPrompt(terms)} ${formatPrompt(terms)} TC de`), {}, 'echo'],
    ['the name of the exam is said', segment('TC de tórax.'), {}, undefined],
    ['terms are said among others', segment('Mediastino, parênquima e costofrênicos normais'), {}, undefined],
    ['without a prompt nothing repeats it', segment('a b c d'), { terms: [] }, undefined],
    [
      'probable silence, and improbable words',
      segment('Então é isso', { noSpeech: 0.8, logprob: -1.3 }),
      {},
      'silence',
    ],
    ['probable silence, and sure words', segment('Então é isso', { noSpeech: 0.8, logprob: -0.3 }), {}, undefined],
    ['improbable words alone', segment('Então é isso', { noSpeech: 0.1, logprob: -2 }), {}, undefined],
    ['behind the end', segment('Então é isso', { from: 12, to: 14 }), {}, 'silence'],
    ['many words in a click', segment('um dois três quatro cinco seis'), { voiced: 0.1 }, 'silence'],
    ['two words in a moment', segment('sem alterações'), { voiced: 0.3 }, undefined],
    ['a phrase that never ends and does not show', segment('não há derrame', { compression: 9 }), {}, 'loop'],
    ['one that shows', segment(`${'não há derrame '.repeat(9)}pleural`, { compression: 9 }), {}, undefined],
    ['a list that repeats itself', segment('C3-C4 normal, C4-C5 normal', { compression: 2.8 }), {}, undefined],
    ['what stands below films', segment('Legendas pela comunidade Amara.org'), {}, 'silence'],
  ])('%s', (_, said, rest, wanted) => {
    expect(findSuppressionReason(said, { ...sent, ...rest })).toBe(wanted);
  });
});

describe('the prompt in a segment with speech', () => {
  const terms = ['TC de tórax', 'costofrênicos', 'mediastino', 'parênquima'];
  const prompt = formatPrompt(terms);
  const hear = (said: string) => {
    const words = said.split(' ').map((text, at) => ({ text, data: { from: at / 2, to: at / 2 + 0.4 } }));
    const heard = toTranscript([{ words }], { terms, seconds: 60, voiced: 50 });
    return [heard.words.map(({ text }) => text).join(' '), ...heard.suppressed.map(({ text, after }) => [after, text])];
  };
  it.each([
    ['before it', `${prompt} Não há derrame.`, ['Não há derrame.', [0, prompt]]],
    ['behind it', `Não há derrame. ${prompt}`, ['Não há derrame.', [3, prompt]]],
    ['on both sides', `${prompt} Normal. ${prompt}`, ['Normal.', [0, prompt], [1, prompt]]],
    [
      'from another term on',
      `Normal. mediastino, parênquima, TC de tórax, costofrênicos`,
      ['Normal.', [1, 'mediastino, parênquima, TC de tórax, costofrênicos']],
    ],
    [
      'in part, as it may be said',
      'costofrênicos, mediastino, parênquima sem alterações',
      ['costofrênicos, mediastino, parênquima sem alterações'],
    ],
    ['among words', `O laudo: ${prompt} Fim.`, [`O laudo: ${prompt} Fim.`]],
  ])('%s', (_, said, wanted) => {
    expect(hear(said)).toEqual(wanted);
  });
});

describe('the terms for an exam', () => {
  const exam = { patient_name: 'Maria Silva', modality: 'CT', exam_description: 'TC de tórax sem contraste' };
  it('are at most ten, of the exam and the template, none twice, and never the patient', () => {
    for (const language of languages) {
      for (const [id, data] of Object.entries(shippedTemplates)) {
        const terms = termsFor({ exam, template: templateIn(language, id, data) }, 224);
        expect(terms[0]).toBe('TC de tórax sem contraste');
        expect(terms.length).toBeLessThanOrEqual(10);
        expect(new Set(terms).size).toBe(terms.length);
        expect(formatPrompt(terms)).not.toMatch(/maria|silva/i);
      }
    }
  });

  it('keep to the tokens of the server, and are none without any', () => {
    const template = templateIn('pt-BR', 'chest_ct', shippedTemplates['chest_ct']!);
    expect(formatPrompt(termsFor({ exam, template }, 40)).length).toBeLessThanOrEqual(80);
    expect(termsFor({ exam, template }, 0)).toEqual([]);
    // A model would go on in capitals.
    const shouted = { ...exam, exam_description: 'TC DE TÓRAX SEM CONTRASTE' };
    expect(termsFor({ exam: shouted, template }, 224)[0]).toBe('TC de tórax sem contraste');
    expect(formatPrompt([])).toBe('');
    const long = { ...exam, exam_description: 'x '.repeat(200) };
    expect(termsFor({ exam: long, template }, 224)[0]).toBe(template.title);
  });
});
