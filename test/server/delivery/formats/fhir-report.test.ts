/** Reports as FHIR resources. */
import { expect, test } from 'vitest';
import { fhirReport } from '../../../../server/delivery/formats/fhir.ts';
import type { MedicalRecord } from '../../../../src/contract/document.ts';
import type { WorklistItem } from '../../../../src/contract/worklist.ts';
import { fhirFaults } from '../../../support/fhir-r4.ts';
import { createRecordService } from '../../../support/record-service.ts';
import { reportWith } from '../../../support/signed-report.ts';
import { storedItem } from '../../../support/stored-item.ts';

test('FHIR says again by which numbers the exam was ordered', async () => {
  const item = storedItem('wli_1', {
    accession_number: 'SL-1',
    accession_issuer: 'HSL',
    metadata: {
      placer_order_number: 'P1',
      placer_order_issuer: '1.2.3',
      filler_order_number: 'F1',
      filler_order_issuer: 'RIS',
      procedure_code: '30746-2',
      procedure_code_system: 'LN',
      visit_number: 'V1',
    },
  });
  const report = JSON.parse(String(await fhirReport({ ...reportWith([]), item })));
  const accession = { type: { coding: [{ code: 'ACSN' }] }, value: 'SL-1', assigner: { display: 'HSL' } };
  const coding = [{ system: 'http://loinc.org', code: '30746-2' }];
  expect(report).toMatchObject({
    identifier: [{}, accession],
    basedOn: [{ reference: '#order', identifier: accession }],
    encounter: { identifier: { type: { coding: [{ code: 'VN' }] }, value: 'V1' } },
    code: { coding: [{ code: '11528-7' }, ...coding] },
  });
  expect(report.contained.find(({ id }: { id: string }) => id === 'order')).toMatchObject({
    resourceType: 'ServiceRequest',
    identifier: [
      { type: { coding: [{ code: 'PLAC' }] }, value: 'P1', system: 'urn:oid:1.2.3' },
      { type: { coding: [{ code: 'FILL' }] }, value: 'F1', assigner: { display: 'RIS' } },
      accession,
    ],
    code: { coding },
  });
});

test('FHIR names the report whose place this one takes', async () => {
  const report = reportWith([], { replaces: { record_id: 'rec_first', version: 2 } });
  expect(JSON.parse(String(await fhirReport(report)))).toMatchObject({
    status: 'corrected',
    extension: [
      {
        url: 'http://hl7.org/fhir/StructureDefinition/diagnosticReport-replaces',
        valueReference: { type: 'DiagnosticReport', identifier: { value: 'rec_first' } },
      },
    ],
  });
});

test.each<[string, Partial<MedicalRecord>, Partial<WorklistItem> | null]>([
  ['a draft without an exam', { status: 'draft' }, null],
  ['a test document', { test_mode: true }, null],
  ['a signed document', {}, {}],
  ['an addendum', { sections: [{ key: 'addendum', title: 'Adendo', text: 'Mais.' }] }, {}],
  ['a document in the place of another', { replaces: { record_id: 'rec_1', version: 2 } }, {}],
  ['a document without sections', { sections: [] }, {}],
  [
    'an exam of which little is known',
    {},
    { patient_birth_date: null, patient_sex: null, study_uid: null, accession_number: null },
  ],
  [
    'an exam whose order brought numbers',
    {},
    {
      metadata: {
        placer_order_number: 'P1',
        placer_order_issuer: '1.2.3',
        filler_order_number: 'F1',
        filler_order_issuer: 'RIS',
        procedure_code: '30746-2',
        procedure_code_system: 'LN',
        procedure_text: 'Portable XR Chest',
        visit_number: 'V1',
        patient_id_issuer: 'HSL',
      },
    },
  ],
  [
    'an exam that has a number of its placer alone',
    {},
    { accession_number: null, metadata: { placer_order_number: 'P1' } },
  ],
  ['an exam whose time has no offset', {}, { exam_datetime: '2026-03-02T08:30:00' }],
])('FHIR of %s is valid R4', async (_, changed, changedItem) => {
  const report = reportWith([{ key: 'findings', title: 'Achados', text: 'A < B & √ ∞\n\n' }], changed);
  const known = {
    accession_number: 'SL-1',
    study_uid: '1.2.826.0.1.3680043.8.498.4417',
    patient_birth_date: '1971-06-14',
    patient_sex: 'M',
    referring_physician: 'PRADO^HELENA^^DRA',
  } as const;
  const item = changedItem && storedItem('wli_1', { ...known, ...changedItem });
  expect(fhirFaults(JSON.parse(String(await fhirReport({ ...report, item }))))).toEqual([]);
});

const orders = [
  { status: 'open', placer_order_number: 'P1', procedure_code: 'C1', procedure_text: 'CT of the chest' },
  { status: 'open', placer_order_number: 'P2', procedure_code: 'C2', procedure_text: 'CT of the abdomen' },
  { status: 'cancelled', placer_order_number: 'P3' },
] as const;

test('FHIR is based on each order of the exam', async () => {
  const { status: _, ...last } = orders[0];
  const item = storedItem('wli_1', { accession_number: 'A1', metadata: { ...last, orders } });
  const report = JSON.parse(String(await fhirReport({ ...reportWith([]), item })));
  expect(report.basedOn.map(({ reference }: { reference: string }) => reference)).toEqual(['#order', '#order-2']);
  const requests = report.contained.filter((each: { resourceType: string }) => each.resourceType === 'ServiceRequest');
  expect(requests).toMatchObject([
    { id: 'order', identifier: [{ value: 'P1' }, { value: 'A1' }], code: { coding: [{ code: 'C1' }] } },
    { id: 'order-2', identifier: [{ value: 'P2' }, { value: 'A1' }], code: { text: 'CT of the abdomen' } },
  ]);
  expect(fhirFaults(report)).toEqual([]);
});

test('FHIR distinguishes orders without a number by their procedures', async () => {
  const unnumbered = orders.map(({ placer_order_number: id, ...order }) => ({ ...order, order_id: id }));
  const item = storedItem('wli_1', { accession_number: 'A1', metadata: { orders: unnumbered } });
  const report = JSON.parse(String(await fhirReport({ ...reportWith([]), item })));
  expect(report.contained).toMatchObject(
    expect.arrayContaining([
      expect.objectContaining({ id: 'order', identifier: [expect.objectContaining({ value: 'A1' })] }),
      expect.objectContaining({ id: 'order-2', code: expect.objectContaining({ text: 'CT of the abdomen' }) }),
    ]),
  );
  expect(report.basedOn).toHaveLength(2);
  expect(fhirFaults(report)).toEqual([]);
});

test('FHIR has the codes of the orders that take place, and of no other', async () => {
  const codesOf = async (metadata: Record<string, unknown>) => {
    const item = storedItem('wli_1', { accession_number: 'A1', metadata });
    const { code } = JSON.parse(String(await fhirReport({ ...reportWith([]), item })));
    return code.coding.slice(1).map((coding: { code: string }) => coding.code);
  };
  const [first, second] = orders;
  // The exam has what the last message said, whatever became of that order since.
  const ofSecond = { procedure_code: 'C2', procedure_text: 'CT of the abdomen' };
  expect(await codesOf({ ...ofSecond, orders: [first, { ...second, status: 'cancelled' }] })).toEqual(['C1']);
  expect(await codesOf({ ...ofSecond, orders: [first, second] })).toEqual(['C1', 'C2']);
  expect(await codesOf({ ...ofSecond, orders: [second, { ...second, placer_order_number: 'P9' }] })).toEqual(['C2']);
  expect(await codesOf(ofSecond)).toEqual(['C2']);
});

test('FHIR is based on no order where all were cancelled', async () => {
  const cancelled = orders.map((order) => ({ ...order, status: 'cancelled' as const }));
  const bySystem = { status: 'cancelled', reason: 'Cancelled by the ordering system' } as const;
  for (const of of [{ metadata: { orders: cancelled } }, bySystem]) {
    const item = storedItem('wli_1', { accession_number: 'A1', ...of });
    const report = JSON.parse(String(await fhirReport({ ...reportWith([]), item })));
    expect(report).not.toHaveProperty('basedOn');
    expect(report.contained).toMatchObject([{ resourceType: 'Patient' }]);
  }
});

test('a measurement of the viewer is an Observation, until a person changes its words', async () => {
  const service = await createRecordService();
  const { records } = service.routes;
  const record = await service.generate({ text: 'Test Patient. Findings: nodule in the liver.' });
  const viewer = {
    id: 'obs-1',
    title: 'Nodule',
    codes: [{ system: 'http://snomed.info/sct', code: '246116008' }],
    values: [
      { value: 12.4, unit: 'mm', code: 'mm', codes: [{ system: 'http://snomed.info/sct', code: '103339001' }] },
      { value: 8.1, unit: 'mm', code: 'mm' },
    ],
    instance_uid: '1.2.3',
    sites: [{ system: 'http://snomed.info/sct', code: '10200004' }],
    tracking_uid: '1.2.9',
  };
  const save = async (words: string) => {
    const sections = record.sections.map((section) =>
      section.key === 'findings' ? { ...section, text: `Nodule of ${words} in the liver.` } : section,
    );
    const body = { sections, brought: [{ section: 'findings', text: '12.4 x 8.1 mm', viewer }] };
    const params = { id: record.id };
    await records.update({ params, body }, service.call());
    return JSON.parse(String((await records.export({ params, query: { format: 'fhir' } }, service.call())).body));
  };
  const report = await save('12.4 x 8.1 mm');
  expect(fhirFaults(report)).toEqual([]);
  expect(report.result).toEqual([{ reference: '#measurement-1' }]);
  expect(report.contained.at(-1)).toMatchObject({
    resourceType: 'Observation',
    identifier: [{ value: 'obs-1' }, { system: 'urn:dicom:uid', value: 'urn:oid:1.2.9' }],
    code: { text: 'Nodule', coding: viewer.codes },
    bodySite: { coding: viewer.sites },
    component: [
      { code: { coding: viewer.values[0]!.codes }, valueQuantity: { value: 12.4, unit: 'mm' } },
      { valueQuantity: { value: 8.1, code: 'mm' } },
    ],
    derivedFrom: [{ identifier: { value: 'urn:oid:1.2.3' } }],
  });
  expect(await save('12.4 x 9.1 mm')).not.toHaveProperty('result');
});

test.each(['sync', 'async'] as const)(
  'a report that was typed has the measurement from its beginning, %s',
  async (mode) => {
    const service = await createRecordService();
    const viewer = { id: 'obs-1', values: [{ value: 12.4, unit: 'mm' }] };
    const text = 'Test Patient. Nodule of 12.4 mm, cyst of 112.4 mm.';
    const sections = [{ key: 'findings', title: 'Findings', text }];
    await service.generate({ sections, brought: [{ section: 'findings', text: '12.4 mm', viewer }], mode });
    await service.jobs.idle();
    const [record] = (await service.routes.records.list({ query: {} }, service.call())).data.items;
    const of = { params: { id: record!.id }, query: { format: 'fhir' } } as const;
    const report = JSON.parse(String((await service.routes.records.export(of, service.call())).body));
    expect(report.contained.at(-1)).toMatchObject({ resourceType: 'Observation', valueQuantity: { value: 12.4 } });
  },
);
