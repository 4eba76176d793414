/** Every page that the server draws, in a real browser: its own policy lets its own style through, and stops nothing of it. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createServer } from '../../../server/index.ts';
import type { Server } from '../../../server/index.ts';
import { authorizeUrl } from '../../support/authorization-app.ts';
import { connectToChromium } from '../../support/chromium.ts';

let browser: Browser;
let server: Server;
beforeAll(async () => {
  [browser, server] = await Promise.all([
    connectToChromium(inject('browser')),
    createServer({ version: '0.0.0-test', store: { use: 'memory' }, rateLimit: 0, port: 0, setupCode: '4F7K9-2QDXM' }),
  ]);
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

const toLogin = (page: Page) =>
  page.goto(
    server.url +
      authorizeUrl({ client_id: 'test_tc_local', redirect_uri: 'http://127.0.0.1/callback', test_mode: 'manual' }),
  );
const open = (path: string) => (page: Page) => page.goto(server.url + path);

test.each<[string, (page: Page) => Promise<unknown>]>([
  ['the first page', open('/')],
  ['the reference', open('/docs')],
  ['the portal', open('/portal')],
  ['the inspector', open('/inspector')],
  ['an error page', open('/login')],
  ['the page for an unknown address', open('/nowhere')],
  ['the login page', toLogin],
  ['the page for the code of a device', open('/device?user_code=WDJB-MJHT')],
  [
    'the consent page',
    async (page) => {
      await toLogin(page);
      // Who types before the page has placed the cursor hears of it on the console.
      await page.locator('#username:focus').waitFor();
      await page.getByLabel('Username').fill('test-physician');
      await page.getByLabel('Password').fill('test-physician');
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.getByRole('button', { name: 'Allow', exact: true }).waitFor();
    },
  ],
])('%s has its look, and its policy stops nothing of it', async (_name, show) => {
  const context = await browser.newContext({ locale: 'en-US' });
  const page = await context.newPage();
  const complaints: string[] = [];
  const headers: Record<string, string>[] = [];
  page.on('response', (answer) => {
    if (answer.request().isNavigationRequest() && answer.status() !== 303) headers.push(answer.headers());
  });
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  await show(page);
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).fontFamily)).toMatch(/^"Inter Variable"/);
  // The status of an error page is told on the console too.
  expect(complaints.filter((text) => !/status of 40[04]/.test(text))).toEqual([]);
  expect(headers).not.toEqual([]);
  for (const each of headers)
    expect(each).toMatchObject({
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': expect.stringContaining('microphone=()'),
    });
  await context.close();
});
