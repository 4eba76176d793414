/** Whatever a server of chat completions answers: it is read as a text, or is a failure that says what to do. */
import * as fc from '../../support/properties.ts';
import { expect, test } from 'vitest';
import { readContent, extractJson } from '../../../server/speech/openai/writer/answers.ts';
import { reasonOf } from '../../../server/speech/openai/writer/failures.ts';
import { readProposals } from '../../../server/speech/openai/writer/prompt.ts';
import type { Question } from '../../../server/speech/openai/writer/prompt.ts';

const question: Question = {
  language: 'en-US',
  sections: [{ key: 'findings', title: 'Findings' }],
  sentences: [
    { id: 0, section: null, text: 'Lungs clear.' },
    { id: 2, section: 'findings', text: 'No effusion.' },
  ],
  wording: true,
};
const sentences = [
  { id: 0, section: 'findings', text: 'The lungs are clear.' },
  { id: 2, section: 'findings', text: 'No effusion.' },
];
const content = JSON.stringify({ sentences });
const wanted = [{ sentence: 0, section: 'findings', text: 'The lungs are clear.' }];

/** An answer in some dialect, whole. */
const whole = JSON.stringify({ choices: [{ message: { content }, finish_reason: 'stop' }] });
const streamed = `${Array.from(content, (letter) => `data: ${JSON.stringify({ choices: [{ delta: { content: letter } }] })}\n\n`).join('')}data: [DONE]\n\n`;

/** Reads it to the end; failures are told by their reason. */
const read = (type: string, body: string): unknown => {
  try {
    return readProposals(readContent(type, body), question) ?? 'unfit';
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    return reason;
  }
};

test('answers that are cut off anywhere are read whole, or not at all', () => {
  expect(read('application/json', whole)).toEqual(wanted);
  expect(read('text/event-stream', streamed)).toEqual(wanted);
  for (let end = 0; end < whole.length; end++) expect(read('application/json', whole.slice(0, end))).toBe('unreadable');
  const last = streamed.indexOf('data: [DONE]');
  fc.assert(
    fc.property(fc.nat(last + 5), (end) => {
      expect(read('text/event-stream', streamed.slice(0, end))).toMatch(/^(?:truncated|unreadable)$/);
    }),
  );
});

const anyJson = fc.jsonValue({ maxDepth: 6 });
const message = fc.record(
  { content: anyJson, refusal: anyJson, tool_calls: anyJson, function_call: anyJson, reasoning_content: anyJson },
  { requiredKeys: [] },
);
const answer = fc.oneof(
  anyJson,
  fc.record(
    {
      choices: fc.oneof(
        anyJson,
        fc.array(
          fc.record(
            { index: anyJson, message, delta: message, finish_reason: anyJson, text: anyJson },
            { requiredKeys: [] },
          ),
        ),
      ),
      error: anyJson,
    },
    { requiredKeys: [] },
  ),
);

test('any JSON, any events and any text at all are a text or a failure', () => {
  const types = fc.constantFrom('application/json', 'text/event-stream', 'text/html', '');
  const body = fc.oneof(
    fc.string({ unit: 'binary' }),
    answer.map((each) => JSON.stringify(each)),
    fc.array(answer).map((each) => each.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')),
  );
  fc.assert(fc.property(types, body, (type, text) => void read(type, text)));
});

test('whatever a model writes is no proposal, or at most one for each sentence asked about', () => {
  const entry = fc.record(
    {
      id: fc.oneof(fc.constantFrom(0, 2, '2', -1, 1.5), anyJson),
      section: fc.oneof(fc.constant('findings'), anyJson),
      text: fc.oneof(fc.constant('x'), anyJson),
    },
    { requiredKeys: [] },
  );
  const written = fc.oneof(
    fc.string(),
    anyJson.map((value) => JSON.stringify(value)),
    fc.array(entry, { maxLength: 3 }).map((list) => JSON.stringify({ sentences: list })),
    fc.tuple(fc.string(), fc.string()).map(([before, after]) => `${before}${content}${after}`),
  );
  fc.assert(
    fc.property(written, (text) => {
      const proposals = readProposals(text, question) ?? [];
      const ids = proposals.map(({ sentence }) => sentence);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.every((id) => id === 0 || id === 2)).toBe(true);
      for (const proposal of proposals)
        expect(typeof (proposal.text ?? '') + typeof (proposal.section ?? '')).toBe('stringstring');
    }),
  );
});

test('text that is made to be slow to read is read in time', () => {
  const long = 200_000;
  for (const piece of [
    '<think>',
    '</think>',
    '{',
    '[',
    '{"a":',
    '```',
    'data:',
    'data:\n',
    'data: [DONE',
    '\\',
    '"',
    '}',
  ]) {
    const text = piece.repeat(long / piece.length);
    extractJson(text);
    read('text/event-stream', text);
    read('', JSON.stringify({ choices: [{ message: { content: text } }] }));
  }
});
