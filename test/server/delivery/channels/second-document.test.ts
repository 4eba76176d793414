/** A second document of an exam whose report was sent: every destination gets it as the correction of the first. */
import { expect, onTestFinished, test } from 'vitest';
import { contract } from '../../../../src/contract/index.ts';
import { dictated, startApi, succeeded } from '../../../support/api.ts';
import { eventually } from '../../../support/eventually.ts';
import { startHttpServer } from '../../../support/http-server.ts';

const { channels, records, worklists } = contract;

test('HL7 and FHIR agree, FHIR names the first by the identifier under which the server has it', async () => {
  const api = await startApi({}, onTestFinished);
  const { url, asked, close } = await startHttpServer(() => ({ status: 200 }));
  onTestFinished(close);
  const space = 'test_tc_local';
  for (const body of [
    { name: 'ris', kind: 'http-out', space, settings: { url: `${url}/hl7`, format: 'hl7' } },
    { name: 'fhir', kind: 'fhir-out', space, settings: { base_url: `${url}/fhir` } },
  ]) {
    succeeded(await api.call(channels.endpoints.add, { body }), 201);
  }
  const item = await api.exam();
  const ids: string[] = [];
  for (const count of [2, 4]) {
    if (ids.length > 0) {
      const body = { status: 'in_progress' } as const;
      succeeded(await api.call(worklists.endpoints.setStatus, { params: { id: item }, body }));
    }
    const { id } = await api.generate({ text: dictated, worklist_item_id: item });
    ids.push(id);
    succeeded(await api.call(records.endpoints.update, { params: { id }, body: { status: 'final' } }));
    await eventually(() => expect(asked).toHaveLength(count));
  }
  const oru = asked.filter(({ path }) => path === '/hl7').map(({ body }) => body.split('\r'));
  const obr = oru.map((segments) => segments.find((each) => each.startsWith('OBR|'))!.split('|'));
  expect(obr.map((fields) => fields[25])).toEqual(['F', 'C']);
  expect(obr[1]![3]).toBe(obr[0]![3]);
  const reports = asked.filter(({ path }) => path !== '/hl7').map(({ body }) => JSON.parse(body));
  expect(reports.map(({ status }) => status)).toEqual(['final', 'corrected']);
  expect(reports[0].identifier[0]).toEqual({ system: 'urn:laudio:record', value: ids[0] });
  expect(reports[0]).not.toHaveProperty('extension');
  expect(reports[1].extension).toEqual([
    {
      url: 'http://hl7.org/fhir/StructureDefinition/diagnosticReport-replaces',
      valueReference: { type: 'DiagnosticReport', identifier: reports[0].identifier[0] },
    },
  ]);
});

test('the exam keeps the deleted report to itself', async () => {
  const api = await startApi({}, onTestFinished);
  const params = { id: await api.exam() };
  const { id } = await api.generate({ text: dictated, worklist_item_id: params.id });
  succeeded(await api.call(records.endpoints.update, { params: { id }, body: { status: 'final' } }));
  succeeded(await api.call(records.endpoints.delete, { params: { id } }));
  const { text } = await api.call(worklists.endpoints.get, { params });
  expect(JSON.parse(text).data).toMatchObject({ record_id: null, status: 'completed' });
  expect(text).not.toContain(id);
});
