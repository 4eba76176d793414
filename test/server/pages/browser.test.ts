/** Manual mode in a real browser, as a person sees it: specification section 1, RFC 8252 7.3, CSP. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import {
  authorizeUrl,
  createAuthorizationApp,
  form,
  redirectOf,
  testClient,
  tokenRequest,
} from '../../support/authorization-app.ts';
import type { AuthorizationApp } from '../../support/authorization-app.ts';
import { connectToChromium } from '../../support/chromium.ts';

const { client_id, client_secret } = testClient;
let browser: Browser;
let server: AuthorizationApp;
let url: string;
beforeAll(async () => {
  [browser, server] = await Promise.all([connectToChromium(inject('browser')), createAuthorizationApp()]);
  url = await server.app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await browser.close();
  await server.app.close();
});

/** A native application's loopback listener: the redirect URI, and what first came to it. */
async function createListener(host: '127.0.0.1' | '::1') {
  const arrived = Promise.withResolvers<string>();
  const listener = createServer((request, response) => {
    if (request.url!.startsWith('/callback')) arrived.resolve(request.url!);
    response.setHeader('Content-Type', 'text/html').end('<h1>Back in the application</h1>');
  });
  await new Promise<void>((resolve) => listener.listen(0, host, resolve));
  const name = host === '::1' ? '[::1]' : host;
  return {
    redirect_uri: `http://${name}:${(listener.address() as AddressInfo).port}/callback`,
    parameters: async () =>
      redirectOf({ headers: { location: new URL(await arrived.promise, 'http://127.0.0.1').href } }),
    close: () => new Promise((resolve) => listener.close(resolve).closeAllConnections()),
  };
}

/** A page in a browser of its own; `violations` is what its Content-Security-Policy stopped. */
async function openPage(
  options: BrowserContextOptions,
): Promise<{ page: Page; violations: string[]; close(): Promise<void> }> {
  const context = await browser.newContext({ locale: 'en-US', ...options });
  const page = await context.newPage();
  const violations: string[] = [];
  page.on('console', (message) => {
    if (/Content.Security.Policy/i.test(message.text())) violations.push(message.text());
  });
  return { page, violations, close: () => context.close() };
}

describe.each([
  ['with JavaScript', true, '127.0.0.1'],
  ['without JavaScript', false, '127.0.0.1'],
  ['back to an IPv6 address', true, '::1'],
] as const)('%s', (_name, javaScriptEnabled, host) => {
  test('login with a wrong password, then the right one, consent, and back with a code that works', async () => {
    const listener = await createListener(host);
    const { page, violations, close } = await openPage({ javaScriptEnabled });
    await page.goto(url + authorizeUrl({ test_mode: 'manual', redirect_uri: listener.redirect_uri }));

    await page.getByLabel('Username').fill('test-physician');
    await page.getByLabel('Password').fill('wrong');
    await page.getByRole('button', { name: 'Log in' }).click();
    expect(await page.getByRole('alert').innerText()).toBe('Username or password is wrong. Check both and try again.');
    expect(await page.getByLabel('Username').inputValue()).toBe('test-physician');

    await page.getByLabel('Password').fill('test-physician');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Allow Laudio test client?' }).waitFor();
    expect(await page.getByRole('listitem').allInnerTexts()).toEqual([
      'Read worklist items',
      'Read job status and results',
    ]);

    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    const { code, ...rest } = await listener.parameters();
    expect(rest).toEqual({ state: 'a state/with+odd & signs', iss: url });
    await page.getByRole('heading', { name: 'Back in the application' }).waitFor();
    const tokens = await tokenRequest(server.app, {
      grant_type: 'authorization_code',
      code: code!,
      redirect_uri: listener.redirect_uri,
    });
    expect(tokens.statusCode).toBe(200);
    expect(violations).toEqual([]);
    await close();
    await listener.close();
  });
});

test('by keyboard alone, in Portuguese, and refused: back with access_denied', async () => {
  const listener = await createListener('127.0.0.1');
  const { page, close } = await openPage({ locale: 'pt-BR' });
  await page.goto(url + authorizeUrl({ test_mode: 'manual', redirect_uri: listener.redirect_uri }));
  expect(await page.getByText('Modo de teste').isVisible()).toBe(true);
  await page.keyboard.type('test-physician');
  await page.keyboard.press('Tab');
  await page.keyboard.type('test-physician');
  await page.keyboard.press('Enter');
  const deny = page.getByRole('button', { name: 'Não permitir' });
  await deny.waitFor();
  for (
    let tabs = 0;
    tabs < 5 && !(await deny.evaluate((button) => button === button.ownerDocument.activeElement));
    tabs++
  ) {
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
  expect(await listener.parameters()).toMatchObject({
    error: 'access_denied',
    state: 'a state/with+odd & signs',
    iss: url,
  });
  await close();
  await listener.close();
});

test('a device is logged in from a small screen, without JavaScript: code, login, what asks, and the end', async () => {
  const asked = await server.app.inject({
    method: 'POST',
    url: '/api/oauth/device_authorization',
    ...form({ client_id, client_secret, scope: 'worklists:read', test_mode: 'manual' }),
  });
  const { user_code, device_code } = asked.json();
  const { page, violations, close } = await openPage({
    javaScriptEnabled: false,
    viewport: { width: 360, height: 640 },
    colorScheme: 'dark',
  });
  await page.goto(`${url}/device`);
  await page.getByLabel('Code').fill('wrong');
  await page.keyboard.press('Enter');
  expect(await page.getByRole('alert').innerText()).toContain('No device is waiting with this code.');
  await page.getByLabel('Code').fill(user_code.toLowerCase().replace('-', ''));
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('Username').fill('test-physician');
  await page.getByLabel('Password').fill('test-physician');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('heading', { name: 'Allow Laudio test client?' }).waitFor();
  expect(await page.getByText(user_code).isVisible()).toBe(true);
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  await page.getByRole('button', { name: 'Allow', exact: true }).click();
  await page.getByRole('heading', { name: 'The device is logged in' }).waitFor();
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';
  expect((await tokenRequest(server.app, { grant_type, device_code })).statusCode).toBe(200);
  expect(violations).toEqual([]);
  await close();
});

test('a page on another port of this machine can neither approve nor frame', async () => {
  const { page, close } = await openPage({});
  await page.goto(url + authorizeUrl({ test_mode: 'manual' }));
  await page.getByLabel('Username').fill('test-physician');
  await page.getByLabel('Password').fill('test-physician');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('button', { name: 'Allow', exact: true }).waitFor();
  const fields = await page
    .locator('input[type=hidden]')
    .evaluateAll((inputs) => inputs.map((input) => input.outerHTML).join(''));
  const consent = page.url();

  const attacker = createServer((request, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end(
      request.url === '/frame'
        ? `<iframe src="${consent}"></iframe>`
        : `<form method="post" action="${url}/consent">${fields}<button name="decision" value="approve">Go</button>`,
    );
  });
  await new Promise<void>((resolve) => attacker.listen(0, '127.0.0.1', resolve));
  const evil = `http://127.0.0.1:${(attacker.address() as AddressInfo).port}`;
  const codes = await server.services.store.count('codes');
  await page.goto(evil);
  const refused = page.waitForResponse((response) => response.url() === `${url}/consent`);
  await page.getByRole('button', { name: 'Go' }).click();
  expect((await refused).status()).toBe(403);
  await page.goto(`${evil}/frame`);
  expect(await page.frames()[1]!.content()).not.toContain('test client');
  expect(await server.services.store.count('codes')).toBe(codes);
  await close();
  await new Promise((resolve) => attacker.close(resolve).closeAllConnections());
});
