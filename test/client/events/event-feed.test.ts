/** Server-sent events as any service may write them: line ends, comments, pieces (HTML Living Standard 9.2). */
import * as fc from '../../support/properties.ts';
import { describe, expect, test } from 'vitest';
import { followEvents } from '../../../src/client/events/event-feed.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { object, string } from '../../../src/contract/schema.ts';
import { manualClock } from '../../../src/domain/clock.ts';
import { comment, eventText } from '../../../src/client/events/server-sent-events.ts';

const schema = object({ id: string() });

/** What a follower does with the connections of a service, one after the other; each ends when all of it is read. */
async function follow(connections: readonly (readonly Uint8Array[])[]) {
  const clock = manualClock(0);
  const heard: string[] = [];
  const over = Promise.withResolvers<void>();
  let next = 0;
  const feed = followEvents({
    clock,
    random: () => 0,
    schema,
    async open(signal, lastSeen) {
      const pieces = connections[next++];
      if (lastSeen !== undefined && pieces) heard.push(`from ${lastSeen}`);
      return { body: pieces ? inTurn(pieces) : silent(signal, over.resolve) };
    },
    onEvent: ({ id }) => heard.push(id),
    onOpen: () => {},
    onReset: () => heard.push('reset'),
    onLost(error) {
      if (error) heard.push(error.code);
      queueMicrotask(() => feed.hurry());
    },
  });
  await over.promise;
  await feed.close();
  return heard;
}

async function* inTurn(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}

/** Says nothing until it is called off. */
async function* silent(signal: AbortSignal, opened: () => void): AsyncGenerator<Uint8Array> {
  opened();
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  yield new Uint8Array();
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const event = (id: string): string => eventText({ name: 'item', id: `at-${id}`, data: { id } });

/** Cuts into pieces at the places, of which some may be inside of a character or a line end. */
function pieces(whole: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const places = [0, ...cuts.map((cut) => cut % (whole.length + 1)), whole.length].toSorted((a, b) => a - b);
  return places.slice(1).map((to, at) => whole.subarray(places[at], to));
}

test('every event comes once and in order, whatever ends the lines and wherever the pieces are cut', async () => {
  const line = fc.constantFrom('\n', '\r\n', '\r');
  const id = fc.stringMatching(/^[a-zé漢😀 ]{0,8}$/u);
  await fc.assert(
    fc.asyncProperty(
      fc.array(id, { maxLength: 8 }),
      line,
      fc.array(fc.nat(), { maxLength: 20 }),
      async (ids, end, cuts) => {
        const text = [`retry: 1000\n${comment}`, ...ids.map(event), comment].join('').replaceAll('\n', end);
        expect(await follow([pieces(bytes(`${text}:${end}`), cuts)])).toEqual(ids);
      },
    ),
    { numRuns: 60 },
  );
});

describe('a connection', () => {
  test('resumes where the last one ended, also at a position without an event', async () => {
    expect(await follow([[bytes(':\nid: start\n\n')], [bytes(event('a'))], [bytes(event('b'))]])).toEqual([
      'from start',
      'a',
      'from at-a',
      'b',
    ]);
  });

  test('forgets the place that the service takes back', async () => {
    expect(await follow([[bytes(`${event('a')}id\n\n`)], [bytes(event('b'))]])).toEqual(['a', 'b']);
  });

  test('skips invalid events among others', async () => {
    const strange = 'data: {"id":1}\n\ndata: {\n\ndata\n\nevent: item\n\nnonsense\n\n';
    expect(await follow([[bytes(event('a') + strange + event('b'))]])).toEqual(['a', 'b']);
  });

  test('reads data in several lines', async () => {
    expect(await follow([[bytes('data: {"id":\ndata: "a"}\n\n')]])).toEqual(['a']);
  });

  test('reports that the events in between are unknown', async () => {
    expect(await follow([[bytes(eventText({ name: 'reset', id: 'x', data: {} }))]])).toEqual(['reset']);
  });

  test('loses an event that was cut off', async () => {
    expect(await follow([[bytes(`${event('a')}event: item\ndata: {"id":"b"}\n`)]])).toEqual(['a']);
  });

  test('is given up where an event has no end', async () => {
    const endless = Array.from({ length: 40 }, () => bytes('x'.repeat(64 * 1024)));
    expect(await follow([[bytes('data: '), ...endless], [bytes(event('a'))]])).toEqual([
      new AppError('BAD_ANSWER').code,
      'a',
    ]);
  });
});
