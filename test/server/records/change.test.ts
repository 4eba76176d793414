/** PUT, DELETE and correct (specification 4.3): versions, If-Match, signing, addenda. */
import { describe, expect, test } from 'vitest';
import type { MedicalRecord } from '../../../src/contract/document.ts';
import type { RecordUpdate } from '../../../src/contract/record.ts';
import { createMemoryStore } from '../../../server/storage/memory/memory-documents.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { createRecordService, dictated, elsewhere } from '../../support/record-service.ts';
import type { RecordService } from '../../support/record-service.ts';
import { workTwice } from '../../support/work-twice.ts';
import { refusal } from '../../support/worklist.ts';

const update = async (service: RecordService, id: string, body: RecordUpdate, headers: Record<string, string> = {}) =>
  service.routes.records.update({ params: { id }, body }, service.call({ headers }));

const changesOf = async (service: RecordService, id: string) =>
  (await service.routes.records.versions({ params: { id }, query: {} }, service.call())).data.items.map(
    ({ version, change }) => [version, change],
  );

const addendum = { key: 'addendum', title: 'Addendum', text: 'Compared with the earlier study.' };

test('given fields are replaced, the rest stays, and a version is made', async () => {
  const service = await createRecordService();
  const record = await service.generate();
  service.clock.advance(1000);
  const sections = [{ key: 'findings', title: 'Findings', text: 'A new text.' }];
  const answer = await update(service, record.id, { sections });
  expect(answer.headers).toEqual({ ETag: '"2"' });
  expect(answer.data).toEqual({
    ...record,
    version: 2,
    sections,
    text: 'Findings\nA new text.',
    updated_at: '2026-03-02T11:00:01.000Z',
    findings_to_review: [expect.objectContaining({ kind: 'section_missing', section: 'impression' })],
  });
  expect(await changesOf(service, record.id)).toEqual([
    [2, 'edited'],
    [1, 'generated'],
  ]);
  const first = await service.routes.records.version(
    { params: { id: record.id, n: 1 }, query: undefined } as never,
    service.call(),
  );
  expect(first.data).toEqual(record);
});

test('an equal update makes no version', async () => {
  const service = await createRecordService();
  const record = await service.generate({ text: dictated, metadata: { a: { b: 1, c: [2] } } });
  const same = {
    title: record.title,
    sections: record.sections,
    status: 'draft' as const,
    metadata: { a: { c: [2], b: 1 } },
  };
  const answer = await update(service, record.id, same);
  expect(answer.data).toEqual(record);
  expect(await changesOf(service, record.id)).toHaveLength(1);
});

test.each(['"1"', '*', 'W/"9", "1"'])('If-Match %s fits version 1', async (value) => {
  const service = await createRecordService();
  const record = await service.generate();
  expect((await update(service, record.id, { title: 'Other' }, { 'If-Match': value })).data.version).toBe(2);
});

test.each(['"2"', 'W/"1"', '1', ''])(
  'If-Match %s does not: 412 for update and delete, and nothing changes',
  async (value) => {
    const service = await createRecordService();
    const record = await service.generate();
    const headers = { 'If-Match': value };
    const found = { code: 'VERSION_CONFLICT', status: 412, details: { version: 1 } };
    expect(await refusal(update(service, record.id, { title: 'Other' }, headers))).toMatchObject(found);
    const input = { params: { id: record.id } };
    expect(await refusal(service.routes.records.delete(input, service.call({ headers })))).toMatchObject(found);
    const correction = service.routes.records.correct({ ...input, body: { text: 'x' } }, service.call({ headers }));
    expect(await refusal(correction)).toMatchObject(found);
    expect(await service.get(record.id)).toEqual(record);
  },
);

test('a change that another person made in the meantime is not announced a second time', async () => {
  let meanwhile = async (): Promise<void> => {};
  const service = await createRecordService({ store: workTwice(createMemoryStore(), () => meanwhile()) });
  const { id } = await service.generate();
  meanwhile = async () => {
    meanwhile = async () => {};
    await update(service, id, { title: 'Other' });
  };
  // The first run of its work makes a version; the second finds nothing left to change.
  expect((await update(service, id, { title: 'Other' })).data.version).toBe(2);
  expect(service.told.map(({ version, change }) => [version, change])).toEqual([
    [1, 'generated'],
    [2, 'edited'],
  ]);
});

test('signing completes the exam and announces it', async () => {
  const service = await createRecordService();
  const item = await service.exam();
  const record = await service.generate({ text: dictated, worklist_item_id: item });
  await update(service, record.id, { status: 'final' });
  expect(await service.worklist.item(item)).toMatchObject({ status: 'completed', record_id: record.id });
  expect(await service.announced()).toEqual([
    {
      type: 'worklist.document.completed',
      data: {
        record_id: record.id,
        worklist_item_id: item,
        accession_number: 'SL-1',
        status: 'completed',
        version: 2,
        signed: true,
        addendum: false,
        correction: false,
      },
    },
  ]);
  expect((await changesOf(service, record.id))[0]).toEqual([2, 'signed']);
  expect(service.changes.at(-1)).toMatchObject({ id: item, status: 'completed', change: 'status' });
  await update(service, record.id, { status: 'final' });
  expect(await service.announced()).toHaveLength(1);
});

test('a document of a cancelled exam cannot be signed, and stays a draft', async () => {
  const service = await createRecordService();
  const item = await service.exam();
  const record = await service.generate({ text: dictated, worklist_item_id: item });
  await service.worklist.setStatus(item, { status: 'cancelled' });
  expect((await refusal(update(service, record.id, { status: 'final' }))).code).toBe('INVALID_TRANSITION');
  expect((await service.get(record.id)).status).toBe('draft');
  expect(await service.announced()).toEqual([]);
});

test('a final record takes an addendum and nothing else', async () => {
  const service = await createRecordService();
  const { id } = await service.generate();
  const final = (await update(service, id, { status: 'final' })).data;
  const changed = final.sections.map((section, at) => (at === 0 ? { ...section, text: 'Other.' } : section));
  const refused: RecordUpdate[] = [
    { status: 'draft' },
    { title: 'Other' },
    { metadata: { a: 1 } },
    { sections: changed },
    { sections: final.sections.slice(1) },
    { sections: [...final.sections, { ...addendum, key: 'more' }] },
    { sections: [addendum, ...final.sections] },
    { sections: [...final.sections, addendum], title: 'Other' },
  ];
  for (const body of refused) {
    expect(await refusal(update(service, id, body))).toMatchObject({
      code: 'INVALID_TRANSITION',
      details: { status: 'final' },
    });
  }
  const correction = service.routes.records.correct(
    { params: { id }, body: { text: 'Replace lungs with heart.' } },
    service.call(),
  );
  expect((await refusal(correction)).code).toBe('INVALID_TRANSITION');
  expect(await service.get(id)).toEqual(final);

  const once = (await update(service, id, { sections: [...final.sections, addendum] })).data;
  expect(once).toMatchObject({ status: 'final', version: 3 });
  const twice = (await update(service, id, { sections: [...once.sections, { ...addendum, text: 'More.' }] })).data;
  expect(twice.text).toContain('More.');
  expect((await changesOf(service, id)).slice(0, 2)).toEqual([
    [4, 'addendum'],
    [3, 'addendum'],
  ]);
});

test('two sections with one key are a 400', async () => {
  const service = await createRecordService();
  const { id } = await service.generate();
  const section = { key: 'findings', title: 'Findings', text: '' };
  const error = await refusal(update(service, id, { sections: [section, section] }));
  expect(error.details?.['errors']).toMatchObject([{ field: 'sections.1.key', code: 'INVALID_VALUE' }]);
});

test('deleting removes the versions, the audio and the link of the exam; the job answers 410', async () => {
  const service = await createRecordService();
  const item = await service.exam();
  const upload = await service.upload();
  const audio = { content_type: 'audio/wav', data: '' };
  const job = await service.enqueue({ audio, worklist_item_id: item }, { upload });
  await service.jobs.idle();
  const { record_id: id } = await service.job(job.id);
  await update(service, id!, { title: 'Other' });
  const answer = await service.routes.records.delete({ params: { id: id! } }, service.call());
  expect(answer.data).toEqual({ id, deleted: true });
  expect([await service.store.count('records'), await service.store.count('versions')]).toEqual([0, 0]);
  expect(await service.blobs.list()).toEqual([]);
  expect(await service.worklist.item(item)).toMatchObject({ record_id: null, status: 'in_progress' });
  const gone = await refusal(service.routes.jobs.result({ params: { id: job.id } }, service.call()));
  expect(gone).toMatchObject({ code: 'JOB_RESULT_GONE', status: 410 });
  expect((await refusal(service.get(id!))).code).toBe('NOT_FOUND');
});

test('audio that cannot be removed is logged by its id, and the record is gone all the same', async () => {
  const service = await createRecordService();
  const upload = await service.upload();
  const { id } = await service.generate({ audio: { content_type: 'audio/wav', data: '' } }, { upload });
  service.blobs.remove = () => Promise.reject(new AppError('STORAGE_UNAVAILABLE'));
  await service.routes.records.delete({ params: { id } }, service.call());
  expect(service.log_entries).toEqual([{ level: 'warn', event: 'blob_not_removed', blob: upload.audio.blob }]);
});

test('a record of another space is a 404 for every call', async () => {
  const service = await createRecordService();
  const { id } = await service.generate();
  const call = service.call({ caller: elsewhere });
  const { records } = service.routes;
  const calls = [
    records.get({ params: { id } }, call),
    records.update({ params: { id }, body: { title: 'x' } }, call),
    records.delete({ params: { id } }, call),
    records.correct({ params: { id }, body: { text: 'x' } }, call),
    records.versions({ params: { id }, query: {} }, call),
    records.version({ params: { id, n: 1 } }, call),
    records.audio({ params: { id } }, call),
    records.export({ params: { id }, query: { format: 'txt' } }, call),
  ];
  for (const answer of calls) expect((await refusal(answer)).code).toBe('NOT_FOUND');
});

test('a written instruction is applied and shown', async () => {
  const service = await createRecordService();
  const record = await service.generate();
  const body = { text: 'In the findings, replace clear with hazy.' };
  const answer = await service.routes.records.correct({ params: { id: record.id }, body }, service.call());
  expect(answer.headers).toEqual({ ETag: '"2"' });
  expect(answer.data.instruction).toBe(body.text);
  expect(answer.data.changes).toMatchObject([{ section: 'findings' }]);
  expect(answer.data.changes[0]!.after).toContain('hazy');
  expect(answer.data.record.text).toContain('hazy');
  expect((await changesOf(service, record.id))[0]).toEqual([2, 'corrected']);
});

test('a spoken instruction is heard as one, and its audio is not kept', async () => {
  const service = await createRecordService();
  const record = await service.generate();
  const upload = await service.upload();
  const body = { audio: { content_type: 'audio/wav', data: '' } };
  const answer = await service.routes.records.correct({ params: { id: record.id }, body }, service.call({ upload }));
  expect(service.engine.calls.find(({ step }) => step === 'transcribe')!.input).toMatchObject({
    purpose: 'instruction',
  });
  expect(answer.data.instruction).not.toBe('');
  expect(upload.kept).toBe(false);
});

test('an instruction that changes nothing says so and makes no version', async () => {
  const service = await createRecordService();
  const record = await service.generate();
  const body = { text: 'In the findings, replace zebra with horse.' };
  const answer = await service.routes.records.correct({ params: { id: record.id }, body }, service.call());
  expect(answer.data).toEqual({
    record,
    changes: [],
    instruction: body.text,
    asks: false,
    message: '“zebra” is not in the report; nothing was changed.',
  });
  expect(await changesOf(service, record.id)).toHaveLength(1);
});

test('an instruction that would only take a negation away asks first', async () => {
  const service = await createRecordService();
  const record = await service.generate({ text: 'Test Patient. Findings: no effusion.', language: 'en-US' });
  const input = { params: { id: record.id }, body: { text: 'Remove no.' } };
  const { data } = await service.routes.records.correct(input, service.call());
  expect(data).toMatchObject({ record, changes: [], asks: true, message: expect.stringMatching(/“no”.*\?$/) });
});

test('an instruction undoes the last instruction, then the one before it, and asks where none is left', async () => {
  const service = await createRecordService();
  const record = await service.generate();
  const correct = async (text: string) =>
    (await service.routes.records.correct({ params: { id: record.id }, body: { text } }, service.call())).data;
  const nothing = { changes: [], asks: true, message: expect.stringContaining('?') };
  expect(await correct('Undo the last change.')).toMatchObject(nothing);
  expect(await correct('Scratch that.')).toMatchObject(nothing);
  const first = await correct('In the findings, replace clear with hazy.');
  const second = await correct('In the findings, replace hazy with dense.');
  const undone = await correct('Scratch that.');
  expect(undone.record).toMatchObject({ version: 4, sections: first.record.sections });
  expect(undone.changes).toEqual(
    second.changes.map(({ section, before, after }) => ({ section, before: after, after: before })),
  );
  expect((await correct('Undo that, please.')).record).toMatchObject({ version: 5, sections: record.sections });
  expect(await correct('Delete that.')).toMatchObject({ ...nothing, record: { version: 5 } });
  await correct('In the findings, replace clear with dull.');
  expect((await correct('No, undo it.')).record.sections).toEqual(record.sections);
});

test('undoing keeps what was edited by hand in other sections, and undoes no edit by hand', async () => {
  const service = await createRecordService();
  const record = await service.generate();
  const correct = async (text: string) =>
    (await service.routes.records.correct({ params: { id: record.id }, body: { text } }, service.call())).data;
  const withText = (key: string, text: string) =>
    record.sections.map((section) => (section.key === key ? { ...section, text } : section));
  await update(service, record.id, { sections: withText('impression', 'Typed.') });
  expect(await correct('Undo that.')).toMatchObject({ changes: [], asks: true });
  const { record: corrected } = await correct('In the findings, replace clear with hazy.');
  const other = corrected.sections.map((each) => (each.key === 'impression' ? { ...each, text: 'Later.' } : each));
  await update(service, record.id, { sections: other });
  expect((await correct('Undo that.')).record.sections).toEqual(withText('impression', 'Later.'));
});

describe('a record that changed while the instruction was worked at', () => {
  const text = 'Findings: Lungs clear. Heart normal. Impression: Normal.';
  const correct = async (change: (record: MedicalRecord) => RecordUpdate) => {
    const service = await createRecordService();
    const record = await service.generate({ text });
    service.engine.hold();
    const body = { text: 'In the findings, replace clear with hazy.' };
    const correction = service.routes.records
      .correct({ params: { id: record.id }, body }, service.call())
      .catch((error: unknown) => error);
    await service.engine.called(2);
    await update(service, record.id, change(record));
    service.engine.release();
    return { answer: await correction, record: await service.get(record.id) };
  };
  const withFindings =
    (words: string) =>
    ({ sections }: MedicalRecord): RecordUpdate => ({
      sections: sections.map((section) => (section.key === 'findings' ? { ...section, text: words } : section)),
    });

  test.each<[string, (record: MedicalRecord) => RecordUpdate, string]>([
    ['its title', () => ({ title: 'Other' }), 'Lungs hazy. Heart normal.'],
    ['another sentence of the section', withFindings('Lungs clear. Heart enlarged.'), 'Lungs hazy. Heart enlarged.'],
    ['a sentence more', withFindings('New. Lungs clear. Heart normal.'), 'New. Lungs hazy. Heart normal.'],
  ])('in %s: both are there', async (_which, change, findings) => {
    const { answer, record } = await correct(change);
    const changes = [{ section: 'findings', after: findings }];
    expect(answer).toMatchObject({ status: 200, data: { record: { version: 3 }, changes } });
    expect(record.sections.find(({ key }) => key === 'findings')!.text).toBe(findings);
  });

  test.each([
    ['the words themselves', withFindings('Lungs dark. Heart normal.')],
    ['the same way', withFindings('Lungs hazy. Heart normal.')],
  ])('in %s is a conflict', async (_which, change) => {
    const { answer, record } = await correct(change);
    expect(answer).toMatchObject({ code: 'VERSION_CONFLICT', status: 409, details: { version: 2 } });
    expect(record.version).toBe(2);
  });
});

test('one word after the other is removed, side by side, and each section of a version comes back as it was', async () => {
  const service = await createRecordService();
  const said = 'Findings: one two three four five. Impression: six seven.';
  const record = await service.generate({ text: said });
  const textOf = (key: string) => record.sections.find((section) => section.key === key)!;
  const [findings, impression] = [textOf('findings'), textOf('impression')];
  const put = async (of: string, summary: string) =>
    (
      await update(service, record.id, {
        sections: [
          { ...findings, text: of },
          { ...impression, text: summary },
        ],
      })
    ).data;
  await put('One two four five.', 'Six seven.');
  await put('One two five.', 'Six seven.');
  const { version } = await put('One two five.', 'Eight.');
  expect(version).toBe(4);
  await update(service, record.id, { sections: [findings, impression] });
  const { data } = await service.routes.reviews.provenance({ params: { id: record.id } } as never, service.call());
  expect(data.words.map(({ origin }) => origin)).not.toContain('edited');
});
