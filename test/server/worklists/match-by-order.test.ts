/** Orders that are changed or cancelled under other numbers than those of their exam, as HL7 at the ingest. */
import { describe, expect, test } from 'vitest';
import type { Documents } from '../../../server/storage/collections.ts';
import type { Reader } from '../../../server/storage/store.ts';
import { OrderSearch } from '../../../server/worklists/matching/match-by-order.ts';
import { contract } from '../../../src/contract/index.ts';
import * as fc from '../../support/properties.ts';
import { startApi, succeeded } from '../../support/api.ts';

const api = await startApi({ timeZone: 'America/Sao_Paulo' });
const { ingest, list, history, setStatus } = contract.worklists.endpoints;

interface Told {
  readonly number?: string;
  readonly placer?: string;
  readonly accession?: string;
  readonly patient: string;
  /** When the message was made. */
  readonly second?: number;
}
const message = (
  control: string,
  description: string,
  { number = '', placer = '', accession = '', patient, second = 0 }: Told,
): string =>
  [
    `MSH|^~\\&|RIS|HSL|LAUDIO|HSL|2026030208300${second}-0300||ORM^O01^ORM_O01|1|P|2.5.1`,
    `PID|||${patient}^^^HSL||TESTE^PACIENTE||19800102|F`,
    `ORC|${control}|${placer}|${number}||||^^^20260302093000`,
    `OBR|1||${number}|CT^${description}${'|'.repeat(14)}${accession}${'|'.repeat(6)}CT`,
  ].join('\r');
const send = async (...told: Parameters<typeof message>) =>
  api.call(ingest, { body: message(...told), headers: { 'content-type': 'application/hl7-v2' } });
const examOf = async (accession: string) =>
  succeeded(await api.call(list, { query: { accession_number: accession } })).items[0];

test('by the number of the order alone it is found, and no other exam is made', async () => {
  const patient = 'K1';
  succeeded(await send('NW', 'TC', { number: 'KF1', accession: 'H-80', patient }));
  succeeded(await send('NW', 'TC', { number: 'KF2', accession: 'H-81', patient }));
  succeeded(await send('XO', 'TC 2', { number: 'KF1', patient }));
  expect(await examOf('H-80')).toMatchObject({ exam_description: 'TC 2', status: 'new' });
  succeeded(await send('CA', 'TC 2', { number: 'KF1', patient }));
  expect([(await examOf('H-80'))!.status, (await examOf('H-81'))!.status]).toEqual(['cancelled', 'new']);
  expect(await examOf('KF1')).toBeUndefined();
});

test('by the number of another patient’s order it is not found', async () => {
  succeeded(await send('NW', 'TC', { number: 'KF5', accession: 'H-85', patient: 'K5' }));
  await send('CA', 'TC', { number: 'KF5', patient: 'K6' });
  expect((await examOf('H-85'))!.status).toBe('new');
});

test('by a number that two exams of the patient have it is not found', async () => {
  for (const accession of ['H-86', 'H-88']) {
    succeeded(await send('NW', 'TC', { number: 'KF6', accession, patient: 'K7' }));
  }
  await send('CA', 'TC', { number: 'KF6', patient: 'K7' });
  expect([(await examOf('H-86'))!.status, (await examOf('H-88'))!.status]).toEqual(['new', 'new']);
});

test('by an accession number without its issuer it is found where that is one exam', async () => {
  succeeded(await send('NW', 'TC', { number: 'KF7', accession: 'H-87^HSL', patient: 'K8' }));
  succeeded(await send('CA', 'TC', { number: 'KF7', accession: 'H-87', patient: 'K8' }));
  expect(await examOf('H-87')).toMatchObject({ status: 'cancelled', accession_issuer: 'HSL' });
});

test('an order with its own number is a separate exam', async () => {
  succeeded(await send('NW', 'TC', { number: 'KF9', accession: 'H-89', patient: 'K9' }));
  succeeded(await send('NW', 'TC', { number: 'KF9', patient: 'K9' }));
  expect((await examOf('KF9'))!.status).toBe('new');
});

describe('by its control alone (ORC)', () => {
  const controls = async (patient: string, ...orders: string[]) =>
    api.call(ingest, {
      body: [
        'MSH|^~\\&|RIS|HSL|LAUDIO|HSL|20260302083000-0300||ORM^O01^ORM_O01|1|P|2.5.1',
        `PID|||${patient}^^^HSL||TESTE^PACIENTE||19800102|F`,
        ...orders.map((order) => `ORC|${order}`),
      ].join('\r'),
      headers: { 'content-type': 'application/hl7-v2' },
    });

  test.each([
    ['both numbers', 'P1|F1'],
    ['the number of the placer', 'P1|'],
    ['the number of the filler', '|F1'],
  ])('an order is cancelled by %s', async (by, number) => {
    const patient = `KO ${by}`;
    const placed = { placer: 'P1', number: 'F1', accession: `A1 ${by}`, patient };
    succeeded(await send('NW', 'TC', placed));
    succeeded(await send('NW', 'TC', { placer: 'P2', number: 'F2', accession: `A2 ${by}`, patient }));
    succeeded(await controls(patient, `CA|${number}`));
    expect([(await examOf(`A1 ${by}`))!.status, (await examOf(`A2 ${by}`))!.status]).toEqual(['cancelled', 'new']);
  });

  test('several are cancelled in one message, and the progress of an exam is updated', async () => {
    const patient = 'KO2';
    for (const at of [1, 2, 3]) {
      succeeded(await send('NW', 'TC', { placer: `P${at}`, number: `F${at}`, accession: `B${at}`, patient }));
    }
    succeeded(await controls(patient, 'CA|P1|F1', 'CA|P2', 'SC|P3|F3||CM'));
    expect(await Promise.all(['B1', 'B2', 'B3'].map(examOf))).toMatchObject([
      { status: 'cancelled' },
      { status: 'cancelled' },
      { status: 'new', exam_status: 'completed', exam_description: 'TC', modality: 'CT' },
    ]);
  });

  test('an order that no exam of the patient has is refused, and says what names an exam', async () => {
    succeeded(await send('NW', 'TC', { placer: 'P1', number: 'F1', accession: 'C1', patient: 'KO3' }));
    for (const [patient, order] of [
      ['KO3', 'CA|P9|F9'],
      ['KO4', 'CA|P1|F1'],
    ] as const) {
      expect(await controls(patient, order)).toMatchObject({
        error: { details: { errors: [{ field: 'items.0.accession_number', code: 'FIELD_REQUIRED' }] } },
      });
    }
    expect((await examOf('C1'))!.status).toBe('new');
  });

  test('an order that is placed needs its request', async () => {
    const { error } = await controls('KO5', 'NW|P1|F1');
    expect(error).toMatchObject({ code: 'VALIDATION_FAILED' });
  });
});

describe('an order without an accession number next to orders with one', () => {
  const two = async (
    patient: string,
    first: readonly [string, string, string],
    second: readonly [string, string, string],
  ) =>
    api.call(ingest, {
      body: [
        'MSH|^~\\&|RIS|HSL|LAUDIO|HSL|20260302083000-0300||ORM^O01^ORM_O01|1|P|2.5.1',
        `PID|||${patient}^^^HSL||TESTE^PACIENTE||19800102|F`,
        ...[first, second].flatMap(([control, description, accession]) => [
          `ORC|${control}||||^^^20260302093000`,
          `OBR|1|||CT^${description}${'|'.repeat(14)}${accession}${'|'.repeat(6)}CT`,
        ]),
      ].join('\r'),
      headers: { 'content-type': 'application/hl7-v2' },
    });

  test('is a separate exam by its filler’s number, and cancelled as such', async () => {
    succeeded(await two('KN1', ['NW|P1|', 'Head', 'N1'], ['NW|P2|NF2', 'Chest', '']));
    expect([await examOf('N1'), await examOf('NF2')]).toMatchObject([
      { exam_description: 'Head' },
      { exam_description: 'Chest' },
    ]);
    succeeded(await two('KN1', ['XO|P1|', 'Head 2', 'N1'], ['CA|P2|NF2', 'Chest', '']));
    expect([await examOf('N1'), await examOf('NF2')]).toMatchObject([
      { exam_description: 'Head 2', status: 'new' },
      { status: 'cancelled' },
    ]);
  });

  test('is cancelled by the placer’s number', async () => {
    for (const [at, accession] of ['N3', 'N4'].entries()) {
      succeeded(await send('NW', 'TC', { placer: `P${at}`, number: `F${at}`, accession, patient: 'KN2' }));
    }
    succeeded(await two('KN2', ['XO|P0|F0', 'Head', 'N3'], ['CA|P1|', 'TC', '']));
    expect([(await examOf('N3'))!.status, (await examOf('N4'))!.status]).toEqual(['new', 'cancelled']);
  });

  test('is a separate exam by the placer’s number where it is placed by that alone', async () => {
    const { items } = succeeded(await two('KN3', ['NW|P1|', 'Head', 'N5'], ['NW|PN5|', 'Chest', '']));
    expect(items).toMatchObject([
      { accession_number: 'N5', status: 'inserted' },
      { accession_number: 'PN5', status: 'inserted', warnings: [{ code: 'ASSUMED' }] },
    ]);
    expect(await examOf('N5')).toMatchObject({ exam_description: 'Head' });
  });

  test('is of the same exam where it is the same order, or has no number at all', async () => {
    for (const [at, control] of ['NW|P1|', 'NW||'].entries()) {
      succeeded(await two(`KN4${at}`, ['NW|P1|', 'Head', `N6${at}`], [control, 'Chest', '']));
      expect(await examOf(`N6${at}`)).toMatchObject({ exam_description: 'Head + Chest' });
    }
  });
});

test('a new exam whose order has no time has that of its message, and a later one its own', async () => {
  const patient = 'KT1';
  const placed = message('NW', 'TC', { placer: 'KTP-1', accession: 'KT-1', patient }).replace('^^^20260302093000', '');
  const ingestOf = async (body: string) =>
    succeeded(await api.call(ingest, { body, headers: { 'content-type': 'application/hl7-v2' } })).items[0]!;
  expect(await ingestOf(placed)).toMatchObject({ status: 'inserted', warnings: [{ code: 'ASSUMED' }] });
  expect(await examOf('KT-1')).toMatchObject({ exam_datetime: '2026-03-02T08:30:00-03:00' });
  await ingestOf(message('XO', 'TC', { accession: 'KT-1', patient, second: 1 }));
  await ingestOf(placed.replace('|NW|', '|SC|').replace('083000', '083002'));
  expect(await examOf('KT-1')).toMatchObject({ exam_datetime: '2026-03-02T09:30:00-03:00' });
});

describe('an order that has only the placer’s number', () => {
  const examsOf = async (patient: string) =>
    succeeded(await api.call(list, { query: { patient_id: patient } })).items.map(
      ({ accession_number: number, status }) => `${number} ${status}`,
    );
  const codesOf = async (...told: Parameters<typeof message>) => {
    const { json } = await send(...told);
    return (json as { error: { details: { refused: { error: string }[] } } }).error.details.refused.map(
      ({ error }) => error,
    );
  };

  test('is taken under it, with a warning, and takes the accession number of a later message', async () => {
    const patient = 'KP1';
    const { items } = succeeded(await send('NW', 'TC', { placer: 'KP-1', patient }));
    expect(items).toMatchObject([
      { accession_number: 'KP-1', warnings: [{ code: 'ASSUMED', message: expect.stringContaining('placer') }] },
    ]);
    succeeded(await send('NW', 'TC 2', { placer: 'KP-1', number: 'KPF-1', accession: 'KPA-1', patient }));
    expect(await examsOf(patient)).toEqual(['KPA-1 new']);
    expect(await examOf('KPA-1')).toMatchObject({ exam_description: 'TC 2', id: items[0]!.id });
    succeeded(await send('XO', 'TC 3', { placer: 'KP-1', patient }));
    expect(await examsOf(patient)).toEqual(['KPA-1 new']);
  });

  test('has its exam cancelled once a message gives both numbers of an order that has another; not if that was begun', async () => {
    for (const at of [6, 7]) {
      const patient = `KP${at}`;
      const [number, placer] = [`KPF-${at}`, `KP-${at}`];
      succeeded(await send('NW', 'TC', { number, patient }));
      const [exam] = succeeded(await send('NW', 'TC', { placer, patient, second: 1 })).items;
      if (at === 7) await api.call(setStatus, { params: { id: exam!.id! }, body: { status: 'in_progress' } });
      const { items } = succeeded(await send('XO', 'TC 2', { number, placer, patient, second: 2 }));
      const warning = {
        code: at === 6 ? 'ASSUMED' : 'ORDER_DUPLICATED',
        message: expect.stringContaining(at === 6 ? 'was cancelled' : `Exam ${placer}`),
      };
      expect(items).toMatchObject([{ accession_number: number, warnings: [warning] }]);
      expect((await examsOf(patient)).toSorted()).toEqual([
        `${placer} ${at === 6 ? 'cancelled' : 'in_progress'}`,
        `${number} new`,
      ]);
      if (at === 6)
        expect(succeeded(await api.call(history, { params: { id: exam!.id! } })).items).toMatchObject([
          { to: 'cancelled', reason: `Its order is that of exam ${number}` },
        ]);
    }
  });

  test('as an appointment is taken under the placer’s, and has the filler’s number once that is known', async () => {
    const book = async (event: string, numbers: string, patient: string, second = 0) =>
      api.call(ingest, {
        body: [
          `MSH|^~\\&|RIS|HSL|LAUDIO|HSL|2026030208300${second}-0300||SIU^${event}|1|P|2.5.1`,
          `SCH|${numbers}${'|'.repeat(9)}^^^20260302093000`,
          `PID|||${patient}^^^HSL||TESTE^PACIENTE||19800102|F`,
          'AIS|1||CT^TC de tórax',
          `OBR|1${'|'.repeat(23)}CT`,
        ].join('\r'),
        headers: { 'content-type': 'application/hl7-v2' },
      });
    for (const [at, cancelling] of ['SP-1|SF-1', 'SP-2|', '|SF-3'].entries()) {
      const patient = `SIU${at}`;
      const placer = `SP-${at + 1}`;
      const { items } = succeeded(await book('S12', `${placer}|`, patient));
      expect(items).toMatchObject([{ accession_number: placer, warnings: [{ code: 'ASSUMED' }] }]);
      succeeded(await book('S14', `${placer}|SF-${at + 1}`, patient, 1));
      expect(await examsOf(patient)).toEqual([`SF-${at + 1} new`]);
      succeeded(await book('S15', cancelling, patient, 2));
      expect(await examsOf(patient)).toEqual([`SF-${at + 1} cancelled`]);
    }
  });

  test('is refused where that is the number of another exam, or two exams have it', async () => {
    succeeded(await send('NW', 'TC', { accession: 'KP-2', patient: 'KP2' }));
    expect(await codesOf('NW', 'TC', { placer: 'KP-2', patient: 'KP3' })).toEqual(['FIELD_REQUIRED']);
    for (const number of ['KPF-4', 'KPF-5'])
      succeeded(await send('NW', 'TC', { placer: 'KP-4', number, patient: 'KP4' }));
    expect(await codesOf('NW', 'TC', { placer: 'KP-4', patient: 'KP4' })).toEqual(['FIELD_REQUIRED']);
    expect(await codesOf('CA', 'TC', { placer: 'KP-5', patient: 'KP4' })).toEqual(['FIELD_REQUIRED']);
    expect(await examsOf('KP4')).toHaveLength(2);
  });

  test('is one exam under the number of the filler once that is known, as the latest message left it', async () => {
    let runs = 0;
    const step = fc.tuple(fc.constantFrom('NW', 'XO', 'CA'), fc.constantFrom('placer', 'filler', 'both'), fc.nat(1));
    const property = fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
      runs += 1;
      const patient = `KR${runs}`;
      /** The status of the exam under each number, and whether a message gave both numbers of the order. */
      const orders = [0, 1].map((at) => ({
        placer: `KRP${runs}-${at}`,
        number: `KRF${runs}-${at}`,
        exams: new Map<string, string>(),
        isLinked: false,
      }));
      for (const [at, [control, by, which]] of steps.entries()) {
        const order = orders[which]!;
        const { placer, number, exams } = order;
        order.isLinked ||= by === 'both' && (control !== 'CA' || exams.size > 0);
        const name = by === 'placer' && !order.isLinked ? placer : number;
        // There is none to cancel.
        if (control === 'CA' && !exams.has(name) && !(by === 'both' && exams.size > 0)) continue;
        const numbers = { ...(by !== 'filler' && { placer }), ...(by !== 'placer' && { number }) };
        succeeded(await send(control, 'TC', { ...numbers, patient, second: at }));
        if (by === 'both' && exams.has(placer)) {
          if (exams.has(number)) exams.set(placer, 'cancelled');
          else {
            exams.set(number, exams.get(placer)!);
            exams.delete(placer);
          }
        }
        if (control === 'CA') exams.set(name, 'cancelled');
        else if (control === 'NW' || !exams.has(name)) exams.set(name, 'new');
      }
      const expected = orders.flatMap(({ exams }) => [...exams].map(([exam, status]) => `${exam} ${status}`));
      expect((await examsOf(patient)).toSorted()).toEqual(expected.toSorted());
    });
    await fc.assert(property, { numRuns: 30 });
  });
});

describe('the work of a request', () => {
  /** Finds the exams of `count` items of one patient, by the number of each order; gives how often numbers of stored orders were read. */
  async function readsOf(count: number, ordersOfEach: number, numberOf: (exam: number, order: number) => string) {
    let reads = 0;
    const ordersOf = (exam: number) =>
      Array.from({ length: ordersOfEach }, (_, at) => ({
        filler_order_number: `F${exam}-${at}`,
        get placer_order_number() {
          reads += 1;
          return numberOf(exam, at);
        },
      }));
    const search = new OrderSearch({ find: async () => [] } as unknown as Reader, 's', () => false);
    for (let at = 0; at < count; at += 1) {
      const exam = { id: `wli_${at}`, patient_id: 'K', accession_number: null, metadata: { orders: ordersOf(at) } };
      search.add(exam as unknown as Documents['items']);
    }
    for (let at = 0; at < count; at += 1) {
      const told = [{ placer_order_number: numberOf(at, 0), filler_order_number: 'F' }];
      const sent = { fields: { patient_id: 'K' }, extra: undefined, instructions: {}, errors: [], told };
      await search.find(sent);
    }
    return reads;
  }

  test('grows with the exams of a patient, and not with their square', async () => {
    const own = (exam: number, at: number): string => `P${exam}-${at}`;
    const [few, many] = [await readsOf(50, 2, own), await readsOf(500, 2, own)];
    expect(many).toBeLessThanOrEqual(11 * few);
  });

  test('is bounded where all orders share a number', async () => {
    const [few, many] = [await readsOf(200, 100, () => 'P'), await readsOf(400, 100, () => 'P')];
    expect(many).toBeLessThanOrEqual(2.2 * few);
  });
});

describe('an order that is placed again under a third accession number', () => {
  const placed = { number: 'TF1', placer: 'TP1', patient: 'T1' };
  const codes = ({ items }: { items: readonly { warnings?: readonly { code: string; message: string }[] }[] }) =>
    (items[0]!.warnings ?? []).map(({ code, message }) => [code, message]);

  test('makes another exam, and the warning names the first', async () => {
    expect(codes(succeeded(await send('NW', 'TC', { ...placed, accession: 'H-90' })))).toEqual([]);
    expect(codes(succeeded(await send('NW', 'TC', { ...placed, accession: 'H-91' })))).toEqual([
      ['ORDER_DUPLICATED', expect.stringContaining('H-90')],
    ]);
    expect(await examOf('H-91')).toMatchObject({ status: 'new' });
  });

  test.each([
    ['of another procedure', 'MR', {}],
    ['with another number of the filler', 'CT', { number: 'TF2' }],
    ['of another patient', 'CT', { patient: 'T2' }],
    ['with the placer number alone', 'CT', { number: '' }],
  ])('makes it without a warning where it is %s', async (why, code, changes) => {
    const body = message('NW', 'TC', { ...placed, ...changes, accession: `H-9 ${why}` }).replace('|CT^', `|${code}^`);
    const headers = { 'content-type': 'application/hl7-v2' };
    expect(codes(succeeded(await api.call(ingest, { body, headers })))).toEqual([]);
  });

  test('makes it without a warning once the first is over', async () => {
    const over = { number: 'TF3', placer: 'TP3', patient: 'T3' };
    succeeded(await send('NW', 'TC', { ...over, accession: 'H-95' }));
    succeeded(await send('CA', 'TC', { ...over, accession: 'H-95', second: 1 }));
    expect(codes(succeeded(await send('NW', 'TC', { ...over, accession: 'H-96', second: 2 })))).toEqual([]);
  });
});
