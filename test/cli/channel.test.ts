/** `laudio channel`: channels as an operator sets them up, and their other ends as the simulators are. */
import { once } from 'node:events';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Message } from '../../src/contract/channel-message.ts';
import type { Channel } from '../../src/contract/channel.ts';
import { systemClock } from '../../src/node/clock.ts';
import { authority } from '../support/certificates.ts';
import { createServedCli, samples } from '../support/cli.ts';
import type { Cli } from '../support/cli.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { castAt, reportOf } from '../support/viewer.ts';

let cli: Cli;
beforeAll(async () => void (cli = await createServedCli()));
afterAll(() => cli.close());

const channel = <T = Channel>(...words: string[]) => cli.json<T>(['channel', ...words]);
const said = async (...words: string[]) => cli.call(['channel', ...words]);
/** A simulator that other systems reach by now: its port, and what it says at its end. */
async function simulated(kind: string, ...words: string[]) {
  const port = String(await freePort());
  const ended = said('simulate', kind, '--listen', port, ...words);
  const reached = eventually(async () => {
    const socket = connect(Number(port), '127.0.0.1');
    await once(socket, 'connect').finally(() => socket.destroy());
  });
  await Promise.race([ended, reached]);
  return { port, ended };
}
const space = ['--space', 'test_tc_local'];
async function signDocument(item: string): Promise<void> {
  const words = ['record', 'generate', '--text', '-', '--item', item, '--language', 'en-US'];
  const record = await cli.json<{ id: string }>(words, { input: 'Test Patient. Findings: none. Impression: normal.' });
  await cli.json(['record', 'edit', record.id, '--sign']);
}

describe('channel', () => {
  test("'kinds' lists all kinds, and the settings of one", async () => {
    expect((await said('kinds')).stdout).toMatch(/^hl7-in\tin\t.+\n(?:.+\n)*folder-in\tin\t/);
    expect((await said('kinds', 'hl7-in')).stdout).toMatch(/^port \(needed\)\tinteger\t/);
    expect(await said('kinds', 'nonsense')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Kinds are hl7-in'),
    });
  });

  test("'list', 'show' and 'test' show how many days certificates remain valid", async () => {
    const { certificate, key } = await (await authority()).sign({ until: 5.5 });
    const files = ['--set', `tls_certificate=${certificate}`, '--set', `tls_key=${key}`];
    await said('add', 'hl7-in', 'safe', '--set', 'port=0', ...files, ...space);
    expect((await said('list')).stdout).toMatch(/^safe\thl7-in\topen\t.*\t0\t0\t\t5 d\n/m);
    expect((await said('show', 'safe')).stdout).toMatch(/^Until \(tls_certificate\)\t.*, 5 days left$/m);
    expect((await said('test', 'safe')).stderr).toContain('The certificate of tls_certificate ends in 5 days');
    await said('remove', 'safe', '--yes');
  });

  test("'add', 'list', 'show', 'set', 'disable', 'enable', 'test' and 'remove' one", async () => {
    expect((await said('add', 'hl7-in', 'ris', '--set', 'port=0', ...space)).stdout).toMatch(
      /^Name\tris\n.*\nKind\thl7-in\nState\topen\n/,
    );
    expect((await said('list')).stdout).toMatch(/^ris\thl7-in\topen\t127\.0\.0\.1:\d+\ttest_tc_local\t\t\t0\t0\t\t\n$/);
    expect((await channel('show', 'ris')).settings).toMatchObject({ port: 0, host: '127.0.0.1' });
    expect(
      (await channel('set', 'ris', '--set', 'peers=127.0.0.1,10.0.0.0/8', '--set', 'max_kib=64')).settings,
    ).toMatchObject({
      peers: ['127.0.0.1', '10.0.0.0/8'],
      max_kib: 64,
    });
    expect((await channel('set', 'ris', '--set', 'peers=', '--rename', 'ris-2')).settings).not.toHaveProperty('peers');
    expect((await channel('disable', 'ris-2')).state.status).toBe('off');
    expect(await said('test', 'ris-2')).toMatchObject({ code: 9, stderr: expect.stringContaining('is off') });
    expect((await channel('enable', 'ris-2')).state.status).toBe('open');
    expect((await said('test', 'ris-2')).code).toBe(0);
    expect((await said('remove', 'ris-2')).stderr).toContain('--yes is needed');
    expect((await said('remove', 'ris-2', '--yes')).code).toBe(0);
    expect(await channel('list')).toEqual([]);
  });

  test('a setting that cannot be is refused by name', async () => {
    for (const [words, code, why] of [
      [['add', 'hl7-in', 'x', '--set', 'port'], 2, 'NAME=VALUE'],
      [['add', 'hl7-in', 'x', '--set', 'port=many'], 6, 'port'],
      [['add', 'hl7-in', 'x'], 6, 'port is required'],
      [['add', 'nonsense', 'x'], 2, 'is not a kind'],
      [['add', 'hl7-in', 'x', '--set', 'formats=hl7'], 2, 'laudio channel kinds hl7-in lists its settings'],
      [['show', 'nothing'], 3, 'There is no such channel'],
      [['set', 'nothing'], 3, 'There is no such channel'],
      [['retry'], 2, 'Name messages'],
      [['send', 'nothing'], 2, 'Give either --since or --record'],
      [['send', 'nothing', '--since', 'lately'], 2, '--since takes an instant'],
    ] as const) {
      const ended = await said(...words);
      expect([ended.code, ended.stderr], words.join(' ')).toEqual([code, expect.stringContaining(why)]);
    }
  });
});

describe("'simulate'", () => {
  test('hl7-in sends orders with faults, and each exam is there once', async () => {
    await channel('add', 'hl7-in', 'feed', '--set', 'port=0', ...space);
    const { stdout, code } = await said(
      'simulate',
      'hl7-in',
      '--channel',
      'feed',
      '--count',
      '3',
      '--fault',
      'split,repeat,broken,charset',
    );
    expect(code).toBe(0);
    expect(stdout.match(/\tAA\t/g)).toHaveLength(6);
    expect(await channel<Message[]>('queue', 'feed')).toHaveLength(3);
    const items = await cli.json<{ accession_number: string }[]>(['worklist', 'list', '--q', 'SIM']);
    expect(items).toHaveLength(3);
    // What it sends of a file goes byte for byte.
    const file = join(samples, 'worklists', 'batch.hl7');
    expect((await said('simulate', 'hl7-in', '--channel', 'feed', '--file', file)).stdout).toMatch(/\tAA\t/);
    expect((await said('simulate', 'hl7-in', '--channel', 'feed', '--fault', 'x')).stderr).toContain(
      'Faults are split',
    );
  });

  test("a refused message is listed by 'queue', shown by 'message', and settled by 'retry' or 'drop'", async () => {
    const bad =
      'MSH|^~\\&|RIS|HSL|L|H|20260302||ORM^O01|BAD1|P|2.5.1||||||8859/1\rPID|||1||TESTE^PACIENTE^ANTÔNIO\rORC|NW\rOBR|1||||||||||||||||||A9\r';
    await writeFile(join(cli.directory, 'bad.hl7'), bad, 'latin1');
    await channel('add', 'hl7-in', 'strict', '--set', 'port=0', ...space);
    const { stdout } = await said('simulate', 'hl7-in', '--channel', 'strict', '--file', 'bad.hl7');
    expect(stdout).toMatch(/\tAE\t/);
    const [message] = await channel<Message[]>('queue', 'strict', '--state', 'refused');
    const id = message!.id;
    expect((await said('message', id)).stdout).not.toContain('PACIENTE');
    expect((await said('message', id, '--content')).stdout).toContain('PACIENTE^ANTÔNIO');
    const found = await cli.call(['channel', 'messages', '--by', 'control', '--state', 'refused'], { input: 'BAD1\n' });
    expect(found.stdout).toMatch(new RegExp(`^${id}\t.*\trefused\tRIS\\|HSL\\|BAD1\t1\t\t`, 'm'));
    expect((await said('message', id, '--output', 'bad-again.hl7')).code).toBe(0);
    expect(await readFile(join(cli.directory, 'bad-again.hl7'), 'latin1')).toBe(bad);
    expect(await channel('retry', id, id)).toEqual({ retried: 1, refused: 1 });
    expect((await channel<Message>('retry', id)).state).toBe('refused');
    expect(await channel('retry', '--all', 'strict')).toEqual({ retried: 1, refused: 1 });
    expect((await channel<Message>('drop', id)).state).toBe('dropped');
    expect((await said('drop', id)).code).toBe(11);
  });

  test('folder-in lays files, also in two parts', async () => {
    const path = join(cli.directory, 'inbox');
    await mkdir(path);
    await channel(
      'add',
      'folder-in',
      'inbox',
      '--set',
      `path=${path}`,
      '--set',
      'interval_seconds=1',
      '--set',
      'stable_seconds=1',
      ...space,
    );
    expect((await said('simulate', 'folder-in', '--channel', 'inbox', '--count', '2')).code).toBe(0);
    await eventually(async () => expect(await readdir(join(path, 'done'))).toHaveLength(2));
  });

  test('hl7-out acknowledges messages that hl7-in would accept', async () => {
    const { port, ended } = await simulated('hl7-out', '--count', '2', '--fault', 'busy,once');
    const sent = await said('simulate', 'hl7-in', '--to', port, '--count', '2');
    expect(sent.stdout).toMatch(/\tAR\t.*207[^]*\tAA\t/);
    expect((await ended).stdout).toMatch(/^1\tORM.*\tAR\t[^]*\n2\tORM.*\tAA\t/);
  });

  test('fhir-in is a FHIR server whose orders a channel takes, page by page', async () => {
    const orders = () => cli.json<unknown[]>(['worklist', 'list', '--q', 'SIM', '--limit', '100']);
    const before = (await orders()).length;
    const { port, ended } = await simulated('fhir-in', '--count', '3', '--fault', 'pages,plain');
    await channel('add', 'fhir-in', 'ehr', '--set', `base_url=http://127.0.0.1:${port}/fhir`, ...space);
    const { code, stdout } = await ended;
    expect(stdout).toMatch(/\t400\t.*refused on purpose\n(?:.*\t200\t1 of 3\n){3}$/);
    expect(code).toBe(0);
    await eventually(async () => expect(await orders()).toHaveLength(before + 3));
    expect(await said('import', 'ehr', '--since', '1h')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('The import was requested') as string,
    });
    expect((await said('import', 'feed')).stderr).toContain('must be of kind fhir-in');
  });

  test.each([
    ['r4b', [], 'event-notification'],
    ['r5', ['--fault', 'lost'], 'heartbeat'],
  ])('fhir-in notifies a Subscription of its last order, in the form of %s', async (form, faults, type) => {
    const orders = () => cli.json<unknown[]>(['worklist', 'list', '--q', 'SIM', '--limit', '100']);
    const before = (await orders()).length;
    const { port, ended } = await simulated('fhir-in', '--count', '2', ...faults);
    const { server } = await cli.json<{ server: string }>(['token']);
    const settings = [
      `base_url=http://127.0.0.1:${port}/fhir`,
      'interval_seconds=86400',
      `subscribe=${form}`,
      'subscription_topic=http://ris.example.org/topics/orders',
      `hook_url=${server.replace(/\/$/, '')}`,
    ].flatMap((each) => ['--set', each]);
    const words = ['channel', 'add', 'fhir-in', `notified-${form}`, ...settings, '--secret', 'hook_token'];
    await cli.json([...words, '--secret-stdin', ...space], { input: 'a-token-of-the-hook\n' });
    const { stdout } = await ended;
    expect(stdout).toMatch(/POST Subscription\t201\tR\d\n(?:.*\n)*\d\thandshake\t200\tevents so far: 0\n/);
    expect(stdout).toMatch(new RegExp(`\t${type}\t200\tevents so far: 1\n`));
    await eventually(async () => expect(await orders()).toHaveLength(before + 2));
    await said('remove', `notified-${form}`, '--yes');
  });

  test('fhir-out, http-out and folder-out take a signed document, the last two at once and the first after a fault', async () => {
    const path = join(cli.directory, 'reports');
    await mkdir(path);
    const fhir = await simulated('fhir-out', '--count', '2', '--fault', 'busy,once');
    const http = await simulated('http-out', '--count', '1');
    const reading = said('simulate', 'folder-out', '--to', path, '--count', '1');
    const base = `base_url=http://127.0.0.1:${fhir.port}/fhir`;
    await channel('add', 'fhir-out', 'archive', '--set', base, '--set', 'mode=transaction', ...space);
    await channel('add', 'http-out', 'portal', '--set', `url=http://127.0.0.1:${http.port}/{record_id}`, ...space);
    await channel('add', 'folder-out', 'files', '--set', `path=${path}`, '--set', 'format=txt', ...space);
    const [item] = await cli.json<{ id: string }[]>(['worklist', 'list', '--q', 'SIM']);
    await signDocument(item!.id);
    const [reports, requests, files] = await Promise.all([fhir.ended, http.ended, reading]);
    expect(reports.stdout).toMatch(/\t503\t[^]*\n2\tPOST transaction\t200\tSIM-\S+ final\n$/);
    expect(requests.stdout).toMatch(/^1\tPOST application\/fhir\+json\t201\tSIM-\S+ final \d+ bytes\n$/);
    expect(files.stdout).toMatch(/^1\trec_\w+\.\d+\.txt\ttaken\t\d+ bytes\n$/);
    expect(await readdir(path)).toEqual([]);

    // One that is added later gets it when the operator says so, and once.
    await channel('add', 'folder-out', 'late', '--set', `path=${path}`, ...space);
    expect((await said('send', 'late', '--since', '1h')).stderr).toContain('Sending 1 record');
    await eventually(async () => expect(await readdir(path)).toHaveLength(1));
    expect((await said('send', 'late', '--since', '1h')).stderr).toContain('Sending 0 records');
  });

  test('dicom-worklist, dicom-mpps and dicom-out: exams are ordered, made, and their documents stored', async () => {
    const orders = () => cli.json<{ id: string; exam_status: string | null }[]>(['worklist', 'list', '--q', 'SIM-']);
    const before = (await orders()).length;
    const worklist = await simulated('dicom-worklist', '--count', '2');
    const peer = (port: string) => ['--set', 'host=127.0.0.1', '--set', `port=${port}`, '--set', 'called_title=SIM'];
    await channel('add', 'dicom-worklist', 'mwl', ...peer(worklist.port), ...space);
    expect((await worklist.ended).stdout).toMatch(/^1\tC-FIND \d+-\d+\t0000\t2 of 2\n$/);
    await eventually(async () => expect(await orders()).toHaveLength(before + 2));

    await channel('add', 'dicom-worklist-provider', 'modalities', '--set', 'port=0', ...space);
    const taken = await said('simulate', 'dicom-worklist-provider', '--channel', 'modalities', '--count', '1');
    expect(taken.stdout).toMatch(
      /^1\tC-FIND\t0000\t1 exam\n2\tN-CREATE IN PROGRESS\t0000\tSIM-\S+\n3\tN-SET COMPLETED\t0000\tSIM-\S+\n$/,
    );

    await channel('add', 'dicom-mpps', 'mpps', '--set', 'port=0', ...space);
    const made = await said('simulate', 'dicom-mpps', '--channel', 'mpps', '--count', '2', '--fault', 'repeat');
    expect(made.stdout).toMatch(
      /^(?:\d\tN-CREATE IN PROGRESS\t0000\tSIM-\S+\n){2}(?:.+\n){4}(?:\d\tN-SET COMPLETED\t.+\n){2}$/,
    );
    const [first] = await orders();
    expect(first!.exam_status).toBe('completed');

    const archive = await simulated('dicom-out', '--count', '2', '--fault', 'busy,once');
    await channel('add', 'dicom-out', 'pacs', ...peer(archive.port), ...space);
    await signDocument(first!.id);
    expect((await archive.ended).stdout).toMatch(
      /^1\tC-STORE Encapsulated PDF\tA700\tSIM-\S+ \d+ bytes\n2\tC-STORE Encapsulated PDF\t0000\t/,
    );
  });

  test.each([
    ['dicom-pacs', (port: string) => ['host=127.0.0.1', `port=${port}`, 'called_title=SIM'], /C-GET\t0000\tOLD-SIM1/],
    ['dicomweb-pacs', (port: string) => [`base_url=http://127.0.0.1:${port}/dicom-web`], /WADO-RS\t200\tOLD-SIM1/],
  ])('%s: an exam gets its study, and a former report', async (kind, settings, fetched) => {
    const orders = () =>
      cli.json<{ id: string; accession_number: string; study_uid: string | null }[]>([
        'worklist',
        'list',
        '--q',
        'SIM-',
      ]);
    const known = new Set((await orders()).map(({ id }) => id));
    await channel('add', 'hl7-in', `feed-${kind}`, '--set', 'port=0', ...space);
    await said('simulate', 'hl7-in', '--channel', `feed-${kind}`, '--count', '2');
    const simulator = await simulated(kind, '--count', '2');
    await channel(
      'add',
      kind,
      `asks-${kind}`,
      ...settings(simulator.port).flatMap((each) => ['--set', each]),
      ...space,
    );
    expect((await simulator.ended).stdout).toMatch(fetched);
    await eventually(async () => {
      const order = (await orders()).find(
        ({ id, accession_number }) => !known.has(id) && accession_number.endsWith('-1'),
      );
      expect(order!.study_uid).toMatch(/^2\.25\./);
      const found = await cli.json<{ source_system: string }[]>(['prior', 'list', '--item', order!.id]);
      expect(found.map((prior) => prior.source_system)).toContain(`asks-${kind}`);
    });
    await channel('disable', `asks-${kind}`);
  });

  test('dicom-pacs: a report that the PACS does not give hinders no other question', async () => {
    await channel('add', 'hl7-in', 'feed-missing', '--set', 'port=0', ...space);
    await said('simulate', 'hl7-in', '--channel', 'feed-missing', '--count', '2');
    const port = String(await freePort());
    const listen = ['--listen', port, '--fault', 'missing'];
    const simulator = cli.startHere(['channel', 'simulate', 'dicom-pacs', ...listen]);
    const peer = ['host=127.0.0.1', `port=${port}`, 'called_title=SIM'].flatMap((each) => ['--set', each]);
    await channel('add', 'dicom-pacs', 'asks-missing', ...peer, ...space);
    const named = () => cli.written.join('').match(/report_not_given/g) ?? [];
    // Each patient has one.
    await eventually(async () => expect(named().length).toBeGreaterThanOrEqual(2));
    expect((await channel('show', 'asks-missing')).state).toMatchObject({ status: 'open', error: null });
    await channel('remove', 'asks-missing', '--yes');
    expect((await simulator.end('SIGINT')).stdout).toMatch(/C-GET\tA702\tnothing/);
  });

  test('over TLS, with certificates on both sides', async () => {
    const ours = await authority();
    const [own, other] = [await ours.sign(), await ours.sign()];
    const set = (...settings: string[]) => settings.flatMap((each) => ['--set', each]);
    const shown = set(`tls_certificate=${own.certificate}`, `tls_key=${own.key}`);
    const files = ['--tls-ca', ours.certificate, '--tls-certificate', other.certificate, '--tls-key', other.key];

    const listening = [...set('port=0', `tls_client_ca=${ours.certificate}`), ...shown, ...space];
    await channel('add', 'hl7-in', 'safe-feed', ...listening);
    const orders = await said('simulate', 'hl7-in', '--channel', 'safe-feed', '--count', '1', ...files);
    expect(orders.stdout).toMatch(/\tAA\t/);
    await channel('add', 'dicom-mpps', 'safe-mpps', ...listening);
    const steps = await said('simulate', 'dicom-mpps', '--channel', 'safe-mpps', '--count', '1', ...files);
    expect(steps.stdout).toMatch(/N-SET COMPLETED\t0000/);
    const unshown = await said('simulate', 'dicom-mpps', '--channel', 'safe-mpps', '--tls-ca', ours.certificate);
    expect(unshown.stderr).toContain('certificate');

    const calling = [...set(`tls_ca=${ours.certificate}`), ...shown, ...space];
    const worklist = await simulated('dicom-worklist', '--count', '1', ...files);
    const peer = set('host=localhost', `port=${worklist.port}`, 'called_title=SIM');
    await channel('add', 'dicom-worklist', 'safe-mwl', ...peer, ...calling);
    expect((await worklist.ended).stdout).toMatch(/C-FIND .*\t0000\t1 of 1/);
    const fhir = await simulated('fhir-in', '--count', '2', '--fault', 'pages', ...files);
    const base = set(`base_url=https://localhost:${fhir.port}/fhir`);
    await channel('add', 'fhir-in', 'safe-ehr', ...base, ...calling);
    // The next page is by TLS, too.
    expect((await fhir.ended).stdout).toMatch(/(?:\t200\t1 of 2\n.*){2}/);
    const ris = await simulated('hl7-out', '--count', '1', ...files);
    await channel('add', 'hl7-out', 'safe-ris', ...set('host=localhost', `port=${ris.port}`), ...calling);
    expect(await said('test', 'safe-ris')).toMatchObject({ code: 0, stderr: expect.stringContaining('accepts') });
    expect((await said('simulate', 'hl7-in', '--to', ris.port, '--count', '1', ...files)).stdout).toMatch(/\tAA\t/);
    await ris.ended;
    await channel('disable', 'safe-ris');
    expect((await said('simulate', 'hl7-out', '--tls-ca', ours.certificate)).stderr).toContain('--tls-certificate');
  });

  test.each(['hl7-out', 'http-out', 'dicom-out'])('%s says why it cannot listen', async (kind) => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    expect(await said('simulate', kind, '--listen', String(port))).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(new RegExp(`Port ${port} is in use\\.[^]*--listen`)),
    });
    server.close();
    expect(await said('simulate', kind, '--listen', '203.0.113.9:0')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('does not have the address 203.0.113.9'),
    });
  });

  test('fhir-in serves the requested number of orders, and fhir-out answers invalid transactions', async () => {
    const order = (id: string) => ({ resource: { resourceType: 'ServiceRequest', id } });
    const file = join(cli.directory, 'orders.json');
    await writeFile(file, JSON.stringify({ resourceType: 'Bundle', entry: [order('a'), order('b'), order('c')] }));
    const provider = await simulated('fhir-in', '--file', file, '--count', '2');
    const orders = await fetch(`http://127.0.0.1:${provider.port}/fhir/ServiceRequest`);
    expect(await orders.json()).toMatchObject({ total: 2, entry: [order('a'), order('b')] });
    expect((await provider.ended).stdout).toMatch(/\t200\t2 of 2\n$/);

    const receiver = await simulated('fhir-out', '--count', '2');
    const statuses = ['{}', '{"entry": 5}'].map(async (members) => {
      const body = JSON.stringify({ resourceType: 'Bundle', type: 'transaction', ...JSON.parse(members) });
      return (await fetch(`http://127.0.0.1:${receiver.port}/fhir`, { method: 'POST', body })).status;
    });
    expect(await Promise.all(statuses)).toEqual([200, 400]);
    expect((await receiver.ended).stdout).toContain('\t400\tnot understood\n');
  });

  test('fhir-in exports its orders as files, and webhook is told of reports', async () => {
    const provider = await simulated('fhir-in', '--count', '1');
    const server = `http://127.0.0.1:${provider.port}/fhir/$export`;
    const at = (await fetch(server)).headers.get('content-location')!;
    expect((await fetch(at)).status).toBe(202);
    const { output } = (await (await fetch(at)).json()) as { output: { type: string; url: string }[] };
    const files = await Promise.all(output.map(async ({ url }) => (await fetch(url)).text()));
    expect(output.map(({ type }) => type)).toEqual(['Patient', 'ServiceRequest']);
    expect(files.map((each) => (JSON.parse(each) as { resourceType: string }).resourceType)).toEqual(
      output.map(({ type }) => type),
    );
    expect((await provider.ended).stdout).toMatch(/file ServiceRequest\t200\t1 lines\n/);

    const receiver = await simulated('webhook', '--count', '2', '--fault', 'busy,once');
    const url = `http://127.0.0.1:${receiver.port}/hook`;
    const status = { resourceType: 'Parameters', parameter: [{ name: 'type', valueCode: 'event-notification' }] };
    const entry = [{ resource: status }, { fullUrl: 'http://laudio/fhir/DiagnosticReport/rec-1' }];
    for (const body of [
      { type: 'webhook.test', data: {} },
      { resourceType: 'Bundle', entry },
    ])
      await fetch(url, { method: 'POST', body: JSON.stringify(body) });
    expect((await receiver.ended).stdout).toMatch(/webhook\.test\t503\t.*\n2\tevent-notification\t204\trec-1\n$/);
  });

  test('a simulator refuses options that mean nothing to it', async () => {
    expect(await said('simulate', 'dicom-out', '--file', 'x')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/does not take --file[^]*--listen, --count, [^]*--fault/),
    });
  });
});

test("'try' shows what another mapping would make of the messages", async () => {
  await said('add', 'hl7-in', 'tried', '--set', 'port=0', ...space);
  await said('simulate', 'hl7-in', '--channel', 'tried', '--count', '1');
  const file = join(cli.directory, 'tried.json');
  await writeFile(file, JSON.stringify({ parts: { accession_number: { separator: '-', take: 1 } } }));
  const { code, stdout } = await said('try', 'tried', '--mapping', file);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^msg_\w+\tchanged\texam 1: accession_number\tSIM-[^\t]+\tSIM\n$/m);
  await writeFile(file, JSON.stringify({ part: {} }));
  expect(await said('try', 'tried', '--mapping', file)).toMatchObject({
    code: 6,
    stderr: expect.stringContaining('Did you mean parts?') as string,
  });
  await said('remove', 'tried', '--yes');
});

test("'simulate fhircast' is a viewer: it opens an exam, and measures in the report that another application opens", async () => {
  await cli.json(['worklist', 'ingest', join(samples, 'worklist.json')]);
  const { server, access_token: token } = await cli.json<{ server: string; access_token: string }>(['token']);
  const { hub } = await cli.json<{ hub: { topic: string } }>(['api', '/api/oauth/validate']);
  const cast = castAt({ server: { url: server }, clock: systemClock }, { token, topic: hub.topic });
  const creator = await cast.join('ImagingStudy-open,DiagnosticReport-update,DiagnosticReport-select,SyncError');
  const heard = (name: string) => creator.hears(({ event }) => event?.['hub.event'] === name);
  const ended = said('simulate', 'fhircast');
  const { event } = await heard('ImagingStudy-open');
  await cast.send('DiagnosticReport-open', [reportOf('r1'), ...event!.context]);
  await heard('DiagnosticReport-select');
  expect(JSON.stringify((await heard('DiagnosticReport-update')).event)).toContain('12.4');
  expect(await ended).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/ImagingStudy-open\tDiagnosticReport-open/),
  });
  // The report creator can't follow.
  const again = said('simulate', 'fhircast', '--fault', 'unknown', '--count', '1');
  const opened = await creator.hears((each) => JSON.stringify(each.event?.context ?? []).includes('UNKNOWN-0'));
  const coding = [{ system: 'https://fhircast.hl7.org/events/syncerror/subscribername', code: 'Laudio' }];
  const issue = [{ severity: 'warning', code: 'processing', diagnostics: 'Not here.', details: { coding } }];
  await cast.send('SyncError', [{ key: 'operationoutcome', resource: { resourceType: 'OperationOutcome', issue } }]);
  const isAfter = (each: (typeof creator.said)[number]) => creator.said.indexOf(each) > creator.said.indexOf(opened);
  await creator.hears((each) => isAfter(each) && each.event?.['hub.event'] === 'ImagingStudy-open');
  await cast.send('DiagnosticReport-open', [reportOf('r2'), ...event!.context]);
  expect((await again).stdout).toContain('SyncError\tNot here.');
});
