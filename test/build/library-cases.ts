/** The installed package as a library: its types, and its use in a project that has nothing of ours. */
import { readFileSync } from 'node:fs';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { expect, test } from 'vitest';
import { findChromium } from '../support/chromium.ts';
import { explored } from '../support/explored.ts';
import { root } from '../support/modules.ts';
import { run, startServing } from '../support/process.ts';

export interface InstalledLibrary {
  /** Where the package is installed, in `node_modules`. */
  readonly home: string;
  readonly tarball: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Its tests may take as long as ours on a machine with other work. */
const patient = ['--test-timeout', '60000'];

const require = createRequire(import.meta.url);
/** Ours, and one of 2024, which the checker of the package's types brings. */
const compilers = [
  require.resolve('typescript/package.json'),
  createRequire(require.resolve('@arethetypeswrong/core')).resolve('typescript/package.json'),
].map((description) => join(description, '..', 'bin', 'tsc'));

/** A program whose every line must compile, but for those that must not. */
const program = `
import { AppError, createClient, itemsOf, verifyWebhook, waitForJob } from 'laudio';
import type { MedicalRecord, VerifiedEvent, WorklistItem } from 'laudio';
import { startServer } from 'laudio/testing';
import type { ExamFixture } from 'laudio/testing';

/** With the headers of fetch and of Node. */
export const read = (body: Uint8Array, headers: { get(name: string): string | null }): VerifiedEvent =>
  verifyWebhook(body, headers, 'whsec_', { now: 0 });
export const readOfNode = (body: string, headers: Record<string, string | string[] | undefined>): string =>
  verifyWebhook(body, headers, ['whsec_']).id;

export async function day(): Promise<string[]> {
  await using server = await startServer({ rateLimit: 3 });
  const laudio = createClient({ server: server.url, token: () => server.token() });
  const { data } = await laudio.worklists.list({ query: { status: 'new' } });
  const first: WorklistItem | undefined = data.items[0];
  const answer = await laudio.records.generate({ body: { text: 'Test Patient. Findings: clear.', mode: 'async' } });
  const titles = answer.status === 201 ? answer.data.sections.map((section) => section.title) : [];
  const job = await waitForJob(laudio, answer.data.id, { timeout: 5000 });
  const status: 'queued' | 'in_progress' | 'completed' | 'failed' | 'cancelled' = job.status;
  for await (const item of itemsOf((paging) => laudio.worklists.list({ query: { ...paging } }))) titles.push(item.id);
  const order: ExamFixture = server.given.examInput({ modality: 'CT' });
  const report: MedicalRecord = await server.given.report({ exam: order, status: 'final' });
  const { data: told } = await server.events.next('worklist.document.completed', { where: { record_id: report.id } });
  titles.push(order.accession_number, told.accession_number ?? '');
  // @ts-expect-error -- an event that there is not
  await server.events.next('worklist.document.complete');
  // @ts-expect-error -- a status that there is not
  await server.given.report({ status: 'signed' });
  try {
    await laudio.jobs.get({ params: { id: 'a' } });
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND') titles.push(error.hint ?? error.message);
  }
  // @ts-expect-error -- a group that there is not
  await laudio.worklist.list();
  // @ts-expect-error -- a value that there is not
  await laudio.worklists.list({ query: { status: 'nwe' } });
  // @ts-expect-error -- a parameter that there is not
  await laudio.jobs.get({ params: { ID: 'a' } });
  // @ts-expect-error -- a field that there is not
  await laudio.records.generate({ body: { txt: 'Test Patient.' } });
  // @ts-expect-error -- an option that there is not
  createClient({ url: 'http://127.0.0.1:1' });
  // @ts-expect-error -- an option that there is not
  await startServer({ prot: 1 });
  return [...titles, status, first?.id ?? ''];
}
`;

const testFile = `
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient } from 'laudio';
import { startServer } from 'laudio/testing';

let server;
beforeAll(async () => { server = await startServer(); });
afterAll(() => server.close());

test('sends an exam, as the environment says', async () => {
  Object.assign(process.env, await server.env());
  await using laudio = createClient();
  const { data } = await laudio.worklists.ingest({ body: {
    accession_number: 'A-1', patient_id: '1', patient_name: 'TESTE^PACIENTE', modality: 'CT',
    exam_datetime: '2026-03-02T08:30:00Z', exam_description: 'CT chest',
  } });
  expect(data.items[0].status).toBe('inserted');
  expect(server.requests.list().at(-1).path).toBe('/api/v1/worklists/ingest');
});

test('and its tests can fail', async () => {
  await expect(server.client.jobs.get({ params: { id: 'job_none' } })).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
`;

/** A tester's day: data, time, a receiver that is down, a proxy in the way, and spaces that know nothing of each other. */
const dayFile = `
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, verifyWebhook } from 'laudio/testing';

let server;
beforeAll(async () => { server = await startServer({ clock: 'fixed:2026-03-02T09:00:00Z', seed: 'day' }); });
afterAll(() => server.close());

test('a receiver that was down gets the report once it is back', async () => {
  const received = [];
  const receiver = createServer(async (request, response) => {
    received.push({ body: await buffer(request), headers: request.headers });
    response.writeHead(204).end();
  });
  await new Promise((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const url = 'http://127.0.0.1:' + receiver.address().port;
  const params = { client_id: server.testClient.client_id };
  const { data: { secret } } = await server.operator.webhooks.put({ params, body: { url } });
  server.faults.add({ webhook: 'down', times: 1 });
  const report = await server.given.report({ exam: { modality: 'CT' } });
  await server.events.next('worklist.document.completed', { where: { record_id: report.id } });
  await server.clock.advance('0s');
  expect(received).toEqual([]);
  await server.clock.advance('1h');
  const [{ body, headers }] = received;
  const now = Date.parse(server.clock.show().now);
  const seen = verifyWebhook(body, headers, secret, { now: Number(headers['webhook-timestamp']) * 1000 });
  expect(seen.data.record_id).toBe(report.id);
  expect(() => verifyWebhook(body, headers, secret, { now: now + 3600_000 })).toThrow(/5 minutes/);
  receiver.close();
});

test('the page of a proxy is no answer, and nothing was done', async () => {
  server.faults.add({ path: '/api/v1/worklists/ingest', times: 1, status: 200, content: '<html>Log in</html>' });
  const order = server.given.examInput();
  await expect(server.client.worklists.ingest({ body: order })).rejects.toMatchObject({ code: 'BAD_ANSWER' });
  expect((await server.client.worklists.ingest({ body: order })).data.inserted).toBe(1);
});

test.concurrent.each(['a', 'b', 'c'])('server %s has its own exam, event and time', async (name) => {
  await using isolated = await server.isolate({ seed: name });
  const { worklist_item_id: id } = await isolated.given.report();
  expect((await isolated.client.worklists.list()).data.items.map((item) => item.id)).toEqual([id]);
  expect((await isolated.events.next('worklist.document.completed')).data.worklist_item_id).toBe(id);
  expect(isolated.events.list()).toHaveLength(1);
  await isolated.clock.advance('3h');
  expect(isolated.clock.show().now).not.toBe(server.clock.show().now);
});
`;

/** Tests against the server of exec, by its API and its page, and the page of a server of their own. */
const againstFile = `
import { chromium } from 'playwright-core';
import { expect, test } from 'vitest';
import { createClient } from 'laudio';
import { startServer } from 'laudio/testing';

test('lists what there is', async () => {
  await using laudio = createClient();
  expect((await laudio.worklists.list()).data.items).toEqual([]);
});

test('a physician enters by the page', async () => {
  await using server = await startServer({ app: true });
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM,
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
  const errors = [];
  for (const url of [process.env.LAUDIO_SERVER, server.url]) {
    const page = await browser.newPage({ locale: 'en-US' });
    page.on('pageerror', (error) => errors.push(String(error.stack)));
    await page.goto(url);
    await page.getByRole('button', { name: /test data/ }).click();
    await page.getByRole('heading', { name: 'Exams', exact: true }).waitFor();
  }
  await browser.close();
  expect(errors).toEqual([]);
});
`;

export function libraryCases(installed: () => InstalledLibrary): void {
  test('has types and doors without a fault', async () => {
    const { home, tarball } = installed();
    const analysis = await checkPackage(createPackageFromTarballData(new Uint8Array(readFileSync(tarball))));
    if (!analysis.types) throw new Error('the package has no types');
    // A program in CommonJS requires modules as they are, since Node 22.
    const known = new Set(['CJSResolvesToESM node16-cjs']);
    const problems = analysis.problems.map((problem) =>
      'resolutionKind' in problem ? `${problem.kind} ${problem.resolutionKind}` : problem.kind,
    );
    expect(problems.filter((problem) => !known.has(problem))).toEqual([]);
    const { messages } = await publint({ pkgDir: join(home, 'node_modules', 'laudio'), strict: true, pack: false });
    expect(messages).toEqual([]);
  });

  test('compiles for whoever uses it, without Node’s types, and mistakes do not', async () => {
    const { home } = installed();
    const directory = join(home, 'typed');
    await mkdir(directory);
    await writeFile(join(directory, 'day.mts'), program);
    const options = { noEmit: true, strict: true, skipLibCheck: false, target: 'es2022', lib: ['es2022'], types: [] };
    const ways = [
      { module: 'nodenext', moduleResolution: 'nodenext' },
      { module: 'esnext', moduleResolution: 'bundler', exactOptionalPropertyTypes: true },
    ];
    // Each compiler and each way; all pairs where there is time.
    const compiled = compilers.flatMap((compiler, index) =>
      ways
        .filter((_, at) => explored.isOn || at === index)
        .map(async (way, at) => {
          const path = join(directory, `tsconfig.${index}${at}.json`);
          await writeFile(path, JSON.stringify({ compilerOptions: { ...options, ...way }, files: ['day.mts'] }));
          return run(process.execPath, [compiler, '-p', path], { cwd: directory });
        }),
    );
    for (const { code, stdout } of await Promise.all(compiled)) expect([code, stdout]).toEqual([0, '']);
  });

  test('serves the tests of another project, and its programs in CommonJS', async () => {
    const { home, env } = installed();
    const vitest = join(home, 'node_modules', 'vitest');
    await symlink(join(root, 'node_modules', 'vitest'), vitest, 'junction');
    await writeFile(join(home, 'exams.test.mjs'), testFile);
    await writeFile(join(home, 'day.test.mjs'), dayFile);
    const words = [join(vitest, 'vitest.mjs'), 'run', '--root', home, ...patient];
    const tested = await run(process.execPath, words, { cwd: home, env });
    expect(tested.code, tested.stdout + tested.stderr).toBe(0);
    expect(tested.stdout).toContain('7 passed');
    const script = "process.stdout.write(typeof require('laudio').createClient)";
    expect(await run(process.execPath, ['-e', script], { cwd: home, env })).toMatchObject({
      code: 0,
      stdout: 'function',
    });
  });

  test('reports what the tests asked, and answers them again', async () => {
    const { home, env } = installed();
    const vitest = join(home, 'node_modules', 'vitest', 'vitest.mjs');
    await writeFile(join(home, 'against.test.mjs'), againstFile);
    const modules = join(home, 'node_modules');
    await symlink(join(root, 'node_modules', 'playwright-core'), join(modules, 'playwright-core'), 'junction');
    const tester = { ...env, CHROMIUM: findChromium() };
    const [har, xml] = [join(home, 'run.har'), join(home, 'run.xml')];
    const words = [
      'exec',
      '--report',
      har,
      '--report',
      xml,
      '--',
      process.execPath,
      vitest,
      'run',
      '--root',
      home,
      ...patient,
    ];
    const command = join(home, 'node_modules', 'laudio', 'dist', 'cli', 'main.js');
    const ended = await run(process.execPath, [command, ...words, 'against.test.mjs'], { cwd: home, env: tester });
    expect(ended.code, ended.stdout + ended.stderr).toBe(0);
    // What the app logs when somebody logs in is the server's, as its own.
    expect(ended.stderr).not.toContain('"event"');
    const { log } = JSON.parse(await readFile(har, 'utf8')) as { log: { entries: { request: { url: string } }[] } };
    expect(log.entries.map(({ request }) => new URL(request.url).pathname)).toContain('/api/v1/worklists/items');
    expect(await readFile(xml, 'utf8')).toMatch(/<testsuites tests="\d+" failures="0" skipped="0">/);

    const serve = [command, 'serve', '--replay', har, '--port', '0', '--json'];
    await using replaying = await startServing(process.execPath, serve, { cwd: home, env });
    const replayed = { ...env, LAUDIO_SERVER: replaying.ready.url, LAUDIO_TOKEN: 'any' };
    // The same test, of what the server answered then.
    const again = [vitest, 'run', '--root', home, ...patient, 'against.test.mjs', '-t', 'lists'];
    const repeated = await run(process.execPath, again, { cwd: home, env: replayed });
    expect(repeated.code, repeated.stdout + repeated.stderr).toBe(0);
  });

  test.skipIf(process.platform === 'win32')('serves plain shells, alone and in the steps of a workflow', async () => {
    const { home, env } = installed();
    const shell = { ...env, PATH: [join(home, 'node_modules', '.bin'), env['PATH']].join(delimiter) };
    const script =
      'laudio whoami --json && curl -fs "$LAUDIO_SERVER/api/v1/jobs" -H "Authorization: Bearer $LAUDIO_TOKEN" && exit 5';
    const ended = await run('laudio', ['exec', '--', 'sh', '-c', script], { cwd: home, env: shell });
    expect([ended.code, ended.stderr]).toEqual([5, '']);
    expect(ended.stdout).toContain('"test-physician"');
    expect(ended.stdout).toContain('"success":true');

    const [environment, output] = [join(home, 'github.env'), join(home, 'github.output')];
    for (const file of [environment, output]) await writeFile(file, '');
    const step = {
      ...shell,
      GITHUB_ENV: environment,
      GITHUB_OUTPUT: output,
      SERVE: '--clock fixed:2026-03-02T09:00:00Z',
    };
    const started = await run(join(root, '.github', 'actions', 'laudio', 'start.sh'), [], { cwd: home, env: step });
    expect([started.code, started.stderr]).toEqual([0, '']);
    const lines = (await readFile(environment, 'utf8')).trim().split('\n');
    const given = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2))) as Record<string, string>;
    // What is secret is masked before anything could print it.
    for (const name of ['LAUDIO_CLIENT_SECRET', 'LAUDIO_TOKEN'])
      expect(started.stdout).toContain(`::add-mask::${given[name]}\n`);
    expect(await readFile(output, 'utf8')).toBe(`server=${given['LAUDIO_SERVER']}\n`);
    const status = await run('laudio', ['server', 'status', '--json'], { cwd: home, env: { ...shell, ...given } });
    const { pid, started_at } = JSON.parse(status.stdout) as { pid: number; started_at: string };
    expect(started_at).toBe('2026-03-02T09:00:00.000Z');
    const me = await run('laudio', ['whoami', '--json'], { cwd: home, env: { ...shell, ...given } });
    expect(me.stdout).toContain(given['LAUDIO_CLIENT_ID']);
    // As the runner does at the end of the job.
    process.kill(pid, 'SIGTERM');
  });
}
