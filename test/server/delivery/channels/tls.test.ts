/** Channels by TLS with certificates of both sides, each against somebody else's program where there is one. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { connect as connectPlain } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { connect, getCiphers } from 'node:tls';
import type { ConnectionOptions, TLSSocket } from 'node:tls';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { contract } from '../../../../src/contract/index.ts';
import { commands } from '../../../../src/protocols/dimse/command.ts';
import { explicitLittleEndian, writeDataSet } from '../../../../src/protocols/dimse/data-set.ts';
import { agreementOn, associate, echo } from '../../../../src/protocols/dimse/request.ts';
import { examFields, startApi, succeeded } from '../../../support/api.ts';
import type { Api } from '../../../support/api.ts';
import { authority } from '../../../support/certificates.ts';
import type { Authority, Certified } from '../../../support/certificates.ts';
import { startOrthanc, startStorescp } from '../../../support/dicom-peers.ts';
import { eventually } from '../../../support/eventually.ts';
import { createOutbox } from '../../../support/outbox.ts';
import { temporaryDirectory } from '../../../support/temporary-directory.ts';

const { channels, worklists } = contract;
let api: Api;
beforeAll(async () => void (api = await startApi()));

const settingsOf = (authority: Certified, own: Certified) => ({
  tls_ca: authority.certificate,
  tls_certificate: own.certificate,
  tls_key: own.key,
});

let count = 0;
async function channel(kind: string, settings: Record<string, unknown>) {
  const name = `tls-${++count}`;
  const body = { name, kind, space: 'test_tc_local', settings };
  const added = succeeded(await api.call(channels.endpoints.add, { body }), 201);
  const params = { channel: name };
  return {
    added,
    params,
    state: async () => succeeded(await api.call(channels.endpoints.get, { params })).state,
    set: async (changes: Record<string, unknown>) =>
      succeeded(await api.call(channels.endpoints.change, { params, body: { settings: changes } })),
    works: async () => succeeded(await api.call(channels.endpoints.test, { params })),
    exams: async () => succeeded(await api.call(worklists.endpoints.list, { query: { source_system: name } })).items,
    logged: () => api.logged.filter((entry) => entry['channel'] === name),
  };
}

test('dicom-worklist asks Orthanc, and says what is wrong until it does', async () => {
  const ours = await authority();
  const own = await ours.sign();
  const { host, port, title, folder } = await startOrthanc({ authority: ours, own });
  const file = join(folder, 'one.wl');
  await writeFile(
    `${file}.dump`,
    '(0008,0050) SH [T-1]\n(0010,0010) PN [Test^Patient]\n(0010,0020) LO [P-1]\n(0010,0030) DA [19710614]\n(0010,0040) CS [F]\n(0032,1060) LO [CT]\n(0040,0100) SQ\n(fffe,e000) -\n(0008,0060) CS [CT]\n(0040,0001) AE [CT1]\n(0040,0002) DA [20260302]\n(0040,0003) TM [0830]\n(0040,0009) SH [1]\n(fffe,e00d) -\n(fffe,e0dd) -\n',
  );
  execFileSync('dump2dcm', ['-q', '-g', `${file}.dump`, file]);
  const peer = { host, port, called_title: title, time_zone: 'America/Sao_Paulo' };
  const { works, set, exams, state } = await channel('dicom-worklist', { ...peer, tls: true });
  expect(await works()).toMatchObject({ works: false, message: expect.stringContaining('Set tls_ca') });
  await eventually(async () => expect((await state()).error).toContain('Set tls_ca'));
  await set({ tls_ca: ours.certificate });
  expect(await works()).toMatchObject({ works: false, message: expect.stringContaining('tls_certificate') });
  await set({ ...settingsOf(ours, own), tls_server_name: 'ris.hospital.example' });
  expect(await works()).toMatchObject({ works: false, message: expect.stringContaining('tls_server_name') });
  await set({ tls_server_name: null });
  expect(await works()).toEqual({ works: true, message: 'ORTHANC answers.' });
  await eventually(async () => {
    api.clock.advance(60_000);
    expect((await exams()).map(({ accession_number }) => accession_number)).toEqual(['T-1']);
  });
});

test('dicom-out stores in dcmtk’s archive', async () => {
  const ours = await authority();
  const own = await ours.sign();
  const { host, port, title, folder } = await startStorescp({ authority: ours, own });
  const outbox = createOutbox();
  const settings = { host, port, called_title: title, ...settingsOf(ours, own) };
  const lone = await outbox.channel('dicom-out', { ...settings, tls_certificate: undefined, tls_key: undefined });
  await outbox.attach(lone);
  await outbox.document('A', 'F');
  await eventually(async () =>
    expect((await outbox.messages())[0]?.error?.message).toContain('Set tls_certificate and tls_key'),
  );
  const sender = await outbox.attach(await outbox.channel('dicom-out', settings));
  expect(await sender.test!(AbortSignal.timeout(10_000))).toBe('STORE answers.');
  await outbox.document('B', 'F');
  await eventually(async () => expect(await readdir(folder)).toHaveLength(1));
});

test('a channel that listens takes no suite without authenticated encryption, and no second handshake', async () => {
  const own = await (await authority()).sign();
  const { added } = await channel('hl7-in', { port: 0, tls_certificate: own.certificate, tls_key: own.key });
  const port = Number(/\d+$/.exec(added.state.address!)![0]);
  /** The suite that was agreed on, or why there is none. */
  const suiteOf = async (options: ConnectionOptions): Promise<{ socket: TLSSocket; suite: string }> => {
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false, ...options });
    onTestFinished(() => void socket.destroy());
    const suite = await once(socket, 'secureConnect').then(
      () => socket.getCipher().name,
      (error: NodeJS.ErrnoException) => error.code ?? error.message,
    );
    return { socket, suite };
  };
  const old = { maxVersion: 'TLSv1.2' } as const;
  const secretOnly = getCiphers()
    .map((name) => name.toUpperCase())
    .filter((name) => !/^TLS_|GCM|CHACHA20|POLY1305|^(?:PSK|RSA-PSK|SRP)/.test(name))
    .join(':');
  expect((await suiteOf({ ...old, ciphers: `${secretOnly}:@SECLEVEL=0` })).suite).toMatch(/HANDSHAKE_FAILURE/);
  expect((await suiteOf({ ...old, ciphers: 'AES128-GCM-SHA256:AES256-GCM-SHA384' })).suite).toMatch(
    /HANDSHAKE_FAILURE/,
  );
  expect((await suiteOf({})).suite).toMatch(/^TLS_/);
  const { socket } = await suiteOf(old);
  const second = Promise.race([
    new Promise((resolve) => socket.renegotiate({}, () => resolve('shaken'))),
    once(socket, 'close'),
  ]);
  socket.write('.');
  await expect(second).rejects.toThrow('no renegotiation');
});

const stepClass = '1.2.840.10008.3.1.2.3.3';

test('dicom-mpps hears modalities that show a certificate, on a host that others reach, too', async () => {
  const ours = await authority();
  const [server, modality] = [await ours.sign(), await ours.sign({ names: ['ct1'] })];
  const body = { items: [examFields({ accession_number: 'T-2' })] };
  succeeded(await api.call(worklists.endpoints.ingest, { body }));
  const own = { tls_certificate: server.certificate, tls_key: server.key };
  const open = { port: 0, host: '0.0.0.0', ...own };
  const careless = await channel('dicom-mpps', open);
  expect(careless.added.state).toMatchObject({ status: 'failed', error: expect.stringContaining('tls_client_ca') });
  const { added, state, logged } = await channel('dicom-mpps', { ...open, tls_client_ca: ours.certificate });
  expect(added.state).toMatchObject({ status: 'open' });
  const named = await channel('dicom-mpps', { ...open, peers: ['127.0.0.0/8'] });
  expect(named.added.state).toMatchObject({ status: 'open' });
  const port = Number(/\d+$/.exec(added.state.address!)![0]);
  const peer = { host: '127.0.0.1', port, calling: 'CT1', called: 'LAUDIO', silentMs: 20_000 };
  const signal = new AbortController().signal;
  await expect(echo(peer, signal)).rejects.toMatchObject({ hint: expect.stringContaining('Does it want TLS') });
  await eventually(async () => expect((await state()).error).toContain('it speaks no TLS there'));
  expect(logged()).toContainEqual(expect.objectContaining({ event: 'modality_failed', address: '127.0.0.1' }));
  const tls = { ca: Buffer.from(ours.cert), cert: Buffer.from(modality.cert), key: Buffer.from(modality.pem) };
  const wanted = [{ abstractSyntax: stepClass, transferSyntaxes: [explicitLittleEndian] }];
  const association = await associate({ ...peer, tls }, wanted, signal);
  const { id } = agreementOn(association, stepClass, 'steps');
  await association.send(
    id,
    { field: commands.createRequest, affectedClass: stepClass, affectedInstance: '1.2.9.1', messageId: 1 },
    writeDataSet(
      [
        ['00400252', 'CS', 'IN PROGRESS'],
        ['00400270', 'SQ', [[['00080050', 'SH', 'T-2']]]],
      ],
      explicitLittleEndian,
    ),
  );
  expect((await association.next())?.command.status).toBe(0);
  const [exam] = succeeded(await api.call(worklists.endpoints.list, { query: { q: 'T-2' } })).items;
  expect(exam).toMatchObject({ exam_status: 'in_progress' });
  expect(await state()).toMatchObject({ error: null });
  // A step of one modality doesn't help another one that can't connect.
  const stranger = connectPlain({ host: '127.0.0.1', port, localAddress: '127.0.0.2' });
  onTestFinished(() => void stranger.destroy());
  stranger.write('No TLS');
  await eventually(async () => expect((await state()).error).toContain('it speaks no TLS there'));
  await association.send(
    id,
    { field: commands.setRequest, requestedClass: stepClass, requestedInstance: '1.2.9.1', messageId: 2 },
    writeDataSet([['00400252', 'CS', 'COMPLETED']], explicitLittleEndian),
  );
  expect((await association.next())?.command.status).toBe(0);
  await association.release();
  expect((await state()).error).toContain('it speaks no TLS there');
});

/** A web server that wants certificates of the authority, and tells whose it saw. */
async function webServer(ours: Authority, answer: (url: string) => { status?: number; body?: unknown; to?: string }) {
  const own = await ours.sign();
  const asked: string[] = [];
  const server = createServer(
    { key: own.pem, cert: own.cert, ca: ours.cert, requestCert: true, rejectUnauthorized: true },
    (request, response) => {
      const { subject } = (request.socket as TLSSocket).getPeerCertificate();
      asked.push(`${subject.CN} ${request.url}`);
      const { status = 200, body = {}, to } = answer(request.url!);
      request.resume();
      response.writeHead(status, {
        'content-type': 'application/fhir+json',
        ...(to !== undefined && { location: to }),
      });
      response.end(JSON.stringify(body));
    },
  );
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `https://localhost:${(server.address() as AddressInfo).port}`, asked };
}

test('fhir-in shows its certificate to the server and its token endpoint, and to nobody else', async () => {
  const ours = await authority();
  const own = await ours.sign({ names: ['laudio'] });
  const other = await webServer(ours, () => ({}));
  const server = await webServer(ours, (url) => {
    if (url === '/token') return { body: { access_token: 'given', token_type: 'bearer', expires_in: 300 } };
    if (url.startsWith('/fhir/metadata')) return { body: { resourceType: 'CapabilityStatement' } };
    const link = [{ relation: 'next', url: `${other.url}/fhir/ServiceRequest` }];
    return { body: { resourceType: 'Bundle', type: 'searchset', link, entry: [] } };
  });
  const login = { token_url: `${server.url}/token`, client_id: 'laudio', private_key: own.pem };
  const { works, set, state } = await channel('fhir-in', { base_url: `${server.url}/fhir`, ...login });
  expect(await works()).toMatchObject({ works: false, message: expect.stringContaining('Set tls_ca') });
  await set({ tls_ca: ours.certificate });
  expect(await works()).toMatchObject({ works: false, message: expect.stringContaining('tls_certificate') });
  await set(settingsOf(ours, own));
  expect(await works()).toMatchObject({ works: true });
  await eventually(async () => expect((await state()).error).toContain('leads to'));
  expect(server.asked).toContain('laudio /token');
  expect(server.asked).toContain('laudio /fhir/metadata');
  expect(other.asked).toEqual([]);
  await set({ base_url: 'http://localhost/fhir' });
  expect((await state()).error).toContain('base_url does not begin with https://');
});

test.each(['http-out', 'fhir-out'])('%s shows its certificate, and follows no redirect with it', async (kind) => {
  const ours = await authority();
  const own = await ours.sign({ names: ['laudio'] });
  const other = await webServer(ours, () => ({}));
  let to: string | undefined;
  const server = await webServer(ours, () => (to === undefined ? { status: 200 } : { status: 307, to }));
  const outbox = createOutbox();
  const address = { [kind === 'http-out' ? 'url' : 'base_url']: server.url };
  const stranger = await outbox.channel(kind, { ...address, ...settingsOf(await authority('Another'), own) });
  await outbox.attach(stranger);
  await outbox.document('A', 'F');
  await eventually(async () => expect((await outbox.messages())[0]?.error?.message).toContain('Set tls_ca'));
  const good = await outbox.channel(kind, { ...address, ...settingsOf(ours, own) });
  await outbox.attach(good);
  const last = async () => (await outbox.messages()).findLast(({ channel_id }) => channel_id === good.id);
  await outbox.document('B', 'F');
  await eventually(async () => expect(await last()).toMatchObject({ state: 'delivered' }));
  to = `${other.url}/elsewhere`;
  await outbox.document('C', 'F');
  await eventually(async () => expect(await last()).toMatchObject({ state: 'refused', error: { code: 'HTTP_307' } }));
  expect(server.asked.every((each) => each.startsWith('laudio '))).toBe(true);
  expect(other.asked).toEqual([]);
});

test('files that are not what they should be are named, and never quoted', async () => {
  const ours = await authority();
  const own = await ours.sign();
  const other = await ours.sign();
  const wrong = join(await temporaryDirectory(), 'wrong');
  await writeFile(wrong, `${own.pem}\nnot a certificate\n`);
  const broken = `${wrong}-2`;
  await writeFile(broken, '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n');
  const der = `${wrong}-3`;
  await writeFile(der, Buffer.from(own.cert.replaceAll(/-.*-|\s/g, ''), 'base64'));
  const cases: [Record<string, string>, string][] = [
    [{ tls_ca: '/nowhere' }, 'The file of tls_ca cannot be read.'],
    [{ tls_ca: wrong }, 'The file of tls_ca holds no certificate in PEM.'],
    [{ tls_ca: der }, 'openssl x509 -inform der'],
    [{ tls_ca: broken }, 'The file of tls_ca holds a certificate that cannot be read.'],
    [{ tls_certificate: own.certificate }, 'tls_certificate and tls_key belong together.'],
    [{ tls_certificate: own.certificate, tls_key: own.certificate }, 'The file of tls_key holds no private key'],
    [{ tls_certificate: own.certificate, tls_key: other.key }, 'tls_key is not the private key of the first'],
  ];
  const peers = {
    'hl7-out': { host: '127.0.0.1', port: 1 },
    'dicom-out': { host: '127.0.0.1', port: 1, called_title: 'X' },
    'http-out': { url: 'https://localhost:1' },
  };
  for (const [kind, peer] of Object.entries(peers)) {
    for (const [settings, why] of cases) {
      const { added } = await channel(kind, { ...peer, ...settings });
      expect(added.state).toMatchObject({ status: 'failed', error: expect.stringContaining(why) });
    }
  }
  const { added } = await channel('dicom-mpps', { port: 0, tls_client_ca: ours.certificate });
  expect(added.state.error).toBe('tls_client_ca needs tls_certificate and tls_key.');
  expect(JSON.stringify(api.logged)).not.toContain('PRIVATE KEY');
});
