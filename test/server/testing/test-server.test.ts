/** `laudio/testing` as a file of tests uses it. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { builtInTestClient } from '../../../server/index.ts';
import { startServer } from '../../../server/testing/index.ts';
import type { TestServer, TestServerOptions } from '../../../server/testing/index.ts';
import { createClient } from '../../../src/client/library/index.ts';
import type { WorklistItemInput } from '../../../src/contract/worklist.ts';
import { examFields } from '../../support/api.ts';

async function start(options?: TestServerOptions) {
  const server = await startServer(options);
  onTestFinished(() => server.close());
  return server;
}

const accessionNumbers = async ({ client }: Pick<Awaited<ReturnType<typeof start>>, 'client'>) =>
  (await client.worklists.list()).data.items.map((item) => item.accession_number);

test('takes calls over HTTP, from its own client and from any with a token', async () => {
  const server = await start();
  await server.client.worklists.ingest({ body: examFields({ accession_number: 'A-1' }) });
  const other = createClient({ server: server.url, token: await server.token() });
  expect(await accessionNumbers({ client: other })).toEqual(['A-1']);
  expect((await other.oauth.validate()).data.user?.username).toBe('test-physician');
  await other.close();
});

test('gives tokens with fewer scopes', async () => {
  const server = await start();
  const reader = createClient({ server: server.url, token: await server.token('worklists:read') });
  await expect(reader.worklists.ingest({ body: examFields() })).rejects.toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
  await reader.close();
});

test('its environment is enough for a program that logs in by itself, and goes on when its token ends', async () => {
  const server = await start();
  const env = await server.env();
  const { LAUDIO_CLIENT_ID: clientId, LAUDIO_CLIENT_SECRET: clientSecret, LAUDIO_TOKEN: token } = env;
  const byCredentials = createClient({
    server: env['LAUDIO_SERVER']!,
    clientId: clientId!,
    clientSecret: clientSecret!,
  });
  await byCredentials.worklists.ingest({ body: examFields({ accession_number: 'E-1' }) });
  // The space is that of the built-in test client.
  expect(await accessionNumbers(server)).toEqual(['E-1']);

  const both = createClient({ server: server.url, token: token!, clientId: clientId!, clientSecret: clientSecret! });
  await server.client.oauth.revoke({ body: { token: token!, client_id: clientId!, client_secret: clientSecret! } });
  expect(await accessionNumbers({ client: both })).toEqual(['E-1']);
  await Promise.all([byCredentials.close(), both.close()]);
});

test('shows what reached it, but for what it asked itself', async () => {
  const server = await start();
  const followed: string[] = [];
  const stop = server.requests.follow(({ path }) => followed.push(path));
  await server.client.worklists.list();
  await server.operator.clients.list();
  await server.token();
  const [call, ...others] = server.requests.list();
  expect(call).toMatchObject({ method: 'GET', path: '/api/v1/worklists/items', decision: 'allowed' });
  expect(others).toEqual([]);
  expect(server.requests.show(call!.number)?.answer).not.toBeNull();
  expect(followed).toEqual(['/api/v1/worklists/items']);
  stop();
});

test('a reset leaves it as after its start', async () => {
  const server = await start({ faults: [{ name: 'first', path: '/api/v1/jobs', times: 1, status: 503 }] });
  await server.client.worklists.ingest({ body: examFields() });
  await expect(server.client.jobs.list()).rejects.toMatchObject({ status: 503 });
  server.faults.add({ path: '/api/v1/priors', status: 500 });
  await server.reset();
  expect(server.requests.list()).toEqual([]);
  expect(server.faults.list().map(({ name }) => name)).toEqual(['first']);
  expect(await accessionNumbers(server)).toEqual([]);
  await expect(server.client.jobs.list()).rejects.toMatchObject({ status: 503 });
  expect(server.requests.list()).toHaveLength(2);
});

test('goes back to a state as often as a test likes', async () => {
  const server = await start();
  await server.client.worklists.ingest({ body: examFields({ accession_number: 'S-1' }) });
  const [one, two] = [await server.snapshot(), await server.snapshot()];
  await server.client.worklists.ingest({ body: examFields({ accession_number: 'S-2' }) });
  await one.restore();
  expect(await accessionNumbers(server)).toEqual(['S-1']);
  await server.reset();
  await two.restore();
  expect(await accessionNumbers(server)).toEqual(['S-1']);
});

test('goes back without the requests, the events and the faults since', async () => {
  const server = await start();
  const exam = await server.given.exam();
  await server.client.worklists.list();
  server.faults.add({ name: 'before', path: '/api/v1/jobs', status: 503 });
  const { id } = await server.given.report({ exam });
  const seeded = await server.snapshot();
  for (let round = 0; round < 2; round++) {
    await server.given.report();
    await expect(server.client.jobs.list()).rejects.toMatchObject({ code: 'SERVER_BUSY' });
    server.faults.add({ path: '/api/v1/worklists/items', status: 500 }, { profile: 'flaky' });
    await seeded.restore();
    expect(server.faults.list().map(({ name }) => name)).toEqual(['before']);
    expect(server.requests.list().map(({ path }) => path)).toEqual(['/api/v1/worklists/items']);
    expect(server.events.list().map(({ data }) => data.record_id)).toEqual([id]);
  }
});

test('invents the same for a test that runs alone and for one that runs after others', async () => {
  const server = await start();
  const portuguese = server.fixtures({ language: 'pt-BR' });
  const invent = async () => [(await server.given.exam()).accession_number, (await portuguese.exam()).exam_description];
  const first = await invent();
  const seeded = await server.snapshot();
  const second = await invent();
  await invent();
  await seeded.restore();
  expect(await invent()).toEqual(second);
  await server.reset();
  expect(await invent()).toEqual(first);
  expect(second).not.toEqual(first);
});

test('the client throws errors at once, and the limit of requests holds for it', async () => {
  const server = await start({ rateLimit: 2 });
  await server.client.worklists.list();
  await server.client.worklists.list();
  await expect(server.client.worklists.list()).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
});

test('runs along with others, and ends once', async () => {
  const [one, two] = await Promise.all([start(), start()]);
  await one.client.worklists.ingest({ body: examFields() });
  expect(await accessionNumbers(two)).toEqual([]);
  await Promise.all([one.close(), one.close()]);
  await one[Symbol.asyncDispose]();
  await expect(one.client.worklists.list()).rejects.toMatchObject({ code: 'NETWORK' });
});

test('simulates a time, in which tokens end and the client goes on', async () => {
  const server = await start({ clock: 'fixed:2026-03-02T09:00:00Z', seed: 'demo', accessTokenTtl: 60_000 });
  const { data } = await server.client.worklists.ingest({ body: examFields() });
  expect(await server.clock.advance('2h')).toMatchObject({ now: '2026-03-02T11:00:00.000Z', settled: true });
  const [item] = (await server.client.worklists.list()).data.items;
  expect(item).toMatchObject({ id: data.items[0]!.id, created_at: '2026-03-02T09:00:00.000Z' });
  await server.clock.set('2026-03-03T00:00:00Z');
  expect(server.clock.show()).toMatchObject({ kind: 'fixed', now: '2026-03-03T00:00:00.000Z' });
  const again = await start({ clock: 'fixed:2026-03-02T09:00:00Z', seed: 'demo' });
  expect((await again.client.worklists.ingest({ body: examFields() })).data.items[0]!.id).toBe(item!.id);
});

test('makes calls go wrong, and says which', async () => {
  const server = await start();
  server.faults.add({ name: 'busy', path: '/api/v1/jobs', nth: 1, status: 503 });
  await expect(server.client.jobs.list()).rejects.toMatchObject({ status: 503 });
  await server.client.jobs.list();
  expect(server.faults.log().map(({ fault }) => fault)).toEqual(['busy']);
  expect(server.faults.clear()).toHaveLength(1);
  expect(() => server.faults.add({ every: 0 })).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }));
});

describe('events', () => {
  test('are waited for, one after the other, by type and data', async () => {
    const server = await start();
    const first = await server.given.report();
    const waiting = server.events.next('worklist.document.completed', {
      where: ({ data }) => data.record_id !== first.id,
    });
    const second = await server.given.report();
    expect((await waiting).data).toMatchObject({ record_id: second.id, signed: true });
    // Came before the call, and is returned once.
    const event = await server.events.next('worklist.document.completed', { where: { record_id: first.id } });
    expect(event.type).toBe('worklist.document.completed');
    await expect(
      server.events.next('worklist.document.completed', { where: { record_id: first.id }, within: 1 }),
    ).rejects.toMatchObject({ code: 'STILL_PENDING', hint: 'No other event was waiting.' });
    expect(server.events.list()).toHaveLength(2);
    await server.reset();
    expect(server.events.list()).toEqual([]);
  });

  test('that come instead are named, and mistyped ones refused', async () => {
    const server = await start();
    const { id } = await server.given.report();
    await expect(server.events.next('medical_record.job.failed', { within: '1ms' })).rejects.toMatchObject({
      hint: expect.stringMatching(`worklist.document.completed.*record_id=${id}`),
    });
    await expect(server.events.next('worklist.document.complete' as 'webhook.test')).rejects.toMatchObject({
      code: 'USAGE',
      hint: expect.stringContaining('Did you mean worklist.document.completed?'),
    });
    await expect(server.events.next('webhook.test', { wihtin: 1 } as object)).rejects.toMatchObject({ code: 'USAGE' });
    await expect(server.events.next('webhook.test', { where: { recordid: id } as object })).rejects.toMatchObject({
      hint: expect.stringContaining('Did you mean record_id?'),
    });
    expect(() => server.given.examInput({ modalty: 'CT', our_own: 1 } as object)).toThrow('modalty is not a field');
    expect(server.given.examInput({ our_own: 1 } as object)).toMatchObject({ our_own: 1 });
    expect(() => server.faults.add({ pth: '/' } as object)).toThrow(/Did you mean path\?$/);
  });

  test('are those of the test client, and end with the server', async () => {
    const server = await start();
    const { data } = await server.operator.clients.create({
      body: { name: 'Another', kind: 'server', test_mode: true, scopes: ['medical_records:write', 'jobs:read'] },
    });
    await using other = createClient({ server: server.url, clientId: data.id, clientSecret: data.secret! });
    const body = { text: 'Test Patient. Findings: clear.', mode: 'async' } as const;
    await other.records.generate({ body });
    await server.client.records.generate({ body });
    await server.events.next('medical_record.job.completed');
    expect(server.events.list()).toHaveLength(1);
    const waiting = server.events.next('webhook.test');
    const ended = expect(waiting).rejects.toMatchObject({ code: 'INTERRUPTED' });
    await server.close();
    await ended;
  });
});

describe('fixtures', () => {
  const keys = ({ accession_number, patient_id, study_uid }: WorklistItemInput) => [
    accession_number,
    patient_id,
    study_uid,
  ];

  test('repeat with a seed, and differ by it, by call and where they are isolated', async () => {
    const [one, two, other] = await Promise.all([start({ seed: 'a' }), start({ seed: 'a' }), start({ seed: 'b' })]);
    const drawn = [one, two, other].map(({ given }) => [keys(given.examInput()), keys(given.examInput())]);
    expect(drawn[0]).toEqual(drawn[1]);
    expect(new Set([...drawn[0]!, ...drawn[2]!].flat())).toHaveProperty('size', 12);
    const isolated = await Promise.all([one.isolate(), one.isolate()]);
    const apart = [drawn[0]![0]!, ...isolated.map(({ given }) => keys(given.examInput()))];
    expect(new Set(apart.flat())).toHaveProperty('size', 9);
    expect(keys(one.fixtures({ seed: 'a' }).examInput())).toEqual(drawn[0]![0]);
  });

  test('are taken by the server as they are, in each language', async () => {
    const server = await start({ clock: 'fixed:2026-03-02T09:00:00Z' });
    for (const language of ['en-US', 'pt-BR'] as const) {
      const given = server.fixtures({ language, seed: language });
      for (const modality of ['CT', 'CR', 'MR', 'US', 'MG', 'XA'] as const) {
        const exam = await given.exam({ modality });
        expect(exam).toMatchObject({ modality, status: 'new' });
        expect(Date.parse(exam.exam_datetime)).toBeLessThan(Date.parse('2026-03-02T09:00:00Z'));
        const report = await given.report({ exam });
        expect(report).toMatchObject({ status: 'final', language, worklist_item_id: exam.id });
        // Each sentence stands where its section is named.
        const impression = report.sections.find(({ key }) => key === 'impression');
        expect(impression?.text.length).toBeGreaterThan(4);
      }
    }
    // What fixtures ask is no request of the program under test.
    expect(server.requests.list()).toEqual([]);
  });

  test('take fields, a text and a status', async () => {
    const server = await start();
    const draft = await server.given.report({
      exam: { accession_number: 'X-1', patient_sex: 'F' },
      status: 'draft',
      text: 'Test Patient. Findings: clear.',
    });
    expect(draft.status).toBe('draft');
    const [item] = (await server.client.worklists.list()).data.items;
    expect(item).toMatchObject({ accession_number: 'X-1', patient_sex: 'F', status: 'in_progress' });
    await expect(server.given.report({ txt: '' } as object)).rejects.toMatchObject({ code: 'USAGE' });
    await expect(server.given.report({ exam: item!.id as never })).rejects.toMatchObject({ code: 'USAGE' });
    expect(() => server.fixtures({ language: 'fr-FR' as 'pt-BR' })).toThrow(
      expect.objectContaining({ hint: 'Languages are en-US, pt-BR.' }),
    );
  });
});

describe('servers for concurrent tests', () => {
  const time = 'fixed:2026-03-02T09:00:00Z';

  test('have their own requests, faults, events, quota and reset', async () => {
    const server = await start({ rateLimit: 10 });
    const [one, two] = await Promise.all([server.isolate(), server.isolate()]);
    one.faults.add({ name: 'busy', path: '/api/v1/jobs', status: 503 });
    two.faults.add({ name: 'busy', path: '/api/v1/priors', status: 500 });
    for (const [accession, { client }] of [['ONE', one] as const, ['TWO', two] as const])
      await client.worklists.ingest({ body: examFields({ accession_number: accession }) });
    await expect(one.client.jobs.list()).rejects.toMatchObject({ status: 503 });
    await two.client.jobs.list();
    await two.given.report();
    await two.events.next('worklist.document.completed');
    const paths = ({ requests }: TestServer) => requests.list().map(({ path }) => path);
    expect([paths(server), paths(one).length, paths(two).length]).toEqual([[], 2, 2]);
    expect([server, one].flatMap(({ faults, events }) => [faults.list().length, events.list()])).toEqual([
      0,
      [],
      1,
      [],
    ]);
    await one.reset();
    expect([await accessionNumbers(one), (await accessionNumbers(two)).length]).toEqual([[], 2]);
    // The limit of the first server, counted alone.
    const calls = Array.from({ length: 10 }, () => two.client.jobs.list());
    await expect(Promise.all(calls)).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
    await server.client.jobs.list();
  });

  test('move their own time, and go back to their own states', async () => {
    const server = await start({ clock: time, accessTokenTtl: 60_000 });
    const [one, two] = await Promise.all([server.isolate(), server.isolate({ clock: 'fixed:2027-01-01' })]);
    const seeded = await one.snapshot();
    await one.client.worklists.ingest({ body: examFields({ accession_number: 'ONE' }) });
    await two.client.worklists.ingest({ body: examFields({ accession_number: 'TWO' }) });
    const token = await two.token();
    await one.clock.advance('2h');
    await seeded.restore();
    expect([server, one, two].map(({ clock }) => clock.show().now)).toEqual([
      '2026-03-02T09:00:00.000Z',
      '2026-03-02T11:00:00.000Z',
      '2027-01-01T00:00:00.000Z',
    ]);
    expect([await accessionNumbers(one), await accessionNumbers(two)]).toEqual([[], ['TWO']]);
    // Tokens end by the time of their own server.
    await using late = createClient({ server: two.url, token });
    await late.worklists.list();
    await two.clock.advance('2min');
    await expect(late.worklists.list()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  test('end with the first one, or before', async () => {
    const server = await start();
    const [one, two] = await Promise.all([server.isolate(), server.isolate()]);
    await one.close();
    await two.client.worklists.list();
    await expect(server.isolate({ prot: 1 } as never)).rejects.toMatchObject({ code: 'USAGE' });
    const closing = server.close();
    // Nothing would close it.
    const late = server.isolate();
    late.then((leaked) => leaked.close()).catch(() => undefined);
    await expect(late).rejects.toMatchObject({ code: 'USAGE', hint: expect.stringContaining('before close()') });
    await closing;
    await expect(two.client.worklists.list()).rejects.toMatchObject({ code: 'NETWORK' });
  });
});

describe('impossible combinations are refused, with a remedy', () => {
  test('an option that there is not', async () => {
    await expect(startServer({ prot: 1 } as never)).rejects.toMatchObject({
      code: 'USAGE',
      message: 'startServer has no option prot.',
      hint: expect.stringContaining('port'),
    });
  });

  test('a time that is none', async () => {
    await expect(startServer({ clock: 'yesterday' })).rejects.toMatchObject({ code: 'CONFIGURATION' });
    const server = await start();
    await expect(server.clock.advance('2 hours')).rejects.toMatchObject({ code: 'USAGE' });
    await expect(server.clock.advance('2h')).rejects.toMatchObject({ code: 'INVALID_TRANSITION' });
    for (const none of ['noon', new Date('noon')])
      await expect(server.clock.set(none)).rejects.toMatchObject({ code: 'USAGE' });
  });

  test('a port that is taken', async () => {
    const { url } = await start();
    await expect(startServer({ port: Number(new URL(url).port) })).rejects.toMatchObject({
      code: 'CONFIGURATION',
      message: expect.stringContaining('in use'),
    });
  });
});

test('the built-in test client is there for applications with their own login', async () => {
  expect((await start()).testClient).toEqual(builtInTestClient);
});
