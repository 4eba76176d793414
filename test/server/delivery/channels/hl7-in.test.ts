import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { connect as connectTls } from 'node:tls';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as fc from '../../../support/properties.ts';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { AppError } from '../../../../src/contract/errors.ts';
import { contract } from '../../../../src/contract/index.ts';
import { framed, Frames } from '../../../../src/protocols/mllp/frames.ts';
import { startApi, succeeded } from '../../../support/api.ts';
import type { Api } from '../../../support/api.ts';
import { eventually } from '../../../support/eventually.ts';
import { field, hl7Channels, segment } from '../../../support/hl7-channels.ts';
import { connectMllp, mllpPeer, orderMessage } from '../../../support/mllp.ts';
import { run } from '../../../support/process.ts';
import { temporaryDirectory } from '../../../support/temporary-directory.ts';
import { controlledStore } from '../../http/controlled-store.ts';

const { channels, worklists } = contract;
const storage = controlledStore();
let api: Api;
beforeAll(async () => void (api = await startApi({ store: storage.between, timeZone: 'Asia/Kolkata' })));

const { listening, examOf } = hl7Channels(() => api);
let badCount = 0;

test('python3-hl7’s mllp_send has its orders taken', async () => {
  const { address, queue } = await listening();
  const file = join(await temporaryDirectory(), 'orders.hl7');
  await writeFile(file, ['1', '2'].map((id) => orderMessage({ id: `P-${id}`, accession: `H-P${id}` })).join(''));
  const [host, port] = address.split(':') as [string, string];
  const { code, stdout } = await run('mllp_send', ['--loose', '-f', file, '-p', port, host]);
  expect(code).toBe(0);
  expect(stdout.match(/MSA\|AA\|P-\d/g)).toEqual(['MSA|AA|P-1', 'MSA|AA|P-2']);
  expect((await queue()).map(({ state }) => state)).toEqual(['taken', 'taken']);
});

describe('an order', () => {
  test.each([
    ['server', undefined, '+05:30'],
    ['mapping', { time_zone: 'Asia/Tokyo' }, '+09:00'],
  ])('has the zone of the %s where neither the message nor the settings name one', async (whose, mapping, offset) => {
    const { peer } = await listening({ time_zone: undefined }, mapping);
    await peer.ask(orderMessage({ id: `Z-${whose}`, accession: `H-Z${whose}` }).replace('-0300', ''));
    expect(await examOf(`H-Z${whose}`)).toMatchObject({ exam_datetime: `2026-03-02T09:30:00${offset}` });
  });

  test('is stored before it is acknowledged, with the sender’s names swapped', async () => {
    const { peer, queue, name } = await listening();
    const answer = await peer.ask(orderMessage({ id: 'M-1', accession: 'H-1', charset: 'UNICODE UTF-8' }));
    expect(await examOf('H-1')).toMatchObject({
      patient_id: 'P1',
      modality: 'CT',
      exam_datetime: '2026-03-02T09:30:00-03:00',
      source_system: name,
    });
    expect(segment(answer, 'MSA')).toEqual(['MSA', 'AA', 'M-1']);
    expect(segment(answer, 'ERR')).toEqual([]);
    expect([3, 4, 5, 6].map((number) => field(answer, 'MSH', number))).toEqual(['LAUDIO', 'HSL', 'RIS', 'HSL']);
    expect(field(answer, 'MSH', 9)).toBe('ACK^O01^ACK');
    expect(field(answer, 'MSH', 10)).toMatch(/^ACK[0-9A-F]{16}$/);
    expect(field(answer, 'MSH', 18)).toBe('UNICODE UTF-8');
    expect(await queue()).toMatchObject([{ state: 'taken', key: 'RIS|HSL|M-1', changes: { inserted: 1 } }]);
  });

  test('that comes again gets the acknowledgement of before, over another connection too', async () => {
    const { peer, connect, queue } = await listening();
    const message = orderMessage({ id: 'M-2', accession: 'H-2' });
    const first = await peer.ask(message);
    api.clock.advance(60_000);
    expect(await (await connect()).ask(message)).toBe(first);
    expect(await queue()).toHaveLength(1);
    // The same id with other bytes is another message.
    expect(segment(await peer.ask(orderMessage({ id: 'M-2', accession: 'H-3' })), 'MSA')).toEqual(['MSA', 'AA', 'M-2']);
    expect(await examOf('H-3')).toBeDefined();
    expect((await queue())[0]!.warnings.join()).toContain('same id');
  });

  test('of many over one connection leaves nothing behind at the connection', async () => {
    const warnings: string[] = [];
    const note = ({ name }: Error): void => void warnings.push(name);
    process.on('warning', note);
    onTestFinished(() => void process.off('warning', note));
    const { peer, queue } = await listening();
    for (let n = 0; n < 20; n++) await peer.ask(orderMessage({ id: `L-${n}`, accession: `H-L${n}` }));
    expect(await queue()).toHaveLength(20);
    expect(warnings).not.toContain('MaxListenersExceededWarning');
  });

  test('that comes later than one that was made after it changes nothing, its status neither', async () => {
    const { peer, queue } = await listening();
    const made = (at: string, message: string): string => message.replace('20260302083000-0300', at);
    await peer.ask(made('20260302080000-0300', orderMessage({ id: '1', accession: 'H-9' })));
    await peer.ask(made('20260302080200-0300', orderMessage({ id: '2', accession: 'H-9', control: 'XO' })));
    const late = made('20260302080100-0300', orderMessage({ id: '3', accession: 'H-9', control: 'CA' }));
    expect(segment(await peer.ask(late), 'MSA')).toEqual(['MSA', 'AA', '3']);
    expect((await examOf('H-9'))!.status).toBe('new');
    expect((await queue())[0]).toMatchObject({
      state: 'taken',
      warnings: ['A later message about the exam arrived before; nothing changed.'],
    });
  });

  test('is cancelled and placed again, with history; a second order keeps the exam', async () => {
    const { peer, queue } = await listening();
    await peer.ask(orderMessage({ id: '1', accession: 'H-4' }));
    await peer.ask(orderMessage({ id: '2', accession: 'H-4', control: 'CA' }));
    const exam = (await examOf('H-4'))!;
    expect(exam.status).toBe('cancelled');
    await peer.ask(orderMessage({ id: '3', accession: 'H-4', control: 'NW' }));
    expect((await examOf('H-4'))!.status).toBe('new');
    const history = succeeded(await api.call(worklists.endpoints.history, { params: { id: exam.id } })).items;
    expect(history.map(({ from, to }) => `${from} ${to}`)).toEqual(['cancelled new', 'new cancelled']);
    const other = orderMessage({ id: '4', accession: 'H-4', control: 'CA' }).replaceAll('|PL-', '|OTHER-');
    expect(segment(await peer.ask(other), 'MSA')).toEqual(['MSA', 'AA', '4']);
    expect((await examOf('H-4'))!.status).toBe('new');
    expect((await queue())[0]).toMatchObject({ state: 'taken', warnings: ['Another order of the exam is in force.'] });
  });

  test('of another patient under a known accession number is refused, and kept for somebody to look at', async () => {
    const { peer, queue, params } = await listening();
    await peer.ask(orderMessage({ id: '1', accession: 'H-5' }));
    const answer = await peer.ask(orderMessage({ id: '2', accession: 'H-5', patient: 'P2', name: 'SAMPLE^PATIENT' }));
    expect(segment(answer, 'MSA').slice(0, 3)).toEqual(['MSA', 'AE', '2']);
    expect([2, 3, 4].map((number) => field(answer, 'ERR', number))).toEqual([
      'PID^1^3^1^1',
      '205^Duplicate key identifier^HL70357',
      'E',
    ]);
    expect(answer).not.toContain('SAMPLE');
    expect((await examOf('H-5'))!.patient_id).toBe('P1');
    const [message] = await queue();
    expect(message).toMatchObject({ state: 'refused', error: { code: 'PATIENT_MISMATCH', place: 'PID-3.1' } });
    expect(message).not.toHaveProperty('content');
    const shown = await api.call(channels.endpoints.message, { params: { id: message!.id }, query: { content: true } });
    expect(Buffer.from((succeeded(shown) as { content?: string }).content!, 'base64').toString()).toContain('SAMPLE');
    expect(succeeded(await api.call(channels.endpoints.get, { params })).counts.refused).toBe(1);
  });

  test('of another patient under the number of an order that was cancelled is placed for the right one', async () => {
    const { peer } = await listening();
    const right = { patient: 'P2', name: 'SAMPLE^PATIENT' };
    await peer.ask(orderMessage({ id: '1', accession: 'H-80' }));
    await peer.ask(orderMessage({ id: '2', accession: 'H-80', control: 'CA' }));
    // A change places nothing.
    expect(field(await peer.ask(orderMessage({ id: '3', accession: 'H-80', control: 'XO', ...right })), 'MSA', 1)).toBe(
      'AE',
    );
    expect(field(await peer.ask(orderMessage({ id: '4', accession: 'H-80', ...right })), 'MSA', 1)).toBe('AA');
    const exam = (await examOf('H-80'))!;
    expect(exam).toMatchObject({ patient_id: 'P2', patient_name: 'SAMPLE^PATIENT', status: 'new' });
    const history = succeeded(await api.call(worklists.endpoints.history, { params: { id: exam.id } })).items;
    expect(history.flatMap(({ changes = [] }) => changes)).toContainEqual({
      field: 'patient_id',
      before: 'P1',
      after: 'P2',
    });
    // The order of before, however often it is repeated, takes nothing back.
    expect(field(await peer.ask(orderMessage({ id: '5', accession: 'H-80' })), 'MSA', 1)).toBe('AE');
    expect((await examOf('H-80'))!.patient_id).toBe('P2');
  });

  test('of another patient is taken when the operator says that the message is right, for that message alone', async () => {
    const { peer, queue } = await listening();
    await peer.ask(orderMessage({ id: '1', accession: 'H-81' }));
    await peer.ask(orderMessage({ id: '2', accession: 'H-81', patient: 'P2', name: 'SAMPLE^PATIENT' }));
    const [message] = await queue();
    const params = { id: message!.id };
    expect(message!.error!.hint).toContain('--accept-patient-change');
    expect(succeeded(await api.call(channels.endpoints.retry, { params })).state).toBe('refused');
    const query = { accept_patient_change: true };
    const accepted = succeeded(await api.call(channels.endpoints.retry, { params, query }));
    expect(accepted).toMatchObject({ state: 'taken', warnings: [expect.stringContaining('another patient’s now')] });
    expect(await examOf('H-81')).toMatchObject({ patient_id: 'P2', patient_name: 'SAMPLE^PATIENT' });
  });

  test('in Latin-1, in UTF-8 declared as Latin-1, and with its own separators is read and answered in kind', async () => {
    const { peer, queue } = await listening();
    const latin = Buffer.from(
      orderMessage({ id: '1', accession: 'H-6', name: 'PACIENTE^ANÔNIMO', charset: '8859/1' }),
      'latin1',
    );
    expect(field(await peer.ask(latin), 'MSA', 1)).toBe('AA');
    expect((await examOf('H-6'))!.patient_name).toBe('PACIENTE^ANÔNIMO');
    const utf8 = orderMessage({ id: '2', accession: 'H-7', name: 'PACIENTE^ANÔNIMO', charset: '8859/1' });
    expect(field(await peer.ask(utf8), 'MSA', 1)).toBe('AA');
    expect((await examOf('H-7'))!.patient_name).toBe('PACIENTE^ANÔNIMO');
    // The id is 中1, and the sender 亅, whose second byte is that of a separator.
    const chinese = orderMessage({ id: '\u00d6\u00d01', accession: 'H-9', charset: 'GB 18030-2000' });
    const named = chinese.replace('|RIS|', '|\u0081||');
    expect(field(await peer.ask(Buffer.from(named, 'latin1')), 'MSA', 1)).toBe('AA');
    expect((await queue())[0]!.key).toBe('亅|HSL|中1');
    expect((await examOf('H-9'))!.patient_name).toBe('TESTE^PACIENTE');
    const own = orderMessage({ id: '3', accession: 'H-8' }).replaceAll('|', '#').replaceAll('^', '%');
    const answer = await peer.ask(own.replace('%~', '%~'));
    expect(answer).toMatch(/^MSH#%~\\&#LAUDIO#HSL#RIS#HSL#/);
    expect(answer).toContain('\rMSA#AA#3\r');
  });
});

test('a message that a new mapping repairs is then accepted, with all refused before it', async () => {
  const { peer, queue, params } = await listening();
  const odd = orderMessage({ id: '1', accession: 'H-70' }).replace('||||||CT\r', '||||||XYZ\r');
  const answer = await peer.ask(odd);
  expect([field(answer, 'MSA', 1), field(answer, 'ERR', 8)]).toEqual(['AE', expect.stringContaining('"XYZ": "CR"')]);
  const change = (mapping: Record<string, unknown>) =>
    api.call(channels.endpoints.change, { params, body: { mapping } });
  const refused = await change({ nonsense: 1 });
  expect([refused.status, refused.error.details.errors[0]!.field]).toEqual([400, 'mapping.nonsense']);
  succeeded(await change({ values: { modality: { XYZ: 'CR' } } }));
  expect(succeeded(await api.call(channels.endpoints.retryAll, { params }))).toEqual({ retried: 1, refused: 0 });
  expect(await examOf('H-70')).toMatchObject({ modality: 'CR' });
  // A sender that repeats what was refused, and sends nothing else until then, goes on.
  const { state } = succeeded(await api.call(channels.endpoints.get, { params }));
  const again = await connectMllp(state.address!);
  onTestFinished(() => again.close());
  expect(field(await again.ask(odd), 'MSA', 1)).toBe('AA');
  expect((await queue()).map(({ state }) => state)).toEqual(['taken']);
});

test('a message without a modality names the line of the mapping; dropped, it is done for a sender that repeats it', async () => {
  const { peer, queue } = await listening();
  const odd = orderMessage({ id: '1', accession: 'H-71' }).replace('||||||CT\r', '\r').replace('TC', 'Exame');
  expect(field(await peer.ask(odd), 'MSA', 1)).toBe('AE');
  const [message] = await queue();
  expect(message!.error).toMatchObject({
    code: 'FIELD_REQUIRED',
    hint: expect.stringMatching(/"fields": \{"modality": \[.* or \{"defaults": \{"modality"/),
  });
  succeeded(await api.call(channels.endpoints.drop, { params: { id: message!.id } }));
  expect(field(await peer.ask(odd), 'MSA', 1)).toBe('AA');
  expect(await queue()).toMatchObject([{ state: 'dropped' }]);
});

describe('a patient', () => {
  const adt = (event: string, id: string, segments: readonly string[]): string =>
    [`MSH|^~\\&|RIS|HSL|LAUDIO|HSL|20260302083000||ADT^${event}|${id}|P|2.5.1`, 'EVN||20260302', ...segments, ''].join(
      '\r',
    );

  test('a corrected patient is corrected in open exams, a merged one brings all exams along, with history', async () => {
    const { peer, queue } = await listening();
    await peer.ask(orderMessage({ id: '1', accession: 'H-20', patient: 'OLD' }));
    await peer.ask(orderMessage({ id: '2', accession: 'H-21', patient: 'NEW' }));
    const corrected = adt('A08', '3', ['PID|||OLD^^^HSL||DEMO^PATIENT||19800102|F']);
    expect(field(await peer.ask(corrected), 'MSA', 1)).toBe('AA');
    expect(await examOf('H-20')).toMatchObject({
      patient_name: 'DEMO^PATIENT',
      display_name: expect.stringMatching(/Demo/i),
    });
    const merged = adt('A40', '4', ['PID|||NEW^^^HSL||TESTE^PACIENTE||19800102|F', 'MRG|OLD^^^HSL']);
    expect(field(await peer.ask(merged), 'MSA', 1)).toBe('AA');
    const exam = (await examOf('H-20'))!;
    expect(exam).toMatchObject({ patient_id: 'NEW', patient_name: 'TESTE^PACIENTE' });
    const history = succeeded(await api.call(worklists.endpoints.history, { params: { id: exam.id } })).items;
    expect(history[0]).toMatchObject({
      reason: expect.stringContaining('A40'),
      changes: expect.arrayContaining([{ field: 'patient_id', before: 'OLD', after: 'NEW' }]),
    });
    // The id of another issuer is another patient’s.
    await peer.ask(adt('A40', '5', ['PID|||X^^^HSL||SAMPLE^PATIENT||19800102|F', 'MRG|NEW^^^OTHER']));
    expect((await examOf('H-20'))!.patient_id).toBe('NEW');
    expect((await queue())[0]).toMatchObject({ state: 'taken', warnings: [expect.stringContaining('No open exam')] });
  });

  test('without an issuer is nobody where patients of several issuers have the id', async () => {
    const { peer } = await listening();
    await peer.ask(orderMessage({ id: '1', accession: 'H-60', patient: 'S1' }));
    await peer.ask(orderMessage({ id: '2', accession: 'H-61', patient: 'S1' }).replace('S1^^^HSL', 'S1^^^OTHER'));
    const changes = [
      adt('A08', '3', ['PID|||S1||SAMPLE^PATIENT||19900101|F']),
      adt('A40', '4', ['PID|||S9^^^HSL||SAMPLE^PATIENT||19900101|F', 'MRG|S1']),
    ];
    for (const change of changes) {
      const answer = await peer.ask(change);
      expect([field(answer, 'MSA', 1), field(answer, 'ERR', 8)]).toEqual(['AE', expect.stringContaining('issuer')]);
    }
    for (const exam of ['H-60', 'H-61']) {
      expect(await examOf(exam)).toMatchObject({ patient_id: 'S1', patient_birth_date: '1980-01-02' });
    }
  });

  test('without an issuer is merged where the name that is given up is that of the exam', async () => {
    const { peer, queue } = await listening();
    await peer.ask(orderMessage({ id: '1', accession: 'H-62', patient: 'S2' }).replace('S2^^^HSL', 'S2'));
    const merge = (id: string, name: string) =>
      adt('A40', id, ['PID|||S3^^^HSL||DEMO^PATIENT||19800102|F', `MRG|S2^^^OTHER||||||${name}`]);
    await peer.ask(merge('2', 'SAMPLE^PATIENT'));
    expect((await examOf('H-62'))!.patient_id).toBe('S2');
    expect((await queue())[0]!.warnings.join()).toContain('may belong to another patient');
    await peer.ask(merge('3', 'TESTE^PACIENTE'));
    expect((await examOf('H-62'))!.patient_id).toBe('S3');
  });

  test('without an issuer is corrected unless name and birth date say that it is another one', async () => {
    const { peer, queue } = await listening();
    await peer.ask(orderMessage({ id: '1', accession: 'H-63', patient: 'S4' }).replace('S4^^^HSL', 'S4'));
    await peer.ask(adt('A08', '2', ['PID|||S4^^^OTHER||SAMPLE^PATIENT||19900101|F']));
    expect(await examOf('H-63')).toMatchObject({ patient_name: 'TESTE^PACIENTE', patient_birth_date: '1980-01-02' });
    expect((await queue())[0]!.warnings.join()).toContain('may belong to another patient');
    await peer.ask(adt('A08', '3', ['PID|||S4^^^HSL||TESTE^PACIENTE||19900101|F']));
    expect(await examOf('H-63')).toMatchObject({ patient_birth_date: '1990-01-01' });
    await peer.ask(adt('A08', '4', ['PID|||S4^^^HSL||SAMPLE^PATIENT||19910101|F']));
    expect(await examOf('H-63')).toMatchObject({ patient_name: 'SAMPLE^PATIENT', patient_birth_date: '1991-01-01' });
  });

  test('a merged patient stays merged, even if messages continue with the former id', async () => {
    const { peer, queue } = await listening();
    await peer.ask(orderMessage({ id: '1', accession: 'H-64', patient: 'S5' }));
    await peer.ask(adt('A40', '2', ['PID|||S6^^^HX||DEMO^PATIENT||19800102|F', 'MRG|S5^^^HSL']));
    for (const [id, name] of Object.entries({ 3: 'TESTE^PACIENTE', 4: 'DEMO^PATIENT' })) {
      const late = orderMessage({ id, accession: 'H-64', patient: 'S5', name, control: 'XO' });
      expect(field(await peer.ask(late.replace('TC de torax', `TC ${id}`)), 'MSA', 1)).toBe('AA');
      expect((await queue())[0]!.warnings.join()).toContain('given up by a merge');
      expect(await examOf('H-64')).toMatchObject({
        patient_id: 'S6',
        patient_name: 'DEMO^PATIENT',
        exam_description: `TC ${id}`,
        metadata: { patient_id_issuer: 'HX' },
      });
    }
    const other = orderMessage({ id: '5', accession: 'H-64', patient: 'S7', name: 'SAMPLE^PATIENT' });
    expect(field(await peer.ask(other), 'MSA', 1)).toBe('AE');
  });
});

describe('the store', () => {
  test('that takes nothing has the sender repeat, and loses and doubles nothing', async () => {
    const { peer, queue } = await listening({ answer_seconds: 2 });
    const message = orderMessage({ id: '1', accession: 'H-40' });
    storage.fail(new AppError('STORAGE_UNAVAILABLE'));
    const asked = peer.ask(message);
    await eventually(async () => {
      api.clock.advance(500);
      expect(await Promise.race([asked, undefined])).toBeDefined();
    });
    storage.recover();
    const answer = await asked;
    expect([field(answer, 'MSA', 1), field(answer, 'ERR', 3)]).toEqual([
      'AR',
      '207^Application internal error^HL70357',
    ]);
    expect(await examOf('H-40')).toBeUndefined();
    expect(field(await peer.ask(message), 'MSA', 1)).toBe('AA');
    expect(await queue()).toHaveLength(1);
  });

  test('that hangs has the sender repeat too; what it takes afterwards is taken once', async () => {
    const { peer, connect, queue } = await listening({ answer_seconds: 2 });
    const message = orderMessage({ id: '1', accession: 'H-41' });
    const reached = storage.hold();
    const asked = peer.ask(message);
    await reached;
    await eventually(async () => {
      api.clock.advance(500);
      expect(await Promise.race([asked, undefined])).toBeDefined();
    });
    expect(field(await asked, 'MSA', 1)).toBe('AR');
    storage.release();
    expect(field(await (await connect()).ask(message), 'MSA', 1)).toBe('AA');
    expect(await queue()).toHaveLength(1);
  });
});

describe('a connection', () => {
  test('gets answers in order, however its messages are split or joined', async () => {
    const { peer } = await listening();
    const bytes = Buffer.concat(
      ['1', '2', '3'].map((id) => framed(Buffer.from(orderMessage({ id, accession: `H-5${id}` })))),
    );
    for (const at of [10, 300, bytes.length])
      peer.socket.write(bytes.subarray(at === 10 ? 0 : at === 300 ? 10 : 300, at));
    for (const id of ['1', '2', '3']) expect(field(await peer.answer(), 'MSA', 2)).toBe(id);
  });

  test('of a stranger, or one too many, is refused', async () => {
    const few = await listening({ max_connections: 1 });
    const second = await few.connect();
    expect(await second.answer()).toBeUndefined();
    expect(few.logged()).toContain('hl7_too_many_connections');
    const strict = await listening({ peers: ['10.0.0.0/8', '192.0.2.7'] });
    expect(await strict.peer.answer()).toBeUndefined();
    expect(strict.logged()).toContain('hl7_peer_refused');
  });

  test('by TLS needs the sender’s certificate where one is asked for', async () => {
    const tls = (name: string): string => fileURLToPath(new URL(`../../../support/tls/${name}`, import.meta.url));
    const [tls_certificate, tls_key] = [tls('proxy.pem'), tls('proxy.key')];
    const { address } = await listening({ tls_certificate, tls_key, tls_client_ca: tls_certificate });
    const { hostname, port } = new URL(`tcp://${address}`);
    const [cert, key] = [tls_certificate, tls_key].map((path) => readFileSync(path));
    const trusting = { host: hostname, port: Number(port), ca: cert, servername: 'localhost' };
    const known = connectTls({ ...trusting, cert, key });
    await once(known, 'secureConnect');
    const peer = mllpPeer(known);
    expect(field(await peer.ask(orderMessage({ id: '1', accession: 'H-60' })), 'MSA', 1)).toBe('AA');
    peer.close();
    const unknown = mllpPeer(connectTls(trusting));
    expect(await unknown.answer()).toBeUndefined();
    expect(await examOf('H-60')).toBeDefined();
    const plain = await listening();
    connectTls({ host: hostname, port: Number(plain.address.split(':')[1]) }).on('error', () => undefined);
    await eventually(async () => expect(plain.logged()).toContain('hl7_speaks_tls'));
  });

  test.each([
    [{ host: '0.0.0.0' }, 'peers'],
    [{ peers: ['nonsense'] }, 'nonsense'],
    [{ tls_certificate: '/nowhere' }, 'belong together'],
  ])('cannot be made with %j, and the channel says why', async (settings, why) => {
    const body = { name: `bad-${++badCount}`, kind: 'hl7-in', settings: { port: 0, ...settings } };
    const { state } = succeeded(await api.call(channels.endpoints.add, { body }), 201);
    expect(state).toMatchObject({ status: 'failed', error: expect.stringContaining(why) });
  });
});

test('frames are found however the bytes are split, and what is outside of them is not', () => {
  const message = fc
    .uint8Array({ maxLength: 50 })
    .map((bytes) => Buffer.from(bytes.map((byte) => (byte === 0x0b || byte === 0x1c ? 0 : byte))));
  fc.assert(
    fc.property(fc.array(message, { maxLength: 6 }), fc.array(fc.nat(400), { maxLength: 8 }), (messages, cuts) => {
      const bytes = Buffer.concat(messages.map((each) => framed(each)));
      const frames = new Frames(1000);
      const found: Buffer[] = [];
      let at = 0;
      for (const end of [...cuts.toSorted((a, b) => a - b), bytes.length]) {
        for (const each of frames.push(bytes.subarray(at, end))) if (each.kind === 'message') found.push(each.bytes);
        at = Math.max(at, Math.min(end, bytes.length));
      }
      expect(found).toEqual(messages);
    }),
    { numRuns: 200 },
  );
  const kinds = (limit: number, text: string) =>
    Array.from(new Frames(limit).push(Buffer.from(text)), ({ kind }) => kind);
  expect(kinds(10, '\vabc\vdef\x1c\r')).toEqual(['cut_off', 'message']);
  expect(kinds(2, '\vabc\x1c\r')).toEqual(['too_large']);
  expect(kinds(10, `\r\n${'x'.repeat(1025)}`)).toEqual(['stranger']);
});
