/** The inspector in a browser: who may look, and what stands there. */
import { expect, test } from 'vitest';
import { createServer, builtInTestClient } from '../../../../server/index.ts';
import { contract } from '../../../../src/contract/index.ts';
import { testToken } from '../../../support/test-token.ts';
import { cheapSecrets } from '../../../support/cheap-secrets.ts';
import { examFields } from '../../../support/api.ts';
import { afterAll } from 'vitest';

const code = '4F7K9-2QDXM';
const server = await createServer({
  version: '0.0.0-test',
  store: { use: 'memory' },
  secretCosts: cheapSecrets,
  setupCode: code,
  port: 0,
});
afterAll(() => server.close());
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const open = (path: string, cookie = '') => server.inject({ url: path, headers: { cookie } });
const type = (typed: string, headers = {}) =>
  server.inject({
    method: 'POST',
    url: '/inspector',
    headers: { ...form, origin: 'http://localhost:80', ...headers },
    payload: new URLSearchParams({ code: typed }).toString(),
  });

test('the inspector needs the code', async () => {
  for (const path of ['/inspector', '/inspector/1']) {
    const answer = await open(path);
    expect(answer.body).toContain('name="code"');
    expect(answer.body).not.toContain('<table');
  }
  expect((await open('/inspector/events')).statusCode).toBe(403);
  expect((await server.inject({ method: 'POST', url: '/inspector/1/replay', headers: form })).body).toContain(
    'name="code"',
  );
  expect((await type('00000-00000')).statusCode).toBe(403);
  expect((await type(code, { origin: 'https://evil.example' })).statusCode).toBe(403);
});

test('a person with the code sees each call, and repeats one', async () => {
  const entered = await type(code.toLowerCase());
  expect(entered.statusCode).toBe(303);
  const cookie = String(entered.headers['set-cookie']).split(';')[0]!;
  expect(entered.headers['set-cookie']).toMatch(/HttpOnly; SameSite=Strict/);
  const token = await testToken({
    url: server.url,
    client: builtInTestClient,
    test_client: builtInTestClient,
  } as never);
  const { path } = contract.worklists.endpoints.ingest;
  const sent = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(examFields({ exam_description: 'CANARIO' })),
  });
  expect(sent.status).toBe(200);
  const number = server.inspector.list({ limit: 1 })[0]!.number;
  const list = await open('/inspector', cookie);
  expect(list.body).toContain(`POST ${path}`);
  expect((await open('/inspector?refused', cookie)).body).not.toContain(`POST ${path}`);
  const page = await open(`/inspector/${number}`, cookie);
  expect(page.body).toContain('curl --request POST');
  expect(page.body).not.toMatch(/CANARIO/);
  const replay = (headers: object, csrf = /name="csrf" value="([^"]+)"/.exec(page.body)![1]!) =>
    server.inject({
      method: 'POST',
      url: `/inspector/${number}/replay`,
      headers: { ...form, cookie, origin: 'http://localhost:80', ...headers },
      payload: new URLSearchParams({ csrf }).toString(),
    });
  for (const refused of [
    await replay({}, ''),
    await replay({}, 'of another session'),
    await replay({ origin: 'null' }),
    await replay({ 'sec-fetch-site': 'cross-site' }),
  ])
    expect(refused.statusCode).toBe(403);
  expect(server.inspector.list({ limit: 1 })[0]!.number).toBe(number);
  const again = await replay({});
  expect(again.headers.location).toBe(`/inspector/${number + 1}`);
  expect((await open(`/inspector/${number + 1}`, cookie)).body).toContain('deduped');
  server.faults.add({ name: 'busy', status: 503 });
  await server.inject({ url: contract.jobs.endpoints.list.path, headers: { authorization: `Bearer ${token}` } });
  expect((await open('/inspector', cookie)).body).toContain('SERVER_BUSY (fault: busy)');
  expect((await open('/inspector/99999', cookie)).statusCode).toBe(404);
});
