/** The portal as HTTP: who gets in, what its forms do, and that nothing of it can be had in another way. */
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createServer } from '../../../server/index.ts';
import type { Server } from '../../../server/index.ts';
import type { Store } from '../../../server/storage/store.ts';
import { contract } from '../../../src/contract/index.ts';
import { manualClock } from '../../../src/domain/clock.ts';
import type { ManualClock } from '../../../src/domain/clock.ts';
import { dictated, startApi, succeeded } from '../../support/api.ts';
import { createPortalBrowser, portalCode, redirectUri, secretIn } from '../../support/portal-browser.ts';
import { cheapSecrets } from '../../support/cheap-secrets.ts';
import { addRefusedMessages, patient } from '../../support/refused-messages.ts';
import { authority } from '../../support/certificates.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { createReceiver } from '../delivery/webhooks/receiver.ts';

const code = portalCode;
const uri = redirectUri;
let server: Server;
let clock: ManualClock;
const start = async (more: { clock?: ManualClock } = {}) => {
  server = await createServer({
    version: '0.0.0-test',
    store: { use: 'memory' },
    secretCosts: cheapSecrets,
    setupCode: code,
    ...more,
  });
  onTestFinished(() => server.close());
};
beforeEach(async () => {
  clock = manualClock(Date.parse('2026-03-02T11:30:00.000Z'));
  await start({ clock });
});

const createBrowser = (language?: string) => createPortalBrowser(() => server, language);

/** Status of a token request that has no code: 400 where the client was recognised, 401 where it was not. */
const tokenStatus = async (client_id: string, client_secret: string): Promise<number> => {
  const payload = new URLSearchParams({ grant_type: 'authorization_code', client_id, client_secret }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return (await server.inject({ method: 'POST', url: '/api/oauth/token', headers, payload })).statusCode;
};

describe('access', () => {
  test.each(['/portal', '/portal/new', '/portal/test_tc_local', '/portal/test_tc_local/webhook'])(
    '%s shows nothing without the code, and comes back to what was asked for with it',
    async (path) => {
      const browser = createBrowser();
      const asked = await browser.get(path);
      expect(asked.body).toContain('name="code"');
      expect(asked.body).not.toContain('test_tc_local</code>');
      expect(asked.headers).toMatchObject({
        'cache-control': 'no-store',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'content-security-policy': expect.stringMatching(/default-src 'none'.*frame-ancestors 'none'/),
      });
      const entered = await browser.enter();
      expect([entered.statusCode, entered.headers['location']]).toEqual([303, path]);
      expect(entered.headers['set-cookie']).toMatch(/^laudio_owner_\w+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
      expect((await browser.get(path)).body).not.toContain('name="code"');
    },
  );

  test('a path elsewhere is no way back', async () => {
    for (const to of ['https://evil.example/', '//evil.example', '/portal/../docs', '/docs'])
      expect((await createBrowser().post('/portal/enter', { code, to })).headers['location']).toBe('/portal');
  });

  test('a wrong code is slowed down, another page’s form is not taken', async () => {
    const browser = createBrowser();
    for (let at = 0; at < 5; at += 1)
      expect((await browser.post('/portal/enter', { code: '00000-00000' })).statusCode).toBe(403);
    const slowed = await browser.post('/portal/enter', { code });
    expect([slowed.statusCode, slowed.headers['retry-after']]).toEqual([429, '1']);
    clock.advance(1000);
    for (const more of [{ origin: 'http://localhost:81' }, { origin: 'null' }, { 'sec-fetch-site': 'same-site' }])
      expect((await browser.post('/portal/enter', { code }, more)).statusCode).toBe(403);
    expect((await browser.enter()).statusCode).toBe(303);
  });

  test('a session ends by logging out, after an hour without a request, and after a day of work', async () => {
    const browser = createBrowser();
    const isInside = async () => !(await browser.get('/portal')).body.includes('name="code"');
    await browser.enter();
    expect(await isInside()).toBe(true);
    await browser.post('/portal/leave');
    expect(await isInside()).toBe(false);
    await browser.enter();
    clock.advance(61 * 60_000);
    expect(await isInside()).toBe(false);
    await browser.enter();
    for (let at = 0; at < 12; at += 1) {
      clock.advance(50 * 60_000);
      if (at < 11) expect(await isInside()).toBe(true);
    }
    clock.advance(1);
    expect(await isInside()).toBe(false);
  });

  test('no form works without the session’s token, from another origin, or in another’s session', async () => {
    const browser = createBrowser();
    const { path } = await browser.register();
    const other = createBrowser();
    await other.enter();
    await other.get('/portal');
    for (const form of [`${path}/secret`, `${path}/remove`, path, '/portal/new', `${path}/webhook`]) {
      expect((await browser.post(form, { csrf: 'x' })).statusCode).toBe(403);
      await browser.get(path);
      expect((await browser.post(form, {}, { origin: 'http://localhost:81' })).statusCode).toBe(403);
      expect((await createBrowser().post(form)).statusCode).toBe(403);
    }
    expect((await browser.get(path)).statusCode).toBe(200);
  });
});

describe('applications', () => {
  test('one is registered: its secret is shown once, works, and is stored nowhere else', async () => {
    const browser = createBrowser();
    const { made, path, id, page, secret } = await browser.register();
    expect(made.statusCode).toBe(303);
    expect(`${path}${made.body}`).not.toContain(secret!);
    expect(secret).toMatch(/^lcs_[\w-]{43}$/);
    expect(page.body).toContain(id);
    expect(await tokenStatus(id, secret!)).toBe(400);
    expect(secretIn((await browser.get(path)).body)).toBeUndefined();
    expect((await browser.get('/portal')).body).toContain('RIS São Lucas');
  });

  test('asking only for the head of the page uses up no secret', async () => {
    const browser = createBrowser();
    await browser.enter();
    await browser.get('/portal/new?kind=server');
    const made = await browser.post('/portal/new', { name: 'PACS', kind: 'server', scopes: 'jobs:read' });
    await browser.head(String(made.headers['location']));
    expect(secretIn((await browser.follow(made)).body)).toBeDefined();
  });

  test('a form that is sent twice acts once', async () => {
    const browser = createBrowser();
    await browser.enter();
    await browser.get('/portal/new?kind=web');
    const values = { name: 'Twice', redirect_uris: uri, scopes: 'jobs:read' };
    const [one, two] = await Promise.all([browser.post('/portal/new', values), browser.post('/portal/new', values)]);
    expect(one.headers['location']).toBe(two.headers['location']);
    expect((await browser.get('/portal')).body.match(/>Twice</g)).toHaveLength(1);
  });

  test.each<[string, Readonly<Record<string, string | readonly string[]>>, string]>([
    ['a fragment', { redirect_uris: `${uri}\n${uri}#x` }, `This redirect URI cannot be registered: ${uri}#x`],
    ['plain http', { redirect_uris: 'http://ris.example/cb' }, 'http://ris.example/cb'],
    ['no redirect URI', { redirect_uris: ' \n' }, 'at least one redirect URI'],
    ['no scope', { scopes: [] }, 'Choose at least one scope.'],
    ['no name', { name: ' ' }, 'The name needs 1 to 100 characters'],
    ['a space of test data', { space: 'test_tc_local' }, 'This space cannot be used'],
  ])('%s is refused as by the API, and what was typed stays', async (_name, values, said) => {
    const browser = createBrowser();
    await browser.enter();
    await browser.get('/portal/new?kind=web');
    const sent = { name: 'A <b>&', redirect_uris: uri, scopes: ['jobs:read', 'jobs:write'], ...values };
    const refused = await browser.post('/portal/new', sent);
    expect(refused.statusCode).toBe(400);
    expect(refused.body).toContain('role="alert"');
    expect(refused.body).toContain(said);
    expect(refused.body).toContain('<title>Error: ');
    if (values['name'] === undefined) expect(refused.body).toContain('value="A &lt;b&gt;&amp;"');
    const made = await browser.post('/portal/new', {
      ...sent,
      name: 'B',
      redirect_uris: uri,
      scopes: 'jobs:read',
      space: '',
    });
    expect(made.statusCode).toBe(303);
  });

  test('a refusal is in the language of the person', async () => {
    for (const [language, said] of [
      ['pt-BR', 'Escolha pelo menos um escopo.'],
      ['es', 'Elija al menos un permiso.'],
    ] as const) {
      const browser = createBrowser(language);
      await browser.enter();
      await browser.get('/portal/new?kind=web');
      expect((await browser.post('/portal/new', { name: 'x', redirect_uris: uri })).body).toContain(said);
    }
  });

  test('name, redirect URIs and scopes change; the audit trail says that the operator did it', async () => {
    const browser = createBrowser();
    const { path, id } = await browser.register();
    const changed = await browser.post(path, { name: 'New name', redirect_uris: `${uri}/2`, scopes: 'jobs:write' });
    expect(changed.statusCode).toBe(303);
    const page = await browser.follow(changed);
    for (const part of ['Saved.', 'New name', `${uri}/2`]) expect(page.body).toContain(part);
    expect(page.body).toMatch(/value="jobs:write"\s+checked/);
    const trail = await server.inject({
      url: '/api/v1/admin/audit?limit=5',
      headers: { authorization: `Bearer ${server.adminToken}` },
    });
    expect(JSON.stringify(trail.json().data.items)).toContain('"clients.update"');
    const removed = await browser.post(`${path}/remove`);
    expect((await browser.follow(removed)).body).toContain('The application was removed.');
    expect((await browser.get(path)).statusCode).toBe(404);
    expect(await tokenStatus(id, 'x')).toBe(401);
  });

  test('a new secret is valid along with the old one until the chosen time, or until the old one is ended', async () => {
    const browser = createBrowser();
    const { path, id, secret: first } = await browser.register();
    const rotate = async (keep: string) => {
      const page = await browser.follow(await browser.post(`${path}/secret`, { keep }));
      return { body: page.body, secret: secretIn(page.body)! };
    };
    const second = await rotate('3600');
    expect(second.body).toContain('The old secret is valid until');
    expect([await tokenStatus(id, first!), await tokenStatus(id, second.secret)]).toEqual([400, 400]);
    clock.advance(3_600_001);
    await browser.enter();
    expect([await tokenStatus(id, first!), await tokenStatus(id, second.secret)]).toEqual([401, 400]);
    expect((await browser.get(path)).body).not.toContain('The old secret is valid until');

    const third = await rotate('86400');
    const ended = await browser.follow(await browser.post(`${path}/secret/end`));
    expect(ended.body).toContain('The old secret is not valid any more.');
    expect([await tokenStatus(id, second.secret), await tokenStatus(id, third.secret)]).toEqual([401, 400]);
    const again = await browser.post(`${path}/secret/end`, { once: 'another' });
    expect([again.statusCode, again.body]).toEqual([400, expect.stringContaining('The old secret has ended already.')]);

    const fourth = await rotate('0');
    expect([await tokenStatus(id, third.secret), await tokenStatus(id, fourth.secret)]).toEqual([401, 400]);
    expect((await browser.post(`${path}/secret`, { keep: '99999999' })).statusCode).toBe(400);
  });
});

describe('webhooks', () => {
  test('set up, tried, sent again, given a new secret, turned off, removed', async () => {
    await start();
    const receiver = await createReceiver();
    const browser = createBrowser();
    const { path } = await browser.register();
    const at = `${path}/webhook`;
    await browser.get(at);
    const bad = await browser.post(at, { url: 'http://10.0.0.1/x', events: 'webhook.test', enabled: 'on' });
    expect([bad.statusCode, bad.body]).toEqual([400, expect.stringContaining('value="http://10.0.0.1/x"')]);
    const form = { url: receiver.url, events: 'webhook.test', enabled: 'on' };
    const made = await browser.follow(await browser.post(at, form));
    const secret = secretIn(made.body);
    expect(secret).toMatch(/^whsec_/);
    expect(secretIn((await browser.get(at)).body)).toBeUndefined();

    expect((await browser.post(`${at}/test`)).statusCode).toBe(303);
    await receiver.arrived(1);
    await expect.poll(async () => (await browser.get(at)).body).toContain('HTTP 204');
    const [resend] = /\/portal\/\w+\/webhook\/deliveries\/\w+/.exec((await browser.get(at)).body)!;
    await browser.post(resend);
    await receiver.arrived(2);

    const rotated = await browser.follow(await browser.post(`${at}/secret`));
    expect(secretIn(rotated.body)).not.toBe(secret);
    const off = await browser.follow(await browser.post(at, { url: receiver.url, events: 'webhook.test' }));
    expect(off.body).toContain('>Off</span>');
    expect(off.body).not.toContain(`${at}/test`);
    expect((await browser.post(`${at}/test`)).body).toContain('The webhook is off. Turn it on first.');
    expect((await browser.follow(await browser.post(`${at}/remove`))).body).toContain('The webhook was removed.');
    expect((await browser.get(path)).body).toContain('This application has no webhook.');
  });
});

describe('channels', () => {
  const ris = '2 reports did not reach “ris”';
  const order = '1 message was refused from “orders”';

  test('failed deliveries are on every page, with a link to the reason, without the patient', async () => {
    const channels = await addRefusedMessages(server, await temporaryDirectory(), 2);
    const browser = createBrowser();
    expect((await browser.get('/portal/channels')).body).not.toContain('ris');
    expect((await browser.enter()).headers['location']).toBe('/portal/channels');
    for (const path of ['/portal', '/portal/new', '/portal/channels']) {
      const { body } = await browser.get(path);
      for (const part of [ris, order, `/portal/channels/${channels.ris}`]) expect(body).toContain(part);
    }
    const { body } = await browser.get(`/portal/channels/${channels.orders}`);
    for (const part of ['The modality is unknown. Map it.', 'INVALID_VALUE', 'modality']) expect(body).toContain(part);
    for (const secret of [patient, Buffer.from(patient).toString('base64')]) expect(body).not.toContain(secret);
  });

  test('a report that waits for a destination that is gone, and a channel that cannot be opened', async () => {
    const api = await startApi({ setupCode: code }, onTestFinished);
    ({ server } = api);
    const add = (name: string, kind: string, settings: Record<string, unknown>) =>
      api.call(contract.channels.endpoints.add, { body: { name, kind, space: 'test_tc_local', settings } });
    // Nobody listens on port 1.
    await add('ris', 'http-out', { url: 'http://127.0.0.1:1/' });
    await add('inbox', 'folder-in', { path: '/nowhere/at/all' });
    const { id } = await api.generate({ text: dictated, worklist_item_id: await api.exam() });
    const signed = { status: 'final', require_resolved: false } as const;
    await api.call(contract.records.endpoints.update, { params: { id }, body: signed });
    const browser = createBrowser('pt');
    await browser.enter();
    await expect
      .poll(async () => (await browser.get('/portal')).body)
      .toContain('1 laudo espera, pois “ris” não recebe agora');
    expect((await browser.get('/portal')).body).toContain('“inbox” não abre');
  });

  test('the list of applications counts nothing that is stored', async () => {
    let counts = 0;
    const store = (real: Store): Store => ({ ...real, count: (...asked) => (counts++, real.count(...asked)) });
    ({ server } = await startApi({ setupCode: code, store }, onTestFinished));
    const browser = createBrowser();
    await browser.enter();
    const before = counts;
    expect((await browser.get('/portal')).statusCode).toBe(200);
    expect(counts - before).toBeLessThan(5);
  });

  test('backups by schedule: their age, or what failed', async () => {
    const browser = createBrowser('es');
    await browser.enter();
    expect((await browser.get('/portal')).body).toContain('no hace copias de seguridad programadas');
    const backups = { to: 'command:exit 3;', every: 86_400_000, keep: { days: 1, weeks: 0, months: 0 } };
    ({ server } = await startApi({ setupCode: code, backups, clock: manualClock(Date.now()) }, onTestFinished));
    const planned = createBrowser('pt');
    await planned.enter();
    expect((await planned.get('/portal')).body).toMatch(/Ainda não há nenhum.*command:exit/s);
  });

  test.each([
    ['en', 5.5, 'A certificate of “ris” ends in 5 days', '5 days left'],
    ['pt', 1.5, 'Um certificado de “ris” vence em 1 dia', 'resta 1 dia'],
    ['es', -0.5, 'Un certificado de “ris” caducó', 'caducó'],
    ['en', 60.5, undefined, '60 days left'],
  ])('a certificate that ends, in %s after %d days', async (language, until, line, fact) => {
    const api = await startApi({ setupCode: code, clock: manualClock(Date.now()) }, onTestFinished);
    ({ server } = api);
    const { certificate, key } = await (await authority()).sign({ from: -10, until });
    const settings = { url: 'https://localhost:1/', tls_certificate: certificate, tls_key: key };
    const body = { name: 'ris', kind: 'http-out', space: 'test_tc_local', settings };
    const { id } = succeeded(await api.call(contract.channels.endpoints.add, { body }), 201);
    const browser = createBrowser(language);
    await browser.enter();
    const { body: page } = await browser.get('/portal');
    if (line === undefined) expect(page).not.toContain('class="trouble"');
    else expect(page).toContain(line);
    expect((await browser.get(`/portal/channels/${id}`)).body).toContain(fact);
  });

  test('an order is tried again; a report is dropped once that was confirmed; the lines go', async () => {
    const channels = await addRefusedMessages(server, await temporaryDirectory(), 1);
    const browser = createBrowser();
    await browser.enter();
    const orders = `/portal/channels/${channels.orders}`;
    await browser.get(orders);
    const retried = await browser.follow(await browser.post(`${orders}/retry`));
    expect(retried.body).toContain('Tried again: 1. Refused again at once: 0.');
    expect(retried.body).toContain('Nothing pending.');
    expect(retried.body).not.toContain('refused from “orders”');
    expect(retried.body).toContain('1 report did not reach “ris”');

    const [drop] = /\/portal\/channels\/\w+\/msg_\w+\/drop/.exec(
      (await browser.get(`/portal/channels/${channels.ris}`)).body,
    )!;
    expect((await browser.get(drop)).body).toContain('It is never sent.');
    expect((await browser.post(drop, { csrf: 'x' })).statusCode).toBe(403);
    await browser.get(drop);
    const dropped = await browser.follow(await browser.post(drop));
    expect(dropped.body).toContain('The message was dropped.');
    expect(dropped.body).not.toContain('class="trouble"');
    await browser.get(drop);
    const late = await browser.follow(await browser.post(drop));
    expect(late.body).toContain('already settled');
    expect((await browser.get('/portal/channels/chn_none')).statusCode).toBe(404);
  });

  test('messages are searched by a form, shown beside what was read, downloaded and tried again', async () => {
    const channels = await addRefusedMessages(server, await temporaryDirectory(), 1);
    const browser = createBrowser();
    await browser.enter();
    const list = await browser.get('/portal/messages');
    expect(list.body.match(/href="\/portal\/messages\/msg_\w+"/g)).toHaveLength(2);
    const searched = await browser.post('/portal/messages', { channel: 'orders', state: 'refused' });
    const [, path = '', id = ''] = /href="(\/portal\/messages\/(msg_\w+))"/.exec(searched.body)!;
    expect(searched.body).not.toContain(`/portal/messages/msg_01J00000000000000000000001`);
    const nobody = await browser.post('/portal/messages', { patient_id: '0045871', state: '', channel: '' });
    expect(nobody.body).toContain('There are no such messages.');
    const wrong = await browser.post('/portal/messages', { since: 'soon', patient_id: '' });
    expect([wrong.statusCode, wrong.body]).toEqual([400, expect.stringContaining('aria-invalid')]);

    const shown = (await browser.get(path)).body;
    for (const part of ['The modality is unknown.', patient, '<dt>accession_number</dt>', 'As it was read'])
      expect(shown).toContain(part);
    const download = await browser.get(`${path}/content`);
    expect(download.headers).toMatchObject({ 'content-disposition': `attachment; filename="${id}"` });
    expect(download.body).toContain(patient);
    await browser.get('/portal/messages');
    const retried = await browser.follow(await browser.post('/portal/messages/retry', { id: [id] }));
    expect(retried.body).toContain('Tried again: 1. Refused again at once: 0.');
    await browser.get(path);
    const late = await browser.follow(await browser.post(`${path}/retry`));
    expect(late.body).toContain('already settled');
    expect((await browser.get(`/portal/channels/${channels.orders}`)).body).toContain('Nothing pending.');
    const adminTrail = await server.inject({
      url: '/api/v1/admin/audit',
      headers: { authorization: `Bearer ${server.adminToken}` },
    });
    expect(adminTrail.body).toContain('channels.message');
  });
});
