/** Messages that come later than others that were made after them (MSH-7), as HL7 at the ingest. */
import * as fc from '../../support/properties.ts';
import { expect, test } from 'vitest';
import { contract } from '../../../src/contract/index.ts';
import { startApi, succeeded } from '../../support/api.ts';

// It is 11:30 UTC on 2 March.
const api = await startApi({ timeZone: 'Europe/Berlin' });
const { ingest, list } = contract.worklists.endpoints;

interface Told {
  /** MSH-7. */
  readonly at: string;
  readonly control?: string;
  readonly order?: string;
  readonly accession: string;
  readonly description?: string;
  readonly room?: string;
  readonly sender?: string;
  /** ORC-5. */
  readonly progress?: string;
}
const send = async (told: Told) => {
  const {
    at,
    control = 'XO',
    order = 'P1',
    accession,
    description = 'TC',
    room = '',
    sender = 'RIS',
    progress = '',
  } = told;
  const body = [
    `MSH|^~\\&|${sender}|HSL|LAUDIO|HSL|${at}||ORM^O01^ORM_O01|1|P|2.5.1`,
    `PID|||L1^^^HSL||TESTE^PACIENTE||19800102|F`,
    `PV1||O|${room}`,
    `ORC|${control}|${order}|||${progress}||^^^20260302093000`,
    `OBR|1|${order}||CT^${description}${'|'.repeat(14)}${accession}${'|'.repeat(6)}CT`,
  ].join('\r');
  const answer = await api.call(ingest, { body, headers: { 'content-type': 'application/hl7-v2' } });
  return succeeded(answer).items[0]!;
};
const examOf = async (accession: string) =>
  succeeded(await api.call(list, { query: { accession_number: accession } })).items[0];

test('an older message changes nothing, and is taken with a warning', async () => {
  const accession = 'L-1';
  await send({ at: '20260302100000', control: 'NW', accession, description: 'A' });
  await send({ at: '20260302100200', accession, description: 'C' });
  expect(await send({ at: '20260302100100', accession, description: 'B' })).toMatchObject({
    status: 'deduped',
    warnings: [{ code: 'OUTDATED', message: 'A later message about the exam arrived before; nothing changed.' }],
  });
  expect(await examOf(accession)).toMatchObject({ exam_description: 'C' });
});

test('an order that was cancelled stays cancelled where its placing comes after that', async () => {
  const accession = 'L-2';
  await send({ at: '20260302100000', control: 'NW', accession });
  await send({ at: '20260302100500', control: 'CA', accession });
  await send({ at: '20260302100000', control: 'NW', accession });
  expect(await examOf(accession)).toMatchObject({ status: 'cancelled' });
  await send({ at: '20260302100501', control: 'NW', accession });
  expect(await examOf(accession)).toMatchObject({ status: 'new' });
});

test('a cancellation of before a new order cancels nothing', async () => {
  const accession = 'L-3';
  for (const [at, control] of [
    ['20260302100000', 'NW'],
    ['20260302101000', 'NW'],
    ['20260302100500', 'CA'],
  ] as const)
    await send({ at, control, accession, description: at });
  expect(await examOf(accession)).toMatchObject({ status: 'new', exam_description: '20260302101000' });
});

test('a repeated message in the same words changes nothing, whenever', async () => {
  const told = { accession: 'L-4', room: 'R1' };
  await send({ at: '20260302100000', control: 'NW', ...told });
  expect(await send({ at: '20260302100500', ...told })).toMatchObject({ status: 'deduped' });
  expect(await examOf('L-4')).toMatchObject({ version: 1 });
});

const days = (...told: [at: number, control: string][]) =>
  told.map(([minute, control]) => ({
    at: `202603021000${String(minute).padStart(2, '0')}`,
    control,
    description: `D${minute}`,
  }));

test.each([
  ['placed anew behind a change', days([1, 'NW'], [2, 'CA'], [4, 'XO'], [3, 'NW']), 'new', 'D4'],
  ['changed after it was cancelled, which comes behind that', days([1, 'NW'], [4, 'XO'], [3, 'CA']), 'new', 'D4'],
  ['cancelled and placed anew behind a change', days([1, 'NW'], [4, 'XO'], [3, 'NW'], [2, 'CA']), 'new', 'D4'],
  ['changed behind its cancellation', days([1, 'NW'], [3, 'CA'], [4, 'XO'], [2, 'NW']), 'cancelled', 'D4'],
])('an order that was %s', async (which, told, status, exam_description) => {
  for (const each of told) await send({ ...each, accession: `L-9 ${which}` });
  expect(await examOf(`L-9 ${which}`)).toMatchObject({ status, exam_description });
});

test('a change by another sender does not make an older message of the first placing one', async () => {
  const accession = 'L-10';
  for (const told of days([1, 'NW'], [3, 'CA'])) await send({ ...told, accession });
  await send({ at: '20260302100004', accession, sender: 'PACS' });
  const { warnings } = await send({ at: '20260302100002', control: 'NW', accession, description: 'D2' });
  expect(warnings).toMatchObject([{ code: 'OUTDATED' }]);
  expect(await examOf(accession)).toMatchObject({ status: 'cancelled', exam_description: 'D2' });
});

test('the progress of the exam is that of the last message, whatever other messages said since', async () => {
  const accession = 'L-11';
  await send({ at: '20260302100000', control: 'NW', accession, progress: 'SC' });
  await send({ at: '20260302100003', accession, description: 'C' });
  await send({ at: '20260302100002', accession, description: 'B', progress: 'CM' });
  await send({ at: '20260302100001', accession, description: 'A', progress: 'IP' });
  expect(await examOf(accession)).toMatchObject({ exam_status: 'completed', exam_description: 'C' });
});

test.each([
  ['credible', '20260302100000'],
  ['old', '20250302100000'],
  ['ahead', '20260302150000'],
])('the same message again (%s) changes no status that a person chose', async (which, at) => {
  const accession = `L-12 ${which}`;
  const setStatus = async (status: 'cancelled' | 'new') => {
    const { id } = (await examOf(accession))!;
    succeeded(await api.call(contract.worklists.endpoints.setStatus, { params: { id }, body: { status } }));
  };
  const placed = { at, control: 'NW', accession };
  await send(placed);
  await setStatus('cancelled');
  const { warnings } = await send(placed);
  expect(warnings).toMatchObject([{ code: 'ORDER_REPEATED' }]);
  expect(await examOf(accession)).toMatchObject({ status: 'cancelled' });
  await send({ ...placed, at: String(Number(at) + 1) });
  expect(await examOf(accession)).toMatchObject({ status: 'new' });
  const cancelled = { ...placed, at: String(Number(at) + 2), control: 'CA' };
  await send(cancelled);
  await setStatus('new');
  await send(cancelled);
  expect(await examOf(accession)).toMatchObject({ status: 'new' });
});

test('another order of the exam is heard, however old', async () => {
  const accession = 'L-5';
  await send({ at: '20260302101000', control: 'NW', accession, description: 'Head' });
  await send({ at: '20260302100000', control: 'NW', order: 'P2', accession, description: 'Neck' });
  expect(await examOf(accession)).toMatchObject({ exam_description: 'Head + Neck' });
});

test('the clocks of two senders say nothing of each other', async () => {
  const accession = 'L-8';
  await send({ at: '20260302100000', control: 'NW', accession });
  await send({ at: '20260302100500', accession, sender: 'PACS', room: 'R2' });
  await send({ at: '20260302100300', control: 'CA', accession });
  expect(await examOf(accession)).toMatchObject({ status: 'cancelled' });
});

test.each([
  ['ahead, and was put right', '20260302150000', '20260302100000'],
  ['put back by years', '20260302100000', '20000101000000'],
  ['that shows an hour twice', '20251026024500', '20251026021500'],
])('a sender whose clock was %s goes on being heard', async (_which, before, after) => {
  const accession = `L-6${before}`;
  await send({ at: before, control: 'NW', accession });
  await send({ at: after, control: 'CA', accession });
  expect(await examOf(accession)).toMatchObject({ status: 'cancelled' });
});

test.each(['', '20260302'])('a message without a time (%j) is heard', async (at) => {
  const accession = `L-7${at}`;
  await send({ at: '20260302100000', control: 'NW', accession });
  await send({ at, control: 'CA', accession });
  expect(await examOf(accession)).toMatchObject({ status: 'cancelled' });
});

test('in whatever order messages come, the last one made counts', async () => {
  let runs = 0;
  const message = fc.record({
    minute: fc.integer({ min: 10, max: 59 }),
    control: fc.constantFrom('NW', 'CA'),
    description: fc.constantFrom('A', 'B', 'C'),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(message, { minLength: 2, maxLength: 5, selector: ({ minute }) => minute }),
      async (messages) => {
        const accession = `L-R${++runs}`;
        // The first one tells what exam that is.
        await send({ at: '20260302090000', control: 'NW', accession });
        for (const { minute, ...told } of messages) await send({ at: `2026030210${minute}00`, ...told, accession });
        const last = messages.toSorted((a, b) => a.minute - b.minute).at(-1)!;
        expect(await examOf(accession)).toMatchObject({
          status: last.control === 'CA' ? 'cancelled' : 'new',
          ...(last.control === 'NW' && { exam_description: last.description }),
        });
      },
    ),
    { numRuns: 30 },
  );
});
