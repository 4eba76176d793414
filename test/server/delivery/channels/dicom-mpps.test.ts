/** dicom-mpps: what modalities tell of exams, as they tell it. */
import { beforeAll, describe, expect, test } from 'vitest';
import { commands } from '../../../../src/protocols/dimse/command.ts';
import type { Command } from '../../../../src/protocols/dimse/command.ts';
import { explicitLittleEndian, implicitLittleEndian, writeDataSet } from '../../../../src/protocols/dimse/data-set.ts';
import type { Attribute, Syntax } from '../../../../src/protocols/dimse/data-set.ts';
import { agreementOn, associate, echo } from '../../../../src/protocols/dimse/request.ts';
import { AppError } from '../../../../src/contract/errors.ts';
import { contract } from '../../../../src/contract/index.ts';
import { examFields, startApi, succeeded } from '../../../support/api.ts';
import type { Api } from '../../../support/api.ts';
import { startTwo } from '../../../support/two-servers.ts';
import { eventually } from '../../../support/eventually.ts';
import { controlledStore } from '../../http/controlled-store.ts';

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
  return modalityAt(state.address!, name, syntax);
}

/** A modality at the address of a channel. */
function modalityAt(address: string, name: string, syntax: Syntax = explicitLittleEndian) {
  const port = Number(/\d+$/.exec(address)![0]);
  const peer = { host: '127.0.0.1', port, calling: 'CT1', called: 'LAUDIO', silentMs: 20_000 };
  const params = { channel: name };
  /** Says one thing over an association of its own, and gives the answer that it gets. */
  const ask = async (command: Omit<Command, 'messageId'>, attributes: readonly Attribute[]): Promise<Command> => {
    const association = await associate(
      peer,
      [{ abstractSyntax: stepClass, transferSyntaxes: [syntax] }],
      new AbortController().signal,
    );
    const { id } = agreementOn(association, stepClass, 'steps');
    await association.send(id, { ...command, messageId: association.nextId() }, writeDataSet(attributes, syntax));
    const answer = await association.next();
    await association.release();
    return answer!.command;
  };
  const say = async (...said: Parameters<typeof ask>): Promise<number> => (await ask(...said)).status!;
  return {
    peer,
    params,
    create: (instance: string, attributes: readonly Attribute[]) =>
      say({ field: commands.createRequest, affectedClass: stepClass, affectedInstance: instance }, attributes),
    set: (instance: string, attributes: readonly Attribute[]) =>
      ask({ field: commands.setRequest, requestedClass: stepClass, requestedInstance: instance }, attributes),
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
    // What a second step breaks off leaves the images of the first.
    expect(await begin('1.2.3.2', [accession(numbers[0]!)])).toBe(0);
    expect(await statusOf(numbers[0]!)).toBe('in_progress');
    expect(await end('1.2.3.2', 'DISCONTINUED')).toBe(0);
    expect(await statusOf(numbers[0]!)).toBe('completed');
    expect((await queue()).map(({ state }) => state)).toEqual(['taken', 'taken', 'taken', 'taken']);
  },
);

test('a step whose order comes later is taken by itself, as far as it is then; others wait for somebody', async () => {
  const { begin, end, queue, params } = await modality();
  expect(await begin('1.2.4.1', [accession('M-9')])).toBe(0);
  expect(await begin('1.2.4.2', [])).toBe(0);
  expect(await begin('1.2.4.4', [accession('M-8')])).toBe(0);
  expect(await end('1.2.4.4', 'COMPLETED')).toBe(0);
  expect(await end('1.2.4.3', 'COMPLETED')).toBe(0x0112);
  const codes = async () => (await queue()).map(({ state, error }) => `${state} ${error?.code}`).toSorted();
  expect(await codes()).toEqual([
    'refused FIELD_REQUIRED',
    'refused UNKNOWN_STEP',
    'waiting UNKNOWN_EXAM',
    'waiting UNKNOWN_EXAM',
    'waiting UNKNOWN_EXAM',
  ]);
  await ingest('M-9', 'M-8');
  await eventually(async () => expect(await codes()).not.toContain('waiting UNKNOWN_EXAM'));
  expect(await statusOf('M-9')).toBe('in_progress');
  expect(await statusOf('M-8')).toBe('completed');
  expect(succeeded(await api.call(channels.endpoints.retryAll, { params }))).toEqual({ retried: 2, refused: 2 });
});

test('an exam of several steps is in progress until all have ended, and done once any was done', async () => {
  await ingest('M-20');
  const { begin, end } = await modality();
  const exam = [accession('M-20')];
  expect([await begin('1.2.6.1', exam), await begin('1.2.6.2', exam), await begin('1.2.6.3', exam)]).toEqual([0, 0, 0]);
  const after: unknown[] = [];
  for (const [step, status] of [
    ['1.2.6.1', 'DISCONTINUED'],
    ['1.2.6.2', 'COMPLETED'],
    ['1.2.6.3', 'DISCONTINUED'],
  ] as const) {
    expect(await end(step, status)).toBe(0);
    after.push(await statusOf('M-20'));
  }
  expect(after).toEqual(['in_progress', 'in_progress', 'completed']);
});

describe('statuses of PS3.4 F.7.2', () => {
  const status = (value: string): Attribute => ['00400252', 'CS', value];
  const of = (number: string): Attribute => ['00400270', 'SQ', [accession(number)]];

  test.each([
    ['without a status', [], 0x0120],
    ['with an empty one', [status('')], 0x0121],
    ['with one that DICOM does not have', [status('FOO')], 0x0106],
    ['that is done', [status('COMPLETED')], 0x0106],
    ['that is broken off', [status('DISCONTINUED')], 0x0106],
    ['in small letters', [status('in progress')], 0x0000],
  ])('a step %s', async (name, attributes, answer) => {
    const number = `M-3${answer}${name.length}`;
    await ingest(number);
    const { create } = await modality();
    expect(await create('1.2.7.1', [...attributes, of(number)])).toBe(answer);
    expect(await statusOf(number)).toBe(answer === 0 ? 'in_progress' : undefined);
  });

  test.each(['COMPLETED', 'DISCONTINUED'])('a step that is %s stays so', async (ended) => {
    const number = `M-4${ended}`;
    await ingest(number, 'M-5');
    const { create, set } = await modality();
    expect(await create('1.2.8.1', [status('IN PROGRESS'), of(number)])).toBe(0);
    expect(await set('1.2.8.1', [['00081030', 'LO', 'x']])).toMatchObject({ status: 0 });
    expect(await set('1.2.8.1', [status('FOO')])).toMatchObject({ status: 0x0106 });
    expect(await set('1.2.8.1', [status('IN PROGRESS')])).toMatchObject({ status: 0 });
    for (const _ of [1, 2]) expect(await set('1.2.8.1', [status(ended)])).toMatchObject({ status: 0 });
    const late = [
      [status('IN PROGRESS')],
      [status('COMPLETED'), ['00081030', 'LO', 'x']],
      [status('DISCONTINUED'), ['00081030', 'LO', 'x']],
      [['00081030', 'LO', 'x']],
    ] as const satisfies Attribute[][];
    for (const attributes of late)
      expect(await set('1.2.8.1', attributes)).toMatchObject({ status: 0x0110, errorId: 0xa710 });
    expect(await statusOf(number)).toBe(ended.toLowerCase());
    // The same again is the step that is known; the same name for another exam is a mistake.
    expect(await create('1.2.8.1', [status('IN PROGRESS'), of(number)])).toBe(0);
    expect(await create('1.2.8.1', [status('IN PROGRESS'), of('M-5')])).toBe(0x0111);
    expect([await statusOf(number), await statusOf('M-5')]).toEqual([ended.toLowerCase(), undefined]);
  });

  test('of two steps that end together the exam is done', async () => {
    await ingest('M-7');
    const { begin, end } = await modality();
    const steps = ['1.2.10.1', '1.2.10.2'];
    for (const step of steps) await begin(step, [accession('M-7')]);
    expect(await Promise.all(steps.map((step) => end(step, 'COMPLETED')))).toEqual([0, 0]);
    expect(await statusOf('M-7')).toBe('completed');
  });

  test('of two ends that come together one counts, and the other is refused', async () => {
    await ingest('M-6');
    const { begin, end } = await modality();
    await begin('1.2.9.1', [accession('M-6')]);
    const answers = await Promise.all([end('1.2.9.1', 'COMPLETED'), end('1.2.9.1', 'DISCONTINUED')]);
    expect(answers.toSorted()).toEqual([0, 0x0110]);
    expect(await statusOf('M-6')).toBe(answers[0] === 0 ? 'completed' : 'discontinued');
  });
});

test('steps that two servers of one service get at once count all: one begins and ends once, two of an exam both end', async () => {
  const { servers } = await startTwo();
  const [first, second] = servers;
  const body = { name: 'mpps', kind: 'dicom-mpps', space: 'test_tc_local', settings: { port: 0 } };
  succeeded(await first.call(channels.endpoints.add, { body }), 201);
  const params = { channel: 'mpps' };
  const at = await Promise.all(
    servers.map((each) =>
      eventually(async () => {
        const { state } = succeeded(await each.call(channels.endpoints.get, { params }));
        return modalityAt(state.address!, 'mpps');
      }),
    ),
  );
  const fields = ['M-50', 'M-51'].map((accession_number) => examFields({ accession_number }));
  succeeded(await first.call(worklists.endpoints.ingest, { body: { items: fields } }));
  const begun = await Promise.all(at.map((each, index) => each.begin('1.2.11.1', [accession(`M-5${index}`)])));
  expect(begun.toSorted()).toEqual([0, 0x0111]);
  const number = `M-5${begun.indexOf(0)}`;
  const readStatus = async () =>
    succeeded(await second.call(worklists.endpoints.list, { query: { q: number } })).items[0]!.exam_status;
  expect(await at[0]!.begin('1.2.11.2', [accession(number)])).toBe(0);
  expect(await Promise.all(at.map((each, index) => each.end(`1.2.11.${index + 1}`, 'COMPLETED')))).toEqual([0, 0]);
  await eventually(async () => expect(await readStatus()).toBe('completed'));
  expect(await at[0]!.begin('1.2.11.3', [accession(number)])).toBe(0);
  const ended = await Promise.all([at[0]!.end('1.2.11.3', 'COMPLETED'), at[1]!.end('1.2.11.3', 'DISCONTINUED')]);
  expect(ended.toSorted()).toEqual([0, 0x0110]);
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

test('a port that is in use is reported', async () => {
  const { peer } = await modality();
  const body = { name: 'second', kind: 'dicom-mpps', space: 'test_tc_local', settings: { port: peer.port } };
  const { state } = succeeded(await api.call(channels.endpoints.add, { body }), 201);
  expect(state).toMatchObject({ status: 'failed', error: 'Another program is using that port.' });
});
