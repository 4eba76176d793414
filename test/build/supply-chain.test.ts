/** What comes with the program: under which licences, how checked, and what may run when it is installed. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../support/modules.ts';
import { decoders, hashSources, sourcesSection } from '../../.build/decoder-sources.ts';

interface Locked {
  readonly version: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
}

const read = (name: string) => JSON.parse(readFileSync(join(root, name), 'utf8')) as unknown;

/** Everything that `npm ci` installs, by its name; the nested name of a second version is its last part. */
const locked = Object.entries((read('package-lock.json') as { packages: Record<string, Locked> }).packages)
  .filter(([path]) => path !== '')
  .map(([path, entry]) => ({ name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length), ...entry }));

const allowed = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT', 'Unlicense'];
/** Those that don't declare their licence, with the one that their LICENSE file has. */
const undeclared: Readonly<Record<string, string>> = { 'png-js': 'MIT' };

test('every package that is shipped has a licence from the list', () => {
  const shipped = locked.filter(({ dev }) => dev !== true);
  expect(shipped.length).toBeGreaterThanOrEqual(50);
  const others = shipped.filter(({ name, license }) => !allowed.includes(license ?? undeclared[name] ?? ''));
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
  for (const [name, license] of Object.entries(embedded)) {
    expect(locked.find((entry) => entry.name === name)?.dev).not.toBe(true);
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
