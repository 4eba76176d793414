/** dicom-worklist-provider: modalities ask for their exams, and say how far they are, as dcmtk and Orthanc do. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import dicomParser from 'dicom-parser';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { contract } from '../../../../src/contract/index.ts';
import { sopClasses } from '../../../../src/protocols/dimse/classes.ts';
import { commands } from '../../../../src/protocols/dimse/command.ts';
import type { Command } from '../../../../src/protocols/dimse/command.ts';
import { explicitLittleEndian, implicitLittleEndian, writeDataSet } from '../../../../src/protocols/dimse/data-set.ts';
import type { Attribute, Syntax } from '../../../../src/protocols/dimse/data-set.ts';
import { provide } from '../../../../src/protocols/dimse/provide.ts';
import type { Answer } from '../../../../src/protocols/dimse/provide.ts';
import { agreementOn, ask, associate, find, requestContext } from '../../../../src/protocols/dimse/request.ts';
import { readQuery } from '../../../../server/delivery/channels/kinds/dicom-worklist-provider/query.ts';
import { openDataSet } from '../../../../src/files/worklist/dicom/dicom-file.ts';
import { examFields, startApi, succeeded } from '../../../support/api.ts';
import type { Api } from '../../../support/api.ts';
import { startOrthanc } from '../../../support/dicom-peers.ts';
import { freePort } from '../../../support/free-port.ts';
import * as fc from '../../../support/properties.ts';

const { channels, worklists } = contract;
const run = promisify(execFile);
let api: Api;
beforeEach(async () => void (api = await startApi()));

async function provider(settings: Record<string, unknown> = {}) {
  const body = {
    name: 'modalities',
    kind: 'dicom-worklist-provider',
    space: 'test_tc_local',
    settings: { port: 0, time_zone: 'America/Sao_Paulo', ...settings },
  };
  const { state } = succeeded(await api.call(channels.endpoints.add, { body }), 201);
  expect(state).toMatchObject({ status: 'open', error: null });
  const port = Number(/\d+$/.exec(state.address!)![0]);
  const peer = { host: '127.0.0.1', port, calling: 'CT1', called: 'LAUDIO', silentMs: 20_000, tls: undefined };
  const open = (service: string) => associate(peer, [requestContext(service)], new AbortController().signal);
  const step = async (field: number, instance: string, attributes: readonly Attribute[]) => {
    const association = await open(sopClasses.performedStep);
    const { id } = agreementOn(association, sopClasses.performedStep, 'steps');
    const names =
      field === commands.createRequest
        ? { affectedClass: sopClasses.performedStep, affectedInstance: instance }
        : { requestedClass: sopClasses.performedStep, requestedInstance: instance };
    const data = writeDataSet(attributes, explicitLittleEndian);
    const { status } = await ask(association, id, { field, ...names }, data);
    await association.release();
    return status;
  };
  return {
    port,
    state: async () => succeeded(await api.call(channels.endpoints.get, { params: { channel: 'modalities' } })).state,
    /** The answers to a query; `max`: after so many it is cancelled. */
    async find(keys: readonly Attribute[], max = Infinity) {
      const association = await open(sopClasses.worklist);
      const agreed = agreementOn(association, sopClasses.worklist, 'worklists');
      const found: dicomParser.DataSet[] = [];
      const query = writeDataSet(keys, agreed.transferSyntax as Syntax);
      for await (const data of find(association, agreed, query)) {
        found.push(dicomParser.parseDicom(data, { TransferSyntaxUID: agreed.transferSyntax }));
        if (found.length >= max) break;
      }
      if (found.length < max) await association.release();
      return found;
    },
    /** The status of a query without matches. */
    async ask(keys: readonly Attribute[]) {
      const association = await open(sopClasses.worklist);
      const { id } = agreementOn(association, sopClasses.worklist, 'worklists');
      const request = { field: commands.findRequest, affectedClass: sopClasses.worklist, priority: 0 };
      const { status } = await ask(association, id, request, writeDataSet(keys, explicitLittleEndian));
      await association.release();
      return status;
    },
    begin: (instance: string, accession: string) =>
      step(commands.createRequest, instance, [
        ['00400252', 'CS', 'IN PROGRESS'],
        ['00400270', 'SQ', [[['00080050', 'SH', accession]]]],
      ]),
    end: (instance: string) => step(commands.setRequest, instance, [['00400252', 'CS', 'COMPLETED']]),
  };
}

async function put(...exams: readonly Record<string, unknown>[]): Promise<void> {
  const body = exams.map((fields) => {
    const { study_uid: _, ...rest } = examFields({ exam_datetime: '2026-03-02T09:30:00-03:00', modality: 'CT' });
    return { ...rest, ...fields };
  });
  succeeded(await api.call(worklists.endpoints.ingest, { body }));
}
const read = async (accession: string) =>
  succeeded(await api.call(worklists.endpoints.list, { query: { accession_number: accession } })).items[0]!;

const all: readonly Attribute[] = [
  ['00080050', 'SH'],
  ['00100010', 'PN'],
  ['0020000D', 'UI'],
  ['00321060', 'LO'],
  [
    '00400100',
    'SQ',
    [
      [
        ['00080060', 'CS'],
        ['00400001', 'AE'],
        ['00400002', 'DA'],
        ['00400003', 'TM'],
        ['00400009', 'SH'],
      ],
    ],
  ],
];
/** The query with these values of the scheduled step. */
const ofStep = (...values: readonly Attribute[]): Attribute[] => [
  ...all.filter(([tag]) => tag !== '00400100'),
  ['00400100', 'SQ', [[['00400009', 'SH'], ...values]]],
];
const numbers = (found: readonly dicomParser.DataSet[]) => found.map((each) => each.string('x00080050')).toSorted();

test('dcmtk gets the exams of its modality and day, and Orthanc all of them, each with a study that is the exam’s from then on', async () => {
  const { port } = await provider();
  await put(
    { accession_number: 'W-1', patient_name: 'PACIENTE^ANÔNIMO', exam_description: 'TC do tórax' },
    { accession_number: 'W-2', modality: 'MR', study_uid: '1.2.3.4' },
    { accession_number: 'W-3', exam_datetime: '2026-03-04T09:30:00-03:00' },
    { accession_number: 'W-4', exam_datetime: '2026-04-04T09:30:00-03:00' },
  );
  const keys = ['0008,0050', '0010,0010', '0020,000D', '0032,1060', '0008,0005=ISO_IR 192'];
  const step = ['0008,0060=CT', '0040,0002=20260302', '0040,0003', '0040,0001'];
  const words = [...keys, ...step.map((key) => `(0040,0100)[0].${key}`)].flatMap((key) => ['-k', key]);
  const { stdout, stderr } = await run('findscu', ['-v', '-W', '-aec', 'LAUDIO', ...words, '127.0.0.1', String(port)]);
  // findscu also prints the padding of UIDs: the number of digits differs from exam to exam.
  const said = `${stdout}${stderr}`.replaceAll('\0', '');
  expect(said.match(/Find Response: \d/g)).toHaveLength(1);
  expect(said).toContain('[W-1');
  expect(said).toContain('[093000]');
  expect(said).toContain('PACIENTE^ANÔNIMO');
  const { study_uid } = await read('W-1');
  expect(study_uid).toMatch(/^2\.25\.\d+$/);
  expect(said).toContain(`[${study_uid}]`);

  const { rest } = await startOrthanc();
  const laudio = JSON.stringify({ AET: 'LAUDIO', Host: '127.0.0.1', Port: port });
  expect((await fetch(`${rest}/modalities/laudio`, { method: 'PUT', body: laudio })).status).toBe(200);
  const body = JSON.stringify({ AccessionNumber: '', StudyInstanceUID: '', ScheduledProcedureStepSequence: [] });
  const answers = await fetch(`${rest}/modalities/laudio/find-worklist`, { method: 'POST', body });
  const found = (await answers.json()) as { AccessionNumber: string; StudyInstanceUID: string }[];
  expect(found.map((each) => each.AccessionNumber).toSorted()).toEqual(['W-1', 'W-2', 'W-3']);
  expect(found.find((each) => each.AccessionNumber === 'W-1')!.StudyInstanceUID).toBe(study_uid);
  // The source of the exam stays.
  expect(await read('W-1')).toMatchObject({ source_system: null, version: 2 });
});

test('keys are matched with wildcards, ranges and rooms, and only what was asked for is answered', async () => {
  const { find: query } = await provider({ stations: ['CT1=Sala 1', 'CT2=Sala 2'] });
  await put(
    { accession_number: 'K-1', patient_name: 'PACIENTE^ANÔNIMO', patient_id: 'P-1', exam_room: 'sala 1' },
    { accession_number: 'K-2', patient_name: 'PACIENTE^TESTE', patient_id: 'P-2', exam_room: 'Sala 2', modality: 'MR' },
    {
      accession_number: 'K-3',
      patient_name: 'Test^Patient',
      patient_id: 'P-3',
      exam_datetime: '2026-03-03T18:00:00-03:00',
    },
  );
  const asked = async (...keys: readonly Attribute[]) => numbers(await query(keys));
  const withKey = (key: Attribute) => [...all.filter(([tag]) => tag !== key[0]), key];
  expect(await asked(...all)).toEqual(['K-1', 'K-2', 'K-3']);
  expect(await asked(...withKey(['00100010', 'PN', 'paciente*']))).toEqual(['K-1', 'K-2']);
  expect(await asked(...withKey(['00100010', 'PN', 'Paciente^An?nimo']))).toEqual(['K-1']);
  expect(await asked(...withKey(['00080050', 'SH', 'K-3']))).toEqual(['K-3']);
  expect(await asked(...ofStep(['00400001', 'AE', 'CT1']))).toEqual(['K-1', 'K-3']);
  expect(await asked(...ofStep(['00080060', 'CS', 'MR']))).toEqual(['K-2']);
  expect(await asked(...ofStep(['00400002', 'DA', '20260303-']))).toEqual(['K-3']);
  expect(await asked(...ofStep(['00400002', 'DA', '20260302'], ['00400003', 'TM', '0800-1000']))).toEqual([
    'K-1',
    'K-2',
  ]);
  // Over several days the times are those of the first and of the last (PS3.4 K.6.1.2.2).
  const between = (days: string, times: string) =>
    asked(...ofStep(['00400002', 'DA', days], ['00400003', 'TM', times]));
  expect(await between('20260302-20260304', '093000.000000-080000')).toEqual(['K-1', 'K-2', 'K-3']);
  expect(await between('20260302-20260303', '0931-2000')).toEqual(['K-3']);
  expect(await between('20260302-20260303', '0800-1759')).toEqual(['K-1', 'K-2']);
  expect(await asked(...ofStep(['00400003', 'TM', '1000-1900']))).toEqual(['K-3']);
  // Lists, as many modalities send them, and wildcards in a title.
  expect(await asked(...ofStep(['00400001', 'AE', 'CT2\\MR1']))).toEqual(['K-2', 'K-3']);
  expect(await asked(...ofStep(['00400001', 'AE', 'CT*']))).toEqual(['K-1', 'K-2', 'K-3']);
  expect(await asked(...ofStep(['00080060', 'CS', 'DX\\MR']))).toEqual(['K-2']);
  const [only] = await query([['00080050', 'SH', 'K-1']]);
  expect(
    Object.keys(only!.elements)
      .filter((tag) => !tag.startsWith('x0002'))
      .toSorted(),
  ).toEqual(['x00080005', 'x00080050']);
});

test('wildcards match as a regular expression would, and however many there are, in no time', async () => {
  const exam = { accession: '', patientId: '', study: '', procedure: '', modality: 'CT' };
  const isMatch = (key: string, patientName: string): boolean => {
    const query = writeDataSet([['00100010', 'PN', key]], implicitLittleEndian);
    return readQuery(openDataSet(query, implicitLittleEndian).dataSet).matches({ ...exam, patientName });
  };
  const letters = (alphabet: string, maxLength: number) => fc.string({ unit: fc.constantFrom(...alphabet), maxLength });
  fc.assert(
    fc.property(letters('ab*?', 6), letters('abA', 8), (key, name) => {
      const same = new RegExp(`^${key.replaceAll('*', '.*').replaceAll('?', '.')}$`);
      expect(isMatch(key, name)).toBe(key === '' || same.test(name.toLowerCase()));
    }),
  );
  expect(isMatch('SILVA^MARIA^^', 'Silva^Maria')).toBe(true);
  expect(isMatch(`${'*a'.repeat(8)}*b`, 'A'.repeat(64))).toBe(false);
});

test('a query that is longer than any is refused', async () => {
  const { ask: asked } = await provider();
  const query = (length: number): Attribute[] => [...all, ['00104000', 'LT', 'x'.repeat(length)]];
  expect(await asked(query(10_000))).toBe(0);
  expect(await asked(query(20_000))).toBe(0x0106);
});

test('days that do not exist are refused', async () => {
  const { ask: asked } = await provider();
  for (const days of ['tomorrow', '20261301', '20260302-x'])
    expect(await asked(ofStep(['00400002', 'DA', days]))).toBe(0x0106);
  expect(await asked(ofStep(['00400002', 'DA', '20260302-']))).toBe(0);
});

test('letters are those of the modality, and numbers that it can’t have keep an exam out, visibly', async () => {
  const { find: query, state } = await provider();
  await put(
    { accession_number: 'L-1', patient_name: 'PACIENTE^ANÔNIMO', exam_description: 'TC de Łódź' },
    { accession_number: 'A number that is too long' },
    { accession_number: 'Ł-1' },
  );
  const [latin, ...others] = await query(all);
  expect(others).toEqual([]);
  expect(latin!.string('x00080005')).toBe('ISO_IR 100');
  expect(latin!.string('x00100010')!.trim()).toBe('PACIENTE^ANÔNIMO');
  expect(latin!.string('x00321060')!.trim()).toBe('TC de ?ódz');
  const inUtf8 = await query([...all, ['00080005', 'CS', 'ISO_IR 192']]);
  const bytes = Buffer.concat(inUtf8.map(({ byteArray }) => Buffer.from(byteArray)));
  expect(inUtf8).toHaveLength(2);
  for (const text of ['TC de Łódź', 'Ł-1']) expect(bytes.includes(text)).toBe(true);
  expect((await state()).error).toContain('2 exams are missing in worklists');
  expect((await state()).error).not.toContain('question marks');
  await put({ accession_number: 'L-2', patient_name: 'Ｔｅｓｔ^Patient' });
  await put({ accession_number: 'L-3', patient_name: 'Test^Patient=Ｔｅｓｔ^Patient' });
  api.clock.advance(60_000);
  const named = (await query(all)).map((each) => each.string('x00100010')!.trim());
  expect(named.toSorted()).toEqual(['????^Patient', 'PACIENTE^ANÔNIMO', 'Test^Patient']);
  expect((await state()).error).toContain('1 exams have question marks in the patient’s name');
});

test('ids are written as they are, or not at all', async () => {
  const { find: query } = await provider();
  const codes = { procedure_code: 'Ł', placer_order_number: 'Ł-2', filler_order_number: 'F-2', priority: 'Łagodny' };
  const givers = {
    accession_system: '1.2.76.4',
    patient_id_system: 'urn:oid:1.2.76.1',
    patient_id_type: 'MR',
    placer_order_issuer: 'RIS',
    filler_order_system: 'https://ris.example/filler',
    procedure_code: '36643-5',
    procedure_code_system: 'http://loinc.org',
  };
  await put(
    { accession_number: 'I-1', procedure_id: 'Ł', accession_issuer: 'Łódź', metadata: codes },
    { accession_number: 'I-2', metadata: { procedure_code: 'C', procedure_code_system: 'Ł' } },
    { accession_number: 'I-3', accession_issuer: 'HSL', metadata: givers },
  );
  const found = await query([
    ['00080050', 'SH'],
    ['00080051', 'SQ', []],
    ['00100024', 'SQ', []],
    ['00400026', 'SQ', []],
    ['00400027', 'SQ', []],
    ['00321064', 'SQ', []],
    ['00401001', 'SH'],
    ['00401003', 'SH'],
    ['00402016', 'LO'],
    ['00402017', 'LO'],
  ]);
  expect(numbers(found)).toEqual(['I-1', 'I-2', 'I-3']);
  const given = found.find((each) => each.string('x00080050')?.trim() === 'I-3')!;
  const itemOf = (tag: string, names: readonly string[]) =>
    names.map((name) => given.elements[tag]!.items![0]!.dataSet!.string(name)?.trim());
  for (const each of found) if (each !== given) expect(each.elements['x00321064']!.items).toEqual([]);
  // As in structured reports.
  expect(itemOf('x00321064', ['x00080100', 'x00080102'])).toEqual(['36643-5', 'LN']);
  const universal = ['x00400031', 'x00400032', 'x00400033', 'x00400035'];
  expect(itemOf('x00080051', universal)).toEqual(['HSL', '1.2.76.4', 'ISO', undefined]);
  expect(itemOf('x00100024', universal)).toEqual([undefined, '1.2.76.1', 'ISO', 'MR']);
  expect(itemOf('x00400026', universal)).toEqual(['RIS', undefined, undefined, undefined]);
  expect(itemOf('x00400027', universal)).toEqual([undefined, 'https://ris.example/filler', 'URI', undefined]);
  const exam = found.find((each) => each.string('x00080050') === 'I-1');
  expect(exam!.string('x00401001')!.trim()).toBe('I-1');
  expect(exam!.elements['x00080051']!.items).toEqual([]);
  expect(exam!.string('x00402016')).toBeUndefined();
  expect(exam!.string('x00402017')!.trim()).toBe('F-2');
  // Other texts get similar letters.
  expect(exam!.string('x00401003')).toBe('?agodny');
});

test('exams that are in no worklist are counted whoever asks, and until they have begun', async () => {
  const port = await freePort();
  await risAt(port, async () => ({ status: 0 }));
  const { find: query, begin, state } = await provider({ ...forwardTo(port), max_answers: 1 });
  const numbers = ['C-1', 'C-2', 'A first one that is too long', 'A second one that is too long'];
  await put(...numbers.map((accession_number) => ({ accession_number })));
  expect(await query(ofStep(['00400001', 'AE', 'MR1'], ['00400002', 'DA', '20260303']))).toEqual([]);
  expect((await state()).error).toContain('2 exams are missing in worklists');
  expect(await query(all)).toHaveLength(1);
  // The RIS has no problem, which is another matter.
  expect(await begin('1.2.3', 'C-1')).toBe(0);
  expect((await state()).error).toContain('2 exams are missing in worklists');
  await put(...numbers.slice(2).map((accession_number) => ({ accession_number, exam_status: 'completed' })));
  api.clock.advance(60_000);
  expect(await query(all)).toHaveLength(1);
  expect((await state()).error).toBeNull();
});

test('a long worklist ends at the limit, and where the modality cancels', async () => {
  const { find: query } = await provider({ max_answers: 120 });
  await put(...Array.from({ length: 600 }, (_, at) => ({ accession_number: `M-${at}` })));
  expect(await query(all)).toHaveLength(120);
  const formatters = vi.spyOn(Intl, 'DateTimeFormat');
  expect(await query(all, 3)).toHaveLength(3);
  // The next query finds the provider as before.
  expect(await query(all)).toHaveLength(120);
  // To make one takes longer than to find an exam; the first query made the channel's.
  expect(formatters).not.toHaveBeenCalled();
});

/** A RIS that answers messages about steps, and the settings of a channel that passes them on to it. */
async function risAt(port: number, answer: (command: Command) => Promise<Answer>) {
  const ris = await provide({
    host: '127.0.0.1',
    port,
    title: 'RIS',
    callers: [],
    services: [sopClasses.performedStep],
    maxAssociations: 5,
    silentMs: 20_000,
    answer: ({ command }) => answer(command),
    onFailure: () => {},
  });
  onTestFinished(() => ris.close());
}
const forwardTo = (port: number) => ({ forward_host: '127.0.0.1', forward_port: port, forward_title: 'RIS' });

test('a begun exam leaves the worklist, keeps its source, and the step is passed on to the RIS', async () => {
  const taken: number[] = [];
  let status = 0;
  const port = await freePort();
  const modality = await provider(forwardTo(port));
  await put({ accession_number: 'S-1' });
  const begin = () => modality.begin('1.2.3', 'S-1');
  // The RIS is down: the modality is to repeat it.
  expect(await begin()).toBe(0x0213);
  expect((await modality.state()).error).toContain('could not be passed on');
  await risAt(port, async ({ field }) => {
    taken.push(field);
    return { status };
  });
  expect(await begin()).toBe(0);
  expect(await read('S-1')).toMatchObject({ exam_status: 'in_progress', source_system: null });
  expect(await modality.find(all)).toEqual([]);
  const end = () => modality.end('1.2.3');
  status = 0x0110;
  expect(await end()).toBe(0x0110);
  expect((await modality.state()).error).toContain('refused a performed step with status 0110');
  status = 0;
  expect(await end()).toBe(0);
  expect((await modality.state()).error).toBeNull();
  expect(await read('S-1')).toMatchObject({ exam_status: 'completed' });
  expect(taken).toEqual([commands.createRequest, commands.setRequest, commands.setRequest]);
});

test('a RIS that is slow about one step delays no other', async () => {
  const port = await freePort();
  let answerSlow = (_: Answer): void => {};
  const isAsked = new Promise<void>((resolve) => {
    void risAt(port, async ({ affectedInstance }) => {
      if (affectedInstance !== '1.2.3') return { status: 0 };
      resolve();
      return new Promise((slow) => (answerSlow = slow));
    });
  });
  const modality = await provider(forwardTo(port));
  await put({ accession_number: 'T-1' }, { accession_number: 'T-2' });
  const slow = modality.begin('1.2.3', 'T-1');
  await isAsked;
  expect(await modality.begin('1.2.4', 'T-2')).toBe(0);
  answerSlow({ status: 0 });
  expect(await slow).toBe(0);
});

test('a step that the RIS has already, or takes with a warning, is passed on', async () => {
  const port = await freePort();
  const answers: Answer[] = [];
  await risAt(port, async () => answers.shift()!);
  const modality = await provider(forwardTo(port));
  await put({ accession_number: 'V-1' }, { accession_number: 'V-2' });
  const over = { status: 0x0110, errorId: 0xa710 };
  answers.push({ status: 0x0107 }, over, over, { status: 0x0111 }, { status: 0x0116 });
  expect(await modality.begin('1.2.3', 'V-1')).toBe(0);
  // The modality has not sent it before: the RIS ended the step in another way.
  expect(await modality.end('1.2.3')).toBe(0x0110);
  expect(await modality.end('1.2.3')).toBe(0);
  expect((await modality.state()).error).toBeNull();
  expect(await modality.begin('1.2.4', 'V-2')).toBe(0);
  expect(await modality.end('1.2.4')).toBe(0);
});
