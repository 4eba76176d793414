/** `laudio server snapshot`: states that tests begin with. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Snapshot } from '../../src/contract/maintenance.ts';
import type { WorklistItem } from '../../src/contract/worklist.ts';
import { createServedCli, samples } from '../support/cli.ts';
import type { Cli } from '../support/cli.ts';

let cli: Cli;
beforeAll(async () => void (cli = await createServedCli()));
afterAll(() => cli.close());
const snapshot = (...words: string[]) => cli.call(['server', 'snapshot', ...words]);
const exams = async (): Promise<number> => (await cli.json<WorklistItem[]>(['worklist', 'list'])).length;

test('a state is saved, changed, brought back with its login, listed and removed', async () => {
  expect(await snapshot('save', 'empty')).toMatchObject({ code: 0 });
  await cli.json(['worklist', 'ingest', join(samples, 'worklist.json')]);
  expect(await exams()).toBeGreaterThan(0);
  expect(await snapshot('load', 'empty')).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
  expect(await snapshot('load', 'empty', '--yes')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('Loaded'),
  });
  expect(await exams()).toBe(0);
  expect(await cli.json<Snapshot[]>(['server', 'snapshot'])).toMatchObject([{ name: 'empty' }]);
  expect(await snapshot('remove', 'empty')).toMatchObject({ code: 0 });
  expect(await snapshot('load', 'empty', '--yes')).toMatchObject({ code: 3 });
});

test.each([
  [['keep', 'it'], 'save, load, list, remove'],
  [['save'], 'name of a snapshot'],
  [['list', 'it'], 'takes no name'],
  [['save', '../etc'], 'small letters'],
])('%j is refused, with a remedy', async (words, said) => {
  const { code, stderr } = await snapshot(...words);
  expect([2, 6]).toContain(code);
  expect(stderr).toContain(said);
});
