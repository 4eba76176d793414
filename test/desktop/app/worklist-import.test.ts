/** Worklist files that a page hands over. */
import { describe, expect, test } from 'vitest';
import { maxWorklistBytes } from '../../../desktop/bridge/worklist-import.ts';
import type { Bridge } from '../../../desktop/bridge/bridge.ts';
import type { ImportResult } from '../../../desktop/bridge/worklist-import.ts';
import type { Client } from '../../../src/client/client.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { maxBatchItems, WorklistItemInput } from '../../../src/contract/worklist.ts';
import { examFields } from '../../support/api.ts';
import { bridgeTo, fileOf, networkTo, outsider, startWorkplace } from '../../support/app-host.ts';
import type { Workplace } from '../../support/app-host.ts';
import { sampleBytes, sampleFiles } from '../../support/worklist-readings.ts';

interface Scene {
  readonly place: Workplace;
  readonly bridge: Bridge;
  readonly ris: Client;
  send(content: string | Uint8Array): Promise<ImportResult>;
}

async function begin(workplace?: Workplace): Promise<Scene> {
  const place = workplace ?? (await startWorkplace());
  const bridge = bridgeTo(place.visit());
  await bridge.call('session.start', { place: 'test' });
  return {
    place,
    bridge,
    ris: await outsider(place.server),
    send: (content) => bridge.call('worklist.import', {}, fileOf(content)),
  };
}

const list = async ({ bridge }: Scene) => (await bridge.call('worklist.list', {})).items;
const linesOf = (items: readonly unknown[]): string => items.map((item) => `${JSON.stringify(item)}\n`).join('');

test('every kind of file is read', async () => {
  const scene = await begin();
  for (const { name, format, items, cancelled = 0 } of sampleFiles) {
    const result = await scene.send(sampleBytes(name));
    expect(result, name).toMatchObject({ format, refused: { count: 0 }, cancelled, stopped: null });
    expect(result.inserted + result.updated + result.deduped, name).toBe(items);
  }
  expect((await list(scene)).filter(({ status }) => status === 'cancelled')).toHaveLength(3);
});

test('assumptions are reported', async () => {
  const { send } = await begin();
  const { guesses } = await send(sampleBytes('agenda.csv'));
  expect(guesses).toEqual(
    expect.arrayContaining([
      { what: 'encoding', value: 'windows-1252' },
      { what: 'dates', value: 'day, month, year' },
      { what: 'times', value: new Intl.DateTimeFormat().resolvedOptions().timeZone },
    ]),
  );
});

test('a repeated import changes nothing, cancelled exams included', async () => {
  const scene = await begin();
  await scene.send(sampleBytes('batch.hl7'));
  const before = await list(scene);
  const again = await scene.send(sampleBytes('batch.hl7'));
  expect(again).toMatchObject({ inserted: 0, cancelled: 0, refused: { count: 0 } });
  expect((await list(scene)).map(({ id, status }) => [id, status])).toEqual(
    before.map(({ id, status }) => [id, status]),
  );
});

test('a known exam is found by its identifiers, and cancelled', async () => {
  const scene = await begin();
  const orders = sampleBytes('batch.hl7').toString('latin1');
  await scene.send(sampleBytes('batch.hl7'));
  const [cancelled] = (await list(scene)).filter(({ status }) => status === 'cancelled');
  await scene.ris.worklists.setStatus({ params: { id: cancelled!.id }, body: { status: 'new' } });
  await scene.bridge.call('worklist.list', { refresh: true });
  expect(await scene.send(Buffer.from(orders, 'latin1'))).toMatchObject({ inserted: 0, cancelled: 1 });
  expect((await scene.ris.worklists.get({ params: { id: cancelled!.id } })).data).toMatchObject({
    status: 'cancelled',
  });
});

test('a completed exam stays completed, which is reported', async () => {
  const scene = await begin();
  await scene.send(sampleBytes('batch.hl7'));
  const [exam] = (await list(scene)).filter(({ status }) => status === 'cancelled');
  const { id, accession_number } = exam!;
  for (const status of ['new', 'in_progress', 'completed'] as const)
    await scene.ris.worklists.setStatus({ params: { id }, body: { status } });
  const { cancelled, noted } = await scene.send(sampleBytes('batch.hl7'));
  expect(cancelled).toBe(0);
  expect(noted.first).toContainEqual(
    expect.objectContaining({
      accession_number,
      message: expect.objectContaining({
        code: 'files.not_cancelled',
        text: expect.stringMatching(/^It was not cancelled: ./),
      }),
    }),
  );
});

test('a cancelled exam that is ordered again returns, unless the file cancels it again', async () => {
  const scene = await begin();
  const text = sampleBytes('batch.hl7')
    .toString('latin1')
    .replace(/BTS[^]*$/, '');
  const [, , order = '', , cancellation = ''] = text.split(/(?=MSH)/);
  const message = (orders: string) => Buffer.from(orders, 'latin1');
  expect(await scene.send(message(cancellation))).toMatchObject({ cancelled: 1, reinstated: 0 });
  expect(await scene.send(message(order + cancellation))).toMatchObject({ cancelled: 0, reinstated: 0 });
  expect(await scene.send(message(cancellation + order))).toMatchObject({
    cancelled: 0,
    reinstated: 1,
    noted: { count: 0 },
  });
  expect((await list(scene)).map(({ status }) => status)).toEqual(['new']);
});

test('an accepted item to be checked is reported with its code', async () => {
  const scene = await begin();
  const exam = examFields({ patient_name: 'Test Patient', patient_id: '7' });
  await scene.send(linesOf([exam]));
  const { noted } = await scene.send(linesOf([{ ...exam, patient_name: 'Demo Patient' }]));
  expect(noted).toMatchObject({ count: 1, first: [{ place: { line: 1 }, code: 'PATIENT_CORRECTED' }] });
});

describe('refusals', () => {
  test('of another patient is reported by its code', async () => {
    const scene = await begin();
    const exam = examFields({ patient_name: 'Test Patient', patient_id: '7' });
    await scene.send(linesOf([exam]));
    const other = { ...exam, patient_name: 'Demo Patient', patient_id: '8' };
    for (const lines of [linesOf([other]), linesOf([other, examFields()])]) {
      expect((await scene.send(lines)).refused.first).toMatchObject([
        { place: { line: 1 }, accession_number: exam.accession_number, code: 'PATIENT_MISMATCH' },
      ]);
    }
  });

  test('is reported with its place, in the order of the file, whoever refused it', async () => {
    const scene = await begin();
    const wrong = examFields({ accession_number: 'A-2', modality: 'XX' });
    const lines = `${linesOf([examFields(), wrong])}{"accession_number":\n\n${linesOf([{ modality: 'CT' }])}`;
    expect(await scene.send(lines)).toMatchObject({
      inserted: 1,
      refused: {
        count: 3,
        first: [
          { place: { line: 2 }, accession_number: 'A-2', message: expect.stringContaining('modality') },
          { place: { line: 3 }, accession_number: null },
          { place: { line: 5 }, accession_number: null },
        ],
      },
    });
  });

  test('may be all of it', async () => {
    const scene = await begin();
    const { refused, inserted } = await scene.send(
      linesOf(Array.from({ length: 70 }, () => examFields({ modality: 'XX' }))),
    );
    expect({ inserted, count: refused.count, told: refused.first.length }).toEqual({
      inserted: 0,
      count: 70,
      told: 50,
    });
    expect(refused.first[49]).toMatchObject({ place: { line: 50 } });
  });

  test('may be a whole request with everything at fault that can be', async () => {
    const { send } = await begin();
    const fields = Object.keys(WorklistItemInput.properties ?? {}).map((name) => [name, { at: 'fault' }]);
    const wrong = Object.fromEntries(fields) as object;
    const { refused } = await send(linesOf(Array.from({ length: maxBatchItems }, () => ({ ...wrong, metadata: 7 }))));
    expect(refused.count).toBe(maxBatchItems);
    expect(refused.first.map(({ code }) => code)).toEqual(Array.from({ length: 50 }, () => 'INVALID_TYPE'));
  });

  test.each([
    ['nothing', '', 'VALIDATION_FAILED'],
    ['blanks', ' \n', 'VALIDATION_FAILED'],
    ['prose', 'no', 'UNSUPPORTED_MEDIA_TYPE'],
    ['an empty list', '[]', 'VALIDATION_FAILED'],
    ['a list that breaks off', `[${JSON.stringify(examFields())},`, 'INVALID_JSON'],
    ['more than is taken', new Uint8Array(maxWorklistBytes + 1), 'PAYLOAD_TOO_LARGE'],
  ])('%s is not a worklist, and nothing of it is kept', async (_, content, code) => {
    const scene = await begin();
    await expect(scene.send(content)).rejects.toMatchObject({ code });
    expect(await list(scene)).toEqual([]);
  });
});

describe('a file larger than a request', () => {
  const exams = () => Array.from({ length: maxBatchItems + 5 }, () => examFields());

  test('goes in several, each item with its own line', async () => {
    const scene = await begin();
    const lines = linesOf([...exams(), examFields({ modality: 'XX' })]);
    expect(await scene.send(lines)).toMatchObject({
      inserted: maxBatchItems + 5,
      refused: { count: 1, first: [{ place: { line: maxBatchItems + 6 } }] },
    });
  });

  test('of which the end is broken is taken until then, and says so', async () => {
    const scene = await begin();
    const result = await scene.send(
      `[${exams()
        .map((exam) => JSON.stringify(exam))
        .join(',')},`,
    );
    expect(result).toMatchObject({
      inserted: maxBatchItems,
      stopped: { message: { code: 'files.not_json_at', params: expect.anything() } },
    });
    expect(await list(scene)).toHaveLength(maxBatchItems);
  });

  test('is imported until the service goes away, and the rest when it comes again', async () => {
    const former = await startWorkplace();
    await former.close();
    let requests = 0;
    const network = networkTo({
      transport: async (request) => {
        if (!request.url.endsWith('/ingest') || ++requests !== 2) return former.server.transport(request);
        network.isUp = false;
        throw new AppError('NETWORK');
      },
    });
    const scene = await begin(await startWorkplace({ ...former, network }));
    const lines = linesOf(exams());
    expect(await scene.send(lines)).toMatchObject({
      inserted: maxBatchItems,
      stopped: { message: expect.any(String) },
    });
    network.isUp = true;
    expect(await scene.send(lines)).toMatchObject({ inserted: 5, deduped: maxBatchItems, stopped: null });
  });
});

test('nothing is imported without the service', async () => {
  const { place, send } = await begin();
  place.network.isUp = false;
  await expect(send(linesOf([examFields()]))).rejects.toMatchObject({ code: 'NETWORK' });
});
