/** Channels of fhir-in over an API, and the resources of an order. */
import { contract } from '../../src/contract/index.ts';
import { succeeded } from './api.ts';
import type { Api } from './api.ts';
import { eventually } from './eventually.ts';
import type { FhirServer, Resource } from './fhir-server.ts';

const { channels, worklists } = contract;

export const patient: Resource = {
  resourceType: 'Patient',
  id: 'p1',
  identifier: [{ value: 'P-1' }],
  name: [{ family: 'Patient', given: ['Test'] }],
  gender: 'female',
  birthDate: '1971-06-14',
};
export const order = (id: string, change: Record<string, unknown> = {}): Resource => ({
  resourceType: 'ServiceRequest',
  id,
  status: 'active',
  intent: 'order',
  identifier: [{ type: { coding: [{ code: 'ACSN' }] }, value: `FH-${id}` }],
  code: { text: 'CT of the chest' },
  orderDetail: [{ coding: [{ system: 'http://dicom.nema.org/resources/ontology/DCM', code: 'CT' }] }],
  subject: { reference: 'Patient/p1' },
  requester: { reference: 'PractitionerRole/r1' },
  occurrenceDateTime: '2026-03-02T09:00:00-03:00',
  ...change,
});

let count = 0;
/** A channel of its own to the server. `apiOf`: the API of the present test. */
export const fhirChannelTo =
  (apiOf: () => Api) =>
  async (server: FhirServer, settings: Record<string, unknown> = {}) => {
    const api = apiOf();
    const name = `fhir-${++count}`;
    const body = {
      name,
      kind: 'fhir-in',
      space: 'test_tc_local',
      mapping: null,
      settings: { base_url: `${server.url}/fhir`, time_zone: 'America/Sao_Paulo', ...settings },
    };
    succeeded(await api.call(channels.endpoints.add, { body }), 201);
    const params = { channel: name };
    return {
      params,
      exams: async () =>
        succeeded(await api.call(worklists.endpoints.list, { query: { source_system: name, limit: 100 } })).items,
      state: async () => succeeded(await api.call(channels.endpoints.get, { params })).state,
      lastMessageAt: async () => succeeded(await api.call(channels.endpoints.get, { params })).last_message_at,
      queue: async () => succeeded(await api.call(channels.endpoints.queue, { params })).items,
      test: async () => succeeded(await api.call(channels.endpoints.test, { params })),
      after: (holds: () => Promise<void>) =>
        eventually(async () => {
          api.clock.advance(60_000);
          await holds();
        }),
    };
  };
