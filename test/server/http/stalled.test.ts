/** Clients that ask and do not read. */
import { EventEmitter, once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import Fastify from 'fastify';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { cutStalledWrites } from '../../../server/http/plugins/stalled-writes.ts';
import { contract } from '../../../src/contract/index.ts';
import { startApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { head } from '../../support/raw-socket.ts';

const { system, worklists } = contract;
/** ms. */
const whole = 300;
let api: Api;
beforeAll(async () => void (api = await startApi({ listen: true, writeLimits: { whole, stream: 60_000 } })));

/** A connection that has sent the request, so often that the system cannot hold all answers for it. */
function ask(path: string, { times = 1, accept = '*/*' } = {}): Socket {
  const { hostname, port, host } = new URL(api.server.url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  const request = head('GET', path, {
    Host: host,
    Authorization: `Bearer ${api.token}`,
    Accept: accept,
    Connection: 'keep-alive',
  });
  socket.write(request.replaceAll(/connection: close\r\n/gi, '').repeat(times));
  return socket.pause();
}

/** Resolves once the other side has gone: an empty line between requests means nothing, and shows it. */
async function cutOff(socket: Socket): Promise<void> {
  const closed = once(socket, 'close').catch(() => undefined);
  const asking = setInterval(() => socket.write('\r\n'), 20);
  await closed;
  clearInterval(asking);
}

test('a client that reads nothing of an answer is disconnected, though it keeps sending', async () => {
  await cutOff(ask(system.endpoints.openapi.path, { times: 12 }));
});

test('a client that waits for a pending answer is not disconnected', async () => {
  const events = ask(worklists.endpoints.events.path, { accept: 'text/event-stream' });
  let text = '';
  events.resume().on('data', (chunk: Buffer) => void (text += chunk.toString()));
  const stalled = ask(system.endpoints.openapi.path, { times: 12 });
  await cutOff(stalled);
  await api.exam();
  await expect.poll(() => text).toContain('event: item');
});

test('a slow reader is not disconnected, but one that takes a few bytes at a time is', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const fastify = Fastify();
  cutStalledWrites(fastify, { whole: 40_000, stream: 300_000 });
  onTestFinished(() => fastify.close());
  /** A connection on which an answer of a megabyte waits; its reader takes so many bytes a second. */
  const reader = (pace: number) => {
    const socket = Object.assign(new EventEmitter(), {
      writableLength: 1_000_000,
      _handle: { bytesWritten: 1_000_000, writeQueueSize: 1_000_000 },
      destroy: vi.fn(),
    });
    fastify.server.emit('connection', socket);
    return { socket, read: () => void (socket._handle.writeQueueSize -= pace) };
  };
  const readers = [0, 50, 200, 2000].map(reader);
  for (let second = 0; second < 120; second++) {
    for (const { read } of readers) read();
    vi.advanceTimersByTime(1000);
  }
  expect(readers.map(({ socket }) => socket.destroy.mock.calls.length > 0)).toEqual([true, true, false, false]);
});
