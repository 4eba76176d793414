/** Whether the service answers, by calls and by a stream of events that stays open. */
import { expect, test } from 'vitest';
import { createConnection } from '../../../desktop/app/desk/connection.ts';
import { AppError } from '../../../src/contract/errors.ts';
import type { Transport } from '../../../src/client/transport.ts';
import { machine } from '../../support/app-host.ts';

test('a call that failed makes the service unreachable until the next heartbeat of a stream that stayed open', async () => {
  let beat = Promise.withResolvers<Uint8Array>();
  async function* heartbeats(): AsyncGenerator<Uint8Array> {
    for (;;) yield await beat.promise;
  }
  const transport: Transport = async ({ url }) => {
    if (!url.includes('events')) throw new AppError('NETWORK');
    const headers = { 'content-type': 'text/event-stream' };
    return { status: 200, headers, body: heartbeats(), text: async () => '' };
  };
  const credentials = { access_token: 'at', expires_at: Number.MAX_SAFE_INTEGER };
  const changes: boolean[] = [];
  const connection = createConnection({
    ...machine([], transport),
    server: 'http://localhost',
    clientId: 'lc_test',
    key: 'somebody',
    store: {
      kind: 'file',
      load: async () => credentials as never,
      save: async () => undefined,
      remove: async () => undefined,
    } as never,
    onChange: () => changes.push(connection.online),
  });
  const { body } = await connection.client.worklists.events({});
  const stream = body[Symbol.asyncIterator]();
  const first = stream.next();
  beat.resolve(new Uint8Array([1]));
  await first;
  beat = Promise.withResolvers();
  await expect(connection.client.jobs.list({})).rejects.toMatchObject({ code: 'NETWORK' });
  expect(connection.online).toBe(false);
  const next = stream.next();
  beat.resolve(new Uint8Array([2]));
  await next;
  expect(connection.online).toBe(true);
  expect(changes).toEqual([false, true]);
});
