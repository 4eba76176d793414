/** Reports for programs that speak FHIR: found by patient and order, valid by R4 as HL7 publishes it, drafts left out. */
import { expect, onTestFinished, test } from 'vitest';
import { contract } from '../../../src/contract/index.ts';
import { dictated, examFields, startApi, succeeded } from '../../support/api.ts';
import type { Answer, Api } from '../../support/api.ts';
import { fhirFaults } from '../../support/fhir-r4.ts';
import type { FhirResource } from '../../support/fhir-r4.ts';

const { fhir, records, worklists } = contract;
type Query = Parameters<typeof search>[1];

interface Bundle extends FhirResource {
  readonly total?: number;
  readonly link: readonly { readonly relation: string; readonly url: string }[];
  readonly entry?: readonly { readonly fullUrl: string; readonly resource: Report }[];
}
interface Report extends FhirResource {
  readonly id: string;
  readonly status: string;
  readonly subject: { readonly reference: string };
  readonly presentedForm: readonly { readonly contentType: string; readonly url?: string; readonly data?: string }[];
}

const read = <T>({ status, headers, text }: Answer): T => {
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('application/fhir+json; charset=utf-8');
  const resource = JSON.parse(text) as T & FhirResource;
  expect(fhirFaults(resource)).toEqual([]);
  return resource;
};
const search = async (api: Api, query: Readonly<Record<string, string | number>>) =>
  read<Bundle>(await api.call(fhir.endpoints.search, { query } as never));
const idsIn = ({ entry = [] }: Bundle) => entry.map(({ resource }) => resource.id);

async function start() {
  const api = await startApi({}, onTestFinished);
  const exam = async (accession_number: string, fields: object = {}) => {
    const body = examFields({ accession_number, study_uid: `1.2.3.${accession_number.length}`, ...fields });
    const { items } = succeeded(await api.call(worklists.endpoints.ingest, { body }));
    return items[0]!.id!;
  };
  const report = async (item: string, status: 'draft' | 'final' = 'final', text = dictated) => {
    const { id } = await api.generate({ text, language: 'en-US', worklist_item_id: item });
    if (status === 'final') succeeded(await api.call(records.endpoints.update, { params: { id }, body: { status } }));
    return id.replaceAll('_', '-');
  };
  return { api, exam, report };
}

test('reports are found by patient and order; the patient and the PDF that they name can be read', async () => {
  const { api, exam, report } = await start();
  const own = { metadata: { patient_id_issuer: 'HSL' }, patient_id: 'P-1', patient_name: 'PATIENT^TEST' };
  const [first, second, other, elsewhere] = [
    await exam('A1', own),
    await exam('A22', own),
    await exam('A333', { ...own, patient_id: 'P-2' }),
    await exam('A4444', {
      ...own,
      metadata: { patient_id_issuer: 'HRP' },
      patient_name: 'TESTE^PACIENTE',
      patient_birth_date: '1950-01-01',
    }),
  ];
  const ids = [await report(first), await report(second), await report(other), await report(elsewhere)];
  await report(await exam('A55555', own), 'draft');
  const all = await search(api, {});
  expect(idsIn(all).toSorted()).toEqual(ids.toSorted());

  const report1 = read<Report>(await api.call(fhir.endpoints.report, { params: { id: ids[0]! } }));
  const patient = report1.subject.reference;
  expect(patient).toBe(`Patient/${first.replaceAll('_', '-')}`);
  const mine = [ids[1], ids[0]];
  expect(idsIn(await search(api, { patient }))).toEqual(mine);
  // Any exam names its patient.
  expect(idsIn(await search(api, { patient: second.replaceAll('_', '-') }))).toEqual(mine);
  expect(idsIn(await search(api, { 'patient.identifier': 'HSL|P-1' }))).toEqual(mine);
  expect(idsIn(await search(api, { 'patient.identifier': 'P-1' }))).toHaveLength(3);
  expect(idsIn(await search(api, { 'based-on': `ServiceRequest/${second.replaceAll('_', '-')}` }))).toEqual([ids[1]]);
  expect(idsIn(await search(api, { 'based-on.identifier': 'A22', patient }))).toEqual([ids[1]]);
  expect(await search(api, { 'based-on.identifier': 'A333', patient })).toMatchObject({ total: 0 });
  expect(idsIn(await search(api, { identifier: 'A22' }))).toEqual([ids[1]]);
  expect(idsIn(await search(api, { patient, status: 'appended' }))).toEqual([]);
  expect(idsIn(await search(api, { _id: ids[1]!, patient }))).toEqual([ids[1]]);
  expect(idsIn(await search(api, { 'subject:Patient': patient, 'based-on:identifier': 'A22' }))).toEqual([ids[1]]);
  expect(idsIn(await search(api, { 'subject:identifier': 'HSL|P-1', _format: 'json', utm: 'x' }))).toEqual(mine);
  // Ignored, they would give the reports of everybody.
  for (const name of ['encounter', 'date', 'patient.name', 'based-on:Group', '_has:Provenance:target:agent'])
    expect((await api.call(fhir.endpoints.search, { query: { [name]: 'x' } } as never)).status, name).toBe(400);
  const twice = { patient, subject: patient };
  expect((await api.call(fhir.endpoints.search, { query: twice } as never)).status).toBe(400);

  const id = patient.split('/')[1]!;
  expect(read(await api.call(fhir.endpoints.patient, { params: { id } }))).toMatchObject({
    id,
    identifier: [{ value: 'P-1' }],
    name: [{ text: 'Test Patient', family: 'PATIENT', given: ['TEST'] }],
  });
  const pdf = report1.presentedForm.find(({ contentType }) => contentType === 'application/pdf');
  expect(pdf).toMatchObject({ url: expect.stringMatching(`/fhir/Binary/${ids[0]}$`) });
  const binary = read<{ data: string }>(await api.call(fhir.endpoints.binary, { params: { id: ids[0]! } }));
  expect(Buffer.from(binary.data, 'base64').subarray(0, 5).toString()).toBe('%PDF-');
});

test('pages lead to each other, and drafts, unknown patients and other scopes are refused', async () => {
  const { api, exam, report } = await start();
  const ids = [await report(await exam('A1')), await report(await exam('A22'))].toReversed();
  const draft = await report(await exam('A333'), 'draft');
  const first = await search(api, { 'patient.identifier': String(examFields()['patient_id']), _count: 1 });
  const next = first.link.find(({ relation }) => relation === 'next')!;
  const query = Object.fromEntries(new URL(next.url).searchParams) as unknown as Query;
  expect([...idsIn(first), ...idsIn(await search(api, query))]).toEqual(ids);
  expect((await api.call(fhir.endpoints.report, { params: { id: draft } })).status).toBe(404);
  expect((await api.call(fhir.endpoints.patient, { params: { id: 'wli-none' } })).status).toBe(404);
  const tokens = await api.tokens({ scopes: ['worklists:read'] });
  const headers = { authorization: `Bearer ${tokens.access_token}` };
  expect((await api.call(fhir.endpoints.search, { headers } as never)).status).toBe(403);
});

test('the system of an accession number counts: another RIS may give the same number', async () => {
  const { api, exam, report } = await start();
  const of = async (accession_issuer: string, study_uid: string) =>
    report(await exam('A1', { accession_issuer, study_uid, patient_id: `P-${accession_issuer}` }));
  const [own, other] = [await of('HSL', '1.2.3.1'), await of('HRP', '1.2.3.2')];
  for (const name of ['identifier', 'based-on.identifier']) {
    expect(idsIn(await search(api, { [name]: 'HSL|A1' }))).toEqual([own]);
    expect(idsIn(await search(api, { [name]: 'HRP|A1' }))).toEqual([other]);
    expect(idsIn(await search(api, { [name]: 'A1' }))).toHaveLength(2);
  }
});

test('a page has as many reports as it may, of a single status', async () => {
  const { api, exam, report } = await start();
  // A client may have 32 waiting tasks.
  for (let at = 0; at < 35; at++) await report(await exam(`A${at}`, { study_uid: `1.2.3.4.${at}` }));
  expect(idsIn(await search(api, { _count: 50 }))).toHaveLength(35);
  expect(idsIn(await search(api, { _count: 50, status: 'preliminary' }))).toEqual([]);
});

test('a PDF of more pages than anybody reads is refused', async () => {
  const { api, exam, report } = await start();
  const id = await report(await exam('A1'));
  const params = { id: id.replace('-', '_') };
  const { sections } = succeeded(await api.call(records.endpoints.get, { params }));
  const addendum = { key: 'addendum', title: 'Addendum', text: 'line\n'.repeat(60_000) };
  succeeded(await api.call(records.endpoints.update, { params, body: { sections: [...sections, addendum] } }));
  const { status, text } = await api.call(fhir.endpoints.binary, { params: { id } });
  expect([status, text]).toEqual([400, expect.stringContaining('1000 pages')]);
});

test('a search gives the words of a report as a read does', async () => {
  const { api, exam, report } = await start();
  const id = await report(await exam('A1'), 'final', `${dictated} The mark reads $$ 5 $& 6.`);
  const one = read<Report>(await api.call(fhir.endpoints.report, { params: { id } }));
  expect(JSON.stringify(one)).toContain('$$ 5 $&amp; 6');
  expect((await search(api, {})).entry![0]!.resource).toEqual(one);
});

test('the capability statement is public, and valid', async () => {
  const { api } = await start();
  expect(read(await api.call(fhir.endpoints.capabilities))).toMatchObject({ fhirVersion: '4.0.1' });
});
