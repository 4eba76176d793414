/** One patient's data by the operator's calls: found, exported, restricted, erased from every file, and erased again. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { contract } from '../../../../src/contract/index.ts';
import type { PatientQuery } from '../../../../src/contract/patient.ts';
import { readTar } from '../../../../src/node/files/tar.ts';
import { examFields, startApi, succeeded } from '../../../support/api.ts';
import type { Api, ApiOptions } from '../../../support/api.ts';
import { wav } from '../../../support/audio.ts';
import { backupOf, exportOf, restoreTo, seedTo } from '../../../support/maintenance.ts';
import { temporaryDirectory } from '../../../support/temporary-directory.ts';

const { find, get, export: exporting, restrict, release, erase, removeExam } = contract.patients.endpoints;
const { worklists, records, priors, maintenance, audit } = contract;

const start = (options: ApiOptions = {}): Promise<Api> => startApi(options, onTestFinished);
const speech = { audio: { content_type: 'audio/wav' as const, data: wav({ seconds: 1 }).toString('base64') } };

/** Words of one patient that no other has. */
const canary = { patient_id: 'KANARI77', patient_name: 'DEMO^PATIENT', patient_birth_date: '1961-04-12' };
const canaries = ['KANARI77', 'DEMO^PATIENT', 'Demo Patient', 'TWITTERING'];

const at = (id: string) => ({ params: { id } });
const findBy = async (api: Api, body: PatientQuery) => succeeded(await api.call(find, { body })).items;
const exam = (api: Api, accession_number: string, fields = {}) =>
  api.exam(examFields({ ...canary, accession_number, ...fields }));

/** An exam with a signed report and its sound, another one, a prior, and what is about somebody else. */
async function fill(api: Api) {
  const first = await exam(api, 'KAN-1');
  const second = await exam(api, 'KAN-2', { metadata: { note: 'TWITTERING' } });
  const other = await api.exam(examFields({ accession_number: 'OTHER-1' }));
  const record = await api.generate({
    text: 'Demo Patient. Findings: TWITTERING nodule.',
    worklist_item_id: first,
  } as never);
  const spoken = await api.generate({ ...speech, worklist_item_id: second } as never);
  const elsewhere = await api.generate({ text: 'Test Patient. Findings: normal.', worklist_item_id: other } as never);
  const prior = {
    ...canary,
    report_id: 'KAN-P',
    exam_datetime: '2025-03-02T08:30:00-03:00',
    exam_description: 'CT',
    text: 'Findings: TWITTERING long ago.',
  };
  succeeded(await api.call(priors.endpoints.import, { body: { items: [prior] } }));
  return { first, second, other, record: record.id, spoken: spoken.id, elsewhere: elsewhere.id };
}

/** Every byte under a directory, as text. */
async function contentOf(directory: string): Promise<string> {
  const texts: string[] = [];
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) texts.push(await readFile(join(entry.parentPath, entry.name), 'latin1'));
  return texts.join('\n');
}

async function filesOf(api: Api, id: string): Promise<Record<string, Buffer>> {
  const { rawPayload } = await api.server.inject({
    url: exporting.path.replace('{id}', id),
    headers: { authorization: `Bearer ${api.server.adminToken}` },
  });
  const files: Record<string, Buffer> = {};
  async function* bytes() {
    yield rawPayload;
  }
  for await (const { name, content } of readTar(bytes(), (error) => error)) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of content) chunks.push(chunk);
    files[name] = Buffer.concat(chunks);
  }
  return files;
}

describe('a patient', () => {
  test('is found by id, words of the name or accession number, and by nothing less', async () => {
    const api = await start();
    await fill(api);
    const [one] = await findBy(api, { patient_id: 'KANARI77' });
    expect(one).toMatchObject({ patient_name: canary.patient_name, exams: 2, priors: 1, restricted: false });
    expect(await findBy(api, { patient_name: 'pati demo' })).toMatchObject([{ patient_id: 'KANARI77' }]);
    expect(await findBy(api, { accession_number: 'KAN-2' })).toMatchObject([{ patient_id: 'KANARI77' }]);
    expect(await findBy(api, { patient_id: 'KANARI' })).toEqual([]);
    expect(await findBy(api, { patient_id: 'KANARI77', space: 'elsewhere' })).toEqual([]);
    expect((await api.call(find, { body: {} })).status).toBe(400);
    expect((await api.call(find, { body: { patient_id: 'KANARI77' }, token: api.token })).status).toBe(401);
  });

  test('is exported for people and programs, without anybody else', async () => {
    const api = await start();
    const { first, record, spoken, elsewhere } = await fill(api);
    const files = await filesOf(api, first);
    expect(files[`reports/${record}.pdf`]!.subarray(0, 5).toString()).toBe('%PDF-');
    expect(JSON.parse(files[`reports/${record}.fhir.json`]!.toString())).toMatchObject({
      resourceType: 'DiagnosticReport',
    });
    expect(Object.keys(files).filter((name) => /^(priors|audio)\//.test(name))).toEqual([
      expect.stringMatching(/^priors\/.+\.txt$/),
      expect.stringMatching(/^audio\/blb_.+\.wav$/),
    ]);
    const lines = files['documents.ndjson']!.toString();
    for (const id of [record, spoken]) expect(lines).toContain(id);
    expect(lines).not.toContain(elsewhere);
    expect(lines).not.toContain('0045871');
    expect((await api.call(exporting, at('wli_none'))).status).toBe(404);
  });

  test('is out of reach while restricted, and comes back whole', async () => {
    const api = await start({ retention: { completed: 1 } });
    const { first, record, other } = await fill(api);
    const before = await api.stored();
    expect(succeeded(await api.call(restrict, at(first)))).toMatchObject({ id: first, restricted: true });
    for (const [endpoint, id] of [
      [worklists.endpoints.get, first],
      [records.endpoints.get, record],
      [records.endpoints.audio, record],
    ] as const)
      expect((await api.call(endpoint, at(id))).status).toBe(404);
    expect((await api.call(worklists.endpoints.get, at(other))).status).toBe(200);
    expect(await findBy(api, { patient_id: 'KANARI77' })).toMatchObject([{ id: first, restricted: true, exams: 2 }]);
    api.clock.advance(30 * 24 * 3600 * 1000);
    expect(succeeded(await api.call(release, at(first)))).toMatchObject({ id: first, restricted: false });
    expect(await api.stored()).toMatchObject({
      items: before['items'],
      records: before['records'],
      versions: before['versions'],
    });
    const { access_token: token } = await api.tokens();
    expect((await api.call(records.endpoints.get, { ...at(record), token })).status).toBe(200);
    expect((await api.call(release, at(first))).status).toBe(404);
  });
});

test('what is held is counted, in the trash and restricted too, as an erasure counts it', async () => {
  const api = await start();
  const { first, second, other } = await fill(api);
  const about = { id: first, ...canary, restricted: false, audio_files: 1 };
  const held = succeeded(await api.call(get, at(first)));
  expect(held).toMatchObject({ ...about, documents: { items: 2, records: 2, priors: 1 } });
  expect(held.documents).not.toHaveProperty('trash');
  succeeded(await api.call(removeExam, at(second)));
  expect(succeeded(await api.call(get, at(first)))).toEqual(held);
  succeeded(await api.call(restrict, at(first)));
  expect(succeeded(await api.call(get, at(first)))).toMatchObject({ ...about, restricted: true });
  expect(succeeded(await api.call(get, at(other))).documents).toMatchObject({ items: 1, records: 1 });
  succeeded(await api.call(erase, at(first)));
  expect((await api.call(get, at(first))).status).toBe(404);
  const report = await api.generate({ text: 'Test Patient. Findings: normal.' });
  expect(succeeded(await api.call(get, at(report.id)))).toMatchObject({
    patient_name: null,
    documents: { records: 1 },
  });
});

describe('an erased patient', () => {
  test('is in no file of the server: documents, sound, trash, snapshots, and the trail has ids alone', async () => {
    const dataDir = await temporaryDirectory();
    const api = await start({ dataDir });
    const { first, second, other, record, elsewhere } = await fill(api);
    succeeded(await api.call(removeExam, at(await exam(api, 'KAN-3'))));
    const admin = { token: api.server.adminToken };
    for (const name of ['held', 'with-trash'])
      succeeded(await api.call(maintenance.endpoints.saveSnapshot, { params: { name }, ...admin }));
    const erased = succeeded(await api.call(erase, at(second)));
    expect(erased).toMatchObject({ audio_files: 1, snapshots: expect.arrayContaining(['held', 'with-trash']) });
    expect(erased.documents).toMatchObject({ items: 2, records: 2, priors: 1, trash: 1 });
    expect(await findBy(api, { patient_id: 'KANARI77' })).toEqual([]);
    const audioLeft = (await readdir(join(dataDir, 'audio'))).filter((name) => name.startsWith('blb_'));
    expect(audioLeft).toEqual([]);
    await api.close();
    const disk = await contentOf(dataDir);
    for (const word of canaries) expect(disk).not.toContain(word);
    const again = await start({ dataDir });
    expect((await again.call(worklists.endpoints.get, at(other))).status).toBe(200);
    expect((await again.call(records.endpoints.get, at(elsewhere))).status).toBe(200);
    const { items } = succeeded(await again.call(audit.endpoints.list, { query: { patient: erased.id, limit: 1000 } }));
    expect(items.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['worklists.ingest', 'records.generate', 'patients.erase']),
    );
    expect(items.some(({ ids }) => ids.includes(first) || ids.includes(record))).toBe(true);
    expect(items.some(({ ids }) => ids.includes(other) && ids.length === 1)).toBe(false);
    for (const word of canaries) expect(JSON.stringify(items)).not.toContain(word);
  });

  test('is erased again by a restore of an earlier backup, under whatever ids', async () => {
    const dataDir = await temporaryDirectory();
    const api = await start({ dataDir });
    const gone = await exam(api, 'KAN-0');
    const earliest = await backupOf(api);
    succeeded(await api.call(erase, at(gone)));
    const { second, other } = await fill(api);
    const backup = await backupOf(api);
    succeeded(await api.call(erase, at(second)));
    for (const bytes of [backup, earliest]) {
      expect((await restoreTo(api, bytes)).status).toBe(200);
      expect(await findBy(api, { patient_id: 'KANARI77' })).toEqual([]);
    }
    expect((await restoreTo(api, backup)).status).toBe(200);
    expect((await api.call(worklists.endpoints.get, at(other))).status).toBe(200);
    await api.close();
    const disk = await contentOf(dataDir);
    for (const word of canaries) expect(disk).not.toContain(word);
  });

  test('is erased on another server too, to which the notes are carried', async () => {
    const [api, elsewhere] = [await start(), await start()];
    const { first } = await fill(api);
    const backup = await backupOf(api);
    succeeded(await api.call(erase, at(first)));
    const notes = await exportOf(api, { collections: 'erasures' });
    for (const word of canaries) expect(notes).not.toContain(word);
    expect((await restoreTo(elsewhere, backup)).status).toBe(200);
    expect(await findBy(elsewhere, { patient_id: 'KANARI77' })).toHaveLength(1);
    expect((await seedTo(elsewhere, notes)).status).toBe(200);
    expect(await findBy(elsewhere, { patient_id: 'KANARI77' })).toEqual([]);
  });

  test('never takes somebody along who has the same number and another name', async () => {
    const api = await start();
    const id = await exam(api, 'KAN-1', { patient_id: '0' });
    const other = await api.exam(
      examFields({
        accession_number: 'O-1',
        patient_id: '0',
        patient_name: 'TESTE^PACIENTE',
        patient_birth_date: '1950-01-01',
      }),
    );
    const before = await backupOf(api);
    expect(succeeded(await api.call(erase, at(id))).documents).toMatchObject({ items: 1 });
    expect((await api.call(worklists.endpoints.get, at(other))).status).toBe(200);
    await restoreTo(api, before);
    expect((await api.call(worklists.endpoints.get, at(id))).status).toBe(404);
    expect((await api.call(worklists.endpoints.get, at(other))).status).toBe(200);
  });

  test('stays erased where everything is removed and a backup comes back', async () => {
    const api = await start();
    const { first } = await fill(api);
    const backup = await backupOf(api);
    succeeded(await api.call(erase, at(first)));
    succeeded(await api.call(maintenance.endpoints.reset, { body: {} }));
    await restoreTo(api, backup);
    expect(await findBy(api, { patient_id: 'KANARI77' })).toEqual([]);
  });
});

describe('an exam', () => {
  test('is removed by the operator alone, with its reports, and can be brought back', async () => {
    const api = await start();
    const { first, record, other } = await fill(api);
    expect((await api.call(removeExam, { ...at(first), token: api.token })).status).toBe(401);
    expect(succeeded(await api.call(removeExam, at(first)))).toMatchObject({ id: first, deleted: true });
    for (const [endpoint, id] of [
      [worklists.endpoints.get, first],
      [records.endpoints.get, record],
    ] as const)
      expect((await api.call(endpoint, at(id))).status).toBe(404);
    expect((await api.call(removeExam, at(first))).status).toBe(404);
    expect((await api.call(worklists.endpoints.get, at(other))).status).toBe(200);
    succeeded(await api.call(maintenance.endpoints.restoreTrash, at(first)));
    expect((await api.call(records.endpoints.get, at(record))).status).toBe(200);
  });

  test('whose job runs stays', async () => {
    const api = await start();
    const first = await exam(api, 'KAN-1');
    const headers = { 'x-laudio-simulate': 'job=slow:600000' };
    const { id } = await api.enqueue({ text: 'Test Patient. Findings: normal.', worklist_item_id: first } as never, {
      headers,
    });
    expect(await api.call(removeExam, at(first))).toMatchObject({
      status: 409,
      error: { code: 'INVALID_TRANSITION', details: { job_id: id } },
    });
  });
});

test('the trail says who read a patient, by any of the ids', async () => {
  const api = await start();
  const { first, record, other } = await fill(api);
  await api.call(records.endpoints.export, { ...at(record), query: { format: 'txt' } });
  await api.call(worklists.endpoints.get, at(other));
  const { items } = succeeded(await api.call(audit.endpoints.list, { query: { patient: first } }));
  expect(items).toContainEqual(expect.objectContaining({ action: 'records.export', ids: [record] }));
  expect(items.some(({ ids }) => ids.includes(other) && ids.length === 1)).toBe(false);
  expect((await api.call(audit.endpoints.list, { query: { patient: 'wli_none' } })).status).toBe(404);
});
