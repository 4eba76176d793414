/** What to look at before signing, on the command line: with a server, and without one. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MedicalRecord } from '../../src/contract/document.ts';
import { createServedCli } from '../support/cli.ts';
import type { Cli } from '../support/cli.ts';

let cli: Cli;
beforeAll(async () => void (cli = await createServedCli()));
afterAll(() => cli.close());

const report =
  'Findings:\nNodule of 6 mm in the right lobe.\nMass of [__ mm].\n\nImpression:\nNodule in the left lobe.\n';
const mended = report.replace('left', 'right').replace('[__ mm]', '8 mm');

describe('record check', () => {
  const check = (input: string, ...more: string[]) => cli.call(['record', 'check', '-', ...more], { input });

  test('names each warning with its line and column, and ends with 11', async () => {
    const { code, stdout, stderr } = await check(report);
    expect(stdout.split('\n').map((line) => line.split('\t').slice(0, 3))).toEqual([
      ['3:9', 'warning', 'field_open'],
      ['6:15', 'warning', 'side_differs_between_sections'],
      [''],
    ]);
    expect(code).toBe(11);
    expect(stderr).toContain('2 warnings');
    expect(stderr).not.toContain('lobe');
  });

  test('says nothing of a report in order, and ends with 0', async () => {
    expect(await check(mended)).toMatchObject({ code: 0, stdout: '' });
  });

  test('reads a file, and asks no server', async () => {
    await writeFile(join(cli.directory, 'report.txt'), report);
    const alone = { LAUDIO_URL: 'http://127.0.0.1:9', LAUDIO_TOKEN: 'none' };
    expect((await cli.call(['record', 'check', 'report.txt'], { env: alone })).code).toBe(11);
  });

  test('compares with the dictation, and with the exam', async () => {
    await writeFile(
      join(cli.directory, 'said.txt'),
      'Findings nodule of six centimeters in the right lobe. Mass of eight millimeters. Impression nodule in the right lobe.',
    );
    await writeFile(join(cli.directory, 'exam.txt'), 'Prostate MRI');
    const said = await check(mended, '--transcript', 'said.txt');
    expect(said).toMatchObject({ code: 11, stdout: expect.stringContaining('unit_changed') });
    const exam = await check(mended.replace('lobe', 'lobe of the prostate'), '--description', 'exam.txt', '--sex', 'F');
    expect(exam).toMatchObject({ code: 11, stdout: expect.stringContaining('sex_implausible') });
  });

  test('requires the sections of a template', async () => {
    const { code, stdout } = await check('Findings: clear.', '--template', 'general');
    expect(stdout).toContain('section_missing');
    expect(code).toBe(11);
    expect((await check('Findings: clear.', '--template', 'test_template_general')).code).toBe(0);
  });

  test.each([
    ['an unknown template', ['--template', 'nothing'], 'There is no such template.'],
    ['no file', ['--transcript', 'missing'], 'missing does not exist.'],
  ])('%s is reported, with 2', async (_name, more, said) => {
    const { code, stdout, stderr } = await check(report, ...more);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(said);
  });

  test('an empty text, binary data and an overlong text are reported, with 2', async () => {
    expect((await check(' \n')).code).toBe(2);
    expect((await cli.call(['record', 'check', '-'], { input: Uint8Array.of(0xff, 0xfe) })).code).toBe(2);
    expect(await check('Clear. '.repeat(30_000))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('too long'),
    });
  });
});

describe('a record', () => {
  const said = 'Test Patient. Findings: nodule in the right lobe. Impression: nodule in the right lobe.';
  const contradicting = async (): Promise<{ id: string; finding: string }> => {
    const { id, sections } = await cli.json<MedicalRecord>(['record', 'generate', '--text', '-'], { input: said });
    const input = JSON.stringify({
      sections: sections.map((section) =>
        section.key === 'impression' ? { ...section, text: section.text.replace('right', 'left') } : section,
      ),
    });
    const record = await cli.json<MedicalRecord>(['record', 'edit', id, '--input', '-'], { input });
    return { id, finding: record.findings_to_review!.find(({ severity }) => severity === 'warning')!.id };
  };

  test('record show lists open points, and who dismissed others', async () => {
    const { id, finding } = await contradicting();
    const { stdout } = await cli.call(['record', 'show', id]);
    expect(stdout).toMatch(new RegExp(`To review before signing\\n${finding}  warning  impression: .*“left”`));
    const dismissed = await cli.call(['record', 'dismiss', id, finding]);
    expect(dismissed.stdout).toContain('(dismissed by Dra. Teste)');
    expect((await cli.call(['record', 'dismiss', id, finding, '--undo'])).stdout).not.toContain('dismissed');
    expect((await cli.call(['record', 'dismiss', id, 'f_0'])).code).toBe(3);
  });

  test('is not signed over a warning unawares: 11, with a remedy', async () => {
    const { id, finding } = await contradicting();
    const { code, stderr } = await cli.call(['record', 'edit', id, '--sign']);
    expect(code).toBe(11);
    expect(stderr).toContain('The record is not signed: 1 warning is open.');
    expect(stderr).toContain(`--acknowledge ${finding}`);
    expect(await cli.json(['record', 'edit', id, '--sign', '--acknowledge', finding])).toMatchObject({
      status: 'final',
    });
    const versions = await cli.call(['record', 'versions', id]);
    expect(versions.stdout.split('\n')[0]).toContain('side_differs_between_sections');
  });

  test('is not signed with an open field, whatever is acknowledged: 11, with a remedy', async () => {
    const { id, finding } = await contradicting();
    await writeFile(join(cli.directory, 'findings.txt'), 'Nodule of [__ mm] in the right lobe.');
    const sign = ['record', 'edit', id, '--sign', '--acknowledge', finding];
    const { code, stderr } = await cli.call([...sign, '--section', 'findings=findings.txt']);
    expect(code).toBe(11);
    expect(stderr).toContain('The record is not signed: 1 field must be filled in.');
    expect(stderr).toContain(`laudio record correct ${id}`);
    expect(stderr).not.toMatch(/lobe|acknowledge/);
    await writeFile(join(cli.directory, 'findings.txt'), 'Nodule of 6 mm in the right lobe.');
    expect((await cli.call([...sign, '--section', 'findings=findings.txt'])).code).toBe(0);
  });

  test('record provenance shows where its words come from', async () => {
    const { id } = await contradicting();
    const { stdout } = await cli.call(['record', 'provenance', id]);
    expect(stdout).toContain('impression\tedited\tleft\t\t\tDra. Teste\t\n');
    expect(stdout).toMatch(/findings\tsaid\tNodule in the right lobe\tnodule in the right lobe\t\t\t\n/);
  });

  test('is signed with time to take that back, which the owner does, as often as asked', async () => {
    const { id } = await cli.json<MedicalRecord>(['record', 'generate', '--text', '-'], { input: said });
    const signed = await cli.call(['record', 'edit', id, '--sign', '--grace', '600']);
    expect(signed).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Status\s+draft$/m) });
    expect((await cli.call(['record', 'show', id])).stdout).toMatch(/^Signed\s+by .+; final at /m);
    expect((await cli.call(['record', 'edit', id, '--title', 'Other'])).code).toBe(11);
    for (const _ of [1, 2]) expect((await cli.call(['record', 'take-back', id])).stdout).not.toContain('final at');
    expect((await cli.call(['record', 'edit', id, '--title', 'Other'])).code).toBe(0);
    expect((await cli.call(['record', 'edit', id, '--title', 'Another', '--grace', '5'])).code).toBe(6);
    await cli.call(['record', 'edit', id, '--sign']);
    expect((await cli.call(['record', 'take-back', id])).code).toBe(11);
  });
});
