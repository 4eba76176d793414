/** hl7-in: frames and encodings as systems really send them, what is not for us, and why a message is refused. */
import * as fc from '../../../support/properties.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { contract } from '../../../../src/contract/index.ts';
import { framed } from '../../../../src/protocols/mllp/frames.ts';
import { startApi, succeeded } from '../../../support/api.ts';
import type { Api } from '../../../support/api.ts';
import { eventually } from '../../../support/eventually.ts';
import { field, hl7Channels, segment } from '../../../support/hl7-channels.ts';
import { orderMessage } from '../../../support/mllp.ts';

const { channels } = contract;
let api: Api;
beforeAll(async () => void (api = await startApi({ timeZone: 'Asia/Kolkata' })));
const { listening, examOf } = hl7Channels(() => api);

describe('however a message is framed and encoded, one acknowledgement says what was done', () => {
  const bom = '\ufeff';
  const utf16le = (text: string) => Buffer.from(text, 'utf16le');
  const utf16be = (text: string) => utf16le(text).swap16();
  /** By a letter and an accession number for each. */
  const forms: Readonly<Record<string, (message: string) => Buffer>> = {
    'a byte order mark': (message) => Buffer.from(bom + message),
    'line ends before it': (message) => Buffer.from(`\r\n\n${message}`),
    'blanks and a mark before it': (message) => Buffer.from(`\r\n ${bom}${message}`),
    'lines that end with LF': (message) => Buffer.from(message.replaceAll('\r', '\n')),
    'a word before it': (message) => Buffer.from(`HELLO\r${message}`),
    'UTF-16, little endian': (message) => utf16le(bom + message),
    'UTF-16, big endian': (message) => utf16be(bom + message),
    'UTF-16 without a mark': (message) => utf16le(message),
    'UTF-16 big endian without a mark': (message) => utf16be(message),
    'UTF-16 of the frame as well': (message) => Buffer.concat([Buffer.of(0), utf16le(message)]),
    'a batch': (message) => Buffer.from(`BHS|^~\\&|RIS|HSL\r${message}BTS|1\r`),
    'a file of batches': (message) => Buffer.from(`FHS|^~\\&|RIS\rBHS|^~\\&|RIS|HSL\r${message}BTS|1\rFTS|1\r`),
    'a batch without a trailer': (message) => Buffer.from(`BHS|^~\\&|RIS|HSL\r${message}`),
    'a batch in UTF-16': (message) => utf16le(`${bom}BHS|^~\\&|RIS|HSL\r${message}BTS|1\r`),
    'a wrong MSH-18': (message) => Buffer.from(message.replace('UNICODE UTF-8', '8859/15')),
    'an unknown MSH-18': (message) => Buffer.from(message.replace('UNICODE UTF-8', 'UNICODE UTF-16')),
  };

  test.each(Object.entries(forms))('%s', async (form, write) => {
    const { peer, queue, params } = await listening();
    const accession = `F-${Object.keys(forms).indexOf(form)}`;
    const sent = write(orderMessage({ id: accession, accession, name: 'PACIENTE^ANÔNIMO', charset: 'UNICODE UTF-8' }));
    const first = await peer.ask(sent);
    expect([field(first, 'MSA', 1), field(first, 'MSA', 2), segment(first, 'ERR')]).toEqual(['AA', accession, []]);
    expect((await examOf(accession))!.patient_name).toBe('PACIENTE^ANÔNIMO');
    expect(await peer.ask(sent)).toBe(first);
    expect((await queue()).map(({ state }) => state)).toEqual(['taken']);
    // Nothing else was answered in between.
    expect(field(await peer.ask(orderMessage({ id: 'next', accession })), 'MSA', 2)).toBe('next');
    expect(succeeded(await api.call(channels.endpoints.retryAll, { params }))).toEqual({ retried: 0, refused: 0 });
  });

  test('a stored refused message is read in the same way when it is retried', async () => {
    const { peer, queue, params } = await listening();
    const odd = (id: number) =>
      orderMessage({ id: `R${id}`, accession: `F-R${id}`, name: 'PACIENTE^ANÔNIMO', charset: 'UNICODE UTF-8' }).replace(
        '||||||CT\r',
        '||||||XYZ\r',
      );
    const written = Object.values(forms).map((write, at) => write(odd(at)));
    for (const sent of written) {
      const answer = await peer.ask(sent);
      expect([field(answer, 'MSA', 1), field(answer, 'ERR', 3).split('^')[0]]).toEqual(['AE', '103']);
    }
    succeeded(
      await api.call(channels.endpoints.change, { params, body: { mapping: { values: { modality: { XYZ: 'CR' } } } } }),
    );
    const retried = succeeded(await api.call(channels.endpoints.retryAll, { params }));
    expect(retried).toEqual({ retried: written.length, refused: 0 });
    for (const [at] of written.entries()) expect((await examOf(`F-R${at}`))!.patient_name).toBe('PACIENTE^ANÔNIMO');
    expect((await queue()).every(({ state }) => state === 'taken')).toBe(true);
  });

  test('a batch of several is taken message by message, and its acknowledgement names those that were not', async () => {
    const { peer, queue } = await listening();
    const order = (id: string, more: Parameters<typeof orderMessage>[0] = {}) =>
      orderMessage({ id, accession: `F-${id}`, ...more });
    const batch = (messages: readonly string[], count = messages.length) =>
      `BHS|^~\\&|RIS|HSL|||||||BATCH-${messages.length}\r${messages.join('')}BTS|${count}\r`;
    const whole = batch([order('B1'), order('B2')]);
    const done = await peer.ask(whole);
    expect(segment(done, 'MSA')).toEqual(['MSA', 'AA', 'BATCH-2']);
    expect([await examOf('F-B1'), await examOf('F-B2')].map((exam) => exam?.status)).toEqual(['new', 'new']);
    expect(segment(await peer.ask(whole), 'MSA')).toEqual(['MSA', 'AA', 'BATCH-2']);
    expect(await queue()).toHaveLength(2);

    const mixed = [
      order('B3'),
      order('B4').replace('|||P1^^^HSL', '||'),
      order('B5').replace('ORM^O01^ORM_O01', 'MFN^M02'),
    ];
    const partly = await peer.ask(batch(mixed));
    expect(segment(partly, 'MSA')).toEqual(['MSA', 'AE', 'BATCH-3']);
    const errors = partly.split('\r').filter((line) => line.startsWith('ERR'));
    expect(errors.map((line) => [line.split('|')[3]!.split('^')[0], /Message (\w+)/.exec(line)?.[1]])).toEqual([
      ['101', 'B4'],
      ['200', 'B5'],
    ]);
    expect(await examOf('F-B3')).toBeDefined();

    const short = await peer.ask(batch([order('B6')], 2));
    expect([field(short, 'MSA', 1), field(short, 'ERR', 8)]).toEqual(['AE', expect.stringContaining('BTS counts 2')]);
    expect(await examOf('F-B6')).toBeDefined();
    const foreign = await peer.ask(batch([mixed[2]!, mixed[2]!]));
    expect([field(foreign, 'MSA', 1), field(foreign, 'ERR', 3).split('^')[0]]).toEqual(['AR', '200']);
  });

  test('whatever arrives, rejected messages are not stored, and accepted ones are', async () => {
    const { peer } = await listening();
    let count = 0;
    const piece = fc.constantFrom('', '\r', '\n', ' ', bom, 'BHS|^~\\&|RIS|HSL\r', 'FHS|^~\\&\r', 'x\r', '\0', '\t');
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 4 }),
        fc.constantFrom<BufferEncoding>('utf8', 'utf16le', 'latin1'),
        fc.constantFrom('', 'BTS|1\r', 'BTS|2\r', '\r\r'),
        async (before, encoding, after) => {
          const accession = `F-X${++count}`;
          const message = orderMessage({ id: accession, accession });
          const answer = await peer.ask(Buffer.from(before.join('') + message + after, encoding));
          const isStored = (await examOf(accession)) !== undefined;
          const code = field(answer, 'MSA', 1);
          if (code === 'AR') expect(isStored).toBe(false);
          if (code === 'AA') expect(isStored).toBe(true);
        },
      ),
      { numRuns: 25 },
    );
  });
});

describe('messages for others', () => {
  const changed = (from: string | RegExp, to: string): string =>
    orderMessage({ id: 'R', accession: 'H-30' }).replace(from, to);
  test.each([
    ['a type that is not read', changed(/ORM\^O01\^ORM_O01/, 'MFN^M02'), 'AR', '200'],
    ['an event that is not read', changed(/ORM\^O01\^ORM_O01/, 'ADT^A01'), 'AR', '201'],
    ['another version', changed('|2.5.1|', '|3.0|'), 'AR', '203'],
    ['another receiver', changed('|LAUDIO|', '|OTHER|'), 'AR', '103'],
    ['no id', changed('|R|P|', '||P|'), 'AE', '101'],
    ['another processing', changed('|R|P|', '|R|X|'), 'AR', '202'],
  ])('%s is refused by its code', async (_what, message, code, number) => {
    const { peer, queue } = await listening({ receiving_application: 'LAUDIO' });
    const answer = await peer.ask(message);
    expect([field(answer, 'MSA', 1), field(answer, 'ERR', 3).split('^')[0]]).toEqual([code, number]);
    expect(await queue()).toEqual([]);
    expect(await examOf('H-30')).toBeUndefined();
  });

  test.each([
    ['no segment of the patient', changed(/PID.*?\r/, ''), '101'],
    ['no order', changed(/ORC.*/s, ''), '100'],
    ['no id of the patient', changed('P1^^^HSL', ''), '101'],
    ['no number of the exam', changed(/\|\|H-30\|/, '|||').replaceAll('PL-H-30', ''), '101'],
    ['a time that is none', changed('20260302093000', '2026-03-99T'), '102'],
    ['a modality that is none', changed('||||||CT\r', '||||||XYZ\r'), '103'],
    ['a control that orders nothing', changed('ORC|NW', 'ORC|UA'), '103'],
  ])('a message with %s says in ERR-3 what is wrong', async (_what, message, number) => {
    const { peer } = await listening();
    const answer = await peer.ask(message);
    expect([field(answer, 'MSA', 1), field(answer, 'ERR', 3).split('^')[0]]).toEqual(['AE', number]);
  });

  test('an event that the operator says concerns nobody is acknowledged, counted, and not read', async () => {
    const { peer, queue } = await listening({ ignored_events: ['ADT^A01', 'MFN'] });
    const answers = [];
    for (const type of ['ADT^A01', 'MFN^M02', 'ADT^A03']) {
      const of = orderMessage({ id: type.slice(4), accession: 'H-35' }).replace(/ORM\^O01\^ORM_O01/, type);
      const answer = await peer.ask(of);
      answers.push(field(answer, 'MSA', 1));
    }
    expect(answers).toEqual(['AA', 'AA', 'AR']);
    const kept = await queue();
    expect(kept.map(({ state, warnings }) => [state, warnings[0]])).toEqual([
      ['taken', expect.stringContaining('ignores')],
      ['taken', expect.stringContaining('ignores')],
    ]);
    const shown = await api.call(channels.endpoints.message, { params: { id: kept[0]!.id }, query: { content: true } });
    expect(succeeded(shown)).not.toHaveProperty('content');
    expect(await examOf('H-35')).toBeUndefined();
  });

  test('acknowledgements get no answer, and the next message does', async () => {
    const { peer } = await listening();
    peer.socket.write(framed(Buffer.from('MSH|^~\\&|RIS|HSL|L|H|2026||ACK|1|P|2.5.1\rMSA|AA|9\r')));
    expect(field(await peer.ask(orderMessage({ id: '2', accession: 'H-31' })), 'MSA', 2)).toBe('2');
  });

  test('garbage in a frame is refused and kept; garbage without one ends the connection, and others go on', async () => {
    const { peer, connect, queue, logged } = await listening();
    expect(field(await peer.ask('GET / HTTP/1.1'), 'MSA', 1)).toBe('AR');
    expect(await queue()).toMatchObject([{ state: 'refused', error: { code: 'UNREADABLE' } }]);
    const other = await connect();
    other.socket.write(Buffer.alloc(3000, 'x'));
    expect(await other.answer()).toBeUndefined();
    expect(logged()).toContain('hl7_no_mllp');
    expect(field(await peer.ask(orderMessage({ id: '3', accession: 'H-32' })), 'MSA', 1)).toBe('AA');
  });

  test('a peer that speaks no MLLP hides no message that is too large, until one is taken', async () => {
    const { peer, connect, params } = await listening({ max_kib: 1 });
    const problem = async () => succeeded(await api.call(channels.endpoints.get, { params })).state.error;
    peer.socket.write(framed(Buffer.from(orderMessage({ id: 'L', name: 'X'.repeat(2000) }))));
    await peer.answer();
    const other = await connect();
    other.socket.write(Buffer.alloc(3000, 'x'));
    await other.answer();
    expect(await problem()).toMatch(/does not send MLLP.*larger than max_kib/);
    const next = await connect();
    await next.ask(orderMessage({ id: '4', accession: 'H-33' }));
    expect(await problem()).toBeNull();
  });

  test('a message that is too large, too slow or cut off ends the connection, and says so', async () => {
    const { peer, connect, logged, queue } = await listening({ max_kib: 1, frame_seconds: 5, idle_seconds: 60 });
    peer.socket.write(framed(Buffer.from(orderMessage({ id: 'L', name: 'X'.repeat(2000) }))));
    expect(await peer.answer()).toContain('MSA|AE|L');
    const slow = await connect();
    slow.socket.write('\vMSH|^~\\&|');
    await eventually(async () => {
      api.clock.advance(1000);
      expect(logged()).toContain('hl7_message_slow');
    });
    expect(await slow.answer()).toBeUndefined();
    const cut = await connect();
    cut.socket.end('\vMSH|^~\\&|');
    await eventually(() => expect(logged()).toContain('hl7_message_cut_off'));
    const idle = await connect();
    await eventually(async () => {
      api.clock.advance(10_000);
      expect(logged()).toContain('hl7_connection_idle');
    });
    expect(await idle.answer()).toBeUndefined();
    expect(await queue()).toEqual([]);
    expect(JSON.stringify(api.logged)).not.toContain('XXX');
  });
});
