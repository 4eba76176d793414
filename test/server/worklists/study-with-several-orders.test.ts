/** Several orders of one study, each with an accession number of its own, as HL7 at the ingest. */
import { expect, test } from 'vitest';
import { contract } from '../../../src/contract/index.ts';
import { startApi, succeeded } from '../../support/api.ts';

const api = await startApi({ timeZone: 'America/Sao_Paulo' });
const { ingest, list } = contract.worklists.endpoints;

interface Told {
  readonly control?: string;
  readonly order: string;
  readonly accession?: string;
  readonly study?: string;
  readonly description?: string;
}
const send = async (
  patient: string,
  { control = 'NW', order, accession = '', study, description = 'TC' }: Told,
): Promise<void> =>
  void succeeded(
    await api.call(ingest, {
      body: [
        `MSH|^~\\&|RIS|HSL|LAUDIO|HSL|20260302083000-0300||ORM^O01^ORM_O01|1|P|2.5.1`,
        `PID|||${patient}^^^HSL||TESTE^PACIENTE||19800102|F`,
        `ORC|${control}|${order}|||||^^^20260302093000`,
        `OBR|1|${order}||CT^${description}${'|'.repeat(14)}${accession}${'|'.repeat(6)}CT`,
        ...(study === undefined ? [] : [`ZDS|${study}^^Application^DICOM`]),
      ].join('\r'),
      headers: { 'content-type': 'application/hl7-v2' },
    }),
  );
const examsOf = async (patient: string) =>
  succeeded(await api.call(list, { query: { patient_id: patient } })).items.map(
    ({ accession_number, exam_description, status }) => [accession_number, exam_description, status].join(' '),
  );

test('are one exam under the first number, which combines both requests, however often they are sent', async () => {
  const head: Told = { order: 'P1', accession: 'S1', study: '1.2.901', description: 'Head' };
  const neck: Told = { order: 'P2', accession: 'S2', study: '1.2.901', description: 'Neck' };
  for (const told of [head, neck, { ...neck, control: 'XO' }, { ...head, control: 'XO' }, neck]) await send('F1', told);
  expect(await examsOf('F1')).toEqual(['S1 Head + Neck new']);
});

test.each([
  ['with the study UID', '1.2.902'],
  ['without', undefined],
])('each is cancelled by its own message, %s, and the exam once both are', async (_how, study) => {
  const patient = `F2${study}`;
  const [first, second] = [`C1${study}`, `C2${study}`];
  await send(patient, { order: 'P1', accession: first, study: '1.2.902', description: 'Head' });
  await send(patient, { order: 'P2', accession: second, study: '1.2.902', description: 'Neck' });
  await send(patient, { control: 'CA', order: 'P2', accession: second, ...(study && { study }) });
  expect(await examsOf(patient)).toEqual([`${first} Head new`]);
  await send(patient, { control: 'CA', order: 'P1', accession: first, ...(study && { study }) });
  expect(await examsOf(patient)).toEqual([expect.stringMatching(`^${first} .+ cancelled$`)]);
});

test('the first may be cancelled alone', async () => {
  await send('F3', { order: 'P1', accession: 'D1', study: '1.2.903', description: 'Head' });
  await send('F3', { order: 'P2', accession: 'D2', study: '1.2.903', description: 'Neck' });
  await send('F3', { control: 'CA', order: 'P1', accession: 'D1' });
  expect(await examsOf('F3')).toEqual(['D1 Neck new']);
});

test('an order that gets another number renames its exam', async () => {
  await send('F4', { order: 'P1', accession: 'E1', study: '1.2.904' });
  await send('F4', { control: 'XO', order: 'P1', accession: 'E2', study: '1.2.904' });
  expect(await examsOf('F4')).toEqual(['E2 TC new']);
});

test('an order that takes the place of one that was cancelled renames the exam', async () => {
  await send('F5', { order: 'P1', accession: 'G1', study: '1.2.905' });
  await send('F5', { control: 'CA', order: 'P1', accession: 'G1' });
  await send('F5', { order: 'P2', accession: 'G2', study: '1.2.905' });
  expect(await examsOf('F5')).toEqual(['G2 TC new']);
});
