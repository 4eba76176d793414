/** Lists: how many they print, what they say of the rest, and all of it as a stream. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { isNoun } from '../../cli/entry.ts';
import { program } from '../../cli/program.ts';
import { createCli, createServedCli } from '../support/cli.ts';
import type { Cli } from '../support/cli.ts';

const count = 450;
const exams = Array.from({ length: count }, (_, at) => ({
  accession_number: `L-${at}`,
  patient_id: String(at),
  patient_name: 'TESTE^PACIENTE',
  modality: 'CT',
  exam_datetime: '2026-03-02T08:30:00-03:00',
  exam_description: 'Chest',
}));
let cli: Cli;
beforeAll(async () => {
  cli = await createServedCli();
  await cli.json(['worklist', 'ingest', '-'], { input: JSON.stringify(exams) });
});
afterAll(() => cli.close());

describe('reports on stderr that more exists than is shown', () => {
  it.each([
    [[], 50, 'There are 400 more: use --all, or a higher --limit.'],
    [['--limit', '5'], 5, 'There are 445 more'],
    [['--limit', '210'], 210, 'There are 240 more'],
    [['--limit', '449'], 449, 'There is 1 more: use --all'],
    [['--limit', '450'], 450, ''],
    [['--q', 'L-449'], 1, ''],
  ])('%j', async (words, printed, said) => {
    const json = await cli.call(['worklist', 'list', '--json', ...words]);
    expect(JSON.parse(json.stdout)).toHaveLength(printed);
    const tsv = await cli.call(['worklist', 'list', ...words]);
    expect(tsv.stdout.split('\n')).toHaveLength(printed + 1);
    for (const { stderr } of [json, tsv]) expect(stderr.slice(0, said.length || undefined)).toBe(said);
  });

  it('without a count, where counting would use up the rate limit', async () => {
    const limited = await createCli();
    onTestFinished(() => limited.close());
    await limited.serveHere('--rate-limit', '9');
    await limited.json(['login']);
    await limited.json(['worklist', 'ingest', '-'], { input: JSON.stringify(exams) });
    const { code, stderr } = await limited.call(['worklist', 'list', '--limit', '1']);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(/^There are at least \d+ more: use --all, or a higher --limit\.\n$/) as string,
    });
  });
});

describe('--all', () => {
  it('prints a line per item, which a filter gets one by one', async () => {
    const { stdout, stderr } = await cli.call(['worklist', 'list', '--all', '--json']);
    const lines = stdout.trimEnd().split('\n');
    expect(new Set(lines.map((line) => (JSON.parse(line) as { id: string }).id)).size).toBe(count);
    expect(stderr).toBe('');
    const filtered = await cli.call(['worklist', 'list', '--all', '--jq', '.accession_number']);
    expect(filtered.stdout.trimEnd().split('\n').toSorted()).toEqual(
      Array.from({ length: count }, (_, at) => `L-${at}`).toSorted(),
    );
    expect((await cli.call(['worklist', 'list', '--all'])).stdout.split('\n')).toHaveLength(count + 1);
  });

  it('of an empty list prints nothing', async () => {
    expect(await cli.call(['worklist', 'list', '--all', '--json', '--q', 'nobody'])).toMatchObject({ stdout: '' });
  });

  it.each([
    [['--all', '--limit', '3'], '--all and --limit exclude each other.'],
    [['--limit', '0'], '--limit takes a number from 1.'],
  ])('%j is refused', async (words, said) => {
    const { code, stderr } = await cli.call(['worklist', 'list', ...words]);
    expect({ code, said: stderr.includes(said) }).toEqual({ code: 2, said: true });
  });
});

it('every list takes both', async () => {
  const verbs = Object.entries(program).flatMap(([noun, entry]) =>
    isNoun(entry) ? Object.entries(entry.verbs).map(([verb, each]) => ({ name: `${noun} ${verb}`, each })) : [],
  );
  /** Neither is a list of documents: one has the settings by name, the other the parts of the server. */
  const others = ['config list', 'engine list'];
  const lists = verbs.filter(
    ({ name }) =>
      (/ (list|versions|history|queue|deliveries|logs|requests|audit|trash|snapshot)$/.test(name) ||
        name === 'server fault') &&
      !others.includes(name),
  );
  expect(lists.length).toBeGreaterThan(20);
  for (const { name, each } of lists) {
    const { options = {} } = await each.load();
    expect(Object.keys(options), name).toEqual(expect.arrayContaining(['limit', 'all']));
  }
});
