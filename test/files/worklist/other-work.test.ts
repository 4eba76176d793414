/** Orders of what is no exam, in feeds of several services: refused, with a line that says so. */
import * as fc from '../../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { readFile } from '../../support/worklist-readings.ts';

const hl7 = (type: string, ...segments: readonly string[]): string =>
  [`MSH|^~\\&|KIS|HSL|LAUDIO|RAD|20260302080000||${type}|1|P|2.5.1`, ...segments, ''].join('\r');
const pid = 'PID|||0045871^^^HSL^MR||TESTE^PACIENTE||19710614|M';
const orc = 'ORC|NW|P1|F1|||||^^^20260302083000';
const obr = (name: string): string => `OBR|1|P1|F1|X1^${name}^L`;
const fhir = (fields: object): string =>
  JSON.stringify({
    resourceType: 'ServiceRequest',
    status: 'active',
    intent: 'order',
    identifier: [{ type: { coding: [{ code: 'ACSN' }] }, value: 'A1' }],
    subject: { display: 'Paciente Teste' },
    ...fields,
  });

const tests = [
  'Complete Blood Count',
  'CBC panel - Blood by Automated count',
  'Basic Metabolic Panel',
  'Urinalysis, with Culture if Indicated',
  'Hemograma completo',
  'Glicemia de jejum',
  'Cultivo de orina',
  'Kleines Blutbild',
  'Créatinine',
];
const exams = [
  'TC de tórax',
  'Urografia excretora',
  'CT urography',
  'US of the urinary tract',
  'Angio-TC',
  'Knee 2 views',
];

describe('laboratory work', () => {
  it.each(tests)('%s is recognised by its name, in HL7 and FHIR', async (name) => {
    const order = await readFile(hl7('ORM^O01', pid, orc, obr(name)));
    expect(order.items).toEqual([]);
    expect(order.problems).toMatchObject([
      {
        message: 'It is a laboratory order (OBR-4).',
        hint: expect.stringContaining('Keep laboratory orders out'),
        isForeign: true,
      },
    ]);
    const request = await readFile(fhir({ code: { text: name } }));
    expect(request.problems).toMatchObject([{ message: 'It is a laboratory order (ServiceRequest.code).' }]);
  });

  it('is reported also if nothing identifies it, and by the category of a request', async () => {
    const order = await readFile(hl7('OML^O21', pid, 'ORC|NW|P1', 'OBR|1|P1||X1^Lipid panel^L'));
    expect(order.problems).toMatchObject([{ message: 'It is a laboratory order (OBR-4).' }]);
    for (const code of ['108252007', 'LAB', 'laboratory']) {
      const { problems } = await readFile(fhir({ category: [{ coding: [{ code }] }], code: { text: 'Panel 7' } }));
      expect(problems).toMatchObject([{ message: 'It is a laboratory order (ServiceRequest.category).' }]);
    }
  });

  it.each(exams)('%s is none', async (name) => {
    expect((await readFile(hl7('ORM^O01', pid, orc, obr(name)))).problems).toEqual([]);
    expect((await readFile(fhir({ code: { text: name } }))).problems).toEqual([]);
  });

  it('is an exam where the order or a mapping names a modality', async () => {
    const [name] = tests;
    const mapping = { defaults: { modality: 'SM' } };
    for (const text of [hl7('ORM^O01', pid, orc, obr(name!)), fhir({ code: { text: name } })])
      expect((await readFile(text, { mapping })).items).toMatchObject([{ item: { modality: 'SM' } }]);
    const told = await readFile(hl7('ORM^O01', pid, orc, `${obr(name!)}${'|'.repeat(20)}US`));
    expect(told.items).toMatchObject([{ item: { modality: 'US' } }]);
  });

  it('next to an exam in one appointment leaves the exam', async () => {
    const service = (name: string): string[] => ['RGS|1', `AIS|1||X1^${name}^L|20260302083000`];
    const { items } = await readFile(
      hl7('SIU^S12', 'SCH|AP1|AP2', pid, ...service('Hemograma'), ...service('RX de tórax')),
    );
    expect(items).toMatchObject([{ item: { modality: 'CR', exam_description: 'Hemograma + RX de tórax' } }]);
    const several = ['Hemograma', 'RX de tórax', 'TC de crânio'].flatMap(service);
    expect((await readFile(hl7('SIU^S12', 'SCH|AP1|AP2', pid, ...several))).items).toMatchObject([
      { item: { exam_description: 'Hemograma + RX de tórax + TC de crânio' } },
    ]);
    const { problems } = await readFile(
      hl7('SIU^S12', 'SCH|AP1|AP2', pid, ...['Hemograma', 'Glicemia'].flatMap(service)),
    );
    expect(problems).toMatchObject([{ message: 'It is a laboratory order (AIS-3).' }]);
  });
});

describe('medicines, meals and supplies', () => {
  it.each([
    'RXO|1^Amoxicillin^NDC|500',
    'RXE|1|1^Amoxicillin',
    'ODS|D||1^Low salt',
    'RQD|1|2^Gloves',
    'BPO|1|3^Plasma',
  ])('%s are no exams', async (detail) => {
    for (const control of ['NW', 'CA', '']) {
      const { items, problems } = await readFile(hl7('ORM^O01', pid, `ORC|${control}|P1|F1`, detail));
      expect(items).toEqual([]);
      expect(problems).toMatchObject([
        { message: `It orders something other than an exam (${detail.slice(0, 3)}).`, place: detail.slice(0, 3) },
      ]);
    }
  });

  it('in whatever order they come, each exam among them is accepted', async () => {
    const other = fc.constantFrom(['RXO|1^Amoxicillin'], ['ODS|D||1^Low salt'], ['OBR|1|||X1^Hemograma^L']);
    const exam = fc.constant(undefined);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(other, exam), { minLength: 1, maxLength: 6 }), async (orders) => {
        const segments = orders.flatMap((detail, at) => [
          `ORC|NW|P${at}|F${at}|||||^^^20260302083000`,
          ...(detail ?? ['OBR|1|||X1^TC de tórax^L']),
        ]);
        const { items, problems } = await readFile(hl7('ORM^O01', pid, ...segments));
        const wanted = orders.flatMap((detail, at) => (detail ? [] : [`F${at}`]));
        expect(items.map(({ item }) => item['accession_number'])).toEqual(wanted);
        expect(problems).toHaveLength(orders.length - wanted.length);
      }),
      { numRuns: 60 },
    );
  });
});
