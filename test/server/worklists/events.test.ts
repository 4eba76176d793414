import { describe, expect, test } from 'vitest';
import { createFeed } from '../../../server/feed.ts';
import type { ChangeFeed } from '../../../server/services.ts';
import { eventStream } from '../../../server/worklists/event-stream.ts';
import { manualClock } from '../../../src/domain/clock.ts';
import { createWorklist, exam } from '../../support/worklist.ts';

const change = { space: 'local', id: 'wli_1', status: 'new', version: 1, change: 'inserted' } as const;

/** A feed that tells how many follow it. */
function countedFeed(): ChangeFeed & { followers: () => number } {
  const feed = createFeed();
  let followers = 0;
  return {
    ...feed,
    subscribe(space, listener) {
      followers++;
      const unsubscribe = feed.subscribe(space, listener);
      return () => {
        followers--;
        unsubscribe();
      };
    },
    followers: () => followers,
  };
}

function follow(until = Infinity) {
  const clock = manualClock(0);
  const feed = countedFeed();
  const abort = new AbortController();
  const token = { isGood: true };
  const stream = eventStream({
    feed,
    clock,
    space: 'local',
    until,
    signal: abort.signal,
    stillAuthorized: async () => token.isGood,
  });
  const reader = stream[Symbol.asyncIterator]();
  const read = async () => {
    const { value, done } = await reader.next();
    return done ? undefined : Buffer.from(value).toString();
  };
  return { clock, feed, abort, reader, read, token };
}

describe('GET /api/v1/worklists/events', () => {
  test('tells of ingest and status', async () => {
    const worklist = createWorklist();
    const output = await worklist.routes.events({}, worklist.call());
    expect(output).toMatchObject({ status: 200, headers: { 'Content-Type': 'text/event-stream; charset=utf-8' } });
    await worklist.ingest(exam(), { caller: { space: 'other' } });
    const { items } = await worklist.ingest(exam());
    const { id = '' } = items[0]!;
    await worklist.setStatus(id, { status: 'in_progress' });
    const told: string[] = [];
    for await (const chunk of output.body as AsyncIterable<Uint8Array>) {
      told.push(Buffer.from(chunk).toString());
      if (told.length === 3) break;
    }
    expect(
      told
        .map((text) => /^data: (.*)$/m.exec(text)?.[1])
        .slice(1)
        .map((data) => JSON.parse(data!) as unknown),
    ).toEqual([
      { id, status: 'new', version: 1, change: 'inserted' },
      { id, status: 'in_progress', version: 2, change: 'status' },
    ]);
  });

  test('opens with a comment; each change is an event with its id', async () => {
    const { feed, read } = follow();
    feed.publish([
      change,
      { ...change, space: 'other' },
      { ...change, status: 'in_progress', version: 2, change: 'status' },
    ]);
    expect(await read()).toBe(':\n\n');
    expect(await read()).toBe(
      'event: item\nid: wli_1.1\ndata: {"id":"wli_1","status":"new","version":1,"change":"inserted"}\n\n',
    );
    const next = read();
    expect(await next).toContain('id: wli_1.2\n');
    const waiting = read();
    feed.publish([{ ...change, version: 3 }]);
    expect(await waiting).toContain('id: wli_1.3\n');
  });

  test('a comment every 15 seconds keeps it open', async () => {
    const { clock, read } = follow();
    await read();
    for (let beat = 0; beat < 3; beat++) {
      let heard = false;
      const next = read().then((text) => {
        heard = true;
        return text;
      });
      clock.advance(14_999);
      await Promise.resolve();
      expect(heard).toBe(false);
      clock.advance(1);
      expect(await next).toBe(':\n\n');
    }
  });

  test.each(['while it waits', 'before it reads'])('ends when the connection does, %s', async (when) => {
    const { abort, feed, read } = follow();
    if (when === 'while it waits') await read();
    const next = when === 'while it waits' ? read() : undefined;
    expect(feed.followers()).toBe(1);
    abort.abort();
    expect(await (next ?? read())).toBeUndefined();
    expect(feed.followers()).toBe(0);
  });

  test('ends when its reader stops', async () => {
    const { feed, read, reader } = follow();
    await read();
    await reader.return?.();
    expect(feed.followers()).toBe(0);
  });

  test('ends with the access token', async () => {
    const { clock, feed, read } = follow(20_000);
    await read();
    clock.advance(15_000);
    expect(await read()).toBe(':\n\n');
    const next = read();
    clock.advance(5_000);
    expect(await next).toBeUndefined();
    expect(feed.followers()).toBe(0);
  });

  test('a reader that is too slow is cut off, and those beside it are not', async () => {
    const { feed, read } = follow();
    const heard: number[] = [];
    feed.subscribe('local', ({ version }) => heard.push(version));
    for (let version = 1; version <= 1001; version++) feed.publish([{ ...change, version }]);
    expect(heard).toHaveLength(1001);
    expect(feed.followers()).toBe(1);
    expect(await read()).toBeUndefined();
  });

  test('a token that was revoked ends it at the next heartbeat', async () => {
    const { clock, feed, read, token } = follow();
    expect(await read()).toBe(':\n\n');
    token.isGood = false;
    const ended = read();
    clock.advance(15_000);
    // The heartbeat that was under way may still arrive.
    expect([':\n\n', undefined]).toContain(await ended);
    expect(await read()).toBeUndefined();
    expect(feed.followers()).toBe(0);
  });

  test('a connection that is closed already is not followed', async () => {
    const feed = countedFeed();
    const stream = eventStream({
      feed,
      clock: manualClock(0),
      space: 'local',
      until: Infinity,
      signal: AbortSignal.abort(),
      stillAuthorized: async () => true,
    });
    expect(await stream[Symbol.asyncIterator]().next()).toMatchObject({ done: true });
    expect(feed.followers()).toBe(0);
  });
});
