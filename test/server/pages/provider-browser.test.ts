/** The login by a provider in a real browser, to which provider and server are two sites. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { createServer } from '../../../server/index.ts';
import { authorizeUrl } from '../../support/authorization-app.ts';
import { cheapSecrets } from '../../support/cheap-secrets.ts';
import { connectToChromium } from '../../support/chromium.ts';
import { providerClient, startLoginProvider } from '../../support/login-provider.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await connectToChromium(inject('browser'));
});
afterAll(() => browser.close());

const startBoth = async (subject: string, roles: readonly string[]) => {
  const paths = ['/oauth/provider/callback', '/portal/provider/callback'];
  const provider = await startLoginProvider(
    paths.map((path) => `http://localhost${path}`),
    subject,
  );
  provider.accounts.set(subject, { name: 'Helena Prado', preferred_username: 'helena', roles });
  const server = await createServer({
    version: '0.0.0-test',
    port: 0,
    store: { use: 'memory' },
    secretCosts: cheapSecrets,
    provider: { issuer: provider.issuer, ...providerClient, name: 'São Lucas' },
  });
  onTestFinished(() => server.close());
  const context = await browser.newContext();
  onTestFinished(() => context.close());
  return { server, page: await context.newPage(), url: `http://localhost:${new URL(server.url).port}` };
};

test('a person consents after the way to the other site and back', async () => {
  const { server, page, url } = await startBoth('sub-helena', ['physician']);
  const { body } = await server.inject({
    method: 'POST',
    url: '/api/v1/admin/clients',
    headers: { authorization: `Bearer ${server.adminToken}` },
    payload: { name: 'RIS', redirect_uris: ['http://localhost/callback'] },
  } as never);
  const { id } = (JSON.parse(body) as { data: { id: string } }).data;
  const request = authorizeUrl({ client_id: id, redirect_uri: 'http://localhost/callback', scope: 'worklists:read' });
  await page.goto(url + request);
  await page.getByRole('link', { name: 'Log in with São Lucas' }).click();
  await page.getByText('Helena Prado').waitFor();
  expect(new URL(page.url()).pathname).toBe('/consent');
});

test('an operator’s session lasts after it, though its cookie is for this site alone', async () => {
  const { page, url } = await startBoth('sub-olga', ['operator']);
  await page.goto(`${url}/portal/channels`);
  await page.getByRole('link', { name: 'Log in with São Lucas' }).click();
  await page.getByText('Helena Prado').waitFor();
  expect(page.url()).toBe(`${url}/portal/channels`);
});
