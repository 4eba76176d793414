/** The hub as the applications of a workplace use it: over HTTP and WebSockets. */
import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { contract } from '../../../src/contract/index.ts';
import { manualClock } from '../../../src/domain/clock.ts';
import { movableClock } from '../../../src/domain/movable-clock.ts';
import { createHttpCall } from '../../../src/node/http/http-call.ts';
import { askForHubToken } from '../../../src/node/login/hub-token.ts';
import type { HubLogin } from '../../../src/node/login/hub-token.ts';
import { createPlaceKey, topicFor } from '../../../src/protocols/fhircast/place.ts';
import { startApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { startTwo } from '../../support/two-servers.ts';
import type { RegisteredScope, Scope } from '../../../src/contract/scopes.ts';
import { castAt, connect, patient, putting, reportOf, study } from '../../support/viewer.ts';
import type { Person, Said } from '../../support/viewer.ts';

const every =
  'Patient-open,Patient-close,ImagingStudy-open,DiagnosticReport-open,DiagnosticReport-close,DiagnosticReport-update,SyncError';

const start = (): Promise<Api> => startApi({ listen: true }, onTestFinished);

async function personAt(
  api: Api,
  scopes: readonly Scope[] = ['fhircast/*.*'],
  login?: { username: string; password: string },
) {
  const client = login && (await api.createClient({ name: 'A viewer' }));
  const tokens = await api.tokens({ scopes, ...(login && client && { login, client }) });
  return { token: tokens.access_token, topic: tokens['hub.topic'] ?? '' } satisfies Person;
}

const isEvent = (name: string) => (said: Said) => said.event?.['hub.event'] === name;
const codings = (said: Said) => {
  const outcome = said.event?.context[0]?.resource as unknown as {
    issue: { diagnostics: string; details: { coding: { code: string }[] } }[];
  };
  return outcome.issue[0]?.details.coding.map(({ code }) => code);
};

test('a login with a scope of FHIRcast learns hub and topic, and others do not', async () => {
  const api = await start();
  const tokens = await api.tokens({ scopes: ['fhircast/Patient-open.read', 'worklists:read'] });
  expect(tokens).toMatchObject({
    'hub.url': expect.stringMatching(/^http:.*\/fhircast$/),
    scope: 'fhircast/Patient-open.read worklists:read',
  });
  expect(await api.tokens({ scopes: ['worklists:read'] })).not.toHaveProperty(['hub.url']);
});

test('a report that one opens reaches the other, who comes late too; closing it leaves no context', async () => {
  const api = await start();
  const cast = castAt(api, await personAt(api));
  const viewer = await cast.join(every);
  const patientsOnly = await cast.join('Patient-open');
  const context = [reportOf('r1'), patient('p1'), study('s1')];
  const { id, status } = await cast.send('DiagnosticReport-open', context);
  expect(status).toBe(202);
  const heard = await viewer.hearsEvent(id);
  expect(heard.event.context).toEqual(context);
  const derived = await patientsOnly.hears(isEvent('Patient-open'));
  expect(derived.event?.context).toEqual([patient('p1')]);
  const late = await cast.join(every);
  expect(await late.hearsEvent(id)).toEqual(heard);
  expect((await cast.current()).json).toMatchObject({
    'context.type': 'DiagnosticReport',
    'context.versionId': heard.event['context.versionId'],
  });
  const closing = await cast.send('DiagnosticReport-close', context);
  await late.hearsEvent(closing.id);
  expect((await cast.current()).json).toEqual({ 'context.type': '', 'context.versionId': '', context: [] });
});

test('two processes are one hub; when the one with the topic is lost, applications come again and find no context', async () => {
  const { servers, hub, clock } = await startTwo({ listen: true, operatorToken: 'operator-of-both' });
  const person = await personAt(servers[0]);
  const casts = servers.map(({ server }) => castAt({ server, clock }, person));
  const [here, there] = casts as [ReturnType<typeof castAt>, ReturnType<typeof castAt>];
  const viewers = [await here.join(every), await there.join(every)];
  const context = [reportOf('r1'), patient('p1')];
  for (const cast of casts) {
    const { id, status } = await cast.send('DiagnosticReport-open', context);
    expect(status).toBe(202);
    for (const viewer of viewers) expect((await viewer.hearsEvent(id)).event.context).toEqual(context);
  }
  const shown = async () => (await Promise.all(casts.map((cast) => cast.current()))).map(({ json }) => json);
  expect(await shown()).toMatchObject(casts.map(() => ({ context: [...context, { key: 'content' }] })));
  // A refusal of one reaches the other, whichever process it is connected to.
  viewers[1]!.answer = ({ id }) => ({ id, status: 500 });
  await there.send('Patient-open', [patient('p2')]);
  await viewers[0]!.hears(isEvent('SyncError'));
  const { pathname } = new URL(viewers[0]!.endpoint);
  expect(pathname).not.toContain(person.topic);
  const guessed = connect(`${servers[1].server.url.replace('http', 'ws')}${pathname}x`);
  expect(await guessed.closed).toBe(0);

  const lease = `topic ${createPlaceKey(person.topic)}`;
  const holder = hub.holderOf(lease) ?? '';
  await hub.lose(holder);
  expect(hub.holderOf(lease)).not.toBe(holder);
  const other = holder === 'member 1' ? there : here;
  expect((await other.current()).json).toEqual({ 'context.type': '', 'context.versionId': '', context: [] });
  const again = await other.join(every);
  const { id } = await other.send('Patient-open', [patient('p3')]);
  await again.hearsEvent(id);
  expect(again.said.filter(({ event }) => event).map((said) => said.id)).toEqual([id]);
  await hub.wake(holder);
  expect(await Promise.all(viewers.map(({ closed }) => closed))).toEqual([1001, 1001]);
});

test('of changes to one version of a report one is taken, and a repeated one counts once', async () => {
  const api = await start();
  const cast = castAt(api, await personAt(api));
  const viewer = await cast.join(every);
  const opening = await cast.send('DiagnosticReport-open', [reportOf('r1'), patient('p1')]);
  const version = (await viewer.hearsEvent(opening.id)).event['context.versionId'] ?? '';
  const changes = await Promise.all(
    ['a', 'b', 'c'].map((id) => cast.send('DiagnosticReport-update', putting('r1', id), { version })),
  );
  expect(changes.map(({ status }) => status).toSorted()).toEqual([202, 409, 409]);
  const refused = changes.find(({ status }) => status === 409);
  expect(refused?.json).toMatchObject({ resourceType: 'OperationOutcome', issue: [{ code: 'conflict' }] });
  const taken = changes.findIndex(({ status }) => status === 202);
  const again = await cast.send('DiagnosticReport-update', putting('r1', 'x'), {
    version,
    id: changes[taken]?.id ?? '',
  });
  expect(again.status).toBe(202);
  const { json } = await cast.current();
  const content = (json['context'] as { key: string; resource: { entry: { resource: { id: string } }[] } }[]).at(-1);
  expect(content?.resource.entry.map(({ resource }) => resource.id)).toEqual([['a', 'b', 'c'][taken]]);
});

describe('who does not follow is named to the others', () => {
  test('by its answer', async () => {
    const api = await start();
    const cast = castAt(api, await personAt(api));
    const [report, viewer] = [await cast.join(every), await cast.join(every, { 'subscriber.name': 'Viewer' })];
    viewer.answer = ({ id }) => ({ id, status: '409' });
    const { id } = await cast.send('Patient-open', [patient('p1')]);
    expect(codings(await report.hears(isEvent('SyncError')))).toEqual([id, 'Patient-open', 'Viewer']);
  });

  test('by its silence, which also ends its subscription', async () => {
    const api = await start();
    const cast = castAt(api, await personAt(api));
    const [report, viewer] = [await cast.join(every), await cast.join(every, { 'subscriber.name': 'Viewer' })];
    viewer.answer = null;
    const { id } = await cast.send('Patient-open', [patient('p1')]);
    await Promise.all([report, viewer].map((each) => each.hearsEvent(id)));
    await report.settled();
    api.clock.advance(10_000);
    expect(codings(await report.hears(isEvent('SyncError')))).toEqual([id, 'Patient-open', 'Viewer']);
    expect((await viewer.hears((said) => said['hub.mode'] === 'denied'))['hub.reason']).toContain('did not answer');
    expect(await viewer.closed).toBe(1008);
  });
});

test('a subscription ends with its lease and with its token, and its endpoint with it', async () => {
  const api = await start();
  const person = await personAt(api);
  const cast = castAt(api, person);
  const viewer = await cast.join('Patient-open', { 'hub.lease_seconds': '60' });
  api.clock.advance(60_000);
  expect(await viewer.closed).toBe(1000);
  expect(await connect(viewer.endpoint).closed).toBe(0);
  const other = await cast.join('Patient-open');
  const revoked = await api.send({
    method: 'POST',
    url: '/api/oauth/revoke',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({
      token: person.token,
      client_id: 'test_tc_local',
      client_secret: 'test_tcs_local',
    }).toString(),
  });
  expect(revoked.status).toBe(200);
  expect(await other.closed).toBe(1000);
});

test('a token reads and sends what its scopes allow, in the topic of its person alone', async () => {
  const api = await start();
  const [owner, reader] = [await personAt(api), await personAt(api, ['fhircast/Patient-open.read'])];
  expect(reader.topic).toBe(owner.topic);
  const [cast, narrow] = [castAt(api, owner), castAt(api, reader)];
  await cast.send('DiagnosticReport-open', [reportOf('r1'), patient('p1')]);
  expect((await narrow.current()).json).toMatchObject({ 'context.type': '' });
  expect((await narrow.send('Patient-open', [patient('p2')])).status).toBe(403);
  expect((await narrow.form({ 'hub.mode': 'subscribe', 'hub.events': 'DiagnosticReport-open' })).status).toBe(403);
  const login = { username: 'bruno', password: 'right-here-2' };
  await api.createUser(login);
  const stranger = await personAt(api, ['fhircast/*.*'], login);
  expect(stranger.topic).not.toBe(owner.topic);
  const foreign = castAt(api, { ...stranger, topic: owner.topic });
  const viewer = await cast.join(every);
  const answers = await Promise.all([
    foreign.current(),
    foreign.send('Patient-open', [patient('p3')]),
    foreign.form({ 'hub.mode': 'unsubscribe', 'hub.channel.endpoint': viewer.endpoint }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
});

test('an empty form is refused', async () => {
  const api = await start();
  const cast = castAt(api, await personAt(api));
  expect((await cast.ask('POST', '', '', 'application/x-www-form-urlencoded')).status).toBe(400);
});

test('who asks too often is told to wait, with a token or without, and the server goes on', async () => {
  const api = await startApi({ listen: true, rateLimit: 8 }, onTestFinished);
  const person = await personAt(api);
  for (const token of [person.token, 'none']) {
    const cast = castAt(api, { ...person, token });
    const answers = await Promise.all(Array.from({ length: 9 }, () => cast.current()));
    expect(answers.map(({ status }) => status)).toContain(429);
  }
  expect((await fetch(`${api.server.url}/healthz`)).status).toBe(200);
});

test('where the clock of the server is simulated, a subscription lasts as its token does', async () => {
  const simulated = movableClock(manualClock(Date.now()), { now: Date.parse('2020-01-01T00:00:00Z'), runs: false });
  const api = await startApi({ listen: true, simulated }, onTestFinished);
  const viewer = await castAt(api, await personAt(api)).join('Patient-open');
  const confirmed = await viewer.hears((said) => said['hub.mode'] === 'subscribe');
  expect(confirmed['hub.lease_seconds']).toBeGreaterThan(3000);
});

test('a subscription ends when its application loses the scope', async () => {
  const api = await start();
  await api.createUser({ username: 'bruno', password: 'right-here-2' });
  const client = await api.createClient({ name: 'A viewer' });
  const login = { username: 'bruno', password: 'right-here-2' };
  const tokens = await api.tokens({ client, login, scopes: ['fhircast/*.read', 'worklists:read'] });
  const cast = castAt(api, { token: tokens.access_token, topic: tokens['hub.topic'] ?? '' });
  const viewer = await cast.join('Patient-open');
  const { update } = contract.clients.endpoints;
  await api.call(update, { params: { id: client.client_id }, body: { scopes: ['worklists:read'] } });
  expect(await viewer.closed).toBe(1000);
});

test.each(['/healthz', '/fhircast/.well-known/fhircast-configuration', '/api/oauth/token'])(
  'a client that offers another protocol beside its request gets its answer: %s',
  async (path) => {
    const api = await start();
    const { port } = new URL(api.server.url);
    const send = request({ port, path, method: 'POST', headers: { connection: 'Upgrade', upgrade: 'h2c' } });
    const plain = request({ port, path, method: 'POST' });
    const statuses = [send, plain].map(async (each) => {
      const [answer] = (await once(each.end('x'), 'response')) as [IncomingMessage];
      answer.resume();
      return answer.statusCode;
    });
    const [offered, expected] = await Promise.all(statuses);
    expect(offered).toBe(expected);
  },
);

test.each([
  ['no JSON', '{"id":', 400],
  [
    'no context',
    JSON.stringify({
      id: '1',
      timestamp: '2026-03-02T11:30:00Z',
      event: { 'hub.topic': 'T', 'hub.event': 'Patient-open' },
    }),
    400,
  ],
  ['more than a megabyte', JSON.stringify({ id: 'x'.repeat(1_100_000) }), 413],
])('an event with %s is refused', async (_, body, status) => {
  const api = await start();
  const cast = castAt(api, await personAt(api));
  expect((await cast.ask('POST', '', body, 'application/json')).status).toBe(status);
});

test("a viewer's page calls the hub from the origin that the operator named, and from no other", async () => {
  const api = await startApi({ listen: true, viewerOrigins: ['https://viewer.example'] }, onTestFinished);
  const askFrom = (origin: string, path: string) =>
    fetch(`${api.server.url}${path}`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
    });
  const allowed = await askFrom('https://viewer.example', '/fhircast');
  expect(allowed.headers.get('access-control-allow-origin')).toBe('https://viewer.example');
  expect((await askFrom('https://other.example', '/fhircast')).status).toBe(403);
  expect((await askFrom('https://viewer.example', '/api/v1/worklists')).status).toBe(403);
});

test('a hub whose WebSockets could not be loaded once loads them again', async () => {
  const api = await start();
  const cast = castAt(api, await personAt(api));
  let failures = 0;
  vi.doMock('ws', async (original) => {
    const { WebSocketServer } = await original<typeof import('ws')>();
    return {
      get WebSocketServer() {
        if (failures++ === 0) throw new Error('no memory for another module');
        return WebSocketServer;
      },
    };
  });
  onTestFinished(() => void vi.doUnmock('ws'));
  const { json } = await cast.form({ 'hub.mode': 'subscribe', 'hub.events': every });
  const endpoint = String(json['hub.channel.endpoint']);
  // The connection is cut.
  expect(await connect(endpoint).closed).toBe(0);
  const { hears, closed } = connect(endpoint);
  expect(await Promise.race([hears(() => true), closed])).toMatchObject({ 'hub.mode': 'subscribe' });
  expect(failures).toBe(2);
});

test('the hub of another system is joined by its own token, under a topic for each person', async () => {
  const there = await start();
  const tokenUrl = `${there.server.url}/api/oauth/token`;
  const address = `${there.server.url}/fhircast`;
  const register = async (scopes: readonly RegisteredScope[]): Promise<HubLogin & { space: string }> => {
    const client = await there.createClient({ name: 'Laudio', kind: 'server', scopes: [...scopes], redirect_uris: [] });
    return { tokenUrl, clientId: client.client_id, secret: client.client_secret, space: client.space };
  };
  const hub = await register(['fhircast/*.read', 'fhircast/*.write']);
  const here = await startApi({ hub: { ...hub, address, topic: '{username}@pacs' } }, onTestFinished);
  const login = { username: 'helena', password: 'a long password' };
  await here.createUser(login);
  const { access_token: token } = await here.tokens({ client: await here.createClient(), login });
  const { data } = await here.call(contract.viewers.endpoints.hub, { token });
  expect(data).toMatchObject({ address, topic: 'helena@pacs', fault: null, expires_at: expect.any(String) });
  // At a hub of Laudio an application that acts for itself has one topic.
  await castAt(there, { token: data.access_token!, topic: topicFor(hub.space, hub.clientId) }).join(every);
  expect((await here.call(contract.viewers.endpoints.hub)).data).toMatchObject({
    address: expect.not.stringContaining(address),
    access_token: null,
  });

  const { transport, close } = createHttpCall({ timeout: 5000, env: {} });
  onTestFinished(close);
  const { clientId, secret } = await register(['worklists:read']);
  for (const [changed, fault] of [
    [{ secret: 'wrong' }, 'unauthorized'],
    [{ clientId, secret }, 'forbidden'],
    [{ tokenUrl: `${there.server.url}/nowhere` }, 'unreachable'],
    [{ tokenUrl: 'http://127.0.0.1:9' }, 'unreachable'],
  ] as const)
    expect(await askForHubToken({ ...hub, ...changed }, { transport, clock: there.clock })).toBe(fault);
});
