/** Priors on the command line: imported from every format, listed, shown, corrected and deleted. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PriorSummary } from '../../src/contract/prior.ts';
import type { WorklistItem } from '../../src/contract/worklist.ts';
import { createServedCli } from '../support/cli.ts';
import type { Cli } from '../support/cli.ts';

let cli: Cli;
beforeAll(async () => void (cli = await createServedCli()));
afterAll(() => cli.close());

const sample = (name: string): string => fileURLToPath(new URL(`../../samples/${name}`, import.meta.url));
const prior = (verb: 'import' | 'list' | 'show' | 'delete', ...words: string[]) => cli.call(['prior', verb, ...words]);
const listed = (...words: string[]) => cli.json<PriorSummary[]>(['prior', 'list', ...words]);
const samples = ['results.hl7', 'report.fhir.json', 'reports.ndjson', 'report.txt'].map((name) =>
  sample(`priors/${name}`),
);

test('the samples give the exam of the sample day its priors, the second time nothing new', async () => {
  await cli.call(['worklist', 'ingest', sample('worklist.json'), '-q']);
  const first = await prior('import', ...samples, '--source-system', 'RIS-A');
  expect(first.stderr).toContain('5 inserted, 1 updated, 0 unchanged, 0 refused');
  expect((await prior('import', ...samples, '--source-system', 'RIS-A')).stderr).toContain(
    '0 inserted, 0 updated, 6 unchanged, 0 refused',
  );
  const [exam] = await cli.json<WorklistItem[]>(['worklist', 'list', '-q', 'SL-2026-004417']);
  const ofExam = await listed('--item', exam!.id);
  expect(ofExam.map((each) => each.exam_datetime.slice(0, 4))).toEqual(['2025', '2024', '2022', '2021']);
  expect((await prior('list')).stdout).toContain('US de tireoide com Doppler');

  const { id } = ofExam[1]!;
  expect((await prior('show', id)).stdout).toMatch(/Status\tcorrected\n[\s\S]*Controle em 6 meses/);
  expect((await prior('show', id, '--version', '1')).stdout).toMatch(/Status\tfinal\n[\s\S]*Controle em 12 meses/);
  expect(await prior('show', id, '--version', '7')).toMatchObject({ code: 3 });
  expect((await prior('delete', id, '--yes')).code).toBe(0);
  expect(await prior('show', id)).toMatchObject({ code: 3 });
});

test('refused reports are named with place and remedy; the rest is accepted', async () => {
  const report = {
    report_id: 'X-1',
    patient_id: '1',
    patient_name: 'TEST^PATIENT',
    exam_datetime: '2024-01-01T08:00:00Z',
    exam_description: 'CT',
    text: 'Findings: clear.',
  };
  const lines = [
    report,
    { ...report, report_id: 'X-2', patient_name: 'SILVA^JOAO' },
    'no report',
    { ...report, report_id: 'X-3', text: '' },
  ];
  const input = lines.map((line) => JSON.stringify(line)).join('\n');
  const answer = await cli.call(['prior', 'import', '-'], { input });
  expect(answer.code).toBe(9);
  expect(answer.stdout).toContain('inserted');
  expect(answer.stdout).toMatch(/line 2, patient_name: /);
  expect(answer.stdout).toMatch(/line 3: /);
  expect(answer.stdout).toMatch(/line 4, text: /);
  expect(answer.stdout + answer.stderr).not.toContain('SILVA');
});

test('a text needs the data of its exam, and a PDF is refused with a remedy', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'laudio-prior-'));
  const file = (name: string, content: string): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const alone = await prior('import', file('alone.txt', 'Findings: clear.'));
  expect(alone).toMatchObject({ code: 2 });
  expect(alone.stderr).toContain('in a .json file of the same name');
  const pdf = await prior('import', file('report.pdf', '%PDF-1.7'));
  expect(pdf).toMatchObject({ code: 2 });
  expect(pdf.stderr).toContain('ORU^R01');
  expect(await prior('list', '--item', 'x', '--from', '2024-01-01')).toMatchObject({ code: 2 });
});
