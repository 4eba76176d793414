/** The documentation says what is there: links lead somewhere, commands are understood, tables list what the code has. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { detailCodes, errors, exitCodes } from '../src/contract/errors.ts';
import { otherVariables, settings } from '../src/node/settings.ts';
import {
  callsIn,
  exampleCommands,
  isInContract,
  laudioLinesOf,
  refusalOf,
  shownCommands,
} from '../docs/site/laudio-lines.ts';
import { isPath, isSymbol, knownOptions, missing, optionIn, pathIn, symbolsIn } from './docs/names.ts';
import { destinationOf, pageOf, pagePaths, placeText } from '../docs/site/pages.ts';
import { readModule, root } from './support/modules.ts';

const links = pagePaths
  .flatMap((path) => pageOf(path).links)
  .flatMap((link) => {
    const destination = destinationOf(link);
    return destination ? [{ from: placeText(link), page: link.page, ...destination }] : [];
  });

describe('links', () => {
  test('lead to files of the project', () => {
    expect(links.length).toBeGreaterThan(40);
    expect(links.filter(({ path }) => !existsSync(join(root, path)))).toEqual([]);
  });

  test('lead to headings that exist', () => {
    const anchored = links.filter(({ anchor }) => anchor !== undefined);
    expect(anchored.length).toBeGreaterThan(4);
    expect(anchored.filter(({ path, anchor }) => !pageOf(path).anchors.includes(anchor!))).toEqual([]);
  });

  test('reach every page of the documentation', () => {
    const reached = new Set(links.filter(({ page, path }) => page !== path).map(({ path }) => path));
    expect(pagePaths.filter((path) => path.startsWith('docs/') && !reached.has(path))).toEqual([]);
  });
});

test('the guide says that the library is not for browsers, as long as it imports modules of Node', () => {
  const imports = (path: string, seen: Set<string>): Set<string> => {
    if (seen.has(path)) return seen;
    seen.add(path);
    if (existsSync(join(root, path)))
      for (const { kind, target } of readModule(path, readFileSync(join(root, path), 'utf8')).imports)
        if (kind === 'static') imports(target, seen);
    return seen;
  };
  const needsNode = [...imports('src/client/library/index.ts', new Set())].some((name) => name.startsWith('node:'));
  const guide = readFileSync(join(root, 'docs/guide-developer.md'), 'utf8');
  expect(guide.includes('not for the bundle of a page')).toBe(needsNode);
});

test('decisions have a number each, the same in file, heading and index', () => {
  const decisions = pagePaths.filter((path) => /^docs\/decisions\/\d/.test(path));
  const numbers = decisions.map((path) => Number(/(\d{4})-/.exec(path)![1]));
  expect(new Set(numbers).size).toBe(numbers.length);
  expect(decisions.map((path) => /^# (\d+)\. /.exec(pageOf(path).source)?.[1])).toEqual(numbers.map(String));
  const rows = Array.from(pageOf('docs/decisions/README.md').source.matchAll(/^\| \[(\d+)\]\((\S+)\)/gm));
  expect(rows.map(([, number, file]) => [Number(number), `docs/decisions/${file}`])).toEqual(
    decisions.map((path, at) => [numbers[at], path]),
  );
});

describe('commands shown', () => {
  test('are accepted by the program: in blocks, in sentences, and in the help of every command', async () => {
    const shown = [...shownCommands(), ...(await exampleCommands())];
    expect(shown.filter(({ kind }) => kind === 'line').length).toBeGreaterThan(200);
    expect(shown.filter(({ kind }) => kind === 'mention').length).toBeGreaterThan(100);
    const refused = [];
    for (const command of shown) {
      const refusal = await refusalOf(command);
      if (refusal !== undefined) refused.push(`${placeText(command)}: laudio ${command.words.join(' ')}\n  ${refusal}`);
    }
    expect(refused.join('\n'), 'mend the page, or the command table that it is about').toBe('');
  });

  test.each([
    ['line', 'worklist ingest x.json --colour', '--colour'],
    ['line', 'worklists', 'worklists'],
    ['line', 'worklist show', "Missing required argument 'ID'"],
    ['line', 'job list --status lost', '--status takes'],
    ['mention', 'worklist push', 'no verb push'],
    ['mention', 'worklists', 'no command worklists'],
    ['mention', 'worklist show --colour', 'no option --colour'],
    ['mention', 'job show ID OTHER', 'It takes 1 arguments'],
  ] as const)('a %s that the program does not take is found: laudio %s', async (kind, words, said) => {
    expect(await refusalOf({ kind, words: words.split(' ') })).toContain(said);
  });

  test.each([
    ['a pipe', 'echo "a | b" | laudio record generate --text - > out.txt # said', ['record generate --text -']],
    ['a substitution', 'X="$(laudio token --scope a:b)" laudio whoami', ['token --scope a:b', 'whoami']],
    ['lines that go on', 'laudio api GET \\\n  /api/v1/jobs', ['api GET /api/v1/jobs']],
    ['a loop', 'for f in a b; do laudio job show "$f"; done', ['job show $f']],
  ])('are found in %s', (_name, script, expected) => {
    const found = laudioLinesOf(script, { page: '', line: 0 });
    expect(found.map(({ words }) => words.join(' ')).toSorted()).toEqual(expected.toSorted());
  });
});

/** Paths in what an installer makes. */
const pathsOfOthers: ReadonlySet<string> = new Set(['resources/app.asar.unpacked/node_modules/mpg123-decoder']);

/** Symbols of standards and of other programs. */
const namesOfOthers: ReadonlySet<string> = new Set([
  'CSC_KEY_PASSWORD',
  'CSC_LINK',
  'MediaRecorder',
  'NODE_DISABLE_COMPILE_CACHE',
  'vmThreads',
]);

/** Options of the scripts below test/, and of other programs. */
const optionsOfOthers: ReadonlySet<string> = new Set([
  '--curve',
  '--gate',
  '--inference-path',
  '--library',
  '--only',
  '--use-fake-device-for-media-stream',
]);

/** Variables of the tests, and of those who build installers. */
const testVariables = ['LAUDIO_PICTURES', 'LAUDIO_TEST_ELECTRON', 'LAUDIO_UPDATE_URL'];

describe('other names', () => {
  const sources = pagePaths.map((path) => ({ path, source: pageOf(path).source }));

  test('calls of the API are in the contract', async () => {
    const named = [
      ...sources.flatMap(({ path, source }) => callsIn(source, { page: path, line: 1 })),
      ...(await exampleCommands()).flatMap(({ words, ...place }) => callsIn(words.join(' '), place)),
    ];
    expect(named.length).toBeGreaterThan(30);
    const foreign = new Set(['/v1/audio/transcriptions']);
    const unknown = named.filter((call) => !foreign.has(call.path) && !isInContract(call));
    expect(unknown.map((call) => `${placeText(call)}: ${call.method} ${call.path}`)).toEqual([]);
    expect(isInContract({ method: 'GET', path: '/api/v1/worklists' })).toBe(false);
  });

  test('variables are known to the program, to its tests, or to its build', () => {
    const known = new Set([
      ...Object.values(settings).map(({ env }) => env),
      ...Object.keys(otherVariables),
      ...testVariables,
    ]);
    const named = sources.flatMap(({ path, source }) =>
      Array.from(source.matchAll(/\bLAUDIO_[A-Z_]+/g), ([name]) => ({ path, name })),
    );
    expect(named.filter(({ name }) => !known.has(name))).toEqual([]);
  });

  test('scripts are in package.json', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object };
    const named = sources.flatMap(({ path, source }) =>
      Array.from(source.matchAll(/(?<=`|^|&& |^ +)npm run (?:--silent )?([a-z:-]+)/gm), ([, name]) => ({
        path,
        name: name!,
      })),
    );
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter(({ name }) => !Object.hasOwn(scripts, name))).toEqual([]);
  });
});

describe('names of the project', () => {
  const code = pagePaths.flatMap((path) => pageOf(path).code);
  const list = <T>(found: T | undefined): T[] => (found === undefined ? [] : [found]);
  const mentioned = (text: string) => [{ page: 'page.md', line: 1, text }];

  test('paths lead to files and folders of the project', () => {
    const pathsIn = (text: string) => list(pathIn(text)).filter((path) => !pathsOfOthers.has(path));
    expect(code.flatMap(({ text }) => pathsIn(text)).length).toBeGreaterThan(100);
    expect(missing(code, pathsIn, isPath)).toEqual([]);
    expect(missing(mentioned('server/gone/index.ts'), pathsIn, isPath)).toEqual(['page.md:1: server/gone/index.ts']);
    expect(missing(mentioned('worklists/gone'), pathsIn, isPath)).toHaveLength(1);
    expect(missing(mentioned('src/gone/'), pathsIn, isPath)).toEqual(['page.md:1: src/gone']);
    expect(missing(mentioned('server/{index,gone}.ts'), pathsIn, isPath)).toHaveLength(1);
  });

  test('symbols are in the sources', () => {
    const isKnown = (name: string) => isSymbol(name) || namesOfOthers.has(name);
    expect(code.flatMap(({ text }) => symbolsIn(text)).length).toBeGreaterThan(100);
    expect(missing(code, symbolsIn, isKnown)).toEqual([]);
    // Put together, or they would be in this file.
    const gone = [
      ['create', 'Gone'],
      ['Gone', 'Kind'],
      ['GONE', '_CODE'],
    ].map((parts) => parts.join(''));
    expect(missing(mentioned(gone.join('.')), symbolsIn, isKnown)).toHaveLength(3);
  });

  test('options are those of a command', async () => {
    const known = await knownOptions();
    const optionsIn = (text: string) => list(optionIn(text));
    const isKnown = (name: string) => known.has(name) || optionsOfOthers.has(name);
    expect(code.flatMap(({ text }) => optionsIn(text)).length).toBeGreaterThan(50);
    expect(missing(code, optionsIn, isKnown)).toEqual([]);
    expect(missing(mentioned('--gone-option VALUE'), optionsIn, isKnown)).toEqual(['page.md:1: --gone-option']);
  });
});

describe('the reference', () => {
  const page = pageOf('docs/reference.md').source;
  /** First cells of the table below a heading, in order. */
  const rows = (heading: string): string[][] =>
    page
      .split(/^## /m)
      .find((part) => part.startsWith(`${heading}\n`))!
      .split('\n')
      .filter((line) => /^\| [`\d]/.test(line))
      .map((line) =>
        line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim().replaceAll('`', '')),
      );

  test('has every setting with its variable, its default, and who may set it', () => {
    const expected = Object.entries(settings).map(([name, setting]) => ({
      name,
      variable: setting.env,
      project: setting.project ? 'yes' : 'no',
      ...('default' in setting && { default: String(setting.default) }),
    }));
    const told = rows('Settings').map(([name, , variable, value, project], at) => ({
      name,
      variable,
      project,
      ...('default' in (expected[at] ?? {}) && { default: value }),
    }));
    expect(told).toEqual(expected);
  });

  test('has every other variable of ours', () => {
    const told = rows('Other variables').map(([name]) => name!);
    expect(told.filter((name) => name.startsWith('LAUDIO_'))).toEqual(Object.keys(otherVariables));
  });

  test('has every exit code', () => {
    expect(rows('Exit codes').map(([code]) => Number(code))).toEqual(Object.values(exitCodes));
  });

  test('has every error code with its status', () => {
    const told = rows('Error codes').flatMap(([status, codes]) =>
      Array.from(codes!.matchAll(/[A-Z_]{4,}/g), ([code]) => [code, Number(status)]),
    );
    const expected = Object.entries(errors).flatMap(([code, { status }]) => (status === null ? [] : [[code, status]]));
    expect(Object.fromEntries(told)).toEqual(Object.fromEntries(expected));
    const others = Object.entries(errors).filter(([, { status }]) => status === null);
    for (const code of [...others.map(([name]) => name), ...detailCodes]) expect(page).toContain(`\`${code}\``);
  });
});
