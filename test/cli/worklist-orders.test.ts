/** Whose exams a file brings, and which orders are placed and cancelled: `worklist ingest` and `worklist replay`. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WorklistItem } from '../../src/contract/worklist.ts';
import { createServedCli } from '../support/cli.ts';
import type { Cli } from '../support/cli.ts';
import { examAt } from '../support/worklist-files.ts';

let cli: Cli;
beforeAll(async () => void (cli = await createServedCli()));
afterAll(() => cli.close());

const path = (name: string) => join(cli.directory, name);
const put = (name: string, content: string) => writeFile(path(name), content);
/** The exam with that accession number. Each test has exams of its own. */
const examOf = async (accession: string): Promise<WorklistItem> => {
  const [item] = await cli.json<WorklistItem[]>(['worklist', 'list', '--q', accession]);
  return item!;
};

describe('patients', () => {
  /** An exam, and the same one for another patient. */
  const patientsOf = (exam: number) => ({
    ana: examAt(exam, { patient_id: `${exam}-1`, patient_name: 'Test Patient', patient_birth_date: '1971-06-14' }),
    other: examAt(exam, { patient_id: `${exam}-2`, patient_name: 'Demo Patient' }),
  });
  const json = async (verb: string, item: object, ...words: string[]) => {
    await put('patient.json', JSON.stringify([item]));
    const { code, stdout, stderr } = await cli.call(['worklist', verb, 'patient.json', ...words, '--json']);
    return { code, stderr, summary: JSON.parse(stdout) as { errors: object[]; warnings: object[] } };
  };

  it.each(['ingest', 'replay'])('that differ are refused by %s in plain words, with a remedy', async (verb) => {
    const { ana, other } = patientsOf(700);
    expect((await json('ingest', ana)).code).toBe(0);
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
  });

  it('are moved on request, with a warning, and the history has the former patient', async () => {
    const { ana, other } = patientsOf(701);
    expect((await json('ingest', ana)).code).toBe(0);
    const { code, summary } = await json('replay', other, '--accept-patient-change', '--report', 'patients.csv');
    expect({ code, summary }).toMatchObject({
      code: 0,
      summary: { updated: 1, warnings: [{ code: 'PATIENT_CHANGED', accession_number: 'WF-701' }] },
    });
    expect(await readFile(path('patients.csv'), 'utf8')).toContain('another patient’s now');
    const item = await examOf('WF-701');
    expect(item).toMatchObject({ patient_id: '701-2', patient_birth_date: null, metadata: null });
    expect((await cli.call(['worklist', 'history', item.id])).stdout).toContain(
      'patient_name: Test Patient → Demo Patient',
    );
  });

  it('that are corrected are reported once, in a pipe on their line', async () => {
    const { other } = patientsOf(702);
    expect((await json('ingest', other)).code).toBe(0);
    await put('patient.json', JSON.stringify([{ ...other, patient_name: 'Sample Patient' }]));
    const { stdout, stderr } = await cli.call(['worklist', 'ingest', 'patient.json']);
    expect(stdout).toMatch(/^WF-702\tupdated\twli_\w+\tThe patient was corrected: name\.\n$/);
    expect(stderr).toMatch(/\b1 warning$/m);
  });
});

describe('cancelled orders', () => {
  /** Of one exam, by HL7. `number` is that of the order. */
  const order = (control: 'NW' | 'CA', exam: string, number = exam): string =>
    [
      'MSH|^~\\&|RIS|SL|LAUDIO|SL|20260302083000||ORM^O01|1|P|2.3.1|||||BRA|UNICODE UTF-8',
      'PID|1||0045871||TESTE^PACIENTE||19610719|F',
      'PV1|1|O',
      `ORC|${control}|${number}|F-1||CM||^^^20260302083000-0300`,
      `OBR|1|${number}|F-1|TCTX^TC de torax||||||||||||||${exam}||||||CT`,
      '',
    ].join('\r');
  const ingest = async (...orders: string[]) => {
    await put('orders.hl7', orders.join(''));
    return cli.json<object>(['worklist', 'ingest', 'orders.hl7']);
  };

  it('are applied after the item was accepted, and reported; a second time nothing changes', async () => {
    await put('new.hl7', order('NW', 'WF-CANCELLED'));
    await put('cancel.hl7', order('CA', 'WF-CANCELLED'));
    expect((await cli.call(['worklist', 'ingest', 'new.hl7'])).stderr).toContain('1 inserted');
    const first = await cli.call(['worklist', 'replay', 'cancel.hl7', '--source-system', 'RIS-7']);
    expect(first.stderr).toContain('1 cancelled');
    const item = await examOf('WF-CANCELLED');
    expect(item).toMatchObject({ status: 'cancelled', accession_number: 'WF-CANCELLED' });
    expect(await cli.json(['worklist', 'history', item.id])).toMatchObject([
      { to: 'cancelled', source_system: 'RIS-7' },
    ]);
    expect(await cli.json(['worklist', 'replay', 'cancel.hl7'])).toMatchObject({ statuses: { unchanged: 1 } });
  });

  it('are restored by a new order, and the history shows it', async () => {
    await ingest(order('NW', 'WF-BACK'));
    await ingest(order('CA', 'WF-BACK'));
    await put('new.hl7', order('NW', 'WF-BACK'));
    const { stderr } = await cli.call(['worklist', 'ingest', 'new.hl7']);
    expect(stderr).toContain('1 reinstated');
    const item = await examOf('WF-BACK');
    expect(item).toMatchObject({ status: 'new' });
    expect(await cli.json(['worklist', 'history', item.id])).toMatchObject([
      { from: 'cancelled', to: 'new', reason: 'Ordered again by the ordering system' },
      { to: 'cancelled' },
    ]);
  });

  it('count once where the exam is cancelled, ordered again and cancelled in one file', async () => {
    await ingest(order('NW', 'WF-AGAIN'));
    await put('again.hl7', order('CA', 'WF-AGAIN') + order('NW', 'WF-AGAIN') + order('CA', 'WF-AGAIN'));
    expect(await cli.json(['worklist', 'replay', 'again.hl7'])).toMatchObject({
      statuses: { applied: 1, unchanged: 0, refused: 0 },
    });
  });

  it('of a table come back where a later row, or the table of the next day, has the exam on again', async () => {
    const rows = (...statuses: string[]) =>
      [
        'accession_number,patient_id,patient_name,modality,exam_datetime,exam_description,status',
        ...statuses.map((status) => `WF-TABLE,901,TESTE^PACIENTE,CT,2026-03-02T08:30:00-03:00,TC,${status}`),
        '',
      ].join('\n');
    const statusAfter = async (...statuses: string[]) => {
      await put('agenda.csv', rows(...statuses));
      expect((await cli.call(['worklist', 'ingest', 'agenda.csv'])).code).toBe(0);
      return (await examOf('WF-TABLE')).status;
    };
    expect(await statusAfter('Cancelado', 'Agendado')).toBe('new');
    expect(await statusAfter('Cancelado')).toBe('cancelled');
    expect(await statusAfter('Realizado')).toBe('new');
  });

  it('leave the exam alone if one of them is still open, in whichever file they came', async () => {
    const status = async () => (await examOf('WF-TWO')).status;
    await ingest(order('NW', 'WF-TWO', 'P-1'), order('NW', 'WF-TWO', 'P-2'));
    expect(await ingest(order('CA', 'WF-TWO', 'P-1'))).toMatchObject({
      warnings: [{ message: 'Not cancelled: Another order of the exam is in force.' }],
    });
    expect(await status()).toBe('new');
    expect(await ingest(order('CA', 'WF-TWO', 'P-2'))).toMatchObject({ statuses: { applied: 1 } });
    expect(await status()).toBe('cancelled');
  });

  it('of a completed exam are refused and reported', async () => {
    await ingest(order('NW', 'WF-DONE'));
    await cli.json(['worklist', 'set-status', (await examOf('WF-DONE')).id, 'completed']);
    await put('cancel.hl7', order('CA', 'WF-DONE'));
    const { code, stdout } = await cli.call(['worklist', 'replay', 'cancel.hl7', '--json']);
    expect({ code, statuses: (JSON.parse(stdout) as { statuses: object }).statuses }).toEqual({
      code: 9,
      statuses: { applied: 0, unchanged: 0, refused: 1 },
    });
  });
});

describe.each(['csv', 'json'])('rows of one study under several numbers, as %s', (format) => {
  const headings = ['Acesso', 'Study UID', 'Prontuário', 'Paciente', 'Modalidade', 'Data', 'Exame', 'Situação'];
  const named = (number: string): string => `WF-${format}-${number}`;
  const row = (number: string, exam: string, { status = 'Agendado', study = `1.2.77.${format.length}` } = {}) =>
    [named(number), study, `77${format}`, 'TESTE^PACIENTE', 'CT', '2026-03-02 08:30', exam, status] as const;
  const table = async (...rows: ReturnType<typeof row>[]) => {
    const file = `study.${format}`;
    const content =
      format === 'csv'
        ? [headings, ...rows].map((cells) => `${cells.join(';')}\n`).join('')
        : JSON.stringify(rows.map((cells) => Object.fromEntries(headings.map((name, at) => [name, cells[at]]))));
    await put(file, content);
    return cli.json<Record<string, unknown>>(['worklist', 'ingest', file, '--time-zone', 'America/Sao_Paulo']);
  };
  const found = async (number: string) =>
    (await cli.json<WorklistItem[]>(['worklist', 'list', '--accession', named(number)])).map(
      ({ accession_number, exam_description, status }) => [accession_number, exam_description, status].join(' '),
    );

  it('are one exam, which each number finds, the same when the table comes again, and cancelled row by row', async () => {
    const rows = [row('S1', 'Head'), row('S2', 'Neck')];
    expect(await table(...rows)).toMatchObject({ inserted: 1, updated: 1 });
    expect(await table(...rows)).toMatchObject({ deduped: 2 });
    const both = [`${named('S1')} Head + Neck new`];
    expect([await found('S1'), await found('S2')]).toEqual([both, both]);
    await table(row('S2', 'Neck', { status: 'Cancelado', study: '' }));
    expect(await found('S2')).toEqual([`${named('S1')} Head new`]);
    await table(row('S1', 'Head', { status: 'Cancelado' }));
    expect(await found('S2')).toEqual([expect.stringMatching(/ cancelled$/)]);
  });
});
