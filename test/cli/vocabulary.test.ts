/** Vocabulary on the command line: added, found by its word, changed, removed, imported and exported. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { MedicalRecord } from '../../src/contract/document.ts';
import type { Term } from '../../src/contract/vocabulary.ts';
import { createServedCli } from '../support/cli.ts';
import type { Cli } from '../support/cli.ts';

let cli: Cli;
beforeAll(async () => void (cli = await createServedCli()));
afterAll(() => cli.close());

const vocabulary = (...words: string[]) => cli.call(['vocabulary', ...words]);
const listed = () => cli.json<Term[]>(['vocabulary', 'list']);
beforeEach(async () => {
  for (const { id } of await listed()) await vocabulary('remove', id, '--yes');
});

test('a word is added, found, changed and removed, and is in the next document', async () => {
  await vocabulary('add', 'McBurney', '--for', 'mac burney', '--for', 'mack burney', '--language', 'en-US');
  expect((await vocabulary('show', 'MCBURNEY')).stdout).toMatch(
    /^Id\ttrm_.*\nWrite\tMcBurney\nFor\tmac burney; mack burney\n/,
  );
  const input = 'Test Patient. Findings: pain at mac burney. Impression: normal.';
  const { id } = await cli.json<MedicalRecord>(['record', 'generate', '--text', '-'], { input });
  expect((await cli.call(['record', 'provenance', id])).stdout).toMatch(/findings\tconverted\tMcBurney\tmac burney\t/);
  expect((await cli.call(['record', 'undo', id, 'vocabulary.form@32-42'])).stdout).toContain('Pain at mac burney.');
  expect(await cli.json(['vocabulary', 'edit', 'mcburney', '--for', '', '--owner', 'space'])).toMatchObject({
    for: [],
    owner: 'space',
    version: 2,
  });
  expect(await vocabulary('edit', 'mcburney')).toMatchObject({ code: 2 });
  expect((await vocabulary('remove', 'McBurney', '--yes')).stderr).toContain('Removed “McBurney”.');
  expect(await vocabulary('show', 'McBurney')).toMatchObject({ code: 3 });
});

describe('vocabulary import', () => {
  const send = (input: string, ...words: string[]) => cli.call(['vocabulary', 'import', '-', ...words], { input });

  test.each([
    ['lines', 'Klatskin\n\n# names\nMcBurney = mac burney; mack burney\r\nMcBurney\tmc burney\n'],
    ['CSV', 'Write;For\nKlatskin;\nMcBurney;"mac burney; mack burney|mc burney"\n'],
    ['JSON', '[{"write":"Klatskin"},{"write":"McBurney","for":["mac burney","mack burney","mc burney"]}]'],
  ])('reads %s, and an export is read again', async (_what, text) => {
    expect((await send(text, '--language', 'pt', '--owner', 'space')).code).toBe(2);
    expect((await send(text, '--language', 'pt-BR', '--owner', 'space')).stderr).toBe(
      '2 new, 0 replaced, 0 unchanged.\n',
    );
    const { stdout } = await vocabulary('export');
    expect(stdout).toBe(
      'write,for,language,owner\nMcBurney,"mac burney; mack burney; mc burney",pt-BR,space\nKlatskin,,pt-BR,space\n',
    );
    expect((await send(stdout, '--replace')).stderr).toBe('0 new, 0 replaced, 2 unchanged.\n');
  });

  test('takes all or nothing, and names each line that it cannot take', async () => {
    const { code, stderr } = await send('Klatskin\nesquerdo = direito\n = x\n', '--language', 'pt-BR');
    expect(code).toBe(6);
    expect(stderr).toMatch(/line 3: has no word/);
    const sides = await send('Klatskin\nesquerdo = direito\n', '--language', 'pt-BR');
    expect(sides.stderr).toMatch(/line 2: for\.0 must have the numbers/);
    expect((await send('')).stderr).toContain('The file is empty.');
    expect((await send('# nothing\n')).stderr).toContain('The file has no words.');
    expect(await listed()).toEqual([]);
  });
});
