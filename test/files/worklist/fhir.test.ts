/** FHIR: references wherever they lead, and resources of every shape. */
import { describe, expect, it } from 'vitest';
import { readFile } from '../../support/worklist-readings.ts';

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

  const at = (server: string, resource: { readonly id?: string; readonly resourceType: string }) => ({
    fullUrl: `https://${server}.example/fhir/${resource.resourceType}/${resource.id}`,
    resource,
  });
  const other = { ...patient, identifier: [typed('MR', '99')] };

  it('lead to the patient of their own server if two have one of that id', async () => {
    const requests = ['a', 'b'].map((server) =>
      at(server, request({ id: server, identifier: [typed('ACSN', server)] })),
    );
    for (const patients of [
      [at('a', patient), at('b', other)],
      [at('b', other), at('a', patient)],
    ]) {
      const { items } = await readFile(bundle(...requests, ...patients));
      expect(items.map(({ item }) => item['patient_id'])).toEqual(['0045871', '99']);
    }
  });

  it.each([
    ['of no server, where two servers have one', [{ resource: request() }, at('a', patient), at('b', other)]],
    ['of a server whose patient is not there', [at('a', request({ id: 's' })), at('b', other)]],
    [
      'of another server whose patient is not there',
      [{ resource: request({ subject: { reference: 'https://a.example/fhir/Patient/p1' } }) }, at('b', other)],
    ],
  ])('%s, lead to nobody', async (_, entries) => {
    expect(await read(bundle(...entries))).not.toHaveProperty('patient_id');
  });

  it.each([
    ['in the words of R4', 'replaced-by'],
    ['in the words of DSTU2', 'replace'],
  ])('to a patient whom others replaced lead to the one who stays, %s', async (_, type) => {
    const former = (id: string, by: string) => ({
      ...other,
      id,
      active: false,
      link: [
        { type: 'seealso', other: { reference: 'Patient/f2' } },
        { type, other: { reference: `Patient/${by}` } },
      ],
    });
    const order = request({ subject: { reference: 'Patient/f1' } });
    expect(await itemOf(order, former('f1', 'f2'), former('f2', 'p1'), patient)).toMatchObject(found);
    // The one who stays is elsewhere, or nobody knows who it is.
    expect(await itemOf(order, former('f1', 'p1'))).toMatchObject({ patient_id: '99' });
    expect(await itemOf(order, former('f1', 'f2'), former('f2', 'f1'))).toMatchObject({ patient_id: '99' });
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

  it('of several versions the latest counts, wherever it is', async () => {
    const version = (versionId: string, fields: object) => ({
      fullUrl: 'https://a.example/fhir/ServiceRequest/s',
      resource: request({ id: 's', meta: { versionId }, ...fields }),
    });
    const versions = [version('2', { status: 'revoked' }), version('10', {}), version('1', { status: 'revoked' })];
    for (const entries of [versions, versions.toReversed()]) {
      const { items } = await readFile(bundle(...entries));
      expect(items.map(({ item, status }) => [item['accession_number'], status])).toEqual([['A1', undefined]]);
    }
  });

  describe('versions that name no number and no time', () => {
    const url = 'https://a.example/fhir/ServiceRequest/s';
    const version = (status: string, entry: object = {}) => ({
      fullUrl: url,
      resource: request({ id: 's', status }),
      ...entry,
    });
    const statusesOf = async (text: string) => (await readFile(text)).items.map(({ status }) => status);
    const [now, before] = ['active', 'revoked'].map((status) => version(status));
    const history = (...entry: readonly object[]) => ({ resourceType: 'Bundle', type: 'history', entry });

    it('are those of a history, the newest first', async () => {
      expect(await statusesOf(JSON.stringify(history(now!, before!)))).toEqual([undefined]);
      expect(await statusesOf(JSON.stringify(history(before!, now!, before!)))).toEqual(['cancelled']);
      expect(await statusesOf(JSON.stringify([history(now!, before!)], null, 2))).toEqual([undefined]);
    });

    it('are those of a history whose type comes last, by what a server answered', async () => {
      const told = (status: string) =>
        version(status, { request: { method: 'PUT', url: 'ServiceRequest/s' }, response: { status: '200' } });
      const { entry, ...rest } = history(told('active'), told('revoked'));
      expect(await statusesOf(JSON.stringify({ entry, ...rest }))).toEqual([undefined]);
    });

    it.each([
      ['the etag', (at: number) => ({ response: { status: '200', etag: `W/"${at}"` } })],
      ['the time of the change', (at: number) => ({ response: { lastModified: `2026-03-0${at}T09:00:00Z` } })],
      ['the address', (at: number) => ({ fullUrl: `${url}/_history/${at}` })],
      ['the request', (at: number) => ({ request: { method: 'PUT', url: `ServiceRequest/s/_history/${at}` } })],
    ])('are distinguished by %s of their entry, wherever they are', async (_, entryAt) => {
      const versions = [version('revoked', entryAt(1)), version('active', entryAt(2))];
      expect(await statusesOf(bundle(...versions))).toEqual([undefined]);
      expect(await statusesOf(bundle(...versions.toReversed()))).toEqual([undefined]);
    });

    it('elsewhere count unchanged', async () => {
      expect(await statusesOf(bundle(now!, before!))).toEqual([undefined, 'cancelled']);
    });

    it('of a patient are those of the newest, too', async () => {
      const named = (family: string) => ({
        fullUrl: 'https://a.example/fhir/Patient/p1',
        resource: { ...patient, name: [{ family }] },
      });
      const { items } = await readFile(JSON.stringify(history(named('New'), named('Old'), now!)));
      expect(items).toMatchObject([{ item: { patient_name: 'New' } }]);
    });
  });

  it('a study that was entered in error says nothing of its request', async () => {
    const { items } = await readFile(
      bundle({ resource: request({ id: 's' }) }, { resource: { ...study, status: 'entered-in-error' } }),
    );
    expect(items).toHaveLength(1);
    expect(items[0]!.status).toBeUndefined();
    expect(items[0]!.item).not.toHaveProperty('study_uid');
  });

  it('a study that was entered in error cancels nothing where its request is elsewhere; one without a request does', async () => {
    const { items, problems } = await readFile(bundle({ resource: { ...study, status: 'entered-in-error' } }));
    expect(items).toEqual([]);
    expect(problems).toMatchObject([{ message: 'It is not an order but a record that was entered in error.' }]);
    const own = { ...study, basedOn: undefined, status: 'entered-in-error' };
    expect((await readFile(bundle({ resource: own }))).items).toMatchObject([{ status: 'cancelled' }]);
  });

  it.each([
    [{ status: 'revoked' }, 'cancelled'],
    [{ status: 'entered-in-error' }, 'cancelled'],
    [{ status: 'completed' }, undefined],
  ])('%j has the status %s', async (fields, expected) => {
    expect((await readFile(JSON.stringify(request(fields)))).items[0]?.status).toBe(expected);
  });

  it('a study that was begun for a request that was withdrawn is cancelled with it', async () => {
    const study = { resourceType: 'ImagingStudy', status: 'available', basedOn: [{ reference: 'ServiceRequest/r1' }] };
    const { items } = await readFile(
      bundle({ resource: request({ id: 'r1', status: 'revoked' }) }, { resource: study }),
    );
    expect(items.map(({ status }) => status)).toEqual(['cancelled']);
  });

  it.each([
    [{}, 'standing'],
    [{ status: 'on-hold' }, undefined],
    [{ status: 'revoked' }, undefined],
  ])('%j is an order that is %s', async (fields, expected) => {
    expect((await readFile(JSON.stringify(request(fields)))).items[0]?.order).toBe(expected);
  });

  it.each([[{ intent: 'proposal' }], [{ status: 'draft' }], [{ doNotPerform: true }]])(
    '%j is no order',
    async (fields) => {
      expect((await readFile(JSON.stringify(request(fields)))).problems).toMatchObject([
        { message: expect.stringContaining('not an order yet') },
      ]);
    },
  );

  it('a time without a day is reported, one without hours is midnight', async () => {
    expect(await itemOf(request({ occurrenceDateTime: '2026-03-02' }))).toMatchObject({
      exam_datetime: '2026-03-02T00:00:00-03:00',
    });
    expect((await readFile(JSON.stringify(request({ occurrenceDateTime: '2026-03' })))).problems).toMatchObject([
      { message: expect.stringContaining('ServiceRequest.occurrenceDateTime is not a date and time') },
    ]);
  });

  it('without any exam, and other lines, are reported', async () => {
    expect((await readFile(JSON.stringify(patient))).problems).toMatchObject([
      { message: 'It contains no ServiceRequest, ImagingStudy or Appointment, only Patient.' },
    ]);
    const { items, problems } = await readFile(`${JSON.stringify(request())}\n{"resourceType":oops}\n`);
    expect([items.length, problems.map(({ position }) => position)]).toEqual([1, [{ line: 2, item: 2 }]]);
  });
});

describe('numbers', () => {
  const study = (fields: object) => ({ resourceType: 'ImagingStudy', status: 'available', ...fields });

  it.each([
    ['a study UID, however its system is named', { system: 'urn:ietf:rfc:3986', value: 'urn:oid:1.2.3' }],
    ['a study UID without any system', { value: 'urn:oid:1.2.3' }],
  ])('%s is no accession number', async (_, identifier) => {
    const item = await itemOf(study({ identifier: [identifier], subject: { reference: 'Patient/p1' } }), patient);
    expect(item).toMatchObject({ study_uid: '1.2.3' });
    expect(item).not.toHaveProperty('accession_number');
  });

  it.each([
    [{ system: 'https://ris.example/accession-number', value: 'A7' }],
    [{ type: { text: 'Accession Number' }, value: 'A7' }],
    [{ type: { coding: [{ code: 'local-1', display: 'Accession ID' }] }, value: 'A7' }],
  ])('%j is an accession number, and goes before what nobody named', async (identifier) => {
    const others = [{ value: 'X' }, { system: 'https://ehr.example/placer-number', value: 'P' }];
    expect(await itemOf(request({ identifier: [...others, identifier] }))).toMatchObject({ accession_number: 'A7' });
  });

  it('of a placer are distinguished from an accession number, with advice how to use one', async () => {
    const { problems } = await readFile(
      JSON.stringify(request({ identifier: [typed('PLAC', 'P'), typed('PGN', 'G')] })),
    );
    expect(problems[0]?.hint).toContain(
      `{"fields":{"accession_number":["ServiceRequest.identifier.where(type='PLAC').value"]}}`,
    );
    const mapping = { fields: { accession_number: "ServiceRequest.identifier.where(type='PLAC').value" } };
    const mapped = await readFile(JSON.stringify(request({ identifier: [typed('PLAC', 'P')] })), { mapping });
    expect(mapped.items[0]?.item).toMatchObject({ accession_number: 'P' });
  });

  it('and names of a patient that hold no more, or that a country gives, come last', async () => {
    const person = {
      resourceType: 'Patient',
      id: 'p1',
      identifier: [
        { use: 'old', value: '1' },
        { system: 'http://hl7.org/fhir/sid/us-ssn', value: '2' },
        { type: { coding: [{ code: 'PPN' }] }, value: '3' },
        { system: 'https://hospital.example/patients', value: '4' },
      ],
      name: [
        { use: 'old', family: 'Antes' },
        { use: 'usual', family: 'Agora' },
      ],
    };
    expect(await itemOf(request(), person)).toMatchObject({ patient_id: '4', patient_name: 'Agora' });
  });
});

it('of a study’s modalities that of its images', async () => {
  const study = {
    resourceType: 'ImagingStudy',
    identifier: [typed('ACSN', 'A1')],
    modality: [{ code: 'SR' }, { code: 'CT' }],
  };
  expect(await itemOf(study)).toMatchObject({ modality: 'CT' });
});

describe('other versions', () => {
  const person = { ...patient, name: [{ family: 'Teste', given: ['Paciente'] }] };
  const known = { patient_id: '0045871', patient_name: 'Teste^Paciente', referring_physician: 'Dra. Prado' };

  it('a study of STU3: its own number goes before its others', async () => {
    const study = {
      resourceType: 'ImagingStudy',
      uid: 'urn:oid:1.2.3',
      accession: { value: 'A3' },
      identifier: [{ use: 'secondary', value: 'X' }],
      patient: { reference: 'Patient/p1' },
      modalityList: [{ code: 'DX' }],
      availability: 'ONLINE',
      basedOn: [{ reference: 'ProcedureRequest/r' }],
    };
    const order = { resourceType: 'ProcedureRequest', id: 'r', requester: { agent: { display: 'Dra. Prado' } } };
    const { items } = await readFile(bundle({ resource: person }, { resource: order }, { resource: study }));
    expect(items.map(({ item }) => item)).toEqual([
      {
        accession_number: 'A3',
        study_uid: '1.2.3',
        modality: 'DX',
        exam_status: 'completed',
        ...known,
        ...about,
        metadata: { order_id: 'r', patient_id_type: 'MR' },
      },
    ]);
  });
  const about = { patient_sex: 'O', patient_birth_date: '1971-06-14' };

  it.each([
    [
      'ProcedureRequest',
      {
        status: 'active',
        intent: 'order',
        code: { text: 'CT chest' },
        occurrenceDateTime: '2026-03-02T09:00:00Z',
        requester: { agent: { display: 'Dra. Prado' } },
      },
    ],
    [
      'DiagnosticOrder',
      {
        status: 'requested',
        item: [{ code: { text: 'CT chest' } }],
        event: [{ status: 'requested', dateTime: '2026-03-02T09:00:00Z' }],
        orderer: { display: 'Dra. Prado' },
      },
    ],
  ])('a %s is an order', async (resourceType, fields) => {
    const { items } = await readFile(
      bundle({ resource: { ...request({}), ...fields, resourceType } }, { resource: person }),
    );
    expect(items[0]).toMatchObject({
      order: 'standing',
      item: { accession_number: 'A1', exam_description: 'CT chest', exam_datetime: '2026-03-02T09:00:00Z', ...known },
    });
  });

  it.each([
    ['each', [{}, {}, {}], 'CT chest + CT neck + Z9', undefined],
    ['those that take place', [{ status: 'cancelled' }, {}, { status: 'rejected' }], 'CT neck', undefined],
    [
      'each of an order that was withdrawn',
      Array.from({ length: 3 }, () => ({ status: 'cancelled' })),
      'CT chest + CT neck + Z9',
      'cancelled',
    ],
  ])('an order of several items names %s', async (_which, states, exam_description, status) => {
    const codes = [{ text: 'CT chest' }, { coding: [{ code: 'N', display: 'CT neck' }] }, { coding: [{ code: 'Z9' }] }];
    const item = codes.map((code, at) => ({ code, ...states[at] }));
    const older = { ...request({}), code: undefined, resourceType: 'DiagnosticOrder', status: 'requested', item };
    const { items } = await readFile(bundle({ resource: older }, { resource: person }));
    expect(items).toMatchObject([{ item: { exam_description } }]);
    expect(items[0]!.status).toBe(status);
  });

  it('concepts of R5, and a mapping in the words of STU3', async () => {
    const order = request({ code: { concept: { text: 'MR knee' } }, identifier: [{ value: 'N' }] });
    expect(await itemOf(order)).toMatchObject({ exam_description: 'MR knee', modality: 'MR' });
    const mapping = { fields: { accession_number: 'ProcedureRequest.id' } };
    const former = JSON.stringify({ ...request({ id: 'r9' }), resourceType: 'ProcedureRequest' });
    expect((await readFile(former, { mapping })).items[0]?.item).toMatchObject({ accession_number: 'r9' });
  });
});

it('a bundle whose type follows its entries is one', async () => {
  const long = { ...patient, text: { div: 'x'.repeat(100_000) } };
  const text = JSON.stringify({ entry: [{ resource: long }, { resource: request() }], resourceType: 'Bundle' });
  expect(await readFile(text)).toMatchObject({ format: 'fhir', items: [{ item: { accession_number: 'A1' } }] });
});

it('in XML: a value stays one with extensions inside', async () => {
  const { items, problems } = await readFile(
    `<Bundle xmlns="http://hl7.org/fhir"><entry><resource><Patient><id value="p1"/>
      <identifier><value value="7"/></identifier><name><family value="Teste"><extension url="urn:own"><valueString value="x"/></extension></family></name>
      <birthDate value="1971-06-14"><extension url="http://hl7.org/fhir/StructureDefinition/patient-birthTime">
        <valueDateTime value="1971-06-14T06:00:00Z"/></extension></birthDate></Patient></resource></entry>
      <entry><resource><ServiceRequest><identifier><type><coding><code value="ACSN"/></coding></type><value value="A1"/></identifier>
      <status value="active"/><intent value="order"/><subject><reference value="Patient/p1"/></subject></ServiceRequest></resource></entry></Bundle>`,
  );
  expect(problems).toEqual([]);
  expect(items[0]?.item).toMatchObject({ patient_id: '7', patient_name: 'Teste', patient_birth_date: '1971-06-14' });
});
