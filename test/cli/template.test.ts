/** `laudio template`: files that become templates of a space's own. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MedicalRecord } from '../../src/contract/document.ts';
import type { Template } from '../../src/contract/template.ts';
import { chestTemplate, World } from './world.ts';

let world: World;
beforeAll(async () => void (world = await World.create()));
afterAll(() => world.cli.close());

const call = (...words: string[]) => world.cli.call(['template', ...words]);
const show = (id: string, ...more: string[]): Promise<Template> => world.cli.json(['template', 'show', id, ...more]);
const idsOf = async (): Promise<string[]> =>
  ((await world.cli.json<Template[] | { items: Template[] }>(['template', 'list'])) as Template[]).map(({ id }) => id);

test('--dry-run shows the parsed template, line by line, and adds nothing', async () => {
  const { code, stdout, stderr } = await call('add', chestTemplate, '--dry-run');
  expect(code).toBe(0);
  expect(stdout).toContain('Chosen for\tCT: chest\n');
  expect(stdout).toContain('Section severity_score\tSeverity score · RADLEX RID1301\n');
  expect(stderr).toContain('Line 60: “Findings” states what was seen');
  const read = await world.cli.json<{ format: string; notes: { line: number }[] }>([
    'template',
    'add',
    chestTemplate,
    '--dry-run',
  ]);
  expect(read.format).toBe('mrrt');
  expect(read.notes[0]).toMatchObject({ line: 42 });
  expect(await idsOf()).not.toContain('chest_ct_our_department');
});

test('output of show and export can be added again, from standard input too', async () => {
  const template = await show('test_template_cardiology', '--language', 'pt-BR');
  const shown = JSON.stringify(template);
  const added = await world.cli.json<Template>(['template', 'add', '-', '--id', 'ours'], { input: shown });
  expect(added).toEqual({ ...template, id: 'ours', origin: 'own', version: 1 });
  const { stdout } = await call('export', 'ours');
  const again = await world.cli.json<Template>(['template', 'add', '-', '--id', 'again'], { input: stdout });
  expect(again).toEqual({ ...added, id: 'again' });
  expect((await call('list')).stdout).toMatch(/^again\t.*\town, 1\tpt-BR\t/m);
});

test('a template is used, changed and removed, and its document goes on', async () => {
  await world.cli.json(['template', 'add', chestTemplate, '--id', 'chest']);
  const input = 'Test Patient. Findings: standard pleura. Impression: normal.';
  const record = await world.cli.json<MedicalRecord>(['record', 'generate', '--text', '-', '--template', 'chest'], {
    input,
  });
  expect(record).toMatchObject({ template_id: 'chest', template_version: 1 });
  expect(record.text).toContain('Pleura: Effusion: [none|right|left]');

  const template = await show('chest');
  const path = join(world.cli.directory, 'chest.json');
  writeFileSync(path, JSON.stringify({ ...template, name: 'Chest, second' }));
  expect(await call('edit', 'chest', path, '--if-version', '7')).toMatchObject({
    code: 11,
    stderr: expect.stringMatching(/its version is 1 now.*\n +Look at version 1, then .*--if-version 1\./),
  });
  expect(await world.cli.json(['template', 'edit', 'chest', path, '--if-version', '1'])).toMatchObject({ version: 2 });
  expect((await call('remove', 'chest')).stderr).toContain('--yes');
  expect((await call('remove', 'chest', '--yes')).code).toBe(0);
  expect(await idsOf()).not.toContain('chest');
  expect((await show('chest', '--version', '1')).name).toBe(template.name);
  const title = await world.cli.json<MedicalRecord>(['record', 'edit', record.id, '--title', 'Chest']);
  expect(title).toMatchObject({ template_version: 1, title: 'Chest' });
});

test('try writes a report by a file and says which exams get it, without either being stored', async () => {
  const said = join(world.cli.directory, 'said.txt');
  writeFileSync(said, 'Findings: standard pleura. Impression: normal.');
  const description = join(world.cli.directory, 'description.txt');
  writeFileSync(description, 'CT of the chest');
  const words = [chestTemplate, '--text', said, '--modality', 'ct', '--description', description];
  const { stdout } = await call('try', ...words);
  expect(stdout).toContain('Exam\tgets this template\n');
  expect(stdout).toContain('Pleura: Effusion: [none|right|left]');
  expect(await idsOf()).not.toContain('chest_ct_our_department');
  expect(await call('try', chestTemplate, '--text', 'nowhere.txt')).toMatchObject({ code: 2 });
});

describe('is refused', () => {
  const write = (name: string, content: string): string => {
    const folder = join(world.cli.directory, 'files');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };

  test.each([
    ['a PDF', '%PDF-1.7', /is a PDF/],
    ['a page without sections', '<html><p>x</p></html>', /no sections/],
    [
      'a default that states what was seen',
      JSON.stringify({
        name: 'x',
        language: 'en-US',
        sections: [{ key: 'findings', title: 'F', text: 'Lungs clear.' }],
      }),
      /sections\.0\.text states what was seen.*make it a macro/,
    ],
    ['a list', '{"items": []}', /contains a list/],
  ])('%s, with exit 6', async (name, content, words) => {
    const { code, stdout, stderr } = await call('add', write(`${name}.html`, content));
    expect({ code, stdout }).toEqual({ code: 6, stdout: '' });
    expect(stderr).toMatch(words);
  });

  test('a file that is not there, or too large, with exit 2', async () => {
    expect(await call('add', 'nowhere.html')).toMatchObject({ code: 2 });
    const large = await call('add', write('large.html', `<html>${' '.repeat(3 * 1024 * 1024)}`));
    expect(large).toMatchObject({ code: 2, stderr: expect.stringContaining('larger than 2 MiB') });
  });

  test('the id of a template that comes with Laudio, and a change of one, with exit 11', async () => {
    const added = await call('add', chestTemplate, '--id', 'chest_ct');
    expect(added).toMatchObject({ code: 11, stderr: expect.stringContaining('another id') });
    expect(await call('edit', 'test_template_general', chestTemplate)).toMatchObject({ code: 11 });
    expect(await call('remove', 'test_template_general', '--yes')).toMatchObject({ code: 11 });
  });
});

test('no element of a template’s file reaches a page or a document', async () => {
  const file = readFileSync(chestTemplate, 'utf8').replace(
    'The lungs are clear.',
    'The lungs are clear. &lt;script&gt;alert(1)&lt;/script&gt;<b onclick="x()">bold</b>',
  );
  await world.cli.json(['template', 'add', '-', '--id', 'hostile'], { input: file });
  const input = 'Test Patient. Findings: standard lungs. Impression: normal.';
  const { id } = await world.cli.json<MedicalRecord>(['record', 'generate', '--text', '-', '--template', 'hostile'], {
    input,
  });
  const { stdout } = await world.cli.call(['record', 'export', id, '--format', 'html']);
  expect(stdout).toContain('alert(1)');
  expect(stdout).not.toMatch(/<script|<b[ >]/);
});
