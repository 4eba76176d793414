/** Two servers over one store: a client, a person and a guesser meet the same limits, whichever of them answers. */
import type { InjectOptions } from 'fastify';
import { expect, test } from 'vitest';
import { contract } from '../../src/contract/index.ts';
import { authorizeQuery, dictated, fillForms, redirectOf, succeeded } from '../support/api.ts';
import type { Answer, Api } from '../support/api.ts';
import { createPortalBrowser, redirectUri, secretIn } from '../support/portal-browser.ts';
import { startTwo } from '../support/two-servers.ts';

const { clients, oauth, records, signatures, system, worklists } = contract;
const password = 'battery staple';

test('together they let as many requests through as one', async () => {
  const { servers, clock } = await startTwo({ rateLimit: 100 });
  const { token } = servers[0];
  const ask = (nth: number): Promise<Answer> =>
    servers[nth % 3 ? 1 : 0].call(worklists.endpoints.list, { token, query: {} });
  const answers: Answer[] = [];
  for (let nth = 0; nth < 120; nth++) answers.push(await ask(nth));
  expect(answers.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(100);
  expect(answers[119]?.headers).toMatchObject({ 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': '0' });
  clock.advance(60_000);
  expect((await ask(1)).status).toBe(200);
});

test('an operator goes through the portal at either, with the token of both; one that dies ends no session', async () => {
  const [operatorToken, publicUrl] = ['operator-of-both', 'https://laudio.example'];
  const { servers, hub, store } = await startTwo({ operatorToken, publicUrl, listen: true, testClient: true });
  let turn = 0;
  const browser = createPortalBrowser(() => servers[turn++ % 2 ? 1 : 0].server, 'en', publicUrl);
  const asked = await browser.get('/portal/new?kind=web');
  expect(asked.body).toContain('type="password"');
  expect((await browser.post('/portal/enter', { code: `${operatorToken}s` })).body).toContain(
    'not the operator’s token',
  );
  expect((await browser.post('/portal/enter', { code: operatorToken })).statusCode).toBe(303);
  const isInside = async () => (await browser.get('/portal/new?kind=web')).body.includes('name="redirect_uris"');
  const register = (name: string) =>
    browser.post('/portal/new', { name, redirect_uris: redirectUri, scopes: 'jobs:read' });
  expect([await isInside(), await isInside()]).toEqual([true, true]);
  // A double click reaches both of them.
  const [made, again] = await Promise.all([register('RIS'), register('RIS')]);
  expect(again.headers['location']).toBe(made.headers['location']);
  turn++;
  expect(secretIn((await browser.follow(made)).body)).toBeDefined();
  const names = async () => (await store.find('clients', {})).map(({ name }) => name);
  expect((await names()).filter((name) => name === 'RIS')).toHaveLength(1);
  const holder = hub.holderOf('portal') ?? '';
  await hub.lose(holder);
  expect([await isInside(), await isInside()]).toEqual([true, true]);
  expect((await register('PACS')).statusCode).toBe(303);
  expect(await names()).toContain('PACS');
  // The store has nothing with which somebody could enter.
  const [session] = await store.find('operator_sessions', {});
  expect(browser.cookie()).not.toContain(session?.id);
  for (let nth = 0; nth < 2; nth++)
    expect([(await browser.post('/portal/leave')).headers['set-cookie'] ?? []].flat().length).toBeLessThan(2);
  expect([await isInside(), await isInside(), await store.count('operator_sessions')]).toEqual([false, false, 0]);
});

test('clocks that are five minutes apart cost nobody a login, a change, or the time to take back a signature', async () => {
  // The first one has the lease of signatures, and would find those of the other one over.
  const { servers } = await startTwo({}, 5);
  const readyAt = (api: Api) => api.call(system.endpoints.ready, {});
  expect(await Promise.all(servers.map(readyAt))).toMatchObject([
    { json: { warnings: ['clock_apart'] } },
    { json: { warnings: [] } },
  ]);
  for (const [one, other] of [servers, servers.toReversed() as unknown as typeof servers]) {
    const client = await one.createClient({ space: 'default' });
    const username = `ana-${one === servers[0]}`;
    await one.createUser({ username, password, space: 'default' });
    const begun = await one.call(oauth.endpoints.authorize, { query: authorizeQuery(client) });
    const ended = await fillForms(alternate([one, other]), begun, { username, password });
    expect(ended.headers['location']).toContain('code=');
    // A code is issued by one, and lasts a minute for the other too.
    const again = await one.call(oauth.endpoints.authorize, { query: authorizeQuery(client) });
    const { code } = redirectOf(await fillForms(one.send, again, { username, password }));
    const { client_id, client_secret, redirect_uri } = client;
    const redemption = { grant_type: 'authorization_code', code, client_id, client_secret, redirect_uri };
    const { access_token } = (await other.call(oauth.endpoints.token, { body: redemption })).json as {
      access_token: string;
    };
    succeeded(await one.call(worklists.endpoints.list, { token: access_token, query: {} }));
    succeeded(await other.call(worklists.endpoints.list, { token: access_token, query: {} }));
    const list = (updated_since?: string) =>
      other.call(worklists.endpoints.list, { token: one.token, query: { ...(updated_since && { updated_since }) } });
    const { updated_until } = succeeded(await list());
    const exam = await one.exam();
    expect(succeeded(await list(updated_until)).items.map(({ id }) => id)).toContain(exam);
    const { id } = await one.generate({ text: dictated, worklist_item_id: exam });
    const body = { status: 'final', grace_seconds: 60 } as const;
    succeeded(await one.call(records.endpoints.update, { params: { id }, body }));
    // An event of the watch, which would end it, comes before these are answered.
    for (let nth = 0; nth < 3; nth++) await list();
    succeeded(await one.call(signatures.endpoints.takeBack, { params: { id } }));
  }
});

/** Answers alternate between the servers. */
const alternate = (servers: readonly [Api, Api], sent: InjectOptions[] = []) => {
  return (request: InjectOptions): Promise<Answer> => servers[sent.push(request) % 2 ? 0 : 1].send(request);
};

test('a login goes on at the other one, is decided once, and its token is good at both until it is revoked', async () => {
  const { servers } = await startTwo();
  const [one, other] = servers;
  await one.createUser({ username: 'ana', password, space: 'default' });
  const client = await one.createClient({ space: 'default' });
  const sent: InjectOptions[] = [];
  const begun = await one.call(oauth.endpoints.authorize, { query: authorizeQuery(client) });
  const ended = await fillForms(alternate(servers, sent), begun, { username: 'ana', password });
  expect(ended.headers['location']).toContain('code=');
  const decision = sent.at(-1) ?? {};
  for (const api of servers) expect((await api.send(decision)).headers['location']).toBeUndefined();
  const { access_token: token } = await other.tokens({ client, login: { username: 'ana', password } });
  for (const api of servers) succeeded(await api.call(worklists.endpoints.list, { token, query: {} }));
  succeeded(await one.call(clients.endpoints.delete, { params: { id: client.client_id } }));
  for (const api of servers) expect((await api.call(worklists.endpoints.list, { token, query: {} })).status).toBe(401);
});

test('a guesser waits for wrong passwords at either', async () => {
  const { servers } = await startTwo();
  await servers[0].createUser({ username: 'ana', password, space: 'default' });
  const client = await servers[0].createClient({ space: 'default' });
  const guess = async (nth: number): Promise<number> => {
    const api = servers[nth % 2 ? 0 : 1];
    const begun = await api.call(oauth.endpoints.authorize, { query: authorizeQuery(client) });
    const login = { username: 'ana', password: `wrong ${nth}` };
    const pages: Answer[] = [];
    const send = async (request: InjectOptions) => {
      const answer = await api.send(request);
      pages.push(answer);
      return answer;
    };
    await fillForms(send, begun, login).catch(() => undefined);
    return pages[1]?.status ?? 0;
  };
  const statuses = [];
  for (let nth = 0; nth < 6; nth++) statuses.push(await guess(nth));
  expect(statuses.filter((status) => status !== 429)).toHaveLength(3);
});

test('a PIN is compared five times with wrong ones, however many come at once', async () => {
  const { servers, store } = await startTwo();
  const [one] = servers;
  const user = await one.createUser({ username: 'ana', password, display_name: 'Dra. Ana', space: 'default' });
  const client = await one.createClient({ space: 'default' });
  const { access_token: token } = await one.tokens({ client, login: { username: 'ana', password } });
  succeeded(await one.call(signatures.endpoints.setPin, { token, body: { password, pin: '4711' } }));
  const { id } = await one.generate({ text: dictated }, { token });
  const guess = (nth: number) =>
    servers[nth % 2 ? 0 : 1].call(records.endpoints.update, {
      token,
      params: { id },
      body: { status: 'final', pin: `000${nth % 10}` },
    });
  for (let round = 0; round < 6; round++) await Promise.all(Array.from({ length: 6 }, (_, nth) => guess(nth)));
  expect((await store.get('users', user.id))?.pin?.failures).toBe(5);
  expect((await guess(0)).error.details['reason']).toBe('pin_locked');
});
