/** What is refused says what to do, in the words of its format: places that it may have, and none that would put in something wrong. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCli } from '../support/cli.ts';
import type { Cli } from '../support/cli.ts';

let cli: Cli;
beforeAll(async () => void (cli = await createCli()));
afterAll(() => cli.close());

interface Told {
  errors: { message: string; hint: string }[];
  refused: number;
}
async function ingested(text: string, mapping?: object): Promise<Told> {
  await writeFile(join(cli.directory, 'file'), text);
  await writeFile(join(cli.directory, 'mapping.json'), JSON.stringify(mapping ?? {}));
  const { stdout } = await cli.call(['worklist', 'ingest', 'file', '--mapping', 'mapping.json', '--dry-run', '--json']);
  return JSON.parse(stdout) as Told;
}
const hintOf = async (text: string): Promise<string> => (await ingested(text)).errors[0]!.hint;
/** The mapping that a hint shows. */
const mappingIn = (hint: string): object => JSON.parse(/\{"fields": \{.*?\}\}/.exec(hint)![0]) as object;

const hl7 = (type: string, ...segments: readonly string[]): string =>
  [`MSH|^~\\&|RIS|HSL|LAUDIO|RAD|20260302080000||${type}|1|P|2.5.1`, ...segments, ''].join('\r');
const pid = 'PID|||0045871^^^HSL^MR||TESTE^PACIENTE||19710614|M';

describe('advice', () => {
  it('for an order without a time names places that orders have, and works as printed', async () => {
    // The time of the message would serve.
    const obr = 'OBR|1|P1|F1|X1^TC de tórax^L||||20260302083000';
    const order = hl7('ORM^O01', pid, 'ORC|NW|P1|F1', obr).replace('20260302080000', '');
    const hint = await hintOf(order);
    expect(hint).not.toMatch(/AIS|AIL|SCH/);
    expect(await ingested(order, mappingIn(hint))).toMatchObject({ refused: 0, errors: [] });
  });

  it('for an appointment names places of appointments', async () => {
    const hint = await hintOf(hl7('SIU^S12', 'SCH|AP1|AP2', pid, 'AIS|1||X1^Exame^L|20260302083000'));
    expect(hint).toMatch(/"modality": \["AIG-3","AIL-3"\]/);
    expect(await hintOf(hl7('SIU^S12', 'SCH|AP1|AP2', pid, 'AIS|1||X1^TC^L'))).toContain('Read from TQ1-7.1, SCH-11.4');
  });

  it('never uses an id or a code in place of a patient’s name', async () => {
    const study = { '0020000D': { vr: 'UI', Value: ['1.2.3'] }, '00080060': { vr: 'CS', Value: ['CT'] } };
    expect(await hintOf(JSON.stringify([study]))).toContain('"patient_name": ["PLACE"]');
    expect(await hintOf(hl7('ORM^O01', 'PID|||', 'ORC|NW|P1|F1', 'OBR|1|P1|F1|X1^TC^L'))).toContain(
      '"patient_id": ["PLACE"]',
    );
  });

  it('for the cancellation of an unknown exam says so, and proposes no mapping', async () => {
    const cancelled = hl7('ORM^O01', pid, 'ORC|CA|P1|F1', 'OBR|1|P1|F1|X1^TC de tórax^L');
    const unnamed = hl7('ORM^O01', pid, 'ORC|CA|P1', 'OBR|1|P1||X1^TC de tórax^L');
    const row = 'Accession,Patient,Status\nA1,Test Patient,Cancelled\n';
    for (const text of [cancelled, unnamed, row]) {
      expect(await hintOf(text)).toBe(
        'It cancels an exam of which nothing is stored: send the order before it, or leave it out.',
      );
    }
  });

  it('for JSON names a member', async () => {
    const rows = JSON.stringify({
      data: [{ accession_no: 'A1', pat_pid: '1', pat_fullname: 'Test', proc_name: 'TC' }],
    });
    expect(await hintOf(rows)).toContain('{"fields": {"exam_datetime": ["NAME"]}}');
  });
});
