/** Who gave a number, its type, and codes of two systems come back as they came, in each format. */
import { expect, test } from 'vitest';
import { fhirReport } from '../../../../server/delivery/formats/fhir.ts';
import { hl7Report } from '../../../../server/delivery/formats/hl7.ts';
import { writers } from '../../../../server/delivery/formats/registry.ts';
import { createItem, mergeItem } from '../../../../server/worklists/ingest/merge.ts';
import { normaliseItem } from '../../../../src/domain/normalise.ts';
import { fhirFaults } from '../../../support/fhir-r4.ts';
import type { FhirResource } from '../../../support/fhir-r4.ts';
import { reportWith } from '../../../support/signed-report.ts';
import { storedItem } from '../../../support/stored-item.ts';
import { readFile } from '../../../support/worklist-readings.ts';

const oid = '1.2.76.1';
const hl7 = [
  'MSH|^~\\&|RIS|HOSP|L|R|20260305080512-0300||OMI^O23^OMI_O23|1|P|2.5.1',
  `PID|||77^^^HSL&${oid}&ISO^MR||TESTE^ANA||19630817|F`,
  'PV1||I||||||1021^PRADO^HELENA^^^DRA^^^CRM&1.2.76.9&ISO',
  'ORC|NW|P1^RIS^1.2.76.2^ISO|F1^RIS^1.2.76.3^ISO',
  'OBR|1|P1^RIS^1.2.76.2^ISO|F1^RIS^1.2.76.3^ISO|40901114^US abdome^TUSS^US-AB^Abdome total^99HSL|||20260305090000-0300|||||||||||SL-9^HSL^1.2.76.4^ISO||||||US',
  '',
].join('\r');
const fhir = JSON.stringify({
  resourceType: 'Bundle',
  type: 'collection',
  entry: [
    {
      resource: {
        resourceType: 'Patient',
        id: 'p',
        identifier: [
          { type: { coding: [{ code: 'SS' }] }, system: 'urn:oid:9.9.9', value: '123' },
          { type: { coding: [{ code: 'MR' }] }, system: 'https://hsl.example/mrn', value: '77' },
        ],
        name: [{ family: 'TESTE', given: ['ANA'] }],
      },
    },
    {
      resource: {
        resourceType: 'ServiceRequest',
        id: 'r',
        status: 'active',
        intent: 'order',
        subject: { reference: 'Patient/p' },
        identifier: [
          { type: { coding: [{ code: 'PLAC' }] }, system: 'https://ris.example/placer', value: 'P1' },
          { type: { coding: [{ code: 'ACSN' }] }, system: 'https://ris.example/acsn', value: 'SL-9' },
        ],
        code: {
          coding: [
            { system: 'https://ans.example/tuss', code: '40901114', display: 'US abdome' },
            { system: 'https://hsl.example/codes', code: 'US-AB', display: 'Abdome total' },
          ],
        },
        occurrenceDateTime: '2026-03-05T09:00:00-03:00',
      },
    },
  ],
});
const dicom = JSON.stringify([
  {
    '00080050': { vr: 'SH', Value: ['SL-9'] },
    '00080051': {
      vr: 'SQ',
      Value: [{ '00400031': { vr: 'UT', Value: ['HSL'] }, '00400032': { vr: 'UT', Value: ['1.2.76.4'] } }],
    },
    '00100010': { vr: 'PN', Value: [{ Alphabetic: 'TESTE^ANA' }] },
    '00100020': { vr: 'LO', Value: ['77'] },
    '00100021': { vr: 'LO', Value: ['HSL'] },
    '00100024': {
      vr: 'SQ',
      Value: [{ '00400032': { vr: 'UT', Value: [oid] }, '00400035': { vr: 'CS', Value: ['MR'] } }],
    },
    '00321060': { vr: 'LO', Value: ['US'] },
    '00080060': { vr: 'CS', Value: ['US'] },
    '0020000D': { vr: 'UI', Value: ['1.2.3.4'] },
  },
]);

const itemOf = async (text: string) => {
  const { items, problems } = await readFile(text);
  expect(problems).toEqual([]);
  return items[0]!.item;
};
const reportOn = (item: object) => ({
  ...reportWith([{ key: 'findings', title: 'Achados', text: 'Normal.' }]),
  item: storedItem('wli_1', { study_uid: '1.2.3.4', ...item }),
});
const result = async (item: object, place: string, settings = {}) => {
  const [name, number] = place.split('-');
  const message = (await hl7Report(reportOn(item), { pdf: 'none', ...settings }))!;
  return message
    .split('\r')
    .find((line) => line.startsWith(`${name}|`))!
    .split('|')[Number(number)];
};
const resourceOf = async (item: object) => JSON.parse(String(await fhirReport(reportOn(item)))) as FhirResource;

test('an order of HL7 in its ORU, in FHIR and in DICOM', async () => {
  const item = await itemOf(hl7);
  const order = (place: string) => {
    const [name, number] = place.split('-');
    return hl7
      .split('\r')
      .find((line) => line.startsWith(`${name}|`))!
      .split('|')[Number(number)];
  };
  for (const place of ['PID-3', 'ORC-2', 'ORC-3', 'OBR-4']) expect(await result(item, place), place).toBe(order(place));
  expect(await result(item, 'OBR-16')).toBe(order('PV1-8'));
  const report = await resourceOf(item);
  expect(fhirFaults(report)).toEqual([]);
  expect(JSON.stringify(report.contained)).toContain(
    `{"type":{"coding":[{"system":"http://terminology.hl7.org/CodeSystem/v2-0203","code":"MR"}]},"value":"77","system":"urn:oid:${oid}","assigner":{"display":"HSL"}}`,
  );
  expect(report).toMatchObject({
    code: { coding: [{ code: '11528-7' }, { code: '40901114' }, { code: 'US-AB', display: 'Abdome total' }] },
    identifier: [{}, { value: 'SL-9', system: 'urn:oid:1.2.76.4', assigner: { display: 'HSL' } }],
  });
  const file = Buffer.from((await writers['dicom-sr'](reportOn(item)))!).toString('latin1');
  for (const part of [oid, '1.2.76.4', '1.2.76.2', '1.2.76.3', 'ISO', 'MR']) expect(file).toContain(part);
});

test('systems of FHIR are those of the identifiers that were taken', async () => {
  const item = await itemOf(fhir);
  expect(item).toMatchObject({
    patient_id: '77',
    metadata: {
      patient_id_system: 'https://hsl.example/mrn',
      patient_id_type: 'MR',
      accession_system: 'https://ris.example/acsn',
      procedure_alternate_code: 'US-AB',
    },
  });
  const report = await resourceOf(item);
  expect(fhirFaults(report)).toEqual([]);
  expect(report).toMatchObject({ identifier: [{}, { value: 'SL-9', system: 'https://ris.example/acsn' }] });
  expect(await result(item, 'PID-3')).toBe('77^^^&https://hsl.example/mrn&URI^MR');
  expect(await result(item, 'OBR-4')).toBe(
    '40901114^US abdome^https://ans.example/tuss^US-AB^Abdome total^https://hsl.example/codes',
  );
});

test('a worklist entry of DICOM', async () => {
  const item = await itemOf(dicom);
  expect(await result(item, 'PID-3')).toBe(`77^^^HSL&${oid}&ISO^MR`);
  expect(await resourceOf(item)).toMatchObject({ identifier: [{}, { system: 'urn:oid:1.2.76.4' }] });
});

test('the system of a number doesn’t outlive the number and its giver', () => {
  const arrival = { space: 's', source_system: null, who: 's', at: '2026-03-02T10:00:00.000Z' };
  const checked = (fields: object, keep = false) => ({
    fields: normaliseItem(fields)!.fields,
    extra: undefined,
    instructions: keep ? ({ keep_absent: true } as const) : {},
    errors: [],
  });
  const exam = (patient_id: string, metadata: object) => ({
    accession_number: 'A1',
    patient_id,
    patient_name: 'TESTE^ANA',
    modality: 'US',
    exam_datetime: '2026-03-02T10:00:00Z',
    exam_description: 'US',
    metadata,
  });
  const stored = createItem(
    'wli_1',
    checked(exam('1', { patient_id_issuer: 'HSL', patient_id_system: oid, ward: 'A' })),
    arrival,
  );
  const after = (patient_id: string, metadata: object) =>
    mergeItem(stored, checked(exam(patient_id, metadata), true), arrival).metadata;
  expect(after('2', {})).toMatchObject({ patient_id_system: oid, ward: 'A' });
  expect(after('2', { patient_id_issuer: 'HRP' })).toEqual({ patient_id_issuer: 'HRP', ward: 'A' });
  expect(after('2', { patient_id_issuer: 'HRP', patient_id_system: '1.2' })).toMatchObject({
    patient_id_system: '1.2',
  });
});

test('physicians have the ids of the receiver', async () => {
  const report = {
    ...reportOn({ accession_number: 'A1' }),
    signature: { who: 'Dra. Helena Prado', licence: 'CRM-SP 1', at: '2026-03-02T11:00:00.000Z' },
    preliminary: { who: 'Dr. Rui Alves', at: '2026-03-02T10:00:00.000Z' },
  };
  const message = await hl7Report(report, {
    pdf: 'none',
    physician_ids: { 'CRM-SP 1': '4711', 'Dr. Rui Alves': '12' },
  });
  const fields = message!
    .split('\r')
    .find((line) => line.startsWith('OBR|'))!
    .split('|');
  expect([fields[32], fields[33]]).toEqual(['4711&Dra. Helena Prado', '12&Dr. Rui Alves']);
});
