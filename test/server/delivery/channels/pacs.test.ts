/** dicom-pacs and dicomweb-pacs against Orthanc: studies of exams, and former reports, by every way. */
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { PacsQuestions } from '../../../../server/delivery/channels/kinds/pacs/questions.ts';
import type { StudyQuery } from '../../../../server/delivery/channels/kinds/pacs/pacs.ts';
import { contract } from '../../../../src/contract/index.ts';
import { manualClock } from '../../../../src/domain/clock.ts';
import { writers } from '../../../../server/delivery/formats/registry.ts';
import { dictated, examFields, startApi, startOfTests, succeeded } from '../../../support/api.ts';
import type { Api } from '../../../support/api.ts';
import { startOrthanc } from '../../../support/dicom-peers.ts';
import { eventually } from '../../../support/eventually.ts';
import { freePort } from '../../../support/free-port.ts';
import { startHttpServer } from '../../../support/http-server.ts';
import { ctFile, pdfFile, srFile } from '../../../support/pacs-objects.ts';
import { reportWith } from '../../../support/signed-report.ts';

const { channels, worklists, priors } = contract;
let api: Api;
beforeEach(async () => void (api = await startApi({ isPrompt: true })));

type Orthanc = Awaited<ReturnType<typeof startOrthanc>>;

async function put({ rest }: Orthanc, ...files: readonly Uint8Array[]): Promise<void> {
  for (const body of files) {
    const answer = await fetch(`${rest}/instances`, { method: 'POST', body: Buffer.from(body) });
    expect(answer.status).toBe(200);
  }
}

/** How each kind and way reaches Orthanc. */
const ways: Readonly<
  Record<string, (orthanc: Orthanc) => Promise<{ kind: string; settings: Record<string, unknown> }>>
> = {
  'C-GET': async ({ host, port, title }) => ({ kind: 'dicom-pacs', settings: { host, port, called_title: title } }),
  'C-MOVE': async ({ host, port, title, rest }) => {
    const receive_port = await freePort();
    const body = JSON.stringify({ AET: 'LAUDIO', Host: '127.0.0.1', Port: receive_port });
    expect((await fetch(`${rest}/modalities/laudio`, { method: 'PUT', body })).status).toBe(200);
    return { kind: 'dicom-pacs', settings: { host, port, called_title: title, retrieve: 'move', receive_port } };
  },
  DICOMweb: async ({ rest }) => ({ kind: 'dicomweb-pacs', settings: { base_url: `${rest}/dicom-web` } }),
};

let count = 0;
async function channelBy(kind: string, settings: Record<string, unknown>) {
  const name = `pacs-${++count}`;
  const body = { name, kind, space: 'test_tc_local', settings: { time_zone: 'America/Sao_Paulo', ...settings } };
  succeeded(await api.call(channels.endpoints.add, { body }), 201);
  const params = { channel: name };
  return {
    name,
    test: async () => succeeded(await api.call(channels.endpoints.test, { params })),
    state: async () => succeeded(await api.call(channels.endpoints.get, { params })).state,
    queue: async () => succeeded(await api.call(channels.endpoints.queue, { params })).items,
    after: (holds: () => Promise<void>) =>
      eventually(async () => {
        api.clock.advance(2000);
        await holds();
      }),
  };
}

const patient = { patient_id: 'P-1', patient_name: 'Test^Patient', patient_birth_date: '1971-06-14' };
/** Sends an exam; resolves to its id. */
async function exam(fields: Record<string, unknown>): Promise<string> {
  const { study_uid: _, ...rest } = examFields({ ...patient, exam_datetime: '2026-03-02T09:00:00-03:00', ...fields });
  const { items } = succeeded(await api.call(worklists.endpoints.ingest, { body: { ...rest, ...fields } }));
  return items[0]!.id!;
}
const read = async (id: string) => succeeded(await api.call(worklists.endpoints.get, { params: { id } }));
const priorsOf = async (id: string) =>
  succeeded(await api.call(priors.endpoints.ofItem, { params: { id }, query: {} })).items;
const wordsOf = async (id: string) =>
  succeeded(await api.call(priors.endpoints.get, { params: { id } }))
    .sections.map(({ text }) => text)
    .join('\n');

describe.each(Object.entries(ways))('by %s', (_way, reach) => {
  test('an exam gets the study of its images, and the reports of former ones, which are fetched once', async () => {
    const orthanc = await startOrthanc();
    const sections = [{ key: 'findings', title: 'Achados', text: 'Coração de aspecto normal.' }];
    const pdf = (await writers.pdf(reportWith(sections)))!;
    await put(
      orthanc,
      ctFile({ study: '1.2.3.10', accession: 'A-1', date: '20260302' }),
      ctFile({ study: '1.2.3.20', accession: 'OLD-1' }),
      srFile({ study: '1.2.3.20', accession: 'OLD-1' }, 'Nódulo de 4 mm — estável.'),
      ctFile({ study: '1.2.3.30', accession: 'OLD-2', date: '20230113', description: 'TC do crânio' }),
      pdfFile(
        { study: '1.2.3.30', accession: 'OLD-2', date: '20230113', description: 'TC do crânio' },
        Buffer.from(pdf),
      ),
      // The number of another patient's exam in another hospital, and another patient's report.
      ctFile({
        study: '1.2.3.40',
        accession: 'A-1',
        patientId: 'X-9',
        patientName: 'Other^Person',
        birthDate: '19500101',
      }),
      srFile({ study: '1.2.3.50', accession: 'X-1', patientName: 'Other^Person', birthDate: '19500101' }, 'Alheio.'),
    );
    const { kind, settings } = await reach(orthanc);
    const channel = await channelBy(kind, settings);
    expect(await channel.test()).toMatchObject({ works: true });
    const id = await exam({ accession_number: 'A-1' });
    await channel.after(async () => {
      expect(await channel.state()).toMatchObject({ status: 'open', error: null });
      expect(await priorsOf(id)).toHaveLength(2);
    });
    expect(await read(id)).toMatchObject({ study_uid: '1.2.3.10', source_system: null });
    const [newest, older] = await priorsOf(id);
    expect(newest).toMatchObject({
      origin: 'imported',
      source_system: channel.name,
      modality: 'CT',
      exam_description: 'TC de tórax',
      exam_datetime: '2024-01-13T09:10:00-03:00',
      status: 'final',
      report_id: '1.2.3.20.2.1',
    });
    expect(await wordsOf(newest!.id)).toBe('Nódulo de 4 mm — estável.');
    expect(older).toMatchObject({ exam_description: 'TC do crânio', accession_number: 'OLD-2' });
    expect(await wordsOf(older!.id)).toContain('Coração de aspecto normal.');
    // A second exam of the patient has them too, and nothing is stored twice.
    const second = await exam({ accession_number: 'A-2' });
    for (let at = 0; at < 3; at++) await channel.after(async () => expect(await priorsOf(second)).toHaveLength(2));
    expect((await priorsOf(second)).map(({ version }) => version)).toEqual([1, 1]);
    expect(await channel.queue()).toEqual([]);
    expect(JSON.stringify(api.logged)).not.toMatch(/Test\^Patient|Nódulo|P-1\b/);
  });
});

test('several studies under one number are shown to a person, and the exam keeps none', async () => {
  const orthanc = await startOrthanc();
  await put(orthanc, ctFile({ study: '1.2.3.1', accession: 'B-1' }), ctFile({ study: '1.2.3.2', accession: 'B-1' }));
  const { kind, settings } = await ways['C-GET']!(orthanc);
  const channel = await channelBy(kind, settings);
  const id = await exam({ accession_number: 'B-1' });
  await channel.after(async () => expect(await channel.queue()).toHaveLength(1));
  expect((await channel.queue())[0]!.error).toMatchObject({ code: 'SEVERAL_STUDIES' });
  expect(await read(id)).toMatchObject({ study_uid: null });
});

test('an unanswered question is shown, asked again, and delays no other exam', async () => {
  const channel = await channelBy('dicom-pacs', {
    host: '127.0.0.1',
    port: await freePort(),
    called_title: 'PACS',
    timeout_seconds: 1,
  });
  const id = await exam({ accession_number: 'C-1' });
  await channel.after(async () => expect((await channel.state()).error).toContain('cannot be reached'));
  expect(await read(id)).toMatchObject({ study_uid: null });
});

test('who waits longest is asked about first, whatever comes later and is nearer in time', async () => {
  const clock = manualClock(Date.parse(startOfTests));
  const asked: string[] = [];
  const conversation = {
    // oxlint-disable-next-line require-yield -- it has no study
    async *findStudies(query: StudyQuery) {
      asked.push('accession' in query ? query.accession : query.patient);
    },
    close: async () => {},
  };
  const exams = new Map<string, object>();
  const intake = {
    async *examsForPacs() {
      yield [...exams.values()];
    },
    readExams: async (ids: readonly string[]) => ids.map((id) => exams.get(id)),
  };
  const questions = new PacsQuestions(
    { name: 'pacs', settings: { years_back: 0 } } as never,
    { converse: () => conversation } as never,
    { clock, intake, log: () => {} } as never,
  );
  const add = (name: string, count: number, days: number): void => {
    const exam_datetime = new Date(clock.now() + days * 24 * 3600_000).toISOString();
    for (let at = 0; at < count; at += 1) {
      const id = `${name}-${at}`;
      exams.set(id, { id, ...patient, accession_number: id, study_uid: null, status: 'new', exam_datetime });
      questions.noteChanged([id]);
    }
  };
  const { signal } = new AbortController();
  add('far', 1, 1);
  add('near', 200, 0);
  expect(await questions.poll(signal)).toBe(true);
  expect(asked).not.toContain('far-0');
  clock.advance(1000);
  add('later', 200, 0);
  expect(await questions.poll(signal)).toBe(true);
  expect(asked.indexOf('far-0')).toBe(200);
  expect(await questions.poll(signal)).toBe(false);
  expect(new Set(asked).size).toBe(401);
});

const study = (uid: string, accession: string) => ({
  '0020000D': { vr: 'UI', Value: [uid] },
  '00080050': { vr: 'SH', Value: [accession] },
  '00080061': { vr: 'CS', Value: ['CT'] },
  '00100010': { vr: 'PN', Value: [{ Alphabetic: 'Test^Patient' }] },
  '00100020': { vr: 'LO', Value: ['P-1'] },
  '00100030': { vr: 'DA', Value: ['19710614'] },
});

describe('a DICOMweb service', () => {
  test('gets a token for the secret of a client, and a new one once it is refused', async () => {
    const asked: string[] = [];
    let isExpired = false;
    const server = await startHttpServer(({ path, query, headers, body }) => {
      asked.push(path);
      if (path === '/token') {
        expect(headers['authorization']).toBe(`Basic ${Buffer.from('laudio:a+secret').toString('base64')}`);
        expect(new URLSearchParams(body).get('grant_type')).toBe('client_credentials');
        isExpired = false;
        return { status: 200, body: { access_token: `t${asked.length}`, expires_in: 3600 } };
      }
      if (!String(headers['authorization']).startsWith('Bearer t') || isExpired) return { status: 401, body: {} };
      return { status: 200, body: query.get('AccessionNumber') === 'D-1' ? [study('1.2.3.4', 'D-1')] : [] };
    });
    onTestFinished(server.close);
    const channel = await channelBy('dicomweb-pacs', {
      base_url: server.url,
      token_url: `${server.url}/token`,
      client_id: 'laudio',
      client_secret: 'a secret',
    });
    const id = await exam({ accession_number: 'D-1' });
    await channel.after(async () => expect(await read(id)).toMatchObject({ study_uid: '1.2.3.4' }));
    isExpired = true;
    const second = await exam({ accession_number: 'D-2' });
    await channel.after(async () => expect(asked.filter((path) => path === '/token')).toHaveLength(2));
    expect(await read(second)).toMatchObject({ study_uid: null });
  });

  test('gives the study of an exam that was reported before, and is asked soon when the exam moves', async () => {
    let isThere = false;
    const server = await startHttpServer(() => ({ status: 200, body: isThere ? [study('1.2.3.6', 'R-1')] : [] }));
    onTestFinished(server.close);
    const channel = await channelBy('dicomweb-pacs', { base_url: server.url, interval_seconds: 86_400 });
    const id = await exam({ accession_number: 'R-1' });
    await channel.after(async () => expect(server.asked.length).toBeGreaterThan(0));
    const { id: record } = await api.generate({ text: dictated, language: 'en-US', worklist_item_id: id });
    isThere = true;
    const body = { status: 'final' as const };
    succeeded(await api.call(contract.records.endpoints.update, { params: { id: record }, body }));
    expect(await read(id)).toMatchObject({ status: 'completed', study_uid: null });
    await channel.after(async () => expect(await read(id)).toMatchObject({ study_uid: '1.2.3.6' }));
  });

  test('is asked for the reports of each person with an id, and again once the person is corrected', async () => {
    const server = await startHttpServer(() => ({ status: 200, body: [] }));
    onTestFinished(server.close);
    const channel = await channelBy('dicomweb-pacs', { base_url: server.url });
    const asked = () => server.asked.filter(({ query }) => query.get('PatientID') === 'P-1').length;
    const sent = [{}, { patient_name: 'Teste^Paciente', patient_birth_date: '1950-01-01' }].map((fields, at) => {
      const number = { accession_number: `G-${at}`, exam_datetime: '2026-03-02T09:00:00-03:00' };
      return examFields({ ...patient, ...number, ...fields });
    });
    const ingest = async (items: readonly object[]) =>
      expect(succeeded(await api.call(worklists.endpoints.ingest, { body: { items } })).errors).toEqual([]);
    await ingest(sent);
    await channel.after(async () => expect(asked()).toBe(2));
    await ingest([{ ...sent[0], patient_birth_date: '1971-06-15' }]);
    await channel.after(async () => expect(asked()).toBe(3));
  });

  test('gives former reports that cannot be had, which hinder no other and are named once', async () => {
    const former = (at: number) => ({
      ...study(`1.2.7.${at}`, `OLD-${at}`),
      '00080061': { vr: 'CS', Value: ['CT', 'SR'] },
    });
    const objectIn = (at: string) => ({
      '0020000E': { vr: 'UI', Value: [`1.2.7.${at}.2`] },
      '00080060': { vr: 'CS', Value: ['SR'] },
      '00080016': { vr: 'UI', Value: ['1.2.840.10008.5.1.4.1.1.88.11'] },
      '00080018': { vr: 'UI', Value: [`1.2.7.${at}.2.1`] },
    });
    async function* tooMuch() {
      for (let at = 0; at < 17; at++) yield 'x'.repeat(1024 * 1024);
    }
    const files: Readonly<Record<string, () => object>> = {
      '1': () => ({ status: 500, body: {} }),
      '2': () => ({ status: 200, body: tooMuch() }),
      '3': () => ({ status: 200, headers: { 'content-type': 'multipart/related; boundary=b' }, body: '--b\r\ncut' }),
      '4': () => ({ status: 200, body: pieces(srFile({ study: '1.2.7.4', accession: 'OLD-4' }, '')) }),
      '5': () => ({ status: 200, body: pieces(srFile({ study: '1.2.7.5', accession: 'OLD-5' }, 'Sem alterações.')) }),
    };
    async function* pieces(file: Buffer) {
      yield file;
    }
    const server = await startHttpServer(({ path, query }) => {
      const [, at = ''] = /1\.2\.7\.(\d)/.exec(path) ?? [];
      if (path.endsWith('.2.1')) return files[at]!();
      if (at !== '') return { status: 200, body: [objectIn(at)] };
      return { status: 200, body: query.has('PatientID') ? [1, 2, 3, 4, 5].map(former) : [] };
    });
    onTestFinished(server.close);
    const channel = await channelBy('dicomweb-pacs', { base_url: server.url });
    const first = await exam({ accession_number: 'H-1' });
    await channel.after(async () => expect(await priorsOf(first)).toHaveLength(1));
    const countReads = (at: number) => server.asked.filter(({ path }) => path.endsWith(`1.2.7.${at}.2.1`)).length;
    await exam({ accession_number: 'H-2' });
    await channel.after(async () => expect([1, 2, 3, 4, 5].map(countReads)).toEqual([2, 2, 2, 1, 1]));
    await channel.after(async () => expect((await channel.state()).error).toBeNull());
    const events = api.logged.map(({ event }) => event).filter((event) => String(event).startsWith('report_'));
    expect(events.toSorted()).toEqual([
      'report_not_given',
      'report_not_given',
      'report_not_given',
      'report_without_words',
    ]);
  });

  test('names studies, series and objects by UIDs alone, and is not asked about thousands of series', async () => {
    const former = (uid: string) => ({ ...study(uid, uid), '00080061': { vr: 'CS', Value: ['CT', 'SR'] } });
    const series = (uid: string) => ({
      '0020000E': { vr: 'UI', Value: [uid] },
      '00080060': { vr: 'CS', Value: ['SR'] },
    });
    const server = await startHttpServer(({ path, query }) => {
      if (path.endsWith('/instances')) return { status: 200, body: [] };
      const offset = Number(query.get('offset'));
      if (path.endsWith('/series')) {
        const page = Array.from({ length: 100 }, (_, at) => series(`1.2.6.${offset + at}`));
        return {
          status: 200,
          body: offset >= 5000 ? [] : offset === 0 ? [series('../secret'), ...page.slice(1)] : page,
        };
      }
      if (offset > 0) return { status: 200, body: [] };
      return {
        status: 200,
        body: query.has('PatientID') ? ['1.2.6', '../secret', '..'].map(former) : [study('../secret', 'I-1')],
      };
    });
    onTestFinished(server.close);
    const channel = await channelBy('dicomweb-pacs', { base_url: server.url });
    const id = await exam({ accession_number: 'I-1' });
    const asked = () => server.asked.filter(({ path }) => path.endsWith('/instances')).length;
    await channel.after(async () => expect(asked()).toBeGreaterThanOrEqual(499));
    await channel.after(async () => expect((await channel.state()).error).toBeNull());
    expect(asked()).toBe(499);
    expect(server.asked.map(({ path }) => path).filter((path) => !/^\/studies(?:\/1\.2\.6\/|$)/.test(path))).toEqual(
      [],
    );
    expect([await channel.queue(), (await read(id)).study_uid]).toEqual([[], null]);
  });

  test.each([
    ['a page of a portal', { status: 200, body: '<html>' }, 'is base_url right?'],
    ['busy', { status: 503, body: {} }, 'asks us to wait'],
    ['that forbids', { status: 403, body: {} }, 'answered with 403'],
  ])('%s is shown by name, without what was asked', async (_what, reply, told) => {
    const server = await startHttpServer(() => reply);
    onTestFinished(server.close);
    const channel = await channelBy('dicomweb-pacs', { base_url: server.url });
    await exam({ accession_number: `E-${count}` });
    await channel.after(async () => expect((await channel.state()).error).toContain(told));
    expect(JSON.stringify([await channel.state(), api.logged])).not.toMatch(/P-1\b|E-\d/);
  });

  test('that answers everything to everybody gives nothing wrong, and its pages end', async () => {
    let pages = 0;
    const server = await startHttpServer(({ query }) => {
      pages += 1;
      const offset = Number(query.get('offset'));
      const all = Array.from({ length: 100 }, (_, at) => study(`1.2.9.${offset + at}`, `F-${offset + at}`));
      return { status: 200, body: offset >= 10_000 ? [] : all };
    });
    onTestFinished(server.close);
    const channel = await channelBy('dicomweb-pacs', { base_url: server.url });
    const id = await exam({ accession_number: 'F-250' });
    await channel.after(async () => expect(await read(id)).toMatchObject({ study_uid: '1.2.9.250' }));
    // Five thousand answers to a question are looked at.
    expect(pages).toBeLessThanOrEqual(102);
  });
});
