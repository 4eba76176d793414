/** Reports for the FHIR server from which the exam came refer to its own resources; other servers are told all. */
import { expect, onTestFinished, test } from 'vitest';
import { contract } from '../../../../src/contract/index.ts';
import { dictated, startApi, succeeded } from '../../../support/api.ts';
import { eventually } from '../../../support/eventually.ts';
import { fhirFaults } from '../../../support/fhir-r4.ts';
import { startFhirServer } from '../../../support/fhir-server.ts';

const { channels, records, worklists } = contract;
const space = 'test_tc_local';
const placer = { type: { coding: [{ code: 'PLAC' }] } };

interface Report {
  readonly subject: { reference: string };
  readonly basedOn?: { reference: string }[];
  readonly encounter?: { reference: string };
  readonly imagingStudy?: { reference: string }[];
  readonly contained?: { resourceType: string }[];
}

const patient = {
  resourceType: 'Patient',
  id: 'p1',
  identifier: [{ value: 'P-1' }],
  name: [{ family: 'Patient', given: ['Test'] }],
};
const request = (id: string, more: object = {}) => ({
  resourceType: 'ServiceRequest',
  id,
  status: 'active',
  intent: 'order',
  identifier: [
    { type: { coding: [{ code: 'ACSN' }] }, value: 'FH-1' },
    { ...placer, value: `PL-${id}` },
  ],
  code: { text: `CT ${id}` },
  orderDetail: [{ coding: [{ system: 'http://dicom.nema.org/resources/ontology/DCM', code: 'CT' }] }],
  subject: { reference: 'Patient/p1' },
  encounter: { reference: 'Encounter/e1' },
  occurrenceDateTime: '2026-03-02T09:00:00-03:00',
  ...more,
});
const study = {
  resourceType: 'ImagingStudy',
  id: 's1',
  status: 'available',
  identifier: [{ system: 'urn:dicom:uid', value: 'urn:oid:1.2.826.0.1.3680043.8.498.4417' }],
  subject: { reference: 'Patient/p1' },
  basedOn: [{ reference: 'ServiceRequest/r1' }],
};

async function start(back: object = {}) {
  const api = await startApi({}, onTestFinished);
  const [own, other] = [await startFhirServer(), await startFhirServer()];
  const add = async (name: string, kind: string, settings: object) =>
    succeeded(await api.call(channels.endpoints.add, { body: { name, kind, space, settings } }), 201);
  const resources = ['ServiceRequest', 'ImagingStudy'];
  await add('ehr', 'fhir-in', { base_url: `${own.url}/fhir`, time_zone: 'America/Sao_Paulo', resources });
  await add('back', 'fhir-out', { base_url: `${own.url}/fhir/`, ...back });
  await add('away', 'fhir-out', { base_url: `${other.url}/fhir` });
  const list = async () => succeeded(await api.call(worklists.endpoints.list, { query: { accession_number: 'FH-1' } }));
  const exam = async (is: Record<string, unknown> = { version: 1 }) => {
    await eventually(async () => {
      api.clock.advance(60_000);
      expect((await list()).items[0]).toMatchObject(is);
    });
    return (await list()).items[0]!;
  };
  let sent = 0;
  /** What both servers get once a report of the exam is signed. */
  const report = async (): Promise<[own: Report, other: Report]> => {
    const [item] = (await list()).items;
    const { id } = await api.generate({ text: dictated, worklist_item_id: item!.id });
    succeeded(await api.call(records.endpoints.update, { params: { id }, body: { status: 'final' } }));
    sent += 1;
    await eventually(() => expect([own.written.length, other.written.length]).toEqual([sent, sent]));
    const both = [own.written.at(-1), other.written.at(-1)] as [Report, Report];
    for (const each of both) expect(fhirFaults(each as never)).toEqual([]);
    return both;
  };
  return { api, own, exam, report };
}

const typesIn = ({ contained = [] }: Report): string[] => contained.map(({ resourceType }) => resourceType);
const references = (all: { reference: string }[] = []): string[] => all.map(({ reference }) => reference);

test('to the server of the exam by its own ids, and to no order that was cancelled', async () => {
  const { api, own, exam, report } = await start();
  for (const each of [patient, { resourceType: 'Encounter', id: 'e1' }, request('r1'), request('r2'), study])
    own.put(each as never);
  await exam({ study_uid: '1.2.826.0.1.3680043.8.498.4417' });
  own.now += 3600_000;
  own.put(request('r2', { status: 'revoked' }));
  const cancelled = expect.arrayContaining([expect.objectContaining({ order_id: 'r2', status: 'cancelled' })]);
  const { id } = await exam({ metadata: expect.objectContaining({ orders: cancelled }) });
  const { text } = await api.call(worklists.endpoints.get, { params: { id } });
  expect(text).not.toContain(own.url);

  const [back, away] = await report();
  expect(back).toMatchObject({
    subject: { reference: 'Patient/p1' },
    encounter: { reference: 'Encounter/e1' },
    imagingStudy: [{ reference: 'ImagingStudy/s1' }],
  });
  expect(references(back.basedOn)).toEqual(['ServiceRequest/r1']);
  expect(typesIn(back)).toEqual([]);
  expect(away.subject).toMatchObject({ reference: '#patient' });
  expect(references(away.basedOn)).toEqual(['#order']);
  expect(typesIn(away)).toEqual(['Patient', 'ServiceRequest']);
  expect(JSON.stringify(away)).not.toMatch(/Encounter\/|ImagingStudy\/|Patient\/p1/);
});

test('an exam with another study since refers to that by its UID alone', async () => {
  const { api, own, exam, report } = await start();
  for (const each of [patient, request('r1'), study]) own.put(each as never);
  const item = await exam({ study_uid: '1.2.826.0.1.3680043.8.498.4417' });
  const ingest = async (more: object) =>
    succeeded(
      await api.call(worklists.endpoints.ingest, { body: { accession_number: item.accession_number, ...more } }),
    );
  await ingest({ study_uid: '1.2.826.0.1.3680043.8.498.4418' });
  const [ofStudy] = await report();
  expect(ofStudy).toMatchObject({ subject: { reference: 'Patient/p1' } });
  expect(ofStudy.imagingStudy![0]).not.toHaveProperty('reference');
});

test('an exam that became another patient’s refers to nothing of the former one', async () => {
  const { api, own, exam, report } = await start();
  for (const each of [patient, request('r1')]) own.put(each as never);
  const { accession_number } = await exam();
  const other = { patient_id: 'P-2', patient_name: 'TESTE^PACIENTE', metadata: { accept_patient_change: true } };
  succeeded(await api.call(worklists.endpoints.ingest, { body: { accession_number, ...other } }));
  const [back] = await report();
  expect(back.subject.reference).toBe('#patient');
  expect(typesIn(back)).toEqual(['Patient']);
  expect(JSON.stringify(back)).not.toMatch(/Patient\/p1|ServiceRequest\/r1|Encounter\/e1/);
});

test('a final report completes the active order and its open tasks, once, and leaves what their owner ended', async () => {
  const { api, own, exam, report } = await start({ order_status: 'both' });
  const task = (id: string, status: string) => ({
    resourceType: 'Task',
    id,
    status,
    intent: 'order',
    focus: { reference: 'ServiceRequest/r1' },
  });
  for (const each of [patient, request('r1'), task('t1', 'accepted'), task('t2', 'cancelled')]) own.put(each as never);
  await exam();
  // The server is out of order once: the report is sent again, and the order is written then.
  let isOut = true;
  own.intervene = ({ pathname }) => {
    if (!pathname.endsWith('/ServiceRequest/r1') || own.written.length === 0 || !isOut) return undefined;
    isOut = false;
    return { status: 503, headers: { 'retry-after': '900' } };
  };
  await report();
  await eventually(async () => {
    const [message] = succeeded(await api.call(channels.endpoints.queue, { params: { channel: 'back' } })).items;
    expect(message?.error?.code).toBe('RATE_LIMIT_EXCEEDED');
    expect(Date.parse(message!.next_attempt_at!)).toBeGreaterThanOrEqual(api.clock.now() + 890_000);
  });
  await eventually(() => {
    api.clock.advance(60_000);
    expect(own.changed).toHaveLength(2);
  });
  expect(own.changed).toMatchObject([
    {
      resourceType: 'Task',
      id: 't1',
      status: 'completed',
      output: [{ valueReference: { type: 'DiagnosticReport', identifier: { system: 'urn:laudio:record' } } }],
    },
    { resourceType: 'ServiceRequest', id: 'r1', status: 'completed' },
  ]);
  for (const each of own.changed) expect(fhirFaults(each)).toEqual([]);
});

test('an order that may not be read is shown to a person, and the report is not sent again', async () => {
  const { api, own, exam, report } = await start({ order_status: 'request' });
  for (const each of [patient, request('r1')]) own.put(each as never);
  await exam();
  own.intervene = ({ pathname }) =>
    pathname.endsWith('/ServiceRequest/r1') && own.written.length > 0 ? { status: 403 } : undefined;
  await report();
  const queue = async () => succeeded(await api.call(channels.endpoints.queue, { params: { channel: 'back' } })).items;
  await eventually(async () => {
    api.clock.advance(60_000);
    expect((await queue())[0]).toMatchObject({ state: 'refused', error: { code: 'ORDER_NOT_WRITTEN' } });
  });
  expect(own.written).toHaveLength(1);
});
