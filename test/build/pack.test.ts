/** The package as a user gets it: packed, installed elsewhere, used. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { oauth } from '../../src/contract/oauth.ts';
import { system } from '../../src/contract/system.ts';
import { explored, sampled } from '../support/explored.ts';
import { filesBelow, packageOf, readModules, root } from '../support/modules.ts';
import { npm, run, startServing } from '../support/process.ts';
import { pageOf } from '../../docs/site/pages.ts';
import { typedPages, typePage } from '../docs/type-pages.ts';
import type { ProjectCopy } from '../support/project-copy.ts';
import { copyProject } from '../support/project-copy.ts';
import { testToken } from '../support/test-token.ts';
import { closure } from '../../.build/binary/lock.ts';
import type { LockedPackages } from '../../.build/binary/lock.ts';
import { makeBinary } from '../../.build/binary/make.ts';
import { libraryCases } from './library-cases.ts';

interface Description {
  readonly version: string;
  readonly bin: Readonly<Record<string, string>>;
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

/** What `npm pack --json` says of a package. */
interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

const description = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Description;
const declared = { ...description.dependencies, ...description.peerDependencies };

let project: ProjectCopy;
let home: string;
let installed: string;
let packed: string[];
let tarball: string;
/** A user's machine: nothing of the developer's settings, but how npm reaches its registry, and its cache, so that little is downloaded. */
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  project = await copyProject();
  home = await mkdtemp(join(tmpdir(), 'laudio-installed-'));
  // A project of its own: without a description it would belong to one above it, if there is one.
  await writeFile(join(home, 'package.json'), '{"private": true}');
  const configured = async (key: string) => (await npm(['config', 'get', key], { cwd: root })).trim();
  const names = ['cache', 'globalconfig', 'userconfig'];
  const machine = (await Promise.all(names.map(async (name) => [`--${name}`, await configured(name)]))).flat();
  env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(npm_|LAUDIO_|XDG_|NODE_OPTIONS|NODE_COMPILE_CACHE|VITEST)/i.test(name),
    ),
  );
  const path = [dirname(process.execPath), process.env['PATH']].join(process.platform === 'win32' ? ';' : ':');
  Object.assign(env, {
    HOME: home,
    USERPROFILE: home,
    APPDATA: join(home, 'roaming'),
    LOCALAPPDATA: join(home, 'local'),
    PATH: path,
    CI: 'true',
  });

  // As `npm pack` does it by itself, but for the types, which `npm run check:types` checks.
  expect(description.scripts).toMatchObject({ build: 'node .build/build.ts', prepack: 'npm run build' });
  const built = await run(process.execPath, ['.build/build.ts', '--no-check'], { cwd: project.directory });
  expect(built).toMatchObject({ code: 0 });
  // npm 11 gives a list, npm 12 an object by package name.
  const packing = ['pack', '--json', '--silent', '--ignore-scripts'];
  const report = JSON.parse(await npm(packing, { cwd: project.directory })) as Packed[] | Record<string, Packed>;
  const [made] = Object.values(report);
  if (!made) throw new Error('npm pack made nothing');
  packed = made.files.map((file) => file.path);
  tarball = join(project.directory, made.filename);
  const install = [
    'install',
    '--omit=dev',
    '--ignore-scripts',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--no-save',
    // A registry that stops answering is asked again, well before the hook's time is over.
    '--fetch-timeout=30000',
    '--fetch-retries=6',
  ];
  await npm([...install, '--prefix', home, ...machine, tarball], {
    cwd: home,
    env,
  });
  installed = join(home, 'node_modules', 'laudio');
}, 300_000);

afterAll(async () => {
  await project?.[Symbol.asyncDispose]();
  if (home) await rm(home, { recursive: true, force: true });
});

/** The installed command. npm's starter on Windows is a script for its shell; what it starts is the same. */
function laudio(...args: string[]): [program: string, args: string[]] {
  if (process.platform === 'win32') return [process.execPath, [join(installed, description.bin['laudio']!), ...args]];
  return [join(home, 'node_modules', '.bin', 'laudio'), args];
}

describe('the package', () => {
  test('has the program, its samples and its papers, and nothing else', () => {
    const kinds =
      /^(dist\/build\.json|dist\/cli\/(package\.json|LICENSES\.txt)|dist\/(cli|chunks|server|src)\/.+\.js|dist\/(src|server\/testing)\/.+\.d\.ts|dist\/server\/delivery\/formats\/fonts\/.+|dist\/server\/delivery\/formats\/pdf\/data\/.+\.icc|dist\/server\/speech\/sound\/symphonia\/decoders\.wasm|dist\/server\/speech\/sound\/spoken\/[a-z]{2}-[A-Z]{2}\.wav|dist\/renderer\/(index\.html|assets\/.+)|samples\/.+|README\.md|LICENSE|CHANGELOG\.md|docs\/(licences\/.+|(guide-[a-z]+|intended-use(-[a-z]+)?|reference|glossary)\.md|integrator\/\w[\w-]*\.md)|package\.json)$/;
    expect(packed.filter((path) => !kinds.test(path))).toEqual([]);
    expect(packed.length).toBeGreaterThanOrEqual(100);
    for (const paper of [
      'README.md',
      'LICENSE',
      'CHANGELOG.md',
      'docs/licences/LGPL-2.1.txt',
      'docs/guide-qa.md',
      'docs/integrator/README.md',
      'samples/worklist.json',
      'dist/renderer/index.html',
      'dist/server/delivery/formats/fonts/LICENSE',
    ])
      expect(packed).toContain(paper);
    expect(packed.filter((path) => /\.(test|suite)\.|^dist\/test\//.test(path))).toEqual([]);
  });

  test('declares every package that it imports, and imports every one that it declares', () => {
    const modules = readModules(
      installed,
      filesBelow(installed, ['dist/cli', 'dist/chunks', 'dist/server', 'dist/src'], /\.js$/),
    );
    expect(modules.length).toBeGreaterThanOrEqual(100);
    const imported = new Set(
      modules.flatMap(({ imports }) => imports.flatMap(({ specifier }) => packageOf(specifier) ?? [])),
    );
    // The bundle renames `require` where a module makes its own.
    const code = modules.map(({ path }) => readFileSync(join(installed, path), 'utf8')).join('');
    const isUsed = (name: string): boolean => imported.has(name) || code.includes(`("${name}")`);
    expect(Object.keys(declared).filter((name) => !isUsed(name))).toEqual([]);
    // Bundled packages name Node's own modules in the bare way.
    expect([...imported].filter((name) => declared[name] === undefined && !isBuiltin(name))).toEqual([]);
  });

  test('leaves the shell to the installers, where the library for newer versions is in the one file that uses it', () => {
    const shell = readModules(project.directory, filesBelow(project.directory, ['dist/desktop/main'], /\.js$/));
    expect(shell.length).toBeGreaterThanOrEqual(3);
    const named = shell.flatMap(({ imports }) => imports.flatMap(({ specifier }) => packageOf(specifier) ?? []));
    // Node's own modules go by their bare names there.
    const installed = named.filter((name) => !isBuiltin(name) && !declared[name]);
    expect([...new Set(installed)]).toEqual(['electron']);
    const updater = readFileSync(join(project.directory, 'dist/desktop/main/updater.js'), 'utf8');
    expect(updater).toContain('app-update.yml');
  });

  test('weighs at most 60 MB with all that it brings (decision 76)', () => {
    const packages = filesBelow(home, ['node_modules'], /./);
    const weights = new Map<string, number>();
    for (const path of packages) {
      const name = /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)![1]!;
      const { size } = statSync(join(home, path));
      // As a disk counts: in blocks.
      weights.set(name, (weights.get(name) ?? 0) + Math.ceil(size / 4096) * 4096);
    }
    const inMegabytes = (bytes: number): number => Math.round(bytes / 1e6);
    const heaviest = [...weights].toSorted(([, a], [, b]) => b - a).slice(0, 12);
    const total = [...weights.values()].reduce((sum, bytes) => sum + bytes, 0);
    const told = heaviest.map(([name, bytes]) => `${name} ${inMegabytes(bytes)}`).join(', ');
    expect(packages.length).toBeGreaterThan(1000);
    expect(inMegabytes(total), told).toBeLessThanOrEqual(60);
  });

  test('starts a test server from a handful of files, without the HTTP client', () => {
    const chunks = readModules(installed, filesBelow(installed, ['dist/chunks', 'dist/server', 'dist/src'], /\.js$/));
    const byPath = new Map(chunks.map((module) => [module.path, module]));
    const loaded = new Set(['dist/server/testing/index.js']);
    for (const path of loaded) {
      const needed = (byPath.get(path)?.imports ?? []).filter(({ kind }) => kind === 'static');
      for (const { target } of needed) if (target.startsWith('dist/')) loaded.add(target);
    }
    expect(loaded.size).toBeGreaterThan(2);
    expect(loaded.size, [...loaded].join(', ')).toBeLessThanOrEqual(30);
    const code = Array.from(loaded, (path) => readFileSync(join(installed, path), 'utf8')).join('');
    expect(code).toContain('createServer');
    expect(code).not.toContain('UndiciError');
  });

  test('brings no development dependency', () => {
    const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
      packages: LockedPackages;
    };
    // Another version may be a dependency's.
    const needed = new Set(
      Array.from(closure(packages, Object.keys(description.dependencies)), (path) =>
        path.replace(/^.*node_modules\//, ''),
      ),
    );
    const brought = Object.keys(description.devDependencies).filter(
      (name) => !needed.has(name) && existsSync(join(home, 'node_modules', name)),
    );
    expect(brought).toEqual([]);
  });
});

describe('the installed library', () => libraryCases(() => ({ home, tarball, env })));

describe('the release binary', () => {
  let binary: string;
  const started = (...words: string[]) => run(binary, words, { env: { ...env, PATH: '/usr/bin:/bin' }, cwd: home });
  const installedAt = () => join(home, 'node_modules');
  const lib = () => join(home, 'binary', 'lib');
  // What is installed moves there, which takes no time; the package itself is reached by a link meanwhile.
  beforeAll(async () => {
    await mkdir(lib(), { recursive: true });
    await rename(installedAt(), join(lib(), 'node_modules'));
    await symlink(join(lib(), 'node_modules'), installedAt(), 'junction');
    binary = await makeBinary(lib());
  });
  afterAll(async () => {
    await unlink(installedAt());
    await rename(join(lib(), 'node_modules'), installedAt());
  });

  test
    .skipIf(process.platform === 'win32')
    .each([
      ['--version'],
      ['--help'],
      ['help', 'exit-codes'],
      ['worklist', 'list', '--help'],
      ['worklst'],
      ['worklist', 'list'],
      ['whoami', '--json'],
      ['record', 'list', '--json', '--jq', '}'],
    ])('the README is true: laudio %s %s', async (...words) => {
    expect(await started(...words)).toEqual(await run(...laudio(...words), { env, cwd: home }));
  });

  test.skipIf(process.platform === 'win32')('serves, and answers calls, by a link to it too', async () => {
    await using serving = await startServing(
      binary,
      ['serve', '--port', '0', '--data-dir', join(home, 'other-data'), '--json'],
      { env: { ...env, PATH: '/usr/bin:/bin' }, cwd: home },
    );
    const link = join(home, 'linked');
    await symlink(binary, link);
    const { url } = serving.ready;
    const call = await run(link, ['worklist', 'list', '--json', '--jq', 'length'], {
      env: { ...env, LAUDIO_TOKEN: await testToken(serving.ready), LAUDIO_SERVER: url },
      cwd: home,
    });
    expect(call).toEqual({ code: 0, stdout: '0\n', stderr: '' });
    expect(await serving.stop()).toBe(0);
  });

  test.skipIf(process.platform === 'win32')('shows the whole demo', async () => {
    const { code, stderr } = await started('demo');
    expect(code, stderr).toBe(0);
  });
});

describe('the installed command', () => {
  test('is executable', () => {
    const mode = statSync(join(installed, description.bin['laudio']!)).mode;
    if (process.platform !== 'win32') expect(mode & 0o111).toBe(0o111);
  });

  test('prints its version', async () => {
    expect(await run(...laudio('--version'), { env, cwd: home })).toEqual({
      code: 0,
      stdout: `${description.version}\n`,
      stderr: '',
    });
  });

  test('helps', async () => {
    const { code, stdout, stderr } = await run(...laudio('--help'), { env, cwd: home });
    expect([code, stderr]).toEqual([0, '']);
    for (const noun of ['worklist', 'record', 'serve']) expect(stdout).toContain(noun);
  });

  test('serves, answers a call, and ends on request', async () => {
    await using serving = await startServing(
      ...laudio('serve', '--port', '0', '--data-dir', join(home, 'data'), '--json'),
      { env, cwd: home },
    );
    const { url } = serving.ready;
    expect((await fetch(new URL(system.endpoints.health.path, url))).status).toBe(200);
    expect(await (await fetch(url)).text()).toContain('<div id="app"');

    const token = await testToken(serving.ready);
    const call = await run(...laudio('api', 'GET', oauth.endpoints.validate.path, '--json'), {
      env: { ...env, LAUDIO_TOKEN: token, LAUDIO_SERVER: url },
      cwd: home,
    });
    expect(call).toMatchObject({ code: 0 });
    expect(JSON.stringify(JSON.parse(call.stdout))).toContain(serving.ready.test_client.client_id);
    if (process.platform !== 'win32') expect(await serving.stop()).toBe(0);
  });

  test('names the packages that a model, its sound and its words need', async () => {
    const { code, stderr } = await run(...laudio('serve', '--recogniser', 'local:tone'), { env, cwd: home });
    expect(code).toBe(2);
    expect(stderr).toContain('npm install sherpa-onnx-node@1 (');
    const doctor = await run(...laudio('doctor', '--json'), { env, cwd: home });
    const rows = JSON.parse(doctor.stdout) as { check: string; state: string; hint: string }[];
    const { state, hint } = rows.find(({ check }) => check === 'Packages')!;
    expect(state).toBe('note');
    for (const name of Object.keys(description.peerDependencies)) expect(hint).toContain(` ${name}@`);

    const recogniser = ['--recogniser', 'openai model=a url=http://127.0.0.1:9/v1', '--test-real'];
    await using serving = await startServing(
      ...laudio('serve', '--port', '0', '--data-dir', join(home, 'hearing'), '--json', ...recogniser),
      { env, cwd: home },
    );
    const called = { ...env, LAUDIO_SERVER: serving.ready.url, LAUDIO_TOKEN: await testToken(serving.ready) };
    const sound = join(root, 'test/fixtures/audio/speech.mp3');
    const call = await run(...laudio('record', 'generate', '--audio', sound), { env: called, cwd: home });
    expect(call.code).toBe(8);
    expect(call.stderr).toContain(
      'npm install @alexanderolsen/libsamplerate-js@2 mp4box@2 mpg123-decoder@1 opus-decoder@0.7 (',
    );
  });

  // The release binary shows it with the same package (above), where there is one.
  if (process.platform === 'win32' || explored.isOn)
    test('shows the whole demo', async () => {
      const { code, stderr } = await run(...laudio('demo'), { env, cwd: home });
      expect(code, stderr).toBe(0);
    });

  // Every page is typed with the sources (test/docs/blocks.test.ts), which takes seconds rather than minutes.
  test.each(sampled(typedPages, 1))('the commands of %s work, typed line by line', async (path) => {
    await typePage(pageOf(path), join(home, 'node_modules', '.bin', 'laudio'));
  });

  test('says one clear line under an older Node', async () => {
    const older =
      "for (const [name, of] of [['versions', { ...process.versions, node: '22.18.0' }], ['version', 'v22.18.0']]) Object.defineProperty(process, name, { value: of });";
    const args = [
      '--import',
      `data:text/javascript,${encodeURIComponent(older)}`,
      join(installed, description.bin['laudio']!),
      '--version',
    ];
    const { code, stdout, stderr } = await run(process.execPath, args, { env, cwd: home });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^[^\n]*22\.19[^\n]*22\.18\.0[^\n]*\n$/);
  });
});
