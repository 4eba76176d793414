/** GET /api/v1/medical-records/{id}/distribution: which systems have a document, and who follows the records hears of it. */
import { expect, onTestFinished, test } from 'vitest';
import { contract } from '../../../../src/contract/index.ts';
import { dictated, startApi, succeeded } from '../../../support/api.ts';
import type { Api } from '../../../support/api.ts';
import { eventually } from '../../../support/eventually.ts';
import { startHttpServer } from '../../../support/http-server.ts';

const { records, channels, distribution } = contract;
const space = 'test_tc_local';

/** A server whose documents go to systems that answer with the status they are set to. */
async function hospital() {
  const api = await startApi({}, onTestFinished);
  const systems: Record<string, { status: number }> = {};
  return {
    api,
    systems,
    async system(name: string, status = 201) {
      const system = (systems[name] = { status });
      const { url, close } = await startHttpServer(() => system);
      onTestFinished(close);
      const body = { name, kind: 'http-out', space, settings: { url: `${url}/in`, format: 'txt' } };
      return succeeded(await api.call(channels.endpoints.add, { body }), 201).id;
    },
    async signed(worklist_item_id?: string): Promise<string> {
      const item = worklist_item_id ?? (await api.exam());
      const { id } = await api.generate({ text: dictated, worklist_item_id: item });
      succeeded(await api.call(records.endpoints.update, { params: { id }, body: { status: 'final' } }));
      return id;
    },
  };
}

const shownOf = async (api: Api, id: string) =>
  succeeded(await api.call(distribution.endpoints.ofRecord, { params: { id } })).items;
const statesOf = async (api: Api, id: string) =>
  (await shownOf(api, id)).map(({ channel, state, version }) => `${channel} ${state} ${version}`);
const add = async (api: Api, id: string) => {
  const { sections } = succeeded(await api.call(records.endpoints.get, { params: { id } }));
  const body = { sections: [...sections, { key: 'addendum', title: 'Addendum', text: 'More.' }] };
  succeeded(await api.call(records.endpoints.update, { params: { id }, body }));
};
const messageOf = async (api: Api, channel: string) =>
  succeeded(await api.call(channels.endpoints.queue, { params: { channel } })).items[0]!.id;

test('each system is listed separately: one has it, one does not answer, one refuses; nothing about the patient is shown', async () => {
  const { api, systems, system, signed } = await hospital();
  await system('ris');
  await system('archive', 503);
  await system('portal', 400);
  const id = await signed();
  await eventually(async () =>
    expect(await statesOf(api, id)).toEqual(['archive waiting 2', 'portal refused 2', 'ris sent 2']),
  );
  const now = new Date(api.clock.now()).toISOString();
  expect(await shownOf(api, id)).toEqual([
    { channel: 'archive', state: 'waiting', since: now, version: 2 },
    { channel: 'portal', state: 'refused', since: now, version: 2 },
    { channel: 'ris', state: 'sent', since: now, version: 2 },
  ]);
  const attempts = async () =>
    succeeded(await api.call(channels.endpoints.queue, { params: { channel: 'archive' } })).items[0]?.attempts;
  await eventually(async () => expect(await attempts()).toBe(1));
  // It waits since it was written, however often it is tried.
  api.clock.advance(10_000);
  await eventually(async () => expect(await attempts()).toBeGreaterThan(1));
  expect((await shownOf(api, id))[0]).toEqual({ channel: 'archive', state: 'waiting', since: now, version: 2 });
  systems['archive']!.status = 201;
  api.clock.advance(60_000);
  const later = new Date(api.clock.now()).toISOString();
  await eventually(async () =>
    expect((await shownOf(api, id))[0]).toEqual({ channel: 'archive', state: 'sent', since: later, version: 2 }),
  );
});

test('a refused document blocks other documents of the exam until the operator acts, but no later version of itself', async () => {
  const { api, systems, system, signed } = await hospital();
  await system('ris', 400);
  const item = await api.exam();
  const id = await signed(item);
  await eventually(async () => expect(await statesOf(api, id)).toEqual(['ris refused 2']));
  await add(api, id);
  await eventually(async () => expect(await statesOf(api, id)).toEqual(['ris refused 3']));
  systems['ris']!.status = 201;
  await add(api, id);
  await eventually(async () => expect(await statesOf(api, id)).toEqual(['ris sent 4']));
  systems['ris']!.status = 400;
  await add(api, id);
  await eventually(async () => expect(await statesOf(api, id)).toEqual(['ris refused 5']));
  succeeded(
    await api.call(contract.worklists.endpoints.setStatus, { params: { id: item }, body: { status: 'in_progress' } }),
  );
  const second = await signed(item);
  expect(await statesOf(api, second)).toEqual(['ris refused 2']);
  await api.call(channels.endpoints.drop, { params: { id: await refusedIn(api) } });
  await eventually(async () => expect(await statesOf(api, id)).toEqual(['ris dropped 5']));
});

const refusedIn = async (api: Api): Promise<string> =>
  succeeded(
    await api.call(channels.endpoints.queue, { params: { channel: 'ris' }, query: { state: 'refused' } }),
  ).items.at(-1)!.id;

test('a document that goes nowhere says so, and one of another space is not found', async () => {
  const { api, signed } = await hospital();
  const id = await signed();
  expect(await shownOf(api, id)).toEqual([]);
  const client = await api.createClient();
  await api.createUser({ username: 'ana', password: 'ana-secret-1', space: client.space });
  const { access_token: token } = await api.tokens({ client, login: { username: 'ana', password: 'ana-secret-1' } });
  expect((await api.call(distribution.endpoints.ofRecord, { params: { id }, token })).status).toBe(404);
});

test('readers of records learn when a document arrives, is refused, retried or dropped, and of no attempt', async () => {
  const api = await startApi({ listen: true }, onTestFinished);
  const system = { status: 503 };
  const { url, asked, close } = await startHttpServer(() => system);
  onTestFinished(close);
  const body = { name: 'ris', kind: 'http-out', space, settings: { url: `${url}/in`, format: 'txt' } };
  succeeded(await api.call(channels.endpoints.add, { body }), 201);
  const heard: string[] = [];
  const ending = new AbortController();
  onTestFinished(() => ending.abort());
  const stream = await fetch(new URL('/api/v1/medical-records/events', api.server.url), {
    headers: { authorization: `Bearer ${api.token}` },
    signal: ending.signal,
  });
  const follow = async (): Promise<void> => {
    for await (const chunk of stream.body!) {
      const changes = Buffer.from(chunk)
        .toString()
        .matchAll(/"version":(\d+),"change":"(\w+)"/g);
      for (const [, version, change] of changes) heard.push(`${version} ${change}`);
    }
  };
  void follow().catch(() => undefined);
  const { id } = await api.generate({ text: dictated, worklist_item_id: await api.exam() });
  succeeded(await api.call(records.endpoints.update, { params: { id }, body: { status: 'final' } }));
  await eventually(() => expect(asked).toHaveLength(1));
  system.status = 400;
  await eventually(() => {
    api.clock.advance(5000);
    expect(heard.at(-1)).toBe('2 distributed');
  });
  expect(heard).toEqual(['1 generated', '2 signed', '2 distributed']);
  system.status = 201;
  succeeded(await api.call(channels.endpoints.retry, { params: { id: await messageOf(api, 'ris') } }));
  await eventually(() => expect(heard).toEqual(['1 generated', '2 signed', ...Array(3).fill('2 distributed')]));
  expect(await statesOf(api, id)).toEqual(['ris sent 2']);
});

test('a channel that is off, or that is added later, gets what was signed meanwhile', async () => {
  const { api, system, signed } = await hospital();
  await system('ris');
  succeeded(await api.call(channels.endpoints.change, { params: { channel: 'ris' }, body: { enabled: false } }));
  const id = await signed();
  expect(await statesOf(api, id)).toEqual(['ris waiting 2']);
  succeeded(await api.call(channels.endpoints.change, { params: { channel: 'ris' }, body: { enabled: true } }));
  await eventually(async () => expect(await statesOf(api, id)).toEqual(['ris sent 2']));

  await system('archive');
  const draft = await api.generate({ text: dictated, worklist_item_id: await api.exam() });
  const send = (body: Record<string, unknown>) =>
    api.call(channels.endpoints.send, { params: { channel: 'archive' }, body });
  const since = new Date(api.clock.now()).toISOString();
  expect(succeeded(await send({ since: new Date(api.clock.now() + 1).toISOString() }))).toEqual({ written: 0 });
  expect(succeeded(await send({ since }))).toEqual({ written: 1 });
  await eventually(async () => expect(await statesOf(api, id)).toEqual(['archive sent 2', 'ris sent 2']));
  // A second time nothing is missing; one that is named goes once more.
  expect(succeeded(await send({ since }))).toEqual({ written: 0 });
  expect(succeeded(await send({ record_id: id }))).toEqual({ written: 1 });
  expect((await send({ record_id: draft.id })).status).toBe(409);
  expect((await send({})).status).toBe(400);
  expect((await send({ since, record_id: id })).status).toBe(400);
});

test('each of two hospitals gets its own reports; reports without a channel are shown to the operator', async () => {
  const { api, system, signed } = await hospital();
  const takes: Readonly<Record<string, Record<string, unknown>>> = {
    north: { hospitals: ['hospital NORTE '] },
    south: { hospitals: ['Hospital Sul'], statuses: ['final'] },
    ct: { modalities: ['CT'], issuers: ['RIS-A'], sources: ['RIS-1'] },
  };
  for (const [name, settings] of Object.entries(takes)) {
    await system(name);
    succeeded(await api.call(channels.endpoints.change, { params: { channel: name }, body: { settings } }));
  }
  const of = async (fields: Record<string, unknown>, source?: string): Promise<string[]> => {
    const item = await api.exam(fields, source === undefined ? {} : { headers: { 'x-source-system': source } });
    return (await shownOf(api, await signed(item))).map(({ channel }) => channel);
  };
  expect(await of({ hospital_name: 'Hospital Norte' })).toEqual(['north']);
  expect(await of({ hospital_name: 'HOSPITAL SUL' })).toEqual(['south']);
  expect(await of({ hospital_name: 'Hospital Sul', accession_issuer: 'RIS-A' }, 'RIS-1')).toEqual(['ct', 'south']);
  expect(await of({ modality: 'MR', accession_issuer: 'RIS-A' }, 'RIS-1')).toEqual([]);
  expect(await of({ hospital_name: 'Another' })).toEqual([]);
  const untaken = api.logged.filter(({ event }) => event === 'report_taken_by_no_channel');
  expect(untaken).toHaveLength(2);
  expect(Object.keys(untaken[0]!).toSorted()).toEqual(['event', 'level', 'record_id']);
  const unknown = await api.call(channels.endpoints.change, {
    params: { channel: 'ct' },
    body: { settings: { modalities: ['CTT'] } },
  });
  expect(unknown.status).toBe(400);
});
