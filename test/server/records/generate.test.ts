/** POST /api/v1/medical-records/generate (specification 4.3). */
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { TranscribeInput } from '../../../server/speech/recogniser.ts';
import type { GenerateRequest } from '../../../src/contract/record.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { wav } from '../../support/audio.ts';
import { colleague, createRecordService, dictated, elsewhere, testClient } from '../../support/record-service.ts';
import { refusal } from '../../support/worklist.ts';

test('text becomes a record with sections, its transcript and a first version', async () => {
  const service = await createRecordService();
  const answer = await service.routes.records.generate(
    { body: { text: dictated, metadata: { a: 1 } } },
    service.call(),
  );
  expect(answer.status).toBe(201);
  expect(answer.headers).toEqual({ ETag: '"1"' });
  const record = answer.data as Awaited<ReturnType<typeof service.get>>;
  expect(record).toMatchObject({
    version: 1,
    status: 'draft',
    template_id: 'general',
    language: 'en-US',
    transcript: dictated,
    source: { kind: 'text' },
    worklist_item_id: null,
    job_id: null,
    test_mode: false,
    metadata: { a: 1 },
  });
  expect(record.sections.find(({ key }) => key === 'findings')?.text).toContain('ungs are clear');
  for (const { title, text } of record.sections) expect(record.text).toContain(`${title}\n${text}`);
  expect(await service.get(record.id)).toEqual(record);
  expect(record).not.toHaveProperty('space');
  const versions = await service.routes.records.versions({ params: { id: record.id }, query: {} }, service.call());
  expect(versions.data.items).toMatchObject([{ version: 1, change: 'generated', who: 'Dra. Helena Prado' }]);
});

test('typed text is written to the letter, at once and by a job, as sections and as a text', async () => {
  const service = await createRecordService();
  const findings =
    'New line in the right jugular vein. Period of apnea.\n ?six millimeters, -10 HU, right no I mean left';
  const impression = 'Scratch that itch. .5 cm';
  const sections = [
    { key: 'findings', title: 'Findings', text: findings },
    { key: 'impression', title: 'Impression', text: impression },
  ];
  const text = `Findings:\n${findings}\n\nImpression: ${impression}`;
  const queued = async (body: GenerateRequest) => {
    const { id } = await service.enqueue(body);
    await service.jobs.idle();
    return service.get((await service.job(id)).record_id!);
  };
  for (const body of [{ sections }, { text, verbatim: true }]) {
    for (const made of [service.generate(body), queued(body)]) {
      const record = await made;
      expect(record.sections.map((section) => [section.key, section.text])).toEqual([
        ['findings', findings],
        ['impression', impression],
      ]);
      expect(record).toMatchObject({
        transcript: null,
        source: { kind: 'text' },
        findings_to_review: expect.any(Array),
      });
      const { data } = await service.routes.reviews.provenance(
        { params: { id: record.id }, query: {} },
        service.call(),
      );
      expect(new Set(data.words.map(({ origin }) => origin))).toEqual(new Set(['edited']));
      expect(data.heard).toEqual([]);
    }
  }
});

test('the engine reads the audio from its beginning, as often as it likes, and no file', async () => {
  const service = await createRecordService();
  const sound = wav({ seconds: 3 });
  const upload = await service.upload(sound);
  await service.generate({ audio: { content_type: 'audio/wav', data: '' } }, { upload });
  const [{ input }] = service.engine.calls as unknown as [{ input: TranscribeInput }];
  for (let time = 0; time < 2; time++) expect((await buffer(await input.read())).equals(sound)).toBe(true);
  expect(input).not.toHaveProperty('path');
  await service.blobs.remove(upload.audio.blob);
  await expect(input.read()).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
});

test('audio becomes a record that owns the audio', async () => {
  const service = await createRecordService();
  const upload = await service.upload();
  const record = await service.generate(
    { audio: { content_type: 'audio/wav', data: '' }, language: 'pt-BR' },
    { upload },
  );
  expect(record.source).toEqual({
    kind: 'audio',
    audio_seconds: 1,
    content_type: 'audio/wav',
    sha256: upload.audio.sha256,
  });
  expect(record.transcript).not.toBe('');
  expect(record.language).toBe('pt-BR');
  expect(upload.kept).toBe(true);
  expect(service.engine.calls.map(({ step }) => step)).toEqual(['transcribe', 'compose']);
});

test('generating for an exam takes it, names the document in it and notifies readers of the list', async () => {
  const service = await createRecordService();
  const id = await service.exam();
  service.changes.length = 0;
  const record = await service.generate(
    { text: dictated, worklist_item_id: id },
    { headers: { 'X-Source-System': 'RIS' } },
  );
  expect(await service.worklist.item(id)).toMatchObject({
    status: 'in_progress',
    record_id: record.id,
    assigned_to: 'Dra. Helena Prado',
  });
  expect((await service.worklist.history(id))[0]).toMatchObject({ to: 'in_progress', source_system: 'RIS' });
  expect(service.changes.map(({ status, change }) => [status, change])).toEqual([
    ['in_progress', 'status'],
    ['in_progress', 'updated'],
  ]);
  expect(service.engine.calls[0]!.input).toMatchObject({ exam: { modality: 'CT' } });
});

test('the template is the one for the exam, and its normal text is where it is named', async () => {
  const service = await createRecordService();
  const worklist_item_id = await service.exam({ modality: 'MR', exam_description: 'RM JOELHO DIREITO' });
  const { template_id, sections } = await service.generate({
    text: 'Achados: joelho normal. Impressão: exame normal.',
    language: 'pt-BR',
    worklist_item_id,
  });
  expect(template_id).toBe('knee_mr');
  const { findings, impression } = Object.fromEntries(sections.map(({ key, text }) => [key, text]));
  expect(findings).toMatch(/^Meniscos íntegros\. .*derrame articular\.$/);
  expect(impression).toBe('Exame normal.');
});

test('an exam that a colleague holds is not taken: 409, and nothing is stored', async () => {
  const service = await createRecordService();
  const id = await service.exam();
  await service.worklist.setStatus(id, { status: 'in_progress' }, { caller: colleague });
  const upload = await service.upload();
  const body = { audio: { content_type: 'audio/wav', data: '' }, worklist_item_id: id };
  for (const mode of ['sync', 'async'] as const) {
    const error = await refusal(service.generate({ ...body, mode }, { upload }));
    expect(error).toMatchObject({ code: 'INVALID_TRANSITION', details: { assigned_to: 'Dr. Bruno' } });
  }
  expect(upload.kept).toBe(false);
  expect([
    await service.store.count('records'),
    await service.store.count('versions'),
    await service.store.count('jobs'),
  ]).toEqual([0, 0, 0]);
});

async function signedExam() {
  const service = await createRecordService();
  const item = await service.exam();
  const { id } = await service.generate({ text: dictated, worklist_item_id: item });
  const sign = (record: string) =>
    service.routes.records.update({ params: { id: record }, body: { status: 'final' } }, service.call());
  await sign(id);
  return { service, item, id, sign };
}

test('a signed document is not covered unasked: 409 that names it, and nothing is stored', async () => {
  const { service, item, id } = await signedExam();
  const before = await service.worklist.item(item);
  expect(before).toMatchObject({ status: 'completed', record_id: id });
  for (const mode of ['sync', 'async'] as const) {
    const error = await refusal(service.generate({ text: dictated, worklist_item_id: item, mode }));
    expect(error).toMatchObject({
      code: 'INVALID_TRANSITION',
      details: { status: 'completed', record_id: id },
      hint: expect.stringContaining('addendum'),
    });
  }
  expect(await service.worklist.item(item)).toEqual(before);
  expect([await service.store.count('records'), await service.store.count('jobs')]).toEqual([1, 0]);
});

test('generating for a reopened exam makes a draft; the exam names the signed one until that is signed', async () => {
  const { service, item, id, sign } = await signedExam();
  await service.worklist.setStatus(item, { status: 'in_progress' });
  const { id: other } = await service.generate({ text: dictated, worklist_item_id: item });
  expect(await service.worklist.item(item)).toMatchObject({ status: 'in_progress', record_id: id });
  await sign(other);
  expect(await service.worklist.item(item)).toMatchObject({ status: 'completed', record_id: other });
  const { data } = await service.routes.records.get({ params: { id } }, service.call());
  const addendum = { key: 'addendum', title: 'Addendum', text: 'See the other one.' };
  const body = { sections: [...data.sections, addendum] };
  const error = await refusal(service.routes.records.update({ params: { id }, body }, service.call()));
  expect(error).toMatchObject({ code: 'INVALID_TRANSITION', details: { record_id: other } });
  expect(await service.worklist.item(item)).toMatchObject({ status: 'completed', record_id: other });
});

test('a job that ends after somebody signed leaves the signed document in its place', async () => {
  const service = await createRecordService();
  const item = await service.exam();
  await service.jobs.stop();
  const job = await service.enqueue({ text: dictated, worklist_item_id: item });
  const { id } = await service.generate({ text: dictated, worklist_item_id: item });
  await service.routes.records.update({ params: { id }, body: { status: 'final' } }, service.call());
  const runner = service.newRunner();
  await runner.start();
  await runner.idle();
  expect(await service.job(job.id)).toMatchObject({ status: 'completed' });
  expect(await service.worklist.item(item)).toMatchObject({ status: 'completed', record_id: id });
});

test('mode async answers 202 with a queued job and its address', async () => {
  const service = await createRecordService();
  service.engine.hold();
  const answer = await service.routes.records.generate({ body: { text: dictated, mode: 'async' } }, service.call());
  expect(answer).toMatchObject({
    status: 202,
    data: { type: 'medical_record.generate', status: 'queued', progress: 0, attempts: 0, record_id: null, error: null },
    headers: { Location: `/api/v1/jobs/${answer.data.id}` },
  });
  service.engine.release();
  await service.jobs.idle();
});

const typed = [{ key: 'findings', title: 'Findings', text: 'Clear.' }];
const audio = { content_type: 'audio/wav', data: '' };
const refusals: [string, GenerateRequest, { field: string; code: string }][] = [
  ['neither text nor audio', {}, { field: 'text', code: 'FIELD_REQUIRED' }],
  ['text and audio', { text: dictated, audio }, { field: 'audio', code: 'INVALID_VALUE' }],
  ['white space alone', { text: ' \n ' }, { field: 'text', code: 'INVALID_VALUE' }],
  ['an unknown template', { text: dictated, template_id: 'nope' }, { field: 'template_id', code: 'INVALID_VALUE' }],
  ['verbatim sound', { verbatim: true, audio }, { field: 'verbatim', code: 'INVALID_VALUE' }],
  ['sections and text', { text: dictated, sections: typed }, { field: 'sections', code: 'INVALID_VALUE' }],
  ['a section twice', { sections: [...typed, ...typed] }, { field: 'sections.1.key', code: 'INVALID_VALUE' }],
  [
    'sections of white space',
    { sections: [{ ...typed[0]!, text: ' \n' }] },
    { field: 'sections', code: 'INVALID_VALUE' },
  ],
  [
    'sources of words that were dictated',
    { text: dictated, brought: [{ section: 'findings', text: 'Clear.', score: 'TI-RADS' }] },
    { field: 'brought', code: 'INVALID_VALUE' },
  ],
  [
    'an unknown exam',
    { text: dictated, worklist_item_id: 'wli_0' },
    { field: 'worklist_item_id', code: 'INVALID_VALUE' },
  ],
];
test.each(refusals)('%s is a 400 and nothing is stored', async (_name, body, found) => {
  const service = await createRecordService();
  for (const mode of ['sync', 'async'] as const) {
    const error = await refusal(service.generate({ ...body, mode }));
    expect(error.code).toBe('VALIDATION_FAILED');
    expect(error.details?.['errors']).toMatchObject([found]);
  }
  expect([await service.store.count('records'), await service.store.count('jobs')]).toEqual([0, 0]);
  expect(service.engine.calls).toEqual([]);
});

test('an exam of another space is unknown', async () => {
  const service = await createRecordService();
  const id = await service.exam();
  const error = await refusal(service.generate({ text: dictated, worklist_item_id: id }, { caller: elsewhere }));
  expect(error.code).toBe('VALIDATION_FAILED');
});

test('in test mode text must contain the name of a test patient', async () => {
  const service = await createRecordService();
  const error = await refusal(service.generate({ text: 'Maria. Findings: none.' }, { caller: testClient }));
  expect(error.details?.['errors']).toMatchObject([{ field: 'text', code: 'TEST_DATA_REQUIRED' }]);
  expect(error.message).not.toContain('Maria');
  expect((await service.generate({ text: dictated }, { caller: testClient })).test_mode).toBe(true);
  const late = { text: 'Findings: lungs are clear. This is a test patient.' };
  expect((await service.generate(late, { caller: testClient })).test_mode).toBe(true);
  const sections = [
    { key: 'findings', title: 'Findings', text: 'Clear.' },
    { key: 'impression', title: 'Impression', text: 'Normal exam of Paciente Teste.' },
  ];
  expect((await service.generate({ sections }, { caller: testClient })).sections).toMatchObject(sections);
});

test('an engine that is not available stores nothing, and the audio is not kept', async () => {
  const service = await createRecordService();
  const id = await service.exam();
  service.engine.failNext(new AppError('ENGINE_UNAVAILABLE'));
  const upload = await service.upload();
  const error = await refusal(service.generate({ audio, worklist_item_id: id }, { upload }));
  expect(error.code).toBe('ENGINE_UNAVAILABLE');
  expect(upload.kept).toBe(false);
  expect(await service.store.count('records')).toBe(0);
  expect((await service.worklist.item(id)).status).toBe('new');
});

test('a caller who hangs up gets no record, even where the engine does not listen', async () => {
  const service = await createRecordService();
  const controller = new AbortController();
  service.engine.hold();
  const generated = refusal(service.generate({ text: dictated }, { signal: controller.signal }));
  await service.engine.called(1);
  controller.abort();
  expect((await generated).code).toBe('SERVER_BUSY');
  service.engine.release();
  expect(await service.store.count('records')).toBe(0);
});

test.each([
  ['pt-BR', 'Paciente Teste. Achados: pulmões sem alterações. Impressão: exame normal.'],
  ['es-ES', 'Paciente Teste. Hallazgos: los pulmones no muestran alteraciones. Impresión: estudio normal.'],
])('the language is the one the text suggests: %s', async (language, text) => {
  const service = await createRecordService();
  expect((await service.generate({ text })).language).toBe(language);
});

test('templates are listed and found by id', async () => {
  const service = await createRecordService();
  const { data } = await service.routes.templates.list({ query: { language: 'pt-BR' } }, service.call());
  expect(data.items.map(({ id }) => id)).toContain('chest_ct');
  const one = await service.routes.templates.get(
    { params: { id: 'test_template_general' }, query: {} },
    service.call(),
  );
  expect(one.data.language).toBe('en-US');
  expect((await refusal(service.routes.templates.get({ params: { id: 'x' }, query: {} }, service.call()))).code).toBe(
    'NOT_FOUND',
  );
});
