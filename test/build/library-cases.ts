/** The installed package as a library: its types, and its use in a project that has nothing of ours. */
import { readFileSync } from 'node:fs';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { expect, test } from 'vitest';
import { enterTestMode, openPage, useOwnBrowser } from '../support/app.ts';
import { explored } from '../support/explored.ts';
import { root } from '../support/modules.ts';
import { run, startServing } from '../support/process.ts';

export interface InstalledLibrary {
  /** Where the package is installed, in `node_modules`. */
  readonly home: string;
  readonly tarball: string;
  readonly env: NodeJS.ProcessEnv;
}

const require = createRequire(import.meta.url);
/** Ours, and one of 2024, which the checker of the package's types brings. */
const compilers = [
  require.resolve('typescript/package.json'),
  createRequire(require.resolve('@arethetypeswrong/core')).resolve('typescript/package.json'),
].map((description) => join(description, '..', 'bin', 'tsc'));

/** A program whose every line must compile, but for those that must not. */
const program = `
import { AppError, createClient, itemsOf, waitForJob } from 'laudio';
import type { WorklistItem } from 'laudio';
import { startServer } from 'laudio/testing';

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

/** A program that holds a server with the app until somebody ends it. */
const appScript = `
import { startServer } from 'laudio/testing';
const server = await startServer({ app: true });
process.once('SIGTERM', () => server.close());
console.log(JSON.stringify({ url: server.url }));
`;

export function libraryCases(installed: () => InstalledLibrary): void {
  const browser = useOwnBrowser();

  test('has types and doors without a fault', async () => {
    const { home, tarball } = installed();
    const analysis = await checkPackage(createPackageFromTarballData(new Uint8Array(readFileSync(tarball))));
    if (!analysis.types) throw new Error('the package has no types');
    // A program in CommonJS requires modules as they are, since Node 22.
    const known = new Set(['NoResolution node10', 'CJSResolvesToESM node16-cjs']);
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
    const tested = await run(process.execPath, [join(vitest, 'vitest.mjs'), 'run', '--root', home], { cwd: home, env });
    expect(tested.code, tested.stdout + tested.stderr).toBe(0);
    expect(tested.stdout).toContain('2 passed');
    const script = "process.stdout.write(typeof require('laudio').createClient)";
    expect(await run(process.execPath, ['-e', script], { cwd: home, env })).toMatchObject({
      code: 0,
      stdout: 'function',
    });
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

  test('has the app for a browser', async () => {
    const { home, env } = installed();
    await writeFile(join(home, 'app.mjs'), appScript);
    await using serving = await startServing(process.execPath, [join(home, 'app.mjs')], { cwd: home, env });
    await enterTestMode(await openPage(browser(), serving.ready.url));
  });
}
