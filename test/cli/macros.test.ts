/** Macros on the command line: made, found by name, changed, removed, and imported from files. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { MedicalRecord } from '../../src/contract/document.ts';
import type { Macro } from '../../src/contract/macro.ts';
import { createCli, createServedCli } from '../support/cli.ts';
import type { Cli } from '../support/cli.ts';

let cli: Cli;
beforeAll(async () => void (cli = await createServedCli()));
afterAll(() => cli.close());

const macro = (...words: string[]) => cli.call(['macro', ...words]);
const listed = () => cli.json<Macro[]>(['macro', 'list']);
beforeEach(async () => {
  for (const { id } of await listed()) await macro('remove', id, '--yes');
});

describe('macro add', () => {
  test('takes the text in words, from a file and from standard input', async () => {
    await writeFile(join(cli.directory, 'chest.txt'), 'Lungs clear.\nNo effusion.\n');
    const words = ['--section', 'findings', '--language', 'en-US', '--owner', 'space'];
    expect(await cli.json(['macro', 'add', 'normal chest', '--file', 'chest.txt', ...words])).toMatchObject({
      name: 'normal chest',
      text: 'Lungs clear.\nNo effusion.',
      section: 'findings',
      language: 'en-US',
      owner: 'space',
    });
    expect(await cli.json(['macro', 'add', 'a b', 'In words.'])).toMatchObject({ text: 'In words.', owner: 'person' });
    const input = 'From a pipe.\n';
    expect(await cli.json(['macro', 'add', 'c d', '-'], { input })).toMatchObject({ text: 'From a pipe.' });
    const { stdout } = await macro('list', '--owner', 'person');
    expect(stdout).toMatch(
      /^mac_\w{26}\tc d\tperson\tany\t\tFrom a pipe\.\nmac_\w{26}\ta b\tperson\tany\t\tIn words\.\n$/,
    );
  });

  test('and its text is in the next document', async () => {
    await macro('add', 'my chest', 'Lungs clear. Nodule of [__ mm].');
    const input = 'Test Patient. Findings: my chest. Impression: normal.';
    const { id, sections } = await cli.json<MedicalRecord>(['record', 'generate', '--text', '-'], { input });
    expect(sections.find(({ key }) => key === 'findings')!.text).toBe('Lungs clear. Nodule of [__ mm].');
    expect((await cli.call(['record', 'provenance', id])).stdout).toMatch(
      /findings\tmacro\tLungs clear\..*\tmy chest\t/,
    );
    expect(await cli.call(['record', 'edit', id, '--sign'])).toMatchObject({
      code: 11,
      stderr: expect.stringContaining('1 field must be filled in'),
    });
  });

  test.each([
    ['no text, and nobody to ask', ['add', 'a b'], 2, 'TEXT or --file FILE is needed.'],
    ['two texts', ['add', 'a b', 'x', '--file', 'chest.txt'], 2, 'either as an argument or with --file'],
    ['a file that is not there', ['add', 'a b', '--file', 'missing'], 2, 'missing does not exist.'],
    ['a name without a word', ['add', '!', 'x'], 6, 'name must hold a word'],
    ['the name of a mark', ['add', 'New line', 'x', '--language', 'en-US'], 6, 'name is a spoken command'],
    ['the name of a command', ['add', 'desfazer', 'x'], 6, 'name is a spoken command'],
    ['the name of a section', ['add', 'clinical history', 'x', '--language', 'en-US'], 6, 'name is a spoken command'],
    ['a language that nobody writes in', ['add', 'a b', 'x', '--language', 'fr'], 2, '--language takes'],
  ])('refuses %s', async (_what, words, exitCode, said) => {
    const { code, stdout, stderr } = await macro(...words);
    expect({ code, stdout }).toEqual({ code: exitCode, stdout: '' });
    expect(stderr).toContain(said);
  });

  test('of a name that is there already is a conflict', async () => {
    await macro('add', 'normal chest', 'x');
    expect(await macro('add', 'Normal Chest', 'y')).toMatchObject({
      code: 11,
      stderr: expect.stringContaining('There is a macro of this name already.'),
    });
  });
});

describe('a macro is found by its id and its name', () => {
  test('shown, changed, removed', async () => {
    const { id } = await cli.json<Macro>(['macro', 'add', 'tórax normal', 'Pulmões limpos.', '--section', 'findings']);
    expect((await macro('show', 'TORAX NORMAL')).stdout).toMatch(
      /^Id\tmac_.*\nName\ttórax normal\n[^]*Pulmões limpos\./,
    );
    expect(await cli.json(['macro', 'edit', 'torax normal', 'Outro.', '--section', ''])).toMatchObject({
      id,
      text: 'Outro.',
      section: null,
      version: 2,
    });
    const owned = ['macro', 'edit', id, '--name', 'tórax', '--language', 'pt-BR', '--owner', 'space'];
    expect(await cli.json(owned)).toMatchObject({ name: 'tórax', language: 'pt-BR', owner: 'space' });
    expect(await cli.json(['macro', 'edit', id, '--language', 'any'])).toMatchObject({ language: null });
    expect((await macro('remove', 'tórax')).stderr).toContain('--yes is needed.');
    expect(await macro('remove', 'tórax', '--yes')).toMatchObject({ code: 0, stderr: 'Removed “tórax”.\n' });
    expect(await macro('show', id)).toMatchObject({ code: 3 });
    expect(await macro('show', 'tórax')).toMatchObject({ code: 3 });
  });

  test('lists the ids of two with the same name', async () => {
    const made = [
      await cli.json<Macro>(['macro', 'add', 'a b', 'x']),
      await cli.json<Macro>(['macro', 'add', 'a b', 'x', '--owner', 'space']),
    ];
    const { code, stderr } = await macro('show', 'a b');
    expect(code).toBe(2);
    for (const { id, owner } of made) expect(stderr).toContain(`${id} (${owner}, any language)`);
  });

  test('an edit without a change, and without a terminal, opens nothing', async () => {
    expect(await macro('edit', 'a b')).toMatchObject({ code: 2, stderr: expect.stringContaining('--file') });
  });
});

describe('macro import', () => {
  const send = (input: string | Uint8Array, ...words: string[]) =>
    cli.call(['macro', 'import', '-', ...words], { input });

  test('reads CSV, with lines and quotes in a text', async () => {
    const csv = 'name,text,section,language\nnormal chest,"Lungs ""clear"".\nNo effusion.",findings,en\n\na b,x,,\n';
    expect(await send(csv, '--owner', 'space')).toMatchObject({
      code: 0,
      stderr: '2 new, 0 replaced, 0 unchanged.\n',
    });
    expect(await listed()).toMatchObject([
      { name: 'a b', section: null, language: null, owner: 'space' },
      { name: 'normal chest', text: 'Lungs "clear".\nNo effusion.', section: 'findings', language: 'en-US' },
    ]);
  });

  test('reads CSV as spreadsheets in Brazil write it: semicolons, headings, Windows-1252', async () => {
    const csv = 'Nome;Texto;Seção\r\ntórax normal;Pulmões limpos, sem derrame.;findings\r\n';
    await send(Buffer.from(csv, 'latin1'), '--language', 'pt-BR');
    expect(await listed()).toMatchObject([
      { name: 'tórax normal', text: 'Pulmões limpos, sem derrame.', language: 'pt-BR' },
    ]);
  });

  test('reads the output of macro list as JSON', async () => {
    await macro('add', 'a b', 'x', '--section', 'findings');
    const { stdout } = await cli.call(['macro', 'list', '--json']);
    expect(await cli.json(['macro', 'import', '-', '--replace'], { input: stdout })).toEqual({
      created: 0,
      replaced: 0,
      unchanged: 1,
    });
    const input = stdout.replace('"x"', '"y"');
    const misspelt = await send('[{"name":"i j","text":"x","scope":"space"}]');
    expect(misspelt).toMatchObject({ code: 0, stderr: expect.stringContaining('Not read: “scope”.') });
    expect((await send(input)).stderr).toContain('item 1: name is that of a macro that is there already');
    expect(await cli.json(['macro', 'import', '-', '--replace'], { input })).toMatchObject({ replaced: 1 });
  });

  test('takes all or nothing, and names each line that it refuses', async () => {
    const csv = 'name,text,language\nc d,x,\n!,x,\n"e f","two\nlines",fr\ng h,,\nc d,y,\n';
    const { code, stdout, stderr } = await send(csv);
    expect({ code, stdout }).toEqual({ code: 6, stdout: '' });
    expect(stderr).toContain('Nothing was imported: 2 macros are invalid.');
    expect(stderr).toMatch(/line 4: language must be/);
    expect(stderr).toMatch(/line 6: text must/);
    const named = await send('name,text\nc d,x\n!,x\nc d,y\n');
    expect(named.stderr).toMatch(/line 3: name must hold a word/);
    expect((await send('name,text\nc d,x\nC D,y\n')).stderr).toMatch(/line 3: name is that of another macro/);
    expect((await send('name,text\na b\nc d,"x\n')).stderr).toMatch(/line 2: has 1 column[^]*line 3: opens a quote/);
    expect((await send('[7]')).stderr).toContain('Nothing was imported: 1 macro is invalid.');
    expect((await send('[{"name":"a b","text":"x"}, 7]')).stderr).toContain('item 2: must be an object');
    expect(await listed()).toEqual([]);
  });

  test.each([
    ['nothing', '', 2, 'The file is empty.'],
    ['no headings', 'normal chest,Lungs clear.\n', 2, 'The first line must name the columns'],
    ['headings alone', 'name,text\n', 2, 'The file has no macros.'],
    ['broken JSON', '[{"name":', 2, 'not valid JSON'],
    ['other JSON', '{"name":"a"}', 2, 'must be a list'],
  ])('refuses %s', async (_what, input, exitCode, said) => {
    const { code, stderr } = await send(input);
    expect(code).toBe(exitCode);
    expect(stderr).toContain(said);
  });

  test('says which columns it does not read', async () => {
    const { code, stderr } = await send('name,text,shortcut\na b,x,F5\n');
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('Not read: “shortcut”.') });
  });
});

test('asks for a new login if the scope is missing', async () => {
  const other = await createCli();
  try {
    await other.serveHere('--rate-limit', '0');
    await other.json(['login', '--scope', 'medical_records:read']);
    expect(await other.call(['macro', 'list'])).toMatchObject({ code: 0 });
    const { code, stderr } = await other.call(['macro', 'add', 'a b', 'x']);
    expect(code).toBe(5);
    expect(stderr).toContain('macros:write');
    expect(stderr).toContain('Log in again');
  } finally {
    await other.close();
  }
});
