/** HL7 v2 messages of any size and content, and single ones. */
import * as fc from '../../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { textOf } from '../../../src/contract/messages/message.ts';
import { parseFrame } from '../../../src/files/worklist/hl7/frame.ts';
import { createMessageReader } from '../../../src/files/worklist/hl7/one-message.ts';
import { readFile } from '../../support/worklist-readings.ts';

const header = (type: string, charset = ''): string =>
  `MSH|^~\\&|RIS|HSL|LAUDIO|RAD|20260302080000||${type}|1|P|2.5.1|||||BRA|${charset}`;
const message = (type: string, ...segments: readonly string[]): string => [header(type), ...segments, ''].join('\r');
const read = async (text: string | Buffer, options: Parameters<typeof readFile>[1] = {}) =>
  readFile(typeof text === 'string' ? Buffer.from(text) : text, options);

const pid = 'PID|||0045871^^^HSL^MR||TESTE^PACIENTE||19710614|M';

describe('much of anything', () => {
  const some = (count: number, of: (at: number) => string, between = '\r'): string =>
    Array.from({ length: count }, (_, at) => of(at)).join(between);
  const orders = (count: number): string => some(count, (at) => `ORC|NW||F${at}\rOBR|1||F${at}|X^TC`);
  const shapes: Readonly<Record<string, (count: number) => readonly [type: string, ...segments: string[]]>> = {
    'ids of a patient': (count) => [
      'ORM^O01',
      `PID|||${some(40 * count, () => '1', '~')}||T^P`,
      ...orders(1).split('\r'),
    ],
    'ids of a patient, and as many that are given up': (count) => [
      'ADT^A40',
      `PID|||${some(count, (at) => `${at}^^^H${at}`, '~')}||T^P`,
      `MRG|${some(count, (at) => `x${at}^^^H${at}`, '~')}`,
    ],
    'notes above as many orders': (count) => ['ORM^O01', pid, some(count, () => 'NTE|1||a'), orders(count)],
    'steps behind as many notes': (count) => [
      'OMI^O23',
      pid,
      'ORC|NW\rOBR|1||F|X^TC',
      some(count, () => 'NTE|1||a'),
      some(count, (at) => `IPC|A${at}`),
    ],
    'requests and other services of an appointment': (count) => [
      'SIU^S12',
      'SCH|AP1|AF1',
      pid,
      some(count, (at) => `OBR|1||F${at}|X^TC`),
      some(count - 1, (at) => `RGS|${at}\rAIS|1|A|T`),
    ],
  };

  // Work that grew with the square of their number would take many minutes.
  it.each(Object.entries(shapes))('%s are read', (_, shape) => {
    const [type, ...segments] = shape(20_000);
    const { readings } = createMessageReader({ timeZone: 'UTC' })(Buffer.from(message(type, ...segments)));
    expect(readings.filter(({ kind }) => kind === 'problem').length).toBeLessThan(readings.length);
  });
});

describe('a single message', () => {
  const readMessage = createMessageReader({ timeZone: 'America/Sao_Paulo' });

  it('gives what a file of it gives', async () => {
    const text = message('ORM^O01', pid, 'ORC|NW', 'OBR|1|P1|F1|X^TC||||||||||||||A1||||||CT|||^^^202603020830');
    const { readings, message: parsed } = readMessage(Buffer.from(text));
    expect(readings.map((reading) => ({ ...reading, position: undefined }))).toEqual(
      (await read(text)).readings.map((reading) => ({ ...reading, position: undefined })),
    );
    expect(parsed?.segments[0]?.fields[10]).toBe('1');
  });

  it('is read alike whatever was read before', () => {
    const mapping = { defaults: { hospital_name: 'HSL' }, copies: { location: 'exam_room' } };
    const places = [
      'PID-2',
      'PID-7',
      'PV1-3',
      'ORC-2',
      'OBR-3',
      'OBR-7',
      'OBR-18',
      'OBR-24',
      'OBR-32',
      'IPC-1',
      'IPC-9',
      'NTE-3',
    ];
    const values = fc.constantFrom('A1', 'A2^HSL', 'CT', '20260302083000', '""', '^B&C');
    const write = (fields: Readonly<Record<string, string>>): Buffer => {
      const segments = ['PID', 'PV1', 'ORC', 'OBR', 'IPC', 'NTE'].map((name) =>
        [name, ...Array.from({ length: 35 }, (_, at) => fields[`${name}-${at + 1}`] ?? '')].join('|'),
      );
      return Buffer.from(message('ORM^O01', ...segments));
    };
    const options = { timeZone: 'UTC', mapping };
    const reader = createMessageReader(options);
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...places), values), (fields) => {
        const raw = write({ 'PID-3': 'P1', 'PID-5': 'TESTE^PACIENTE', 'OBR-4': 'TX^TC', 'ORC-1': 'NW', ...fields });
        expect(reader(raw)).toEqual(createMessageReader(options)(raw));
      }),
    );
  });

  it('is read alike after one whose segments imitate its own', () => {
    const options = { timeZone: 'UTC', mapping: { defaults: { hospital_name: 'HSL' } } };
    const orders = ['ORC|NW', 'NTE', 'OBR|1|P1|F1|X^TC||||||||||||||A1||||||CT'];
    const text = message('ORM^O01', pid, ...orders, 'TQ1|||||||202603020830');
    // With another separator of fields, the two lines are one segment of a long name.
    const imitation = text.replace('NTE\r', 'NTE\v').replaceAll('|', '#').replace('NTE\v', 'NTE|');
    const reader = createMessageReader(options);
    reader(Buffer.from(imitation));
    expect(reader(Buffer.from(text))).toEqual(createMessageReader(options)(Buffer.from(text)));
  });

  it('any bytes are read or refused, alike from a frame', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc
        .tuple(
          fc.constantFrom('ORM^O01', 'SIU^S12', 'ADT^A40', 'ADT^A08', 'OMI^O23'),
          fc.array(fc.string({ maxLength: 60 })),
        )
        .map(([type, segments]) =>
          Buffer.from(
            message(type, ...segments.map((text, at) => `${['PID', 'MRG', 'ORC', 'OBR', 'SCH'][at % 5]}|${text}`)),
          ),
        ),
    );
    fc.assert(
      fc.property(bytes, (input) => {
        for (const reading of readMessage(input).readings) {
          if (reading.kind === 'problem') expect(textOf(reading.message)).toMatch(/\.$/);
        }
        for (const { bytes: framed, lines } of parseFrame(input)?.messages ?? [])
          expect(readMessage(framed, lines)).toEqual(readMessage(framed));
      }),
      { numRuns: 300 },
    );
  });
});
