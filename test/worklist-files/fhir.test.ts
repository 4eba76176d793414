/** FHIR R4: references wherever they lead, and resources of every shape. */
import { describe, expect, it } from 'vitest';
import { readFile } from '../support/worklist-readings.ts';

const typed = (code: string, value: string) => ({ type: { coding: [{ code }] }, value });
const patient = {
  resourceType: 'Patient',
  id: 'p1',
  identifier: [typed('SS', '9'), typed('MR', '0045871')],
  name: [
    { family: 'Old' },
    { use: 'official', family: 'Teste', given: ['Paciente', 'de'], prefix: ['Dr'], suffix: ['Jr'] },
  ],
  gender: 'other',
  birthDate: '1971-06-14',
};
const request = (fields: object = {}) => ({
  resourceType: 'ServiceRequest',
  status: 'active',
  intent: 'order',
  identifier: [typed('ACSN', 'A1')],
  subject: { reference: 'Patient/p1', display: 'Paciente Teste' },
  ...fields,
});
const bundle = (...entries: readonly object[]) =>
  JSON.stringify({ type: 'collection', entry: entries, resourceType: 'Bundle' });
const itemOf = async (...resources: readonly object[]) =>
  (await readFile(bundle(...resources.map((resource) => ({ resource }))))).items[0]?.item;

describe('references', () => {
  const found = {
    patient_id: '0045871',
    patient_name: 'Teste^Paciente^de^Dr^Jr',
    patient_sex: 'O',
    patient_birth_date: '1971-06-14',
  };
  const read = async (text: string) => (await readFile(text)).items[0]?.item;

  it.each([
    ['by type and id, forwards', bundle({ resource: request() }, { resource: patient })],
    ['by type and id, backwards', bundle({ resource: patient }, { resource: request() })],
    [
      'by a UUID',
      bundle(
        { resource: request({ subject: { reference: 'urn:uuid:7' } }) },
        { fullUrl: 'urn:uuid:7', resource: patient },
      ),
    ],
    [
      'by an address',
      bundle(
        { fullUrl: 'https://a.example/fhir/Patient/p1', resource: patient },
        { resource: request({ subject: { reference: 'https://a.example/fhir/Patient/p1/_history/2' } }) },
      ),
    ],
    ['to what is contained', JSON.stringify(request({ contained: [patient], subject: { reference: '#p1' } }))],
    ['across the lines of an export', `${JSON.stringify(request())}\n${JSON.stringify(patient)}\n`],
    ['inside one of several bundles', `[${bundle({ resource: request() }, { resource: patient })}]`],
  ])('lead %s', async (_, text) => {
    expect(await read(text)).toMatchObject({ accession_number: 'A1', ...found });
  });

  it('that lead nowhere leave what they say themselves', async () => {
    const item = await itemOf(request());
    expect(item).toMatchObject({ accession_number: 'A1', patient_name: 'Paciente Teste' });
    expect(item).not.toHaveProperty('patient_id');
  });

  it('to a role lead on to the person', async () => {
    const role = { resourceType: 'PractitionerRole', id: 'r', practitioner: { reference: 'Practitioner/d' } };
    const doctor = { resourceType: 'Practitioner', id: 'd', name: [{ family: 'Prado', given: ['Helena'] }] };
    expect(await itemOf(request({ requester: { reference: 'PractitionerRole/r' } }), role, doctor)).toMatchObject({
      referring_physician: 'Prado^Helena',
    });
  });
});

describe('resources', () => {
  const study = {
    resourceType: 'ImagingStudy',
    status: 'available',
    identifier: [{ system: 'urn:dicom:uid', value: 'urn:oid:1.2.3' }],
    basedOn: [{ reference: 'ServiceRequest/s' }],
    started: '2026-03-02T08:30:00Z',
    series: [{ modality: { code: 'CT' } }],
  };

  it('a study and the request it is based on are one item', async () => {
    const { items } = await readFile(
      bundle({ resource: request({ id: 's', code: { text: 'TC de tórax' } }) }, { resource: study }),
    );
    expect(items.map(({ item }) => item)).toMatchObject([
      {
        accession_number: 'A1',
        study_uid: '1.2.3',
        modality: 'CT',
        exam_datetime: '2026-03-02T08:30:00Z',
        exam_description: 'TC de tórax',
        patient_name: 'Paciente Teste',
      },
    ]);
  });

  it.each([
    [{ status: 'revoked' }, 'cancelled'],
    [{ status: 'entered-in-error' }, 'cancelled'],
    [{ status: 'completed' }, undefined],
  ])('%j has the status %s', async (fields, expected) => {
    expect((await readFile(JSON.stringify(request(fields)))).items[0]?.status).toBe(expected);
  });

  it.each([
    [{}, 'standing'],
    [{ status: 'on-hold' }, undefined],
    [{ status: 'revoked' }, undefined],
  ])('%j is an order that is %s', async (fields, expected) => {
    expect((await readFile(JSON.stringify(request(fields)))).items[0]?.order).toBe(expected);
  });

  it.each([[{ intent: 'proposal' }], [{ status: 'draft' }]])('%j is no order', async (fields) => {
    expect((await readFile(JSON.stringify(request(fields)))).problems).toMatchObject([
      { message: expect.stringContaining('no order yet') },
    ]);
  });

  it('a time without a day is told, one without hours is midnight', async () => {
    expect(await itemOf(request({ occurrenceDateTime: '2026-03-02' }))).toMatchObject({
      exam_datetime: '2026-03-02T00:00:00-03:00',
    });
    expect((await readFile(JSON.stringify(request({ occurrenceDateTime: '2026-03' })))).problems).toMatchObject([
      { message: expect.stringContaining('ServiceRequest.occurrenceDateTime is not a date and time') },
    ]);
  });

  it('without any exam, and lines that are none, are told', async () => {
    expect((await readFile(JSON.stringify(patient))).problems).toMatchObject([
      { message: 'It holds no ServiceRequest, ImagingStudy or Appointment.' },
    ]);
    const { items, problems } = await readFile(`${JSON.stringify(request())}\n{"resourceType":oops}\n`);
    expect([items.length, problems.map(({ position }) => position)]).toEqual([1, [{ line: 2, item: 2 }]]);
  });
});
