/** An address that has nothing: a person reads a page, a program JSON. */
import { afterAll, expect, test } from 'vitest';
import { createServer } from '../../../server/index.ts';
import { cheapSecrets } from '../../support/cheap-secrets.ts';

const server = await createServer({
  version: '0.0.0-test',
  store: { use: 'memory' },
  secretCosts: cheapSecrets,
  port: 0,
});
afterAll(() => server.close());

const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const get = (url: string, headers: Record<string, string> = {}) => server.inject({ url, headers });

test.each([
  ['en-US', 'There is no such page', 'Back to the start'],
  ['pt-BR,pt;q=0.9', 'Esta página não existe', 'Voltar ao início'],
  ['es', 'Esta página no existe', 'Volver al inicio'],
])('a browser gets a page in the language of its person: %s', async (language, title, back) => {
  const answer = await get('/exams/Maria%20Canario?x=Canario', { accept, 'accept-language': language });
  expect(answer.statusCode).toBe(404);
  expect(answer.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'x-frame-options': 'DENY',
    'cache-control': 'no-store',
    vary: 'Accept, Accept-Language',
  });
  expect(answer.body).toContain(`<h1>${title}</h1>`);
  expect(answer.body).toContain(`href="/">${back}</a>`);
  expect(answer.body).not.toContain('Canario');
});

test.each([
  ['an address of the API', 'GET', '/api/v1/nothing', accept],
  ['an address of OAuth', 'GET', '/.well-known/nothing', accept],
  ['a program', 'GET', '/nothing', '*/*'],
  ['a form', 'POST', '/nothing', accept],
] as const)('%s gets JSON', async (_name, method, url, accepted) => {
  const answer = await server.inject({ method, url, headers: { accept: accepted } });
  expect(answer.statusCode).toBe(404);
  expect(answer.json()).toMatchObject({ success: false, error: { code: 'NOT_FOUND' } });
});
