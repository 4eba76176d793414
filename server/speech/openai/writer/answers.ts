/**
 * Parses responses of chat completion servers in all dialects: whole or as unrequested events; text as a string, in
 * parts, or as tool arguments; after reasoning, or in a Markdown fence.
 */
import { createParser } from 'eventsource-parser';
import { failure } from './failures.ts';

/** Returns the model's text. Throws the failure that the response reports. */
export function readContent(contentType: string, body: string): string {
  const isEvents = /^text\/event-stream/i.test(contentType) || /^(?:data|event|id):|^:/.test(body.trimStart());
  const { text, finish, refusal } = readChoice(isEvents ? parseEvents(body) : [parseJson(body)]);
  if (refusal || finish === 'content_filter') throw failure('declined');
  if (finish === 'length' || (isEvents && finish === undefined && !/^data:\s*\[DONE\]/m.test(body)))
    throw failure('truncated');
  if (text.trim() === '') throw failure('unfit');
  return text;
}

interface Choice {
  readonly text: string;
  readonly finish: string | undefined;
  readonly refusal: boolean;
}

type Json = Readonly<Record<string, unknown>>;
const objectOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    throw failure('unreadable');
  }
}

function parseEvents(body: string): unknown[] {
  const events: unknown[] = [];
  const parser = createParser({
    onEvent: ({ data }) => void (data.trim() === '[DONE]' || events.push(parseJson(data))),
  });
  parser.feed(`${body}\n\n`);
  return events;
}

/** Combines the first choice from all events. */
function readChoice(answers: readonly unknown[]): Choice {
  let [text, tool] = ['', ''];
  let finish: string | undefined;
  let [refusal, isAnswer] = [false, false];
  for (const answer of answers.map(objectOf)) {
    // Some servers report errors with status 200.
    if (answer['error'] !== undefined && answer['error'] !== null) throw failure('failed');
    const choice = objectOf(listOf(answer['choices']).find((each) => (objectOf(each)['index'] ?? 0) === 0));
    isAnswer ||= Array.isArray(answer['choices']);
    const message = objectOf(choice['message'] ?? choice['delta']);
    text += readText(message['content']) + (typeof choice['text'] === 'string' ? choice['text'] : '');
    for (const call of [
      ...listOf(message['tool_calls']).map((each) => objectOf(each)['function']),
      message['function_call'],
    ]) {
      const given = objectOf(call)['arguments'];
      tool += typeof given === 'string' ? given : given === undefined ? '' : JSON.stringify(given);
    }
    refusal ||= typeof message['refusal'] === 'string' && message['refusal'] !== '';
    if (typeof choice['finish_reason'] === 'string') finish = choice['finish_reason'];
  }
  if (!isAnswer) throw failure('unreadable');
  return { text: text.trim() === '' ? tool : text, finish, refusal };
}

/** A string, or parts of which some are text. */
const readText = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : listOf(content)
        .map((part) => objectOf(part)['text'])
        .filter((text) => typeof text === 'string')
        .join('');

/** Extracts the JSON from a model's text; `undefined` if there is none. */
export function extractJson(content: string): unknown {
  const text = content.replace(/^\uFEFF/, '').replace(/^[\s\S]*<\/think(?:ing)?>/i, '');
  const inner = text.slice(text.search(/[{[]/), Math.max(text.lastIndexOf('}'), text.lastIndexOf(']')) + 1);
  for (const candidate of [text, inner]) {
    try {
      const value: unknown = JSON.parse(candidate);
      // Some models encode the JSON twice.
      return typeof value === 'string' ? JSON.parse(value) : value;
    } catch {
      continue;
    }
  }
  return undefined;
}
