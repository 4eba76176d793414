/** Whose exams a file brings, and which orders are placed and cancelled: `worklist ingest` and `worklist replay`. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WorklistItem } from '../../src/contract/worklist.ts';
import { createCli } from '../support/cli.ts';
import type { Cli } from '../support/cli.ts';
import { examAt } from '../support/worklist-files.ts';

let cli: Cli;
beforeAll(async () => {
  cli = await createCli();
  await cli.serve('--rate-limit', '0');
  await cli.json(['login']);
});
afterAll(() => cli.close());

const path = (name: string) => join(cli.directory, name);
const put = (name: string, content: string) => writeFile(path(name), content);

describe('patients', () => {
  const ana = examAt(700, { patient_id: '1', patient_name: 'Test Patient', patient_birth_date: '1971-06-14' });
  const other = examAt(700, { patient_id: '2', patient_name: 'Demo Patient' });
  const json = async (verb: string, item: object, ...words: string[]) => {
    await put('patient.json', JSON.stringify([item]));
    const { code, stdout, stderr } = await cli.call(['worklist', verb, 'patient.json', ...words, '--json']);
    return { code, stderr, summary: JSON.parse(stdout) as { errors: object[]; warnings: object[] } };
  };

  it('that differ are refused in plain words, with what to do', async () => {
    expect((await json('ingest', ana)).code).toBe(0);
    for (const verb of ['ingest', 'replay']) {
      const { code, stderr, summary } = await json(verb, other, '--report', 'patients.json');
      expect(code).toBe(9);
      expect(stderr).toContain('1 of 1 item was refused.');
      expect(summary.errors).toMatchObject([
        {
          error: 'PATIENT_MISMATCH',
          field: 'patient_id',
          accession_number: 'WF-700',
          hint: expect.stringContaining('--accept-patient-change'),
        },
      ]);
      const { items } = JSON.parse(await readFile(path('patients.json'), 'utf8')) as { items: object[] };
      expect(items).toMatchObject([{ outcome: 'refused', code: 'PATIENT_MISMATCH' }]);
    }
  });

  it('are taken over when asked for, with a warning, and the history has the former one', async () => {
    const { code, summary } = await json('replay', other, '--accept-patient-change', '--report', 'patients.csv');
    expect({ code, summary }).toMatchObject({
      code: 0,
      summary: { updated: 1, warnings: [{ code: 'PATIENT_CHANGED', accession_number: 'WF-700' }] },
    });
    expect(await readFile(path('patients.csv'), 'utf8')).toContain('another patient’s now');
    const [item] = await cli.json<WorklistItem[]>(['worklist', 'list', '--q', 'WF-700']);
    expect(item).toMatchObject({ patient_id: '2', patient_birth_date: null, metadata: null });
    expect((await cli.call(['worklist', 'history', item!.id])).stdout).toContain(
      'patient_name: Test Patient → Demo Patient',
    );
  });

  it('that are corrected are told of once, in a pipe on their line', async () => {
    await put('patient.json', JSON.stringify([{ ...other, patient_name: 'Sample Patient' }]));
    const { stdout, stderr } = await cli.call(['worklist', 'ingest', 'patient.json']);
    expect(stdout).toMatch(/^WF-700\tupdated\twli_\w+\tThe patient was corrected: name\.\n$/);
    expect(stderr).toMatch(/\b1 warning$/m);
  });
});

describe('cancelled orders', () => {
  const segments = (control: string) => [
    'MSH|^~\\&|RIS|SL|LAUDIO|SL|20260302083000||ORM^O01|1|P|2.3.1|||||BRA|UNICODE UTF-8',
    'PID|1||0045871||TESTE^PACIENTE||19610719|F',
    'PV1|1|O',
    `ORC|${control}|P-1|F-1||CM||^^^20260302083000-0300`,
    'OBR|1|P-1|F-1|TCTX^TC de torax||||||||||||||WF-HL7||||||CT',
  ];
  const message = (control: string) => `${segments(control).join('\r')}\r`;

  it('are applied after the item was taken, and told; a second time nothing changes', async () => {
    await put('new.hl7', message('NW'));
    await put('cancel.hl7', message('CA'));
    expect((await cli.call(['worklist', 'ingest', 'new.hl7'])).stderr).toContain('1 inserted');
    const first = await cli.call(['worklist', 'replay', 'cancel.hl7', '--source-system', 'RIS-7']);
    expect(first.stderr).toContain('1 cancelled');
    const [item] = await cli.json<WorklistItem[]>(['worklist', 'list', '--q', 'WF-HL7']);
    expect(item).toMatchObject({ status: 'cancelled', accession_number: 'WF-HL7' });
    expect(await cli.json(['worklist', 'history', item!.id])).toMatchObject([
      { to: 'cancelled', source_system: 'RIS-7' },
    ]);
    expect(await cli.json(['worklist', 'replay', 'cancel.hl7'])).toMatchObject({ statuses: { unchanged: 1 } });
  });

  it('come back with a new order, and the history tells', async () => {
    const { stderr } = await cli.call(['worklist', 'ingest', 'new.hl7']);
    expect(stderr).toContain('1 reinstated');
    const [item] = await cli.json<WorklistItem[]>(['worklist', 'list', '--q', 'WF-HL7']);
    expect(item).toMatchObject({ status: 'new' });
    expect(await cli.json(['worklist', 'history', item!.id])).toMatchObject([
      { from: 'cancelled', to: 'new', reason: 'Ordered again by the ordering system' },
      { to: 'cancelled' },
    ]);
    await put('again.hl7', message('CA') + message('NW') + message('CA'));
    expect(await cli.json(['worklist', 'replay', 'again.hl7'])).toMatchObject({
      statuses: { applied: 1, unchanged: 0, refused: 0 },
    });
  });

  it('of which one stands leave the exam be, whichever file they came in', async () => {
    const of = (control: string, number: string) =>
      message(control).replaceAll('P-1', number).replaceAll('WF-HL7', 'WF-TWO');
    await put('two.hl7', of('NW', 'P-1') + of('NW', 'P-2'));
    await put('first.hl7', of('CA', 'P-1'));
    await put('second.hl7', of('CA', 'P-2'));
    const status = async () => (await cli.json<WorklistItem[]>(['worklist', 'list', '--q', 'WF-TWO']))[0]!.status;
    await cli.json(['worklist', 'ingest', 'two.hl7']);
    expect(await cli.json(['worklist', 'ingest', 'first.hl7'])).toMatchObject({
      warnings: [{ message: 'Not cancelled: Another order of the exam stands.' }],
    });
    expect(await status()).toBe('new');
    expect(await cli.json(['worklist', 'ingest', 'second.hl7'])).toMatchObject({ statuses: { applied: 1 } });
    expect(await status()).toBe('cancelled');
  });

  it('of an exam that is completed are refused, and told', async () => {
    const [item] = await cli.json<WorklistItem[]>(['worklist', 'list', '--q', 'WF-HL7']);
    await cli.json(['worklist', 'set-status', item!.id, 'new']);
    await cli.json(['worklist', 'set-status', item!.id, 'completed']);
    const { code, stdout } = await cli.call(['worklist', 'replay', 'cancel.hl7', '--json']);
    expect({ code, statuses: (JSON.parse(stdout) as { statuses: object }).statuses }).toEqual({
      code: 9,
      statuses: { applied: 0, unchanged: 0, refused: 1 },
    });
  });
});
