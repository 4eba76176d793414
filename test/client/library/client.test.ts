/** `createClient` of the package: where its server and its credentials come from, and what it says where they are missing. */
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { startServer } from '../../../server/testing/index.ts';
import { AppError, audioFile, createClient, itemsOf, waitForJob } from '../../../src/client/library/index.ts';
import type { LaudioOptions } from '../../../src/client/library/index.ts';
import { examFields } from '../../support/api.ts';
import { root } from '../../support/modules.ts';

afterEach(() => vi.unstubAllEnvs());

async function start() {
  const server = await startServer();
  onTestFinished(() => server.close());
  return server;
}

function client(options?: LaudioOptions) {
  const made = createClient(options);
  onTestFinished(() => made.close());
  return made;
}

function setEnvironment(env: Readonly<Record<string, string>>): void {
  for (const name of ['LAUDIO_SERVER', 'LAUDIO_TOKEN', 'LAUDIO_CLIENT_ID', 'LAUDIO_CLIENT_SECRET'])
    vi.stubEnv(name, env[name] ?? '');
}

describe('the environment is enough', () => {
  test.each([
    ['a token', ['LAUDIO_SERVER', 'LAUDIO_TOKEN']],
    ['an application of type server', ['LAUDIO_SERVER', 'LAUDIO_CLIENT_ID', 'LAUDIO_CLIENT_SECRET']],
  ])('with %s', async (_name, names) => {
    const server = await start();
    const env = await server.env();
    setEnvironment(Object.fromEntries(names.map((name) => [name, env[name]!])));
    await client().worklists.ingest({ body: examFields() });
    expect((await server.client.worklists.list()).data.items).toHaveLength(1);
  });

  test('but its secrets go to no other server', async () => {
    const [named, other] = await Promise.all([start(), start()]);
    setEnvironment(await named.env());
    await expect(client({ server: other.url }).worklists.list()).rejects.toMatchObject({ code: 'LOGIN_REQUIRED' });
    expect(other.requests.list()).toEqual([]);
    await client({ server: `${named.url}/` }).worklists.list();
  });
});

describe('missing or wrong options are reported, with what to do', () => {
  test.each<[string, unknown, string, string]>([
    ['no server', {}, 'CONFIGURATION', 'LAUDIO_SERVER'],
    ['a server that is no address', { server: 'laudio' }, 'CONFIGURATION', ''],
    ['an id alone', { server: 'http://127.0.0.1:9', clientId: 'a' }, 'CONFIGURATION', 'both'],
    ['a secret alone', { server: 'http://127.0.0.1:9', clientSecret: 'canary' }, 'CONFIGURATION', 'both'],
    ['an option that there is not', { url: 'http://127.0.0.1:9' }, 'USAGE', 'server, token'],
  ])('%s', (_name, options, code, hint) => {
    setEnvironment({});
    let error: unknown;
    try {
      createClient(options as LaudioOptions);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ code });
    expect(String((error as AppError).hint)).toContain(hint);
    expect(JSON.stringify(error)).not.toContain('canary');
  });

  test('a call without credentials, before it is sent', async () => {
    const server = await start();
    setEnvironment({});
    await expect(client({ server: server.url }).jobs.list()).rejects.toMatchObject({
      code: 'LOGIN_REQUIRED',
      hint: expect.stringContaining('clientSecret'),
    });
    expect(server.requests.list()).toEqual([]);
    expect((await client({ server: server.url }).system.health()).status).toBe(200);
  });

  test('a server that is not there', async () => {
    const laudio = client({ server: 'http://127.0.0.1:9', token: 'x', retries: 0 });
    await expect(laudio.jobs.list()).rejects.toMatchObject({ code: 'NETWORK' });
  });

  test('a connection that others can read', async () => {
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    client({ server: 'http://laudio.example.com', token: 'canary' });
    expect(warned).toHaveBeenCalledOnce();
    expect(String(warned.mock.calls)).not.toContain('canary');
  });

  test('a recording that cannot be read', async () => {
    await expect(audioFile('/no/such/file')).rejects.toMatchObject({ code: 'USAGE' });
  });
});

test('sends a recording, waits for its job, and walks through pages', async () => {
  const server = await start();
  const laudio = client({ server: server.url, token: () => server.token() });
  const file = await audioFile(`${root}samples/dictation.wav`);
  const answer = await laudio.records.generate({ body: { mode: 'async', language: 'pt-BR' }, file });
  expect(await waitForJob(laudio, answer.data.id)).toMatchObject({
    type: 'medical_record.generate',
    status: 'completed',
  });
  await laudio.worklists.ingest({ body: [1, 2, 3].map((n) => examFields({ accession_number: `P-${n}` })) });
  const seen: (string | null)[] = [];
  for await (const item of itemsOf((paging) => laudio.worklists.list({ query: { limit: 1, ...paging } })))
    seen.push(item.accession_number);
  expect(seen.toSorted()).toEqual(['P-1', 'P-2', 'P-3']);
});
