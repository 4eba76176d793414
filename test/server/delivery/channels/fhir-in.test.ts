/** fhir-in: a FHIR server is asked for what is new. */
import { generateKeyPairSync } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { contract } from '../../../../src/contract/index.ts';
import { startApi, succeeded } from '../../../support/api.ts';
import type { Api } from '../../../support/api.ts';
import { eventually } from '../../../support/eventually.ts';
import { fhirChannelTo, order, patient } from '../../../support/fhir-channels.ts';
import { startFhirServer } from '../../../support/fhir-server.ts';
import type { FhirServer, Resource } from '../../../support/fhir-server.ts';

const { channels } = contract;
let api: Api;
// Each moves the time by as much as a login lasts.
beforeEach(async () => void (api = await startApi({ isPrompt: true })));

const channelTo = fhirChannelTo(() => api);

test('orders come with their patients, in pages, once; what changes comes again, and nothing of before', async () => {
  const server = await startFhirServer();
  server.put(patient);
  for (const id of ['1', '2', '3', '4', '5']) server.put(order(id));
  const channel = await channelTo(server);
  await channel.after(async () => expect(await channel.exams()).toHaveLength(5));
  expect((await channel.exams())[0]).toMatchObject({
    patient_id: 'P-1',
    patient_name: 'Patient^Test',
    patient_birth_date: '1971-06-14',
    exam_description: 'CT of the chest',
    version: 1,
  });
  expect(await channel.test()).toMatchObject({ works: true });
  server.now += 3600_000;
  server.put(order('2', { code: { text: 'CT of the abdomen' } }));
  server.put(order('3', { status: 'revoked' }));
  await channel.after(async () =>
    expect((await channel.exams()).map(({ exam_description, status }) => [exam_description, status])).toEqual(
      expect.arrayContaining([
        ['CT of the abdomen', 'new'],
        ['CT of the chest', 'cancelled'],
      ]),
    ),
  );
  // From where the last round was, a little before it; the round in which the changes came may still be asking for its pages.
  const askedFrom = (): number[] =>
    server.asked
      .filter((url) => url.includes('ServiceRequest?'))
      .map((url) => Date.parse(new URL(url, server.url).searchParams.get('_lastUpdated')!.slice(2)));
  await channel.after(async () => expect(askedFrom().at(-1)).toBe(server.now - 300_000));
  expect(await channel.queue()).toEqual([]);
  // What was asked for and taken is not kept, but when it came.
  const last = await channel.lastMessageAt();
  expect(last).not.toBeNull();
  await channel.after(async () => expect(askedFrom().filter((from) => from === server.now - 300_000)).toHaveLength(3));
  expect(await channel.lastMessageAt()).toBe(last);
  // The cancelled exam changed twice: its order, and then its status.
  expect((await channel.exams()).map(({ version }) => version).toSorted()).toEqual([1, 1, 1, 2, 3]);
});

test('a server without includes, pages that lead elsewhere, and one that asks us to wait', async () => {
  const server = await startFhirServer();
  server.put(patient);
  server.put(order('11'));
  let busy = true;
  server.intervene = (url) => {
    if (url.searchParams.has('_include')) return { status: 400 };
    if (!url.pathname.endsWith('ServiceRequest') || !busy) return undefined;
    return { status: 429, headers: { 'retry-after': '600' } };
  };
  const channel = await channelTo(server);
  await eventually(async () => expect((await channel.state()).error).toContain('asks us to wait'));
  const asked = server.asked.length;
  for (let minute = 0; minute < 9; minute++) {
    api.clock.advance(60_000);
    await channel.state();
  }
  expect(server.asked).toHaveLength(asked);
  busy = false;
  await channel.after(async () => expect(await channel.exams()).toHaveLength(1));
  expect(await channel.state()).toMatchObject({ error: null });
  server.intervene = () => ({
    status: 200,
    body: { resourceType: 'Bundle', link: [{ relation: 'next', url: 'http://127.0.0.2:1/more' }] },
  });
  await channel.after(async () => expect((await channel.state()).error).toContain('leads to'));
});

test('logs in by an assertion that its key signed, again when the token ends', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' });
  const server = await startFhirServer({ key: publicKey });
  server.put(patient);
  server.put(order('21'));
  const login = {
    token_url: `${server.url}/token`,
    client_id: 'laudio',
    key_id: 'k1',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  };
  const channel = await channelTo(server, login);
  await channel.after(async () => expect(await channel.exams()).toHaveLength(1));
  const shown = succeeded(await api.call(channels.endpoints.get, { params: channel.params }));
  expect(JSON.stringify(shown)).not.toContain('PRIVATE KEY');
  const before = server.asked.filter((url) => url === '/token').length;
  api.clock.advance(300_000);
  server.put(order('22'));
  await channel.after(async () => expect(await channel.exams()).toHaveLength(2));
  expect(server.asked.filter((url) => url === '/token').length).toBeGreaterThan(before);
  const half = await channelTo(server, { ...login, private_key: undefined });
  expect((await half.state()).error).toContain('needs token_url, client_id, and either private_key');
});

test('an order whose patient cannot be read just now waits for it, and holds up no other', async () => {
  const server = await startFhirServer();
  server.put({ ...patient, id: 'p2' });
  for (const id of ['31', '32']) server.put(order(id, id === '31' ? {} : { subject: { reference: 'Patient/p2' } }));
  server.put(patient);
  let isOut = true;
  server.intervene = (url) => {
    if (url.searchParams.has('_include')) return { status: 400 };
    return isOut && url.pathname.endsWith('/Patient/p1') ? { status: 502 } : undefined;
  };
  const channel = await channelTo(server);
  await channel.after(async () => expect(await channel.exams()).toMatchObject([{ accession_number: 'FH-32' }]));
  await eventually(async () => expect((await channel.state()).error).toContain('answered with 502'));
  api.clock.advance(1200_000);
  server.now += 1200_000;
  await channel.after(async () => expect((await channel.state()).error).toContain('answered with 502'));
  expect(await channel.queue()).toEqual([]);
  isOut = false;
  await channel.after(async () => expect(await channel.exams()).toHaveLength(2));
  await channel.after(async () => expect((await channel.state()).error).toBeNull());
});

test('an unusable order is reported once, and done when it is corrected', async () => {
  const server = await startFhirServer();
  server.put(patient);
  server.put(order('31', { subject: { reference: 'Patient/nobody' } }));
  const channel = await channelTo(server);
  await channel.after(async () =>
    expect(await channel.queue()).toMatchObject([{ state: 'refused', key: 'ServiceRequest/31' }]),
  );
  for (let round = 0; round < 3; round++) {
    api.clock.advance(60_000);
    await channel.test();
  }
  expect(await channel.queue()).toHaveLength(1);
  server.put(order('31'));
  await channel.after(async () => expect(await channel.exams()).toHaveLength(1));
  expect(await channel.queue()).toMatchObject([{ state: 'taken', error: null }]);
});

describe('a rest-hook', () => {
  const hook_token = 'a-token-of-the-hook';
  const hook = (name: string, ask: { token?: string; type?: string; payload?: string } = {}) =>
    api.send({
      method: 'POST',
      url: `/api/v1/channels/${name}/hook`,
      headers: {
        ...(ask.token !== '' && { authorization: `Bearer ${ask.token ?? hook_token}` }),
        ...(ask.type !== undefined && { 'content-type': ask.type }),
      },
      ...(ask.payload !== undefined && { payload: ask.payload }),
    });
  const rounds = (server: FhirServer): number => server.asked.filter((each) => each.includes('ServiceRequest?')).length;

  test('makes one question a second later, however many come; no body has to be readable, and the interval goes on', async () => {
    const server = await startFhirServer();
    server.put(patient);
    const { exams, params } = await channelTo(server, { hook_token, interval_seconds: 1800 });
    await eventually(() => expect(rounds(server)).toBe(1));
    server.put(order('1'));
    const answers = [
      await hook(params.channel),
      await hook(params.channel, { type: 'application/fhir+json' }),
      await hook(params.channel, { type: 'application/json', payload: '' }),
      await hook(params.channel, { type: 'application/fhir+json', payload: '{"resourceType":' }),
    ];
    expect(answers.map(({ status, data }) => [status, data])).toEqual(answers.map(() => [200, { asks: true }]));
    expect(rounds(server)).toBe(1);
    api.clock.advance(1000);
    await eventually(async () => expect((await exams()).map((each) => each.accession_number)).toEqual(['FH-1']));
    expect(rounds(server)).toBe(2);
    server.put(order('2'));
    api.clock.advance(1_799_000);
    expect(rounds(server)).toBe(2);
    api.clock.advance(1000);
    await eventually(async () => expect(await exams()).toHaveLength(2));
  });

  test('while a round is under way makes another one after it', async () => {
    const server = await startFhirServer();
    server.put(patient);
    const { exams, params } = await channelTo(server, { hook_token, interval_seconds: 3600 });
    await eventually(() => expect(rounds(server)).toBe(1));
    let late: Promise<unknown> | undefined;
    server.intervene = (url) => {
      // What is stored now, this round does not find any more.
      if (!late && url.pathname.endsWith('/ServiceRequest')) late = hook(params.channel);
      return undefined;
    };
    await hook(params.channel);
    api.clock.advance(1000);
    await eventually(() => expect(late).toBeDefined());
    await late;
    server.put(order('3'));
    await eventually(async () => {
      api.clock.advance(1000);
      expect(await exams()).toHaveLength(1);
    });
    expect(rounds(server)).toBeLessThan(5);
  });

  test('hurries no server that asked us to wait', async () => {
    const server = await startFhirServer();
    server.intervene = () => ({ status: 429, headers: { 'retry-after': '120' } });
    const { params, state } = await channelTo(server, { hook_token, interval_seconds: 5 });
    await eventually(async () => expect((await state()).error).toContain('asks us to wait'));
    expect((await hook(params.channel)).status).toBe(200);
    api.clock.advance(119_000);
    expect(rounds(server)).toBe(1);
    api.clock.advance(1000);
    await eventually(() => expect(rounds(server)).toBe(2));
  });

  test('is independent of the time of day: a clock that is set back delays no poll', async () => {
    const server = await startFhirServer();
    server.intervene = () => ({ status: 429, headers: { 'retry-after': '120' } });
    const { params, state } = await channelTo(server, { hook_token, interval_seconds: 5 });
    await eventually(async () => expect((await state()).error).toContain('asks us to wait'));
    api.clock.set(api.clock.now() - 24 * 3600_000);
    await hook(params.channel);
    api.clock.advance(119_000);
    expect(rounds(server)).toBe(1);
    server.intervene = () => undefined;
    api.clock.advance(1000);
    await eventually(() => expect(rounds(server)).toBe(2));
    await eventually(async () => expect((await state()).error).toBeNull());
    api.clock.set(api.clock.now() - 24 * 3600_000);
    await hook(params.channel);
    api.clock.advance(1000);
    await eventually(() => expect(rounds(server)).toBe(3));
  });

  test('is heard with the token alone; a channel without one, of another kind or none has no hook', async () => {
    const server = await startFhirServer();
    const { params } = await channelTo(server, { hook_token });
    const plain = await channelTo(server);
    for (const answer of [
      await hook(params.channel, { token: '' }),
      await hook(params.channel, { token: `${hook_token}x` }),
      await hook(plain.params.channel),
      await hook('nobody'),
    ]) {
      expect(answer).toMatchObject({ status: 401, error: { code: 'UNAUTHORIZED' } });
    }
    expect(succeeded(await api.call(channels.endpoints.get, { params })).settings).toMatchObject({ hook_token: 'set' });
    succeeded(await api.call(channels.endpoints.change, { params, body: { enabled: false } }));
    expect((await hook(params.channel)).data).toEqual({ asks: false });
    expect(JSON.stringify(api.logged)).not.toContain(hook_token);
  });
});

describe.each(['r4b', 'r5'] as const)('a Subscription in the form of %s', (subscribe) => {
  const hook_token = 'a-token-of-the-hook';
  const asked = (server: FhirServer, what: string): number => server.asked.filter((each) => each.includes(what)).length;
  const start = async () => {
    const server = await startFhirServer();
    server.put(patient);
    const subscription_topic = 'http://ris.example.org/topics/orders';
    const hook_url = 'https://laudio.example.org/';
    const channel = await channelTo(server, { hook_token, subscribe, subscription_topic, hook_url });
    await eventually(() => expect(asked(server, 'ServiceRequest?')).toBe(1));
    const notify = async (type: string, events: number) => {
      const status =
        subscribe === 'r5'
          ? { resourceType: 'SubscriptionStatus', type, eventsSinceSubscriptionStart: String(events) }
          : {
              resourceType: 'Parameters',
              parameter: [
                { name: 'type', valueCode: type },
                { name: 'events-since-subscription-start', valueString: String(events) },
              ],
            };
      const answer = await api.send({
        method: 'POST',
        url: `/api/v1/channels/${channel.params.channel}/hook`,
        headers: { authorization: `Bearer ${hook_token}`, 'content-type': 'application/fhir+json' },
        payload: JSON.stringify({ resourceType: 'Bundle', entry: [{ resource: status }] }),
      });
      expect(answer.data).toEqual({ asks: true });
    };
    const pass = async (seconds: number) => {
      api.clock.advance(seconds * 1000);
      await channel.test();
    };
    return { server, channel, notify, pass };
  };

  test('makes polls rare while its heartbeats come; an event, or one that was lost, polls at once', async () => {
    const { server, channel, notify, pass } = await start();
    const secret = `Authorization: Bearer ${hook_token}`;
    expect(server.written).toMatchObject([
      subscribe === 'r5'
        ? { status: 'requested', channelType: { code: 'rest-hook' }, content: 'empty', heartbeatPeriod: 60 }
        : { status: 'requested', channel: { type: 'rest-hook', header: [secret] } },
    ]);
    expect(JSON.stringify(server.written)).toContain(`/api/v1/channels/${channel.params.channel}/hook`);
    await notify('handshake', 0);
    await pass(1);
    await eventually(() => expect(asked(server, 'ServiceRequest?')).toBe(2));
    for (let minute = 0; minute < 8; minute++) {
      await pass(60);
      await notify('heartbeat', 0);
    }
    expect(asked(server, 'ServiceRequest?')).toBe(2);
    server.put(order('41'));
    await notify('event-notification', 1);
    await pass(1);
    await eventually(async () => expect(await channel.exams()).toHaveLength(1));
    server.put(order('42'));
    // The notification of the second event never came.
    await notify('heartbeat', 2);
    await pass(1);
    await eventually(async () => expect(await channel.exams()).toHaveLength(2));
    const before = asked(server, 'ServiceRequest?');
    server.put(order('43'));
    // Silence: it polls as often as without a Subscription.
    await channel.after(async () => expect(await channel.exams()).toHaveLength(3));
    expect(asked(server, 'ServiceRequest?')).toBeGreaterThan(before);
    expect(JSON.stringify(api.logged)).not.toContain(hook_token);
  });

  test('is made again if the server gave it up or lost it, and renewed before it ends', async () => {
    const { server, channel } = await start();
    server.put({ ...(server.written[0] as Resource), status: 'error' });
    await channel.after(async () => expect((await channel.state()).error).toContain('check hook_url'));
    expect(server.written.map((each) => (each as Resource).id)).toEqual(['sub-1', 'sub-1']);
    await channel.after(async () => expect((await channel.state()).error).toBeNull());
    server.intervene = (url) => (url.pathname.endsWith('Subscription/sub-1') ? { status: 404 } : undefined);
    await channel.after(async () => expect(server.written).toHaveLength(3));
    expect(server.written.at(-1)).toMatchObject({ id: 'sub-2' });
    server.intervene = () => undefined;
    api.clock.advance(13 * 3600_000);
    await channel.after(async () => expect(server.written).toHaveLength(4));
    expect(server.written.at(-1)).toMatchObject({ id: 'sub-2', status: 'requested' });
    server.intervene = ({ pathname }) =>
      pathname.includes('Subscription') ? { status: pathname.endsWith('Subscription') ? 422 : 404 } : undefined;
    api.clock.advance(13 * 3600_000);
    server.put(order('44'));
    await channel.after(async () => expect((await channel.state()).error).toContain('the channel polls instead'));
    await channel.after(async () => expect(await channel.lastMessageAt()).not.toBeNull());
  });
});

test('a Subscription without a topic is a question to the operator', async () => {
  const server = await startFhirServer();
  const { state } = await channelTo(server, { subscribe: 'r5' });
  expect((await state()).error).toContain('needs subscription_topic, hook_url and hook_token');
});
