/** dicom-mpps: what modalities tell of exams, as they tell it. */
import { beforeAll, expect, test } from 'vitest';
import { commands } from '../../../src/node/dimse/command.ts';
import type { Command } from '../../../src/node/dimse/command.ts';
import { explicitLittleEndian, implicitLittleEndian, writeDataSet } from '../../../src/node/dimse/data-set.ts';
import type { Attribute, Syntax } from '../../../src/node/dimse/data-set.ts';
import { agreementOn, associate, echo } from '../../../src/node/dimse/request.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { contract } from '../../../src/contract/index.ts';
import { examFields, startApi, succeeded } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { controlledStore } from '../http/controlled-store.ts';

const { channels, worklists } = contract;
const stepClass = '1.2.840.10008.3.1.2.3.3';
const storage = controlledStore();
let api: Api;
beforeAll(async () => void (api = await startApi({ store: storage.between })));

let count = 0;
async function modality(settings: Record<string, unknown> = {}, syntax: Syntax = explicitLittleEndian) {
  const name = `mpps-${++count}`;
  const body = { name, kind: 'dicom-mpps', space: 'test_tc_local', settings: { port: 0, ...settings } };
  const { state } = succeeded(await api.call(channels.endpoints.add, { body }), 201);
  expect(state).toMatchObject({ status: 'open', error: null });
  const port = Number(/\d+$/.exec(state.address!)![0]);
  const peer = { host: '127.0.0.1', port, calling: 'CT1', called: 'LAUDIO', silentMs: 20_000 };
  const params = { channel: name };
  /** Says one thing over an association of its own, and gives the status that it gets. */
  const say = async (command: Omit<Command, 'messageId'>, attributes: readonly Attribute[]): Promise<number> => {
    const association = await associate(
      peer,
      [{ abstractSyntax: stepClass, transferSyntaxes: [syntax] }],
      new AbortController().signal,
    );
    const { id } = agreementOn(association, stepClass, 'steps');
    await association.send(id, { ...command, messageId: association.nextId() }, writeDataSet(attributes, syntax));
    const answer = await association.next();
    await association.release();
    return answer!.command.status!;
  };
  return {
    peer,
    params,
    queue: async () => succeeded(await api.call(channels.endpoints.queue, { params })).items,
    begin: (instance: string, exams: readonly (readonly Attribute[])[]) =>
      say({ field: commands.createRequest, affectedClass: stepClass, affectedInstance: instance }, [
        ['00400252', 'CS', 'IN PROGRESS'],
        ['00400270', 'SQ', exams],
      ]),
    end: (instance: string, status: string) =>
      say({ field: commands.setRequest, requestedClass: stepClass, requestedInstance: instance }, [
        ['00400252', 'CS', status],
      ]),
  };
}

const accession = (number: string): Attribute[] => [
  ['00080050', 'SH', number],
  ['0020000D', 'UI', '1.2.3'],
];
const ingest = async (...numbers: string[]) =>
  succeeded(
    await api.call(worklists.endpoints.ingest, {
      body: { items: numbers.map((accession_number) => examFields({ accession_number })) },
    }),
  );
const examOf = async (number: string) =>
  succeeded(await api.call(worklists.endpoints.list, { query: { q: number } })).items[0]!;
const statusOf = async (number: string) => (await examOf(number)).exam_status;

test.each([explicitLittleEndian, implicitLittleEndian] as const)(
  'an exam is begun, done, broken off: a fact of the exam, and no status of its report (%s)',
  async (syntax) => {
    const numbers = ['a', 'b'].map((part) => `M-${syntax.length}${part}`);
    await ingest(...numbers);
    const { begin, end, queue } = await modality({}, syntax);
    expect(await begin('1.2.3.1', numbers.map(accession))).toBe(0);
    for (const number of numbers) {
      expect(await examOf(number)).toMatchObject({ status: 'new', exam_status: 'in_progress' });
    }
    expect(await end('1.2.3.1', 'COMPLETED')).toBe(0);
    for (const number of numbers) expect(await statusOf(number)).toBe('completed');
    // Said again, it is the same message.
    expect(await end('1.2.3.1', 'COMPLETED')).toBe(0);
    expect(await begin('1.2.3.2', [accession(numbers[0]!)])).toBe(0);
    expect(await end('1.2.3.2', 'DISCONTINUED')).toBe(0);
    expect(await statusOf(numbers[0]!)).toBe('discontinued');
    expect((await queue()).map(({ state }) => state)).toEqual(['taken', 'taken', 'taken', 'taken']);
  },
);

test('a step of an exam that nobody knows waits for somebody, and is taken once the exam is there', async () => {
  const { begin, end, queue, params } = await modality();
  expect(await begin('1.2.4.1', [accession('M-9')])).toBe(0);
  expect(await begin('1.2.4.2', [])).toBe(0);
  expect(await end('1.2.4.3', 'COMPLETED')).toBe(0x0112);
  expect((await queue()).map(({ error }) => error?.code).toSorted()).toEqual([
    'FIELD_REQUIRED',
    'FIELD_REQUIRED',
    'UNKNOWN_STEP',
  ]);
  await ingest('M-9');
  expect(succeeded(await api.call(channels.endpoints.retryAll, { params }))).toEqual({ retried: 3, refused: 2 });
  expect(await statusOf('M-9')).toBe('in_progress');
});

test('only those come in who may, and nothing is taken that cannot be stored', async () => {
  await ingest('M-10');
  const { peer, begin } = await modality({ callers: ['CT1'] });
  const signal = new AbortController().signal;
  await echo(peer, signal);
  await expect(echo({ ...peer, calling: 'XX' }, signal)).rejects.toThrow('does not know our title');
  await expect(echo({ ...peer, called: 'XX' }, signal)).rejects.toThrow('its title is another one');
  storage.fail(new AppError('STORAGE_UNAVAILABLE'));
  expect(await begin('1.2.5.1', [accession('M-10')])).toBe(0x0213);
  storage.recover();
  expect(await begin('1.2.5.1', [accession('M-10')])).toBe(0);
});
