/** An application at a hub, through dropped sockets, lost subscriptions and hubs that are silent. */
import { expect, onTestFinished, test } from 'vitest';
import type { WebSocket } from 'ws';
import { createHubClient } from '../../../../desktop/app/hub/hub-client.ts';
import type { HubClientDeps } from '../../../../desktop/app/hub/hub-client.ts';
import { holdLease } from '../../../../desktop/app/hub/hub-connection.ts';
import { AppError } from '../../../../src/contract/errors.ts';
import { createBell } from '../../../../src/domain/bell.ts';
import { manualClock } from '../../../../src/domain/clock.ts';
import { dialNetwork } from '../../../../src/node/http/web-socket.ts';
import { readSyncError } from '../../../../src/protocols/fhircast/sync-error.ts';
import { startApi } from '../../../support/api.ts';
import { castAt, patient, reportOf } from '../../../support/viewer.ts';

/** `isMute`: calls of which the hub's answers are lost. */
async function start(changed: Partial<HubClientDeps> = {}, isMute: (body: unknown) => boolean = () => false) {
  const api = await startApi({ listen: true }, onTestFinished);
  const tokens = await api.tokens({ scopes: ['fhircast/*.*'] });
  const person = { token: tokens.access_token, topic: tokens['hub.topic'] ?? '' };
  const clock = manualClock(api.clock.now());
  const said: string[] = [];
  const bell = createBell();
  const note = (word: string): void => (said.push(word), bell.ring());
  const sockets: WebSocket[] = [];
  const calls: string[] = [];
  const client = createHubClient({
    clock,
    random: () => 0,
    subscriber: 'Laudio',
    events: ['DiagnosticReport-open', 'SyncError'],
    find: async () => ({
      address: `${api.server.url}/fhircast`,
      topic: person.topic,
      token: async () => person.token,
      transport: (request) => {
        calls.push(String(request.body));
        return isMute(request.body) ? new Promise(() => {}) : api.server.transport(request);
      },
      async dial(address) {
        const socket = await dialNetwork(address);
        sockets.push(socket);
        return socket;
      },
    }),
    onJoined: (current) => note(`joined ${current?.['context.type'] ?? 'silent'}`),
    onEvent(name, { id }) {
      client.acknowledge(id, 200);
      note(name);
    },
    onLost: (problem) => note(problem?.why ?? 'lost'),
    onFault: (error) => note(String(error)),
    ...changed,
  });
  onTestFinished(() => client.close());
  const hears = async (count: number) => {
    while (said.length < count) await bell.rung();
    return said.slice(0, count);
  };
  return { api, cast: castAt(api, person), clock, client, hears, sockets, calls };
}

test('after a dropped socket it is at the hub again, with the context that it has missed, under one subscription', async () => {
  const { cast, clock, hears, sockets } = await start();
  await hears(1);
  await cast.send('DiagnosticReport-open', [reportOf('r1'), patient('p1')]);
  await hears(2);
  for (const round of [0, 1, 2]) {
    sockets.at(-1)!.terminate();
    await hears(3 + 2 * round);
    clock.advance(9000);
    // The opening that it had is not news.
    expect((await hears(4 + 2 * round)).slice(-2)).toEqual(['lost', 'joined DiagnosticReport']);
  }
  expect(new Set(sockets.map(({ url }) => url)).size).toBe(1);
});

test('a connection on which nothing comes back is ended, and opened again', async () => {
  const { clock, hears, sockets } = await start();
  await hears(1);
  const [socket] = sockets;
  // Pongs that are lost on the way.
  socket!.removeAllListeners('pong');
  clock.advance(20_000);
  clock.advance(20_000);
  expect(await hears(2)).toEqual(['joined ', 'lost']);
  clock.advance(9000);
  await hears(3);
});

test('a service without a hub is asked again later', async () => {
  let asked = 0;
  const { clock, hears } = await start({
    find: async () => {
      asked += 1;
      return 'none';
    },
  });
  expect(await hears(1)).toEqual(['none']);
  clock.advance(9000);
  await hears(2);
  expect(asked).toBe(2);
});

test('an event on which something fails is answered as not followed, and the next one comes in', async () => {
  const { cast, hears } = await start({
    events: ['DiagnosticReport-open'],
    onEvent(name) {
      throw new TypeError(`no ${name}`);
    },
  });
  await hears(1);
  const viewer = await cast.join('SyncError');
  for (const round of [1, 2]) {
    const { id } = await cast.send('DiagnosticReport-open', [reportOf(`r${round}`), patient('p1')]);
    expect((await hears(1 + round)).at(-1)).toBe('TypeError: no DiagnosticReport-open');
    const error = await viewer.hears(({ event }) => JSON.stringify(event?.context ?? '').includes(id));
    expect(readSyncError(error.event!)).toMatchObject({ eventName: 'DiagnosticReport-open', subscriber: 'Laudio' });
  }
});

test('a defect while it joins ends nothing: it joins later', async () => {
  const { clock, hears } = await start({
    async find() {
      throw new TypeError('no place');
    },
  });
  expect(await hears(2)).toEqual(['TypeError: no place', 'unreachable']);
  clock.advance(9000);
  await hears(4);
});

/** Resolves once the calls that were just made have begun. */
const begun = () => new Promise(setImmediate);

test('a hub that answers nothing ends neither joining, nor sending, nor leaving', async () => {
  let lost = 'hub.mode=subscribe';
  const { clock, client, hears } = await start({}, (body) => String(body).includes(lost));
  await begun();
  clock.advance(10_000);
  expect(await hears(1)).toEqual(['unreachable']);
  lost = '"hub.event"';
  clock.advance(9000);
  expect((await hears(2)).at(-1)).toBe('joined ');
  const sending = client.send('e1', 'DiagnosticReport-open', [reportOf('r1'), patient('p1')]);
  await begun();
  clock.advance(10_000);
  await expect(sending).rejects.toMatchObject({ code: 'NETWORK' });
  lost = 'hub.mode=unsubscribe';
  const closing = client.close();
  await begun();
  clock.advance(10_000);
  await closing;
  lost = 'nothing';
});

test('leaving does not wait for joining', async () => {
  const { client } = await start({ find: () => new Promise(() => {}) });
  await client.close();
});

test('joining again sends the context of the hub again', async () => {
  const { clock, client, hears } = await start();
  await hears(1);
  client.rejoin();
  await hears(2);
  clock.advance(9000);
  expect(await hears(3)).toEqual(['joined ', 'lost', 'joined ']);
});

test('a subscription is renewed before its lease ends, and joined again where the hub has ended it', async () => {
  const { clock, hears, sockets, calls } = await start();
  await hears(1);
  const [socket] = sockets;
  const confirm = (seconds: number): void =>
    void socket!.emit(
      'message',
      Buffer.from(JSON.stringify({ 'hub.mode': 'subscribe', 'hub.lease_seconds': seconds })),
    );
  const renewals = () => calls.filter((body) => body.includes('hub.channel.endpoint=')).length;
  confirm(10);
  clock.advance(7999);
  await begun();
  expect(renewals()).toBe(0);
  const renewed = new Promise((resolve) => void socket!.once('message', resolve));
  clock.advance(1);
  await renewed;
  expect(renewals()).toBe(1);
  const reason = 'Another application took its place.';
  socket!.emit('message', Buffer.from(JSON.stringify({ 'hub.mode': 'denied', 'hub.reason': reason })));
  expect(await hears(2)).toEqual(['joined ', 'forbidden']);
  clock.advance(9000);
  expect((await hears(3)).at(-1)).toBe('joined ');
});

test('a connection ends where the hub does not confirm the subscription, or does not renew it', async () => {
  const clock = manualClock(0);
  const ended: string[] = [];
  const hold = (name: string, renew: () => Promise<boolean>) =>
    holdLease({ terminate: () => void ended.push(name) } as unknown as WebSocket, clock, renew);
  hold('unconfirmed', async () => true);
  expect(hold('renewed', async () => true).confirm(20)).toBe(true);
  hold('refused', async () => false).confirm(20);
  hold('unreachable', () => Promise.reject(new AppError('NETWORK'))).confirm(20);
  hold('left', async () => false).end();
  clock.advance(15_999);
  expect(ended).toEqual(['unconfirmed']);
  clock.advance(1);
  await begun();
  expect(ended).toEqual(['unconfirmed', 'refused', 'unreachable']);
});
