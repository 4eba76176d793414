/** Every command with any of its words: JSON and nothing else for a program, exit codes of the table, no defect. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Argument, Command, Option } from '../../cli/command.ts';
import { kebab } from '../../cli/command.ts';
import { isNoun } from '../../cli/entry.ts';
import { program } from '../../cli/program.ts';
import { exitCodes } from '../../src/contract/errors.ts';
import { createServedCli } from '../support/cli.ts';
import type { Cli } from '../support/cli.ts';
import * as fc from '../support/properties.ts';

/** These run until they are stopped, start other programs, or ask other computers; or others after them find no login. */
const excluded = new Set([
  'client delete',
  'client rotate-secret',
  'client update',
  'config set',
  'profile delete',
  'profile use',
  'server fault',
  'server reset',
  'server restore',
  'server snapshot',
  'user delete',
  'serve',
  'demo',
  'desktop',
  'exec',
  'login',
  'logout',
  'worklist watch',
  'webhook listen',
  'channel simulate',
  'profile create',
  'contract check',
  'engine pull',
  'engine test',
  'engine bench',
]);
/** Options with which a command runs until it is stopped, waits, or records. */
const excludedOptions = new Set(['follow', 'mic', 'wait', 'speed', 'rate']);

const allCommands = Object.entries(program).flatMap(([name, found]) =>
  isNoun(found)
    ? Object.entries(found.verbs).map(([verb, entry]) => [`${name} ${verb}`, entry] as const)
    : [[name, found] as const],
);
const commands = allCommands.filter(([name]) => !excluded.has(name));

const exam = {
  accession_number: 'A-1',
  patient_id: '1',
  patient_name: 'TESTE^PACIENTE',
  modality: 'CT',
  exam_datetime: '2026-03-02T08:30:00Z',
  exam_description: 'TC',
};
const files: Readonly<Record<string, string>> = {
  'exam.json': `${JSON.stringify({ items: [exam] }, null, 1)}\n`,
  'exams.csv': `${Object.keys(exam).join(',')}\n${Object.values(exam).join(',')}\n`,
  'report.txt': 'Test Patient.\nFindings: lungs are clear.\nImpression: normal.\n',
  'terms.json': '[{"written": "hepatomegaly"}]\n',
  'empty.txt': '',
};

let cli: Cli;
/** Words that commands may know: ids, names, dates, files, and what is none of them. */
let words: string[] = [];
beforeAll(async () => {
  cli = await createServedCli();
  await mkdir(join(cli.directory, 'lines'));
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(cli.directory, name), content);
    // Out of reach of commands that write files.
    await writeFile(join(cli.directory, 'lines', `lf-${name}`), content);
    await writeFile(join(cli.directory, 'lines', `crlf-${name}`), content.replaceAll('\n', '\r\n'));
  }
  const { id: record } = await cli.json<{ id: string }>(['record', 'generate', '--text', 'report.txt']);
  await cli.json(['worklist', 'ingest', 'exam.json']);
  const [item] = await cli.json<{ id: string }[]>(['worklist', 'list']);
  const known = [record, item?.id ?? '', 'test_tc_local', 'default', 'A-1', '1', 'test_template_general'];
  const values = ['2026-03-02', '2h', '0', '1', '-1', '1e9', 'x=y', '.[]', 'http://127.0.0.1:9/', 'en-US', 'final'];
  const odd = ['', ' ', '-', '--', 'é\u202e', '‑', '../x', '.', '\u001b[31m', '{"a":1}', 'x'.repeat(300)];
  words = [...known, ...values, ...odd, ...Object.keys(files), 'missing.json'];
});
afterAll(() => cli.close());

const anyWord = fc.nat().map((at) => words[at % words.length] ?? '');

const valueOf = ({ kind, choices = [] }: Option): fc.Arbitrary<string> =>
  kind === 'integer'
    ? fc.constantFrom('0', '1', '3', '-1', 'x')
    : choices.length > 0
      ? fc.oneof(fc.constantFrom(...choices), anyWord)
      : anyWord;

const optionWords = (name: string, option: Option): fc.Arbitrary<string[]> =>
  option.kind === 'flag'
    ? fc.constant([`--${kebab(name)}`])
    : valueOf(option).map((value) => [`--${kebab(name)}=${value}`]);

const argumentWords = ({ words: known, required, variadic }: Argument): fc.Arbitrary<string[]> => {
  const word =
    Array.isArray(known) && known.length > 0 ? fc.oneof(fc.constantFrom(...(known as string[])), anyWord) : anyWord;
  return fc.array(word, { minLength: required ? 1 : 0, maxLength: variadic ? 2 : 1 });
};

const anyOptions = (command: Command): fc.Arbitrary<string[][]> => {
  const options = Object.entries(command.options ?? {}).filter(([name]) => !excludedOptions.has(name));
  const each = options.map(([name, option]) => fc.option(optionWords(name, option), { freq: 2, nil: [] }));
  return fc.tuple(...each).map((chosen) => chosen.filter((part) => part.length > 0));
};

/** The words of any command, its arguments after its options. */
const anyLine = (loaded: readonly (readonly [string, Command])[]): fc.Arbitrary<string[]> =>
  fc
    .constantFrom(...loaded)
    .chain(([name, command]) =>
      fc
        .tuple(anyOptions(command), ...Object.values(command.arguments ?? {}).map(argumentWords))
        .map(([options, ...given]) => [...name.split(' '), ...options.flat(), ...given.flat()]),
    );

const load = () => Promise.all(commands.map(async ([name, entry]) => [name, (await entry.load()) as Command] as const));

const input = files['report.txt'] ?? '';
/** Waiting for a server that is busy is no subject here. */
const once = ['--retries', '0'];
const codes = new Set<number>(Object.values(exitCodes));
const parseLines = (text: string): unknown[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown);

/** One document, or one a line. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    try {
      return parseLines(text).length > 0 || text === '';
    } catch {
      return false;
    }
  }
}

test('--json prints JSON alone, errors as one document, and a code of the table', async () => {
  const loaded = await load();
  await fc.assert(
    fc.asyncProperty(anyLine(loaded), async (line) => {
      const { code, stdout, stderr } = await cli.call(['--json', ...once, ...line], { input });
      expect(codes).toContain(code);
      expect(code, stderr).not.toBe(exitCodes.defect);
      expect(stdout).toSatisfy(isJson);
      if (code === 0) expect(stderr).not.toContain('"error"');
      else expect(JSON.parse(stderr)).toMatchObject({ error: { exit_code: code, message: expect.any(String) } });
    }),
    { numRuns: 150 },
  );
});

test('whoever closes stdout early is no failure, and gets no message', async () => {
  const loaded = await load();
  await fc.assert(
    fc.asyncProperty(anyLine(loaded), fc.boolean(), async (line, isForProgram) => {
      const all = isForProgram ? ['--json', ...once, ...line] : [...once, ...line];
      const { code, stderr } = await cli.call(all, { input, isClosed: true });
      expect(codes).toContain(code);
      expect(code, stderr).not.toBe(exitCodes.defect);
      expect(stderr).not.toContain('EPIPE');
    }),
    { numRuns: 40 },
  );
});

test('a narrow terminal without colours gets plain lines', async () => {
  const loaded = await load();
  await fc.assert(
    fc.asyncProperty(anyLine(loaded), fc.constantFrom(20, 40, 80), async (line, columns) => {
      const { code, stdout, stderr } = await cli.call([...once, ...line], { input, columns, env: { NO_COLOR: '1' } });
      expect(codes).toContain(code);
      expect(code, stderr).not.toBe(exitCodes.defect);
      expect(stdout + stderr).not.toMatch(/\u001b\[[\d;]*m|undefined|\[object/);
    }),
    { numRuns: 40 },
  );
});

test('the excluded commands refuse a mistyped option in each of these ways, too', async () => {
  expect([...excluded].filter((name) => !allCommands.some(([known]) => known === name))).toEqual([]);
  for (const name of excluded) {
    const line = [...name.split(' '), '--no-such-option'];
    const asked = await cli.call(['--json', ...line]);
    expect(asked, name).toMatchObject({ code: exitCodes.usage, stdout: '' });
    expect(JSON.parse(asked.stderr)).toMatchObject({ error: { exit_code: exitCodes.usage } });
    const { code, stderr } = await cli.call(line, { columns: 20, env: { NO_COLOR: '1' }, isClosed: true });
    expect({ code, name }).toEqual({ code: exitCodes.usage, name });
    expect(stderr).not.toMatch(/\u001b\[|undefined|EPIPE/);
  }
});

test.each([
  [['worklist', 'ingest', 'exam.json', '--dry-run']],
  [['worklist', 'ingest', 'exams.csv', '--dry-run']],
  [['record', 'generate', '--text', 'report.txt', '--verbatim']],
  [['record', 'check', 'report.txt']],
])('files with the line ends of Windows say the same: %j', async (line) => {
  const shown = async (name: string) => {
    const { code, stdout } = await cli.call([
      ...line.map((word) => (files[word] ? `lines/${name}-${word}` : word)),
      '--json',
    ]);
    const text = stdout.replaceAll(name, '').replaceAll(/[a-z]{2,4}_\w{26}|\d{4}-\d\d-\d\dT[\d:.]+Z|"f_\w+"/g, '…');
    return { code, text };
  };
  const plain = await shown('lf');
  expect(plain.code).toBe(0);
  expect(await shown('crlf')).toEqual(plain);
});
