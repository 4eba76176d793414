/** The portal in a browser, by whoever runs the server: without scripts, in three languages, at three sizes, looked at by axe. */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer as createReceiver } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe from 'axe-core';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createServer } from '../../server/index.ts';
import { useBrowser } from '../support/app.ts';
import { addRefusedMessages } from '../support/refused-messages.ts';
import { cheapSecrets } from '../support/cheap-secrets.ts';
import { sampled } from '../support/explored.ts';

const browser = useBrowser();
const code = '4F7K9-2QDXM';
const server = await createServer({
  version: '0.0.0-test',
  store: { use: 'memory' },
  secretCosts: cheapSecrets,
  rateLimit: 0,
  setupCode: code,
  port: 0,
});
const receiver = createReceiver((request, response) => {
  request.resume();
  response.writeHead(204).end();
});
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
const folder = await mkdtemp(join(tmpdir(), 'laudio-portal-'));
const hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/events`;
afterAll(async () => {
  receiver.closeAllConnections();
  receiver.close();
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

beforeAll(() => addRefusedMessages(server, folder, 3));

/** The page as it stands, as axe and a ruler see it: drawn again in a page with scripts, which the portal's own policy forbids. */
async function look(page: Page, options: BrowserContextOptions): Promise<void> {
  const context = await browser().newContext({ ...options, bypassCSP: true });
  const copy = await context.newPage();
  await copy.setContent(await page.content());
  await copy.addScriptTag({ content: axe.source });
  const { violations } = await copy.evaluate(async () =>
    (globalThis as unknown as { axe: typeof axe }).axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    }),
  );
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 200))])).toEqual([]);
  expect(await copy.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  await context.close();
}

test.each<[string, BrowserContextOptions, Record<string, string>]>(
  sampled(
    [
      [
        'in English, light, on a large screen',
        { locale: 'en-US', colorScheme: 'light', viewport: { width: 1440, height: 900 } },
        { add: 'New application', create: 'Register', gone: 'Remove this application', nowhere: 'Back to the start' },
      ],
      [
        'in Portuguese, dark, on a middle one',
        { locale: 'pt-BR', colorScheme: 'dark', viewport: { width: 1024, height: 700 } },
        { add: 'Novo aplicativo', create: 'Registrar', gone: 'Remover este aplicativo', nowhere: 'Voltar ao início' },
      ],
      [
        'in Spanish, dark, on a phone',
        { locale: 'es', colorScheme: 'dark', viewport: { width: 390, height: 844 } },
        { add: 'Nueva aplicación', create: 'Registrar', gone: 'Eliminar esta aplicación', nowhere: 'Volver al inicio' },
      ],
    ],
    1,
  ),
)('%s: from the code to a webhook that works', async (_name, options, words) => {
  const context = await browser().newContext({ ...options, javaScriptEnabled: false });
  const page = await context.newPage();
  const stopped: string[] = [];
  page.on('console', (message) => {
    if (/Content.Security.Policy/i.test(message.text())) stopped.push(message.text());
  });
  /** Pages that differ in words alone are looked at in one language. */
  const seenOnce = async () => (options.locale === 'en-US' ? look(page, options) : undefined);
  const seen = () => look(page, options);

  await page.goto(`${server.url}/portal`);
  await seenOnce();
  await page.locator('#code').fill(code);
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: words['add']! }).click();
  await seenOnce();
  await page.locator('.kinds a').first().click();
  await page.locator('#name').fill('RIS São Lucas');
  await page.locator('#uris').fill('https://ris.example/cb#x');
  await page.getByRole('button', { name: words['create']! }).click();
  expect(await page.getByRole('alert').innerText()).toContain('https://ris.example/cb#x');
  await seen();
  await page.locator('#uris').fill('https://ris.example/cb\nhttp://127.0.0.1/callback');
  await page.getByRole('button', { name: words['create']! }).click();
  expect(await page.locator('#secret').innerText()).toMatch(/^lcs_/);
  await page.reload();
  expect(await page.locator('#secret').count()).toBe(0);

  await page.locator('#keep').selectOption('86400');
  await page.locator('form[action$="/secret"] button').click();
  expect(await page.locator('#secret').innerText()).toMatch(/^lcs_/);
  expect(await page.locator('form[action$="/secret/end"]').count()).toBe(1);
  await seen();

  await page.locator('a[href$="/webhook"]').click();
  await page.locator('#url').fill(hook);
  await page.keyboard.press('Enter');
  expect(await page.locator('#secret').innerText()).toMatch(/^whsec_/);
  await page.locator('form[action$="/test"] button').click();
  await expect
    .poll(async () => {
      await page.goto(page.url());
      return page.locator('table').innerText();
    })
    .toContain('HTTP 204');
  await seen();

  await page.locator('.back a').click();
  await page.getByRole('link', { name: words['gone']! }).click();
  await seenOnce();
  await page.locator('main button').click();
  await page.getByText('RIS São Lucas').waitFor({ state: 'detached' });
  await seenOnce();

  await page.goto(`${server.url}/nowhere`);
  await seenOnce();
  await page.getByRole('link', { name: words['nowhere']! }).click();
  expect(new URL(page.url()).pathname).toBe('/');
  expect(stopped).toEqual([]);
  await context.close();
});

test.each<[string, BrowserContextOptions, RegExp, string]>(
  sampled(
    [
      [
        'in Spanish, dark, on a phone',
        { locale: 'es', colorScheme: 'dark', viewport: { width: 390, height: 844 } },
        /^\d informes? no lleg(ó|aron) a “ris”$/,
        'Descartar',
      ],
      [
        'in English, light, on a large screen',
        { locale: 'en-US', colorScheme: 'light', viewport: { width: 1440, height: 900 } },
        /^\d reports? did not reach “ris”$/,
        'Drop',
      ],
    ],
    1,
  ),
)(
  '%s: from the line about a report that did not get through to its end, by keys',
  async (_name, options, line, drop) => {
    const context = await browser().newContext({ ...options, javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${server.url}/portal`);
    await page.locator('#code').fill(code);
    await page.keyboard.press('Enter');
    // A page is looked at once what leads on from it is there: until then the former one may still be shown.
    for (const onward of [
      page.getByRole('link', { name: line }),
      page.getByRole('link', { name: drop }).first(),
      page.getByRole('button', { name: drop }),
    ]) {
      await onward.waitFor();
      await look(page, options);
      await onward.press('Enter');
    }
    await page.getByRole('status').waitFor();
    await page.goto(`${server.url}/portal/channels`);
    await look(page, options);
    // The refused order becomes an exam, whose patient has data.
    await page.goto(`${server.url}/portal/messages/msg_01J00000000000000000000009`);
    await page.locator('form[action$="/retry"] button').first().click();
    await page.getByRole('status').waitFor();
    await page.goto(`${server.url}/portal/patients`);
    await page.locator('#patient_name').fill('teste');
    await page.keyboard.press('Enter');
    for (const onward of [page.locator('td a').first(), page.locator('a[href$="/erase"]')]) {
      await onward.waitFor();
      await look(page, options);
      await onward.press('Enter');
    }
    await page.locator('form[action$="/erase"] button').waitFor();
    await look(page, options);
    await context.close();
  },
);
