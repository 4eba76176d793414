/** fhir-in: all orders of a FHIR server come by a Bulk Data export. */
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { contract } from '../../../../src/contract/index.ts';
import { startApi, succeeded } from '../../../support/api.ts';
import type { Api } from '../../../support/api.ts';
import { eventually } from '../../../support/eventually.ts';
import { fhirChannelTo, order, patient } from '../../../support/fhir-channels.ts';
import { startFhirServer } from '../../../support/fhir-server.ts';
import { startHttpServer } from '../../../support/http-server.ts';

const { channels } = contract;
let api: Api;
// Each moves the time by as much as a login lasts.
beforeEach(async () => void (api = await startApi({ isPrompt: true })));

const channelTo = fhirChannelTo(() => api);

describe('an import by Bulk Data export', () => {
  const lines = (resources: readonly object[]): string => resources.map((each) => JSON.stringify(each)).join('\n');

  test('goes on after a restart and a failure, takes orders with their patients, and cancels those that were deleted', async () => {
    const server = await startFhirServer();
    server.put(patient);
    server.put(order('59'));
    const channel = await channelTo(server);
    await channel.after(async () => expect(await channel.exams()).toHaveLength(1));
    const other = { ...patient, id: 'p2', identifier: [{ value: 'P-2' }], birthDate: '1980-01-02' };
    const files: Record<string, string> = {
      '/files/orders-1': lines([order('51'), order('52', { subject: { reference: 'Patient/p2' } })]),
      '/files/orders-2': `not a line\n${lines([order('53')])}\n`,
      '/files/patients': lines([patient, other]),
      '/files/deleted': lines([
        {
          resourceType: 'Bundle',
          type: 'transaction',
          entry: [{ request: { method: 'DELETE', url: 'ServiceRequest/59' } }],
        },
      ]),
    };
    const file = (type: string, name: string) => ({ type, url: `${server.url}/files/${name}` });
    const manifest = {
      transactionTime: new Date(server.now).toISOString(),
      requiresAccessToken: true,
      output: [file('ServiceRequest', 'orders-1'), file('Patient', 'patients'), file('ServiceRequest', 'orders-2')],
      deleted: [file('Bundle', 'deleted')],
    };
    let isReady = false;
    let hasFailed = false;
    server.intervene = ({ pathname }) => {
      if (pathname === '/fhir/$export')
        return { status: 202, headers: { 'content-location': `${server.url}/export/1`, 'retry-after': '120' } };
      if (pathname === '/export/1') return isReady ? { status: 200, body: manifest } : { status: 202 };
      if (pathname === '/files/orders-2' && !hasFailed) {
        hasFailed = true;
        return { status: 500 };
      }
      const body = files[pathname];
      return body === undefined ? undefined : { status: 200, body };
    };
    const { params } = channel;
    const since = '2026-01-01T00:00:00.000Z';
    succeeded(await api.call(channels.endpoints.import, { params, body: { since } }), 202);
    const asked = (path: string): string[] => server.asked.filter((each) => each.startsWith(path));
    await channel.after(async () => expect(asked('/export/1').length).toBeGreaterThan(0));
    const [kickOff] = asked('/fhir/$export').map((each) => new URL(each, server.url).searchParams);
    expect(kickOff!.get('_since')).toBe(since);
    expect(kickOff!.get('_type')).toContain('ServiceRequest,Patient');
    for (const enabled of [false, true])
      succeeded(await api.call(channels.endpoints.change, { params, body: { enabled } }));
    isReady = true;
    await channel.after(async () => expect(hasFailed).toBe(true));
    await eventually(async () => expect((await channel.state()).error).toContain('The export goes on later'));
    await channel.after(async () => expect(await channel.exams()).toHaveLength(4));
    await channel.after(async () => expect((await channel.state()).error).toBeNull());
    const exams = await channel.exams();
    expect(exams.map((each) => [each.accession_number, each.patient_id, each.status]).toSorted()).toEqual([
      ['FH-51', 'P-1', 'new'],
      ['FH-52', 'P-2', 'new'],
      ['FH-53', 'P-1', 'new'],
      ['FH-59', 'P-1', 'cancelled'],
    ]);
    expect([asked('/fhir/$export').length, asked('/files/orders-1').length]).toEqual([1, 1]);
    expect(asked('/fhir/Patient/p2')).toEqual([]);
    const before = server.asked.length;
    await channel.after(async () => expect(server.asked.length).toBeGreaterThan(before));
    expect(asked('/files/orders-2')).toHaveLength(2);
  });

  test('reads files at a storage that the operator lists, with the token only if the server says so', async () => {
    const server = await startFhirServer();
    server.put(patient);
    const storage = await startHttpServer(({ query }) => ({
      body: JSON.stringify(order(query.has('signature') ? '71' : '72')),
    }));
    onTestFinished(() => storage.close());
    const tokens = () => new Set(storage.asked.map(({ headers }) => headers['authorization']));
    const channel = await channelTo(server, { token: 'the-token-of-the-server' });
    const { params } = channel;
    const readExport = async (url: string, requiresAccessToken: boolean): Promise<void> => {
      server.intervene = ({ pathname }) => {
        if (pathname === '/fhir/$export')
          return { status: 202, headers: { 'content-location': `${server.url}/export/1` } };
        const body = {
          transactionTime: new Date(server.now).toISOString(),
          requiresAccessToken,
          output: [{ type: 'ServiceRequest', url }],
        };
        return pathname === '/export/1' ? { status: 200, body } : undefined;
      };
      succeeded(await api.call(channels.endpoints.import, { params, body: {} }), 202);
    };
    await readExport(`${storage.url}/orders?signature=1`, false);
    const line = `laudio channel set ${params.channel} --set file_origins=${storage.url}`;
    await channel.after(async () => expect((await channel.state()).error).toContain(line));
    expect(storage.asked).toEqual([]);
    const settings = { file_origins: [storage.url] };
    succeeded(await api.call(channels.endpoints.change, { params, body: { settings } }));
    await channel.after(async () => expect(await channel.exams()).toMatchObject([{ accession_number: 'FH-71' }]));
    expect(tokens()).toEqual(new Set([undefined]));
    await readExport(`${storage.url}/orders`, true);
    await channel.after(async () => expect(await channel.exams()).toHaveLength(2));
    expect(tokens()).toContain('Bearer the-token-of-the-server');
  });

  test('is refused by other channels, and given up if the server has none', async () => {
    const server = await startFhirServer();
    let isBusy = true;
    server.intervene = ({ pathname }) => {
      if (pathname !== '/fhir/$export') return undefined;
      return isBusy ? { status: 429, headers: { 'retry-after': '600' } } : { status: 404 };
    };
    const asked = () => server.asked.filter((each) => each.startsWith('/fhir/$export')).length;
    const channel = await channelTo(server);
    succeeded(await api.call(channels.endpoints.import, { params: channel.params }), 202);
    await eventually(async () => {
      api.clock.advance(1000);
      expect(asked()).toBe(1);
    });
    for (let minute = 0; minute < 8; minute++) {
      api.clock.advance(60_000);
      await channel.test();
    }
    expect(asked()).toBe(1);
    isBusy = false;
    await channel.after(async () => {
      expect((await channel.state()).error).toContain('answered the export with 404');
    });
    await channel.after(async () => expect((await channel.state()).error).toBeNull());
    expect(asked()).toBe(2);
    const body = { name: 'other', kind: 'folder-out', settings: { path: '/nowhere' } };
    succeeded(await api.call(channels.endpoints.add, { body }), 201);
    expect((await api.call(channels.endpoints.import, { params: { channel: 'other' } })).status).toBe(400);
  });
});
