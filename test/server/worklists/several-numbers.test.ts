/** Exams of several accession numbers: each finds the exam, whoever tells of its orders in whatever form. */
import * as fc from '../../support/properties.ts';
import { expect, onTestFinished, test } from 'vitest';
import { contract } from '../../../src/contract/index.ts';
import type { Documents } from '../../../server/storage/collections.ts';
import type { Reader } from '../../../server/storage/store.ts';
import { loadMatches } from '../../../server/worklists/matching/matches.ts';
import { additionalNumbers, isOpen, maxOrders, ordersIn } from '../../../src/domain/orders.ts';
import { startApi, succeeded } from '../../support/api.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const api = await startApi({ timeZone: 'America/Sao_Paulo' });
const { ingest, list } = contract.worklists.endpoints;

interface Told {
  readonly patient: string;
  readonly control?: string;
  readonly order: string;
  readonly accession: string;
  readonly study?: string;
  readonly description?: string;
}
const head = (kind: string, patient: string): string[] => [
  `MSH|^~\\&|RIS|HSL|LAUDIO|HSL|20260302083000-0300||${kind}|1|P|2.5.1`,
  `PID|||${patient}^^^HSL||TESTE^PACIENTE||19800102|F`,
];
const post = async (...lines: string[]) =>
  succeeded(await api.call(ingest, { body: lines.join('\r'), headers: { 'content-type': 'application/hl7-v2' } }));
const send = async ({ patient, control = 'NW', order, accession, study, description = 'TC' }: Told) =>
  post(
    ...head('ORM^O01^ORM_O01', patient),
    `ORC|${control}|${order}|F${order}||||^^^20260302093000`,
    `OBR|1|${order}|F${order}|CT^${description}${'|'.repeat(14)}${accession}${'|'.repeat(6)}CT`,
    ...(study === undefined ? [] : [`ZDS|${study}^^Application^DICOM`]),
  );
/** The steps of one order, each under a number of its own. */
const steps = async (patient: string, control: string, study: string, ...accessions: string[]) =>
  post(
    ...head('OMI^O23^OMI_O23', patient),
    `ORC|${control}|P-${patient}`,
    'TQ1|1||||||20260302093000',
    `OBR|1|P-${patient}||CT^TC${'|'.repeat(20)}CT`,
    ...accessions.map((accession) => `IPC|${accession}|RP1|${study}|SPS1|CT`),
  );
const json = async (items: object[]) => succeeded(await api.call(ingest, { body: { items } }));
const plain = (patient: string, fields: object) => ({
  patient_id: patient,
  patient_name: 'TESTE^PACIENTE',
  modality: 'CT',
  exam_datetime: '2026-03-02T09:30:00-03:00',
  exam_description: 'TC',
  ...fields,
});
const examsOf = async (patient: string) =>
  succeeded(await api.call(list, { query: { patient_id: patient } })).items.map(
    ({ accession_number: number, exam_description, status }) => [number, exam_description, status].join(' '),
  );
const foundBy = async (accession: string, issuer?: string) =>
  succeeded(
    await api.call(list, {
      query: { accession_number: accession, ...(issuer !== undefined && { accession_issuer: issuer }) },
    }),
  ).items.map(({ accession_number: number, status }) => `${number} ${status}`);

test('steps of one order under two numbers are one exam, which both find, and cancelled with both', async () => {
  for (const control of ['NW', 'XO']) await steps('M1', control, '1.2.911', 'M1-1', 'M1-2');
  expect(await examsOf('M1')).toEqual(['M1-1 TC new']);
  expect([await foundBy('M1-1'), await foundBy('M1-2')]).toEqual([['M1-1 new'], ['M1-1 new']]);
  await steps('M1', 'CA', '1.2.911', 'M1-1');
  expect(await examsOf('M1')).toEqual(['M1-1 TC new']);
  await steps('M1', 'CA', '', 'M1-2');
  expect(await examsOf('M1')).toEqual(['M1-1 TC cancelled']);
});

test.each(['NW', 'XO', 'SC'])(
  'an order sent again (%s) under an additional number without its study is not a second exam',
  async (control) => {
    const patient = `M2${control}`;
    await send({
      patient,
      order: 'P1',
      accession: `${patient}-1`,
      study: `1.2.912.${control.length}${control.codePointAt(0)}`,
      description: 'Head',
    });
    await send({
      patient,
      order: 'P2',
      accession: `${patient}-2`,
      study: `1.2.912.${control.length}${control.codePointAt(0)}`,
      description: 'Neck',
    });
    await send({ patient, control, order: 'P2', accession: `${patient}-2`, description: 'Neck' });
    expect(await examsOf(patient)).toEqual([`${patient}-1 Head + Neck new`]);
  },
);

test('further numbers are those of their issuer', async () => {
  await send({ patient: 'M3', order: 'P1', accession: 'M3-1^HSL', study: '1.2.913' });
  await send({ patient: 'M3', order: 'P2', accession: 'M3-2^HSL', study: '1.2.913' });
  await json([plain('M3b', { accession_number: 'M3-2', accession_issuer: 'HSP' })]);
  expect(await foundBy('M3-2', 'HSL')).toEqual(['M3-1 new']);
  expect(await foundBy('M3-2', 'HSP')).toEqual(['M3-2 new']);
  expect((await foundBy('M3-2')).toSorted()).toEqual(['M3-1 new', 'M3-2 new']);
  await send({ patient: 'M3', control: 'CA', order: 'P2', accession: 'M3-2^HSL' });
  await send({ patient: 'M3', control: 'CA', order: 'P1', accession: 'M3-1^HSL' });
  expect(await foundBy('M3-2', 'HSL')).toEqual(['M3-1 cancelled']);
});

test('a number without its issuer is that of the exam, and its issuer may be sent later', async () => {
  for (const accession of ['M10-1', 'M10-1^HSL', 'M10-1']) {
    await send({ patient: 'M10', order: 'P1', accession, study: '1.2.919' });
  }
  await send({ patient: 'M10', order: 'P2', accession: 'M10-2^HSL', study: '1.2.919' });
  await send({ patient: 'M10', order: 'P2', accession: 'M10-2', study: '1.2.919' });
  expect(await foundBy('M10-2', 'HSL')).toEqual(['M10-1 new']);
  await send({ patient: 'M10', control: 'CA', order: 'P1', accession: 'M10-1' });
  expect(await examsOf('M10')).toEqual(['M10-1 TC new']);
  await send({ patient: 'M10', control: 'CA', order: 'P2', accession: 'M10-2' });
  expect(await examsOf('M10')).toEqual(['M10-1 TC cancelled']);
});

test('items without orders change and cancel the order of their number, and rename nothing', async () => {
  await send({ patient: 'M4', order: 'P1', accession: 'M4-1', study: '1.2.914', description: 'Head' });
  await send({ patient: 'M4', order: 'P2', accession: 'M4-2', study: '1.2.914', description: 'Neck' });
  await json([{ accession_number: 'M4-2', exam_room: 'Sala 2', metadata: { note: 'x' } }]);
  expect(await foundBy('M4-2')).toEqual(['M4-1 new']);
  await json([{ accession_number: 'M4-2', status: 'cancelled' }]);
  expect(await examsOf('M4')).toEqual(['M4-1 Head new']);
  await json([{ accession_number: 'M4-1', status: 'cancelled' }]);
  expect(await examsOf('M4')).toEqual([expect.stringMatching(/cancelled$/)]);
});

test('an order cannot take the number of another exam', async () => {
  await json([plain('M5', { accession_number: 'M5-1' })]);
  const orders = [{ placer_order_number: 'P1', accession_number: 'M5-1' }];
  const items = [
    plain('M5', { accession_number: 'M5-2', metadata: { orders } }),
    plain('M5', { accession_number: 'M5-3' }),
  ];
  expect((await json(items)).errors).toMatchObject([{ index: 0, error: 'IDENTIFIER_CONFLICT' }]);
  expect(await foundBy('M5-1')).toEqual(['M5-1 new']);
});

test('items of one study under two numbers in one request rename the exam, and say so', async () => {
  const items = ['M6-1', 'M6-2'].map((number) => plain('M6', { accession_number: number, study_uid: '1.2.916' }));
  const { items: outcomes } = await json(items);
  expect(outcomes).toMatchObject([{ status: 'inserted' }, { status: 'updated', warnings: [{ code: 'ASSUMED' }] }]);
  expect(await examsOf('M6')).toEqual(['M6-2 TC new']);
});

test('an item of a later request that names the study by another number renames the exam', async () => {
  for (const number of ['M7-1', 'M7-2']) await json([plain('M7', { accession_number: number, study_uid: '1.2.917' })]);
  expect([await foundBy('M7-1'), await foundBy('M7-2')]).toEqual([[], ['M7-2 new']]);
});

test('a change of an order under another number renames its further number', async () => {
  const order = { patient: 'M8', order: 'P2', study: '1.2.918' };
  await send({ ...order, order: 'P1', accession: 'M8-1' });
  await send({ ...order, accession: 'M8-2' });
  await send({ ...order, control: 'XO', accession: 'M8-3' });
  expect([await foundBy('M8-1'), await foundBy('M8-2'), await foundBy('M8-3')]).toEqual([
    ['M8-1 new'],
    [],
    ['M8-1 new'],
  ]);
});

test.each([
  ['a change of an order that both have numbered renames its exam', 'XO', 'P1', ['M9-2 TC new']],
  ['an order that is placed under another number is another exam', 'NW', 'P1', ['M9-2 TC new', 'M9-1 TC new']],
])('without a study UID %s', async (_name, control, order, expected) => {
  const patient = `M9${control}`;
  const named = (text: string): string => text.replace('M9', patient);
  await send({ patient, order, accession: named('M9-1') });
  await send({ patient, control, order, accession: named('M9-2') });
  expect(await examsOf(patient)).toEqual(expected.map(named));
});

test('a change of a number that the same request also keeps is another exam', async () => {
  const told = (accession: string): string[] => [
    ...head('ORM^O01^ORM_O01', 'M11'),
    'ORC|XO|R1|R1||||^^^20260302093000',
    `OBR|1|R1|R1|CT^TC${'|'.repeat(14)}${accession}${'|'.repeat(6)}CT`,
  ];
  await post(...told('M11-1'), ...told('M11-2'));
  expect((await examsOf('M11')).toSorted()).toEqual(['M11-1 TC new', 'M11-2 TC new']);
});

test('a resource that has another number since renames its exam', async () => {
  for (const number of ['M12-1', 'M12-2']) {
    const metadata = { keep_absent: true, orders: [{ order_id: 'SR-1', status: 'open' }] };
    await json([plain('M12', { accession_number: number, study_uid: '1.2.922', metadata })]);
  }
  expect(await examsOf('M12')).toEqual(['M12-2 TC new']);
});

const twoOrders = async (name: string, study: string, issuer = '') => {
  for (const at of [1, 2]) {
    await send({ patient: name, order: `P${at}`, accession: `${name}-${at}${issuer}`, study });
  }
};

test('a change under the number of another issuer is of another exam', async () => {
  await twoOrders('M13', '1.2.923', '^HSL');
  await send({ patient: 'M13', control: 'XO', order: 'P9', accession: 'M13-2^HSP', description: 'MR' });
  expect((await examsOf('M13')).toSorted()).toEqual(['M13-1 TC new', 'M13-2 MR new']);
  expect(await foundBy('M13-2', 'HSL')).toEqual(['M13-1 new']);
});

test('a further order that is known without its issuer leaves the study UID of the exam', async () => {
  await twoOrders('M14', '1.2.924', '^HSL');
  await send({ patient: 'M14', control: 'XO', order: 'P2', accession: 'M14-2', study: '1.2.924.9' });
  const { items } = succeeded(await api.call(list, { query: { patient_id: 'M14' } }));
  expect(items).toMatchObject([{ accession_number: 'M14-1', study_uid: '1.2.924' }]);
});

test('metadata that comes under the study UID alone leaves the numbers', async () => {
  await twoOrders('M15', '1.2.925');
  await json([{ study_uid: '1.2.925', metadata: { note: 'x' } }]);
  expect(await foundBy('M15-2')).toEqual(['M15-1 new']);
  const { items } = succeeded(await api.call(list, { query: { study_uid: '1.2.925' } }));
  expect(items).toMatchObject([{ metadata: { note: 'x' } }]);
});

test('an exam that becomes another patient’s keeps its numbers, and nothing else of its orders', async () => {
  await twoOrders('M16', '1.2.926');
  const other = { patient_name: 'SAMPLE^PATIENT', accession_number: 'M16-1' };
  await json([plain('M16b', { ...other, metadata: { accept_patient_change: true } })]);
  expect(await foundBy('M16-2')).toEqual(['M16-1 new']);
  const { items } = succeeded(await api.call(list, { query: { patient_id: 'M16b' } }));
  expect(JSON.stringify(items[0]!.metadata)).not.toContain('P1');
  for (const [at, status] of [
    [2, 'new'],
    [1, 'cancelled'],
  ] as const) {
    await json([{ accession_number: `M16-${at}`, status: 'cancelled' }]);
    expect(await examsOf('M16b')).toEqual([`M16-1 TC ${status}`]);
  }
});

test('of more orders than an exam may have, the latest have numbers', async () => {
  const orders = Array.from({ length: maxOrders + 1 }, (_, at) => ({ accession_number: `M17-${at}` }));
  await json([plain('M17', { accession_number: 'M17', metadata: { orders } })]);
  expect(await foundBy('M17-0')).toEqual([]);
  expect([await foundBy('M17-1'), await foundBy(`M17-${maxOrders}`)]).toEqual([['M17 new'], ['M17 new']]);
});

test('of numbers that other exams have, the first alone is looked up', async () => {
  const exam = (id: string): Documents['items'] =>
    ({ id, space: 's', accession_number: 'taken', metadata: null }) as Documents['items'];
  const asked: string[] = [];
  const reader = {
    findEach: (_collection: string, _index: string, _space: string, names: readonly string[]) => {
      asked.push(...names);
      return Promise.resolve(names.map(() => exam('wli_1')));
    },
  } as unknown as Reader;
  const matches = await loadMatches(reader, 's', []);
  expect(await matches.areOthers(['taken', 'another'], exam('wli_2'))).toBe(true);
  expect(asked).toEqual(['taken']);
});

test('each number still finds the exam after a restart', async () => {
  const directory = await temporaryDirectory();
  const start = () => startApi({ dataDir: directory, timeZone: 'America/Sao_Paulo' }, onTestFinished);
  let server = await start();
  const items = ['R1', 'R2'].map((number) =>
    plain('R', {
      accession_number: number,
      study_uid: '1.2.920',
      metadata: { keep_absent: true, orders: [{ placer_order_number: number, status: 'open' }] },
    }),
  );
  succeeded(await server.call(ingest, { body: items }));
  await server.close();
  server = await start();
  for (const number of ['R1', 'R2']) {
    const { items: found } = succeeded(await server.call(list, { query: { accession_number: number } }));
    expect(found).toMatchObject([{ accession_number: 'R1' }]);
  }
});

const orders = ['P1', 'P2', 'P3'] as const;
const numbers = ['A1', 'A2', 'A3'] as const;
const told = fc.record({
  control: fc.constantFrom('NW', 'NW', 'XO', 'CA'),
  order: fc.constantFrom(...orders),
  accession: fc.constantFrom(...numbers),
  hasStudy: fc.boolean(),
});

test('whatever is sent about a study in whatever order, each number finds the one exam, cancelled once all its orders are', async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(told, { minLength: 1, maxLength: 12 }), async (messages) => {
      const name = `R${run++}-`;
      const study = `1.2.92.${run}`;
      /** Of each order under each number, whether it stands. */
      const known = new Map<string, boolean>();
      for (const { control, order, accession, hasStudy } of messages) {
        const key = `${order} ${accession}`;
        // Only an order that is placed makes a number known; a change may rename, which the tests above tell.
        if (control !== 'NW' && !known.has(key)) continue;
        const isNamed = [...known.keys()].some((each) => each.endsWith(accession));
        await send({
          patient: name,
          control,
          order,
          accession: name + accession,
          ...((hasStudy || !isNamed) && { study }),
        });
        if (control !== 'XO') known.set(key, control === 'NW');
      }
      if (known.size === 0) return;
      const { items } = succeeded(await api.call(list, { query: { patient_id: name } }));
      expect(items).toHaveLength(1);
      const [exam] = items;
      const isStanding = [...known.values()].includes(true);
      expect(exam!.status).toBe(isStanding ? 'new' : 'cancelled');
      const told = ordersIn(exam!.metadata)!.map((order) => {
        const number = order.accession_number ?? exam!.accession_number!;
        return `${order.placer_order_number} ${number.slice(name.length)} ${isOpen(order)}`;
      });
      expect(told.toSorted()).toEqual([...known].map(([key, stands]) => `${key} ${stands}`).toSorted());
      for (const number of new Set([...known.keys()].map((key) => key.split(' ')[1]!))) {
        expect(await foundBy(name + number)).toEqual([`${exam!.accession_number} ${exam!.status}`]);
      }
      expect(additionalNumbers(exam!.metadata).length === 0 || told.length > 1).toBe(true);
    }),
    { numRuns: 25 },
  );
});

test('in any order of changes and cancellations, a study is one exam, found by all of its numbers', async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(told, { minLength: 1, maxLength: 12 }), async (messages) => {
      const name = `Q${run++}-`;
      for (const { control, order, accession } of messages) {
        await send({ patient: name, control, order, accession: name + accession, study: `1.2.93.${run}` });
      }
      const { items } = succeeded(await api.call(list, { query: { patient_id: name } }));
      expect(items).toHaveLength(1);
      const [exam] = items;
      const known = ordersIn(exam!.metadata)!;
      // A change places nothing: it brings no cancelled exam back.
      if (!known.some(isOpen)) expect(exam!.status).toBe('cancelled');
      expect(new Set(known.map(({ placer_order_number: number }) => number))).toEqual(
        new Set(messages.map(({ order }) => order)),
      );
      const numbers = [exam!, ...known].flatMap(({ accession_number: number }) => number ?? []);
      for (const number of new Set(numbers)) {
        expect(await foundBy(number)).toEqual([`${exam!.accession_number} ${exam!.status}`]);
      }
    }),
    { numRuns: 25 },
  );
});
