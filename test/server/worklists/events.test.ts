import type { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { createFeed } from '../../../server/storage/feed.ts';
import type { ChangeFeed } from '../../../server/storage/feed.ts';
import type { ItemChange } from '../../../server/storage/feeds.ts';
import type { Store } from '../../../server/storage/store.ts';
import { createEventStreams } from '../../../server/http/event-stream.ts';
import { manualClock } from '../../../src/domain/clock.ts';
import { createWorklist, exam } from '../../support/worklist.ts';

const change = {
  space: 'local',
  id: 'wli_1',
  accession_number: 'SL-1',
  status: 'new',
  version: 1,
  change: 'inserted',
} as const;

/** A feed that is told of commits by hand, and tells how many follow it. */
function countedFeed() {
  let publish!: (changes: readonly ItemChange[]) => void;
  const commits: Pick<Store, 'subscribe'> = {
    subscribe(_feed, listener) {
      publish = listener as typeof publish;
      return () => {};
    },
  };
  const feed = createFeed(commits, 'items', () => 'run');
  let followers = 0;
  const counted: ChangeFeed<ItemChange> = {
    ...feed,
    subscribe(space, listener) {
      followers++;
      const unsubscribe = feed.subscribe(space, listener);
      return () => {
        followers--;
        unsubscribe();
      };
    },
  };
  return { ...counted, publish, followers: () => followers };
}

function follow(lastSeen?: string, feed = countedFeed()) {
  const clock = manualClock(0);
  const abort = new AbortController();
  const streams = createEventStreams(feed, { name: 'item', clock });
  const join = () => readerOf(streams({ space: 'local', lastSeen, signal: abort.signal }));
  return { clock, feed, abort, join, ...join() };
}

/** Chunk by chunk; `undefined` at the end. */
function readerOf(stream: Readable) {
  const reader = stream[Symbol.asyncIterator]();
  const read = async () => {
    const { value, done } = await reader.next();
    return done ? undefined : Buffer.from(value).toString();
  };
  return { reader, read };
}

describe('GET /api/v1/worklists/events', () => {
  test('sends ingest and status changes', async () => {
    const worklist = createWorklist();
    const output = await worklist.routes.events({}, worklist.call());
    expect(output).toMatchObject({ status: 200, headers: { 'Content-Type': 'text/event-stream; charset=utf-8' } });
    await worklist.ingest(exam(), { caller: { space: 'other' } });
    const { items } = await worklist.ingest(exam());
    const { id = '' } = items[0]!;
    await worklist.setStatus(id, { status: 'in_progress' });
    let told = '';
    for await (const chunk of output.body as AsyncIterable<Uint8Array>) {
      told += Buffer.from(chunk).toString();
      if (told.includes('"change":"status"')) break;
    }
    expect(Array.from(told.matchAll(/^data: (.*)$/gm), ([, data]) => JSON.parse(data!) as unknown)).toEqual([
      { id, accession_number: 'SL-1', status: 'new', version: 1, change: 'inserted' },
      { id, accession_number: 'SL-1', status: 'in_progress', version: 2, change: 'status' },
    ]);
  });

  test('opens with a comment; each change is an event with its id, and simultaneous ones are sent together', async () => {
    const { feed, read } = follow();
    feed.publish([
      change,
      { ...change, space: 'other' },
      { ...change, status: 'in_progress', version: 2, change: 'status' },
    ]);
    expect(await read()).toBe(':\nid: run.0\n\n');
    expect(await read()).toBe(
      'event: item\nid: run.1\ndata: {"id":"wli_1","accession_number":"SL-1","status":"new","version":1,"change":"inserted"}\n\n' +
        'event: item\nid: run.2\ndata: {"id":"wli_1","accession_number":"SL-1","status":"in_progress","version":2,"change":"status"}\n\n',
    );
    const waiting = read();
    feed.publish([{ ...change, version: 3 }]);
    expect(await waiting).toContain('id: run.3\n');
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

  test('a slow reader is disconnected, and others are not', async () => {
    const { feed, read } = follow();
    const heard: number[] = [];
    feed.subscribe('local', ({ version }) => heard.push(version));
    const many = Array.from({ length: 20_000 }, (_, version) => ({ ...change, version }));
    feed.publish(many);
    expect(heard).toHaveLength(20_000);
    await expect.poll(() => feed.followers()).toBe(1);
    expect(await read()).toBeUndefined();
  });

  test('many readers share one write, and a reader that joins meanwhile gets nothing twice', async () => {
    let written = 0;
    const counted = { ...change, toJSON: () => (written++, { id: 'wli_1' }) };
    const { feed, join, read } = follow();
    const others = Array.from({ length: 300 }, join);
    for (const each of [{ read }, ...others]) await each.read();
    feed.publish([counted, counted]);
    const late = join();
    const told = await Promise.all([{ read }, ...others].map((each) => each.read()));
    expect(new Set(told)).toEqual(
      new Set(['event: item\nid: run.1\ndata: {"id":"wli_1"}\n\nevent: item\nid: run.2\ndata: {"id":"wli_1"}\n\n']),
    );
    expect(written).toBe(2);
    expect(await late.read()).toBe(':\nid: run.2\n\n');
    expect(feed.followers()).toBe(1);
    feed.publish([change]);
    expect(await late.read()).toContain('id: run.3\n');
  });

  test('changes in quick succession are sent together, however many commits they were', async () => {
    const { feed, read } = follow();
    await read();
    let chunks = 0;
    for (let version = 1; version <= 200; version++) {
      feed.publish([{ ...change, version }]);
      await new Promise(setImmediate);
    }
    for (let text = ''; !text.includes('"version":200,'); chunks++) text = (await read())!;
    expect(chunks).toBeLessThan(100);
  });

  test('a connection that is closed already is not followed', async () => {
    const feed = countedFeed();
    const streams = createEventStreams(feed, { name: 'item', clock: manualClock(0) });
    const { read } = readerOf(streams({ space: 'local', lastSeen: undefined, signal: AbortSignal.abort() }));
    expect(await read()).toBeUndefined();
    expect(feed.followers()).toBe(0);
  });

  describe('to a reader that connects again', () => {
    /** A feed that has told `count` changes, versions 1 to `count`. */
    function told(count: number) {
      const feed = countedFeed();
      feed.publish(Array.from({ length: count }, (_, at) => ({ ...change, version: at + 1 })));
      return feed;
    }
    const versions = (text = '') => Array.from(text.matchAll(/"version":(\d+)/g), ([, version]) => Number(version));

    test('sends missed events, in order, and continues', async () => {
      const feed = told(5);
      const { read } = follow('run.2', feed);
      const first = await read();
      expect(versions(first)).toEqual([3, 4, 5]);
      expect(first).not.toContain('event: reset');
      feed.publish([{ ...change, version: 6 }]);
      expect(await read()).toContain('id: run.6\n');
    });

    test('sends nothing twice if nothing was missed', async () => {
      expect(await follow('run.5', told(5)).read()).toBe(':\n\n');
    });

    test.each([
      ['of before a restart', 'other.5'],
      ['that was never told', 'run.6'],
      ['of another kind', 'wli_1.3'],
      ['that is nonsense', 'run.1e0'],
    ])('an event %s: the reader must list again, then continues from now', async (_, lastSeen) => {
      const feed = told(5);
      const { read } = follow(lastSeen, feed);
      expect(await read()).toBe(':\n\nevent: reset\nid: run.5\ndata: {}\n\n');
      feed.publish([{ ...change, version: 6 }]);
      expect(versions(await read())).toEqual([6]);
    });

    test('a thousand changes are remembered, and no more', async () => {
      const feed = told(2500);
      expect(versions(await follow('run.1500', feed).read())).toEqual(
        Array.from({ length: 1000 }, (_, at) => 1501 + at),
      );
      expect(await follow('run.1499', feed).read()).toContain('event: reset');
    });

    test('another space is neither sent nor counted', async () => {
      const feed = told(2);
      feed.publish([{ ...change, space: 'other', version: 9 }]);
      expect(feed.position('local')).toBe('run.2');
      expect(await follow('run.2', feed).read()).toBe(':\n\n');
    });
  });
});
