/** What comes with the program: under which licences, how checked, and what may run when it is installed. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { filesBelow, packageOf, readModules, root } from '../support/modules.ts';
import { optionalPackages, optionalParts } from '../../src/node/optional-packages.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { decoders, hashSources, sourcesSection } from '../../.build/decoder-sources.ts';
import { closure, lockProgram } from '../../.build/binary/lock.ts';
import type { LockedPackages } from '../../.build/binary/lock.ts';
import { shippedComponents } from '../../.build/sbom.ts';
import { buildVersion } from '../../.build/version.ts';

interface Locked {
  readonly version: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  /** Needed by a tool, and by an optional part of another package that nobody installs. */
  readonly devOptional?: boolean;
  readonly hasInstallScript?: boolean;
}

const read = (name: string) => JSON.parse(readFileSync(join(root, name), 'utf8')) as unknown;

/** Everything that `npm ci` installs, by its name; the nested name of a second version is its last part. */
const locked = Object.entries((read('package-lock.json') as { packages: Record<string, Locked> }).packages)
  .filter(([path]) => path !== '')
  .map(([path, entry]) => ({
    path,
    name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
    ...entry,
  }));

const allowed = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT', 'Unlicense'];
/** Those that don't declare their licence, with the one that their LICENSE file has. */
const undeclared: Readonly<Record<string, string>> = { 'png-js': 'MIT' };

/** Those that offer several licences, with the one under which Laudio has them; docs/licences tells of each. */
const chosen: Readonly<Record<string, string>> = {
  'dictionary-en': '(MIT AND BSD)',
  'dictionary-es': 'MPL-1.1',
  'dictionary-pt': 'MPL-2.0',
  'hunspell-wasm': 'MPL-1.1',
};

/** Paths of the packages that npm leaves to whoever wants them, and that everything else brings. */
const optional = closure((read('package-lock.json') as { packages: LockedPackages }).packages, optionalPackages);
const isShipped = ({ path, dev }: { path: string; dev?: boolean }): boolean => dev !== true || optional.has(path);

test('optional packages are peers, in the same table, with the version that its line names', () => {
  const description = read('package.json') as Record<'peerDependencies' | 'peerDependenciesMeta', object>;
  const named = Object.assign({}, ...Object.values(optionalParts).map(({ packages }) => packages)) as object;
  const ranges = Object.entries(description.peerDependencies).map(([name, range]) => [
    name,
    /^\^(0\.\d+|[1-9]\d*)/.exec(String(range))?.[1],
  ]);
  expect(Object.fromEntries(ranges)).toEqual(named);
  const metas = Object.entries(description.peerDependenciesMeta);
  expect(metas.toSorted()).toEqual(optionalPackages.toSorted().map((name) => [name, { optional: true }]));
});

test('optional packages are loaded when they are used, by the function that says which are missing', () => {
  const users = readModules(root, filesBelow(root, ['src', 'server', 'cli', 'desktop'], /\.tsx?$/)).flatMap(
    ({ path, imports }) => {
      const optionals = imports.filter(({ specifier }) => optionalPackages.includes(packageOf(specifier) ?? ''));
      return optionals.filter(({ kind }) => kind !== 'type').map(({ kind }) => ({ path, kind }));
    },
  );
  expect(users.filter(({ kind }) => kind === 'static')).toEqual([]);
  expect(new Set(users.map(({ path }) => path)).size).toBeGreaterThanOrEqual(6);
  for (const { path } of users) expect(readText(path), path).toContain('await loadOptional(');
});

test('every package that is shipped has a licence from the list', () => {
  const shipped = locked.filter(isShipped);
  expect(shipped.length).toBeGreaterThanOrEqual(50);
  const isChosen = ({ name, license = '' }: { name: string; license?: string }): boolean =>
    license.includes(chosen[name] ?? '?');
  const others = shipped.filter(
    (each) => !isChosen(each) && !allowed.includes(each.license ?? undeclared[each.name] ?? ''),
  );
  expect(others.map(({ name, license }) => `${name}: ${license}`)).toEqual([]);
  expect(
    Object.keys(undeclared).filter((name) => locked.find((entry) => entry.name === name)?.license !== undefined),
  ).toEqual([]);
});

/** What some packages hold of others, under a licence that they do not declare: each is told of in docs/licences. */
const embedded: Readonly<Record<string, string>> = { 'mpg123-decoder': 'LGPL-2.1' };

test('lists packages embedded under another licence with their texts, and lets mpg123 be replaced in the installed app', () => {
  const notice = readFileSync(join(root, 'docs/licences/README.md'), 'utf8');
  const papers = readdirSync(join(root, 'docs/licences'));
  for (const [name, license] of Object.entries(chosen)) {
    expect(notice).toMatch(new RegExp(`\\| \`${name}\`, .*\\| ${license.replace(/[()]/g, '')} \\|`));
    if (license.startsWith('MPL')) expect(papers).toContain(`${license}.txt`);
  }
  for (const [name, license] of Object.entries(embedded)) {
    expect(locked.filter(isShipped).map((entry) => entry.name)).toContain(name);
    expect(notice).toMatch(new RegExp(`\\| \`${name}\`, .*\\| ${license} \\|`));
    expect(papers).toContain(`${license}.txt`);
  }
  // The app runs nothing of its archive that was changed; what lies beside it may be.
  const beside = /asarUnpack:\n((?: +.*\n)+)/.exec(readFileSync(join(root, 'electron-builder.yml'), 'utf8'))![1];
  expect(beside).toContain('node_modules/mpg123-decoder/**');
});

test('the decoders are built from the sources in the same folder, with the licence of each crate', async () => {
  const module = await WebAssembly.compile(readFileSync(join(decoders, 'decoders.wasm')));
  const [sources] = WebAssembly.Module.customSections(module, sourcesSection);
  expect(Buffer.from(sources!).toString(), 'run `npm run build:decoders`').toBe(hashSources());

  const crates = readFileSync(join(decoders, 'Cargo.lock'), 'utf8').split('[[package]]').slice(1);
  const foreign = crates.filter((crate) => !crate.includes('name = "laudio-decoders"'));
  expect(foreign.length).toBeGreaterThanOrEqual(5);
  expect(foreign.filter((crate) => !/^checksum = "[0-9a-f]{64}"$/m.test(crate))).toEqual([]);
  const notices = readFileSync(join(root, 'docs/licences/decoders.txt'), 'utf8');
  for (const crate of foreign) {
    const [, name, version] = /name = "(.+)"\nversion = "(.+)"/.exec(crate)!;
    expect(notices).toMatch(new RegExp(`^${name} ${version}, (.*MIT.*|MPL-2\\.0|Apache-2\\.0)$`, 'm'));
  }
});

test('every package is locked to its content', () => {
  expect(locked.filter(({ integrity }) => !integrity?.startsWith('sha512-')).map(({ name }) => name)).toEqual([]);
});

test('only packages on the list run a script when they are installed', () => {
  const { allowScripts } = read('package.json') as { allowScripts: Record<string, boolean> };
  const running = locked.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name);
  expect(new Set(running)).toEqual(new Set(Object.keys(allowScripts).filter((name) => allowScripts[name])));
});

const readText = (path: string): string => readFileSync(join(root, path), 'utf8');
const workflows = ['.github/workflows/ci.yml', '.github/workflows/release.yml', '.github/actions/laudio/action.yml'];

test('actions and images are pinned to their content, and updates wait', () => {
  const uses = workflows.flatMap((path) => readText(path).match(/^ *(?:- )?uses: .*$/gm) ?? []);
  expect(uses.length).toBeGreaterThanOrEqual(10);
  expect(uses.filter((line) => !/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
  // One commit a version.
  const commits = new Set(uses.map((line) => /[\w-]+\/[\w-]+@.*/.exec(line)?.[0]));
  expect(new Set([...commits].map((pin) => pin?.split('@')[0])).size).toBe(commits.size);

  const images = readText('.docker/Dockerfile').match(/^FROM .*$/gm) ?? [];
  expect(images.length).toBeGreaterThanOrEqual(1);
  expect(images.filter((line) => !/@sha256:[0-9a-f]{64}( AS \w+)?$/.test(line))).toEqual([]);

  const sources = readText('.github/dependabot.yml').split('- package-ecosystem: ').slice(1);
  expect(sources.map((source) => source.split('\n')[0])).toEqual(['npm', 'github-actions', 'docker']);
  for (const source of sources) expect(Number(/cooldown:\s+default-days: (\d+)/.exec(source)?.[1])).toBeGreaterThan(5);
});

test('nothing is installed by a name alone where a release is made or an action runs', () => {
  const commands = workflows.flatMap((path) => readText(path).match(/npm (?:install|i) .*$|npx .*$/gm) ?? []);
  const named = commands.filter((line) => !line.includes('--no-install') && !line.includes('npx --no '));
  expect(named).toEqual([
    expect.stringMatching(/peerDependencies.*package-lock\.json.*\.version/),
    // The action: its user says which.
    'npm install --global --no-audit --no-fund "$PACKAGE"',
  ]);
  expect(readText('.github/actions/laudio/action.yml')).not.toMatch(/default: laudio/);
  expect(readText('.github/workflows/release.yml')).toContain('npm ci --prefix .build/installers --ignore-scripts');
  const installers = read('.build/installers/package-lock.json') as { packages: Record<string, Locked> };
  const { '': _own, ...packages } = installers.packages;
  const unlocked = Object.entries(packages).filter(([, { integrity }]) => !integrity?.startsWith('sha512-'));
  expect(unlocked.map(([path]) => path)).toEqual([]);
});

test('a release has checksums, a signed statement of its making, and what signatures of the installers need', () => {
  const release = readText('.github/workflows/release.yml');
  const draft = release.slice(release.indexOf('\n  draft:'));
  for (const step of ['sha256sum', 'attest-build-provenance', 'id-token: write', 'gh release create']) {
    expect(draft).toContain(step);
  }
  expect(draft.indexOf('sha256sum')).toBeLessThan(draft.indexOf('attest-build-provenance'));
  // Only that job may write, and only it gets an identity.
  expect(release.slice(0, release.indexOf('\n  draft:'))).not.toMatch(/: write/);
  for (const name of ['CSC_LINK', 'CSC_KEY_PASSWORD', 'APPLE_ID', 'APPLE_APP_SPECIFIC_PASSWORD', 'APPLE_TEAM_ID'])
    expect(release).toContain(`${name}: \${{ secrets.${name} }}`);
  for (const machine of ['ubuntu-24.04-arm', 'macos-15-intel']) expect(release).toContain(machine);
});

test('what each kind of machine lists becomes one list, and all is uploaded from one directory', async () => {
  const workflow = readFileSync(join(root, '.github/workflows/release.yml'), 'utf8');
  const paths = workflow.match(/^ {12}dist\/\S+$/gm) ?? [];
  // An artifact begins at the directory that its paths share.
  expect(new Set(paths.map((path) => dirname(path.trim())))).toEqual(new Set(['dist/installers']));
  const directory = await temporaryDirectory();
  const write = (name: string, text: string) => writeFileSync(join(directory, name), text);
  for (const kind of ['Linux-X64', 'macOS-ARM64'])
    write(`laudio-release-${kind}.json`, JSON.stringify({ version: '0.1.0', files: [{ file: kind }] }));
  const list = (kind: string) =>
    `version: 0.1.0\nfiles:\n  - url: ${kind}.zip\n    size: 1\npath: ${kind}.zip\nreleaseDate: '2026-03-02'\n`;
  for (const kind of ['ARM64', 'X64']) write(`latest-mac-${kind}.yml`, list(kind));
  write('latest-linux.yml', list('linux'));
  execFileSync(process.execPath, [join(root, '.build/packages/join-indexes.ts'), directory]);
  const left = readdirSync(directory).toSorted();
  expect(left).toEqual(['latest-linux.yml', 'latest-mac.yml', 'laudio-release.json']);
  const text = (name: string) => readFileSync(join(directory, name), 'utf8');
  expect(JSON.parse(text('laudio-release.json'))).toEqual({
    version: '0.1.0',
    files: [{ file: 'Linux-X64' }, { file: 'macOS-ARM64' }],
  });
  expect(text('latest-mac.yml')).toBe(
    list('X64').replace('    size: 1\n', '    size: 1\n  - url: ARM64.zip\n    size: 1\n'),
  );
});

test('a build is named by its version at the tag and without a repository, and by its commit otherwise', async () => {
  const directory = await temporaryDirectory();
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...words], { cwd: directory });
  const description = join(directory, 'package.json');
  writeFileSync(description, '{"version":"1.2.3"}');
  expect(buildVersion(directory)).toBe('1.2.3');
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '--message', 'Begin');
  expect(buildVersion(directory)).toMatch(/^1\.2\.3\+[0-9a-f]{12}$/);
  git('tag', 'v1.2.3');
  expect(buildVersion(directory)).toBe('1.2.3');
  writeFileSync(description, '{"version":"1.2.3","private":true}');
  expect(buildVersion(directory)).toMatch(/^1\.2\.3\+[0-9a-f]{12}\.changed$/);
});

test('the list of components has all that is shipped, and no tool', async () => {
  const { components } = await shippedComponents(root);
  const names = components.map(({ name }) => name);
  for (const name of ['fastify', 'electron', 'preact', 'pdfkit', 'sherpa-onnx-linux-x64', 'node', '@cspell/dict-en_us'])
    expect(names).toContain(name);
  for (const name of ['vitest', 'vite', 'typescript', 'knip']) expect(names).not.toContain(name);
  const shipped = locked.filter(({ dev, devOptional }) => !dev && !devOptional).map(({ name }) => name);
  expect(shipped.filter((name) => !names.includes(name))).toEqual([]);
});

test('the program without Node is installed by the lock file of the project', async () => {
  const { packages } = read('package-lock.json') as { packages: LockedPackages & Record<string, Locked> };
  const { lock, description } = await lockProgram(join(root, 'package.json'), packages, optionalPackages);
  expect(description.dependencies).toMatchObject({
    laudio: 'file:package.json',
    'sherpa-onnx-node': expect.stringMatching(/^\d/),
  });
  const { '': _own, 'node_modules/laudio': laudio, ...others } = lock.packages as LockedPackages;
  expect(laudio).toMatchObject({ integrity: expect.stringMatching(/^sha512-/) });
  for (const [path, entry] of Object.entries(others)) {
    const { dev: _dev, peer: _peer, ...kept } = packages[path] ?? {};
    expect(entry, path).toEqual(kept);
  }
  expect(others['node_modules/vitest']).toBeUndefined();
  const shipped = Object.entries(packages).filter(
    ([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional,
  );
  expect(shipped.filter(([path]) => !others[path]).map(([path]) => path)).toEqual([]);
});
