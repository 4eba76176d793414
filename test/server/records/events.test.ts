/** GET /api/v1/medical-records/events: who follows the records hears of each new version, and nothing of what it says. */
import { expect, test } from 'vitest';
import { createRecordService, dictated, elsewhere, testClient } from '../../support/record-service.ts';
import type { RecordService } from '../../support/record-service.ts';
import { refusal } from '../../support/worklist.ts';

const addendum = { key: 'addendum', title: 'Addendum', text: 'Compared with the earlier study.' };
const told = ({ told: all }: RecordService) => all.map(({ version, change }) => [version, change]);

/** What a follower of the space reads until so many chunks came. */
async function read(service: RecordService, chunks: number, headers: Record<string, string> = {}): Promise<string> {
  const { body } = await service.routes.records.events({}, service.call({ headers }));
  let text = '';
  let count = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    text += Buffer.from(chunk).toString();
    if (++count === chunks) break;
  }
  return text;
}

test('a decision about a finding is announced, with the unchanged version', async () => {
  const service = await createRecordService();
  const { id, findings_to_review: findings } = await service.generate({
    text: 'Test Patient. Findings: nodule in the right lobe. Impression: nodule in the left lobe.',
  });
  const params = { id, finding: findings!.find(({ kind }) => kind === 'side_differs_between_sections')!.id };
  await service.routes.reviews.decide({ params, body: { status: 'dismissed' } }, service.call());
  expect(told(service)).toEqual([
    [1, 'generated'],
    [1, 'reviewed'],
  ]);
});

test('each version is announced once it is committed', async () => {
  const service = await createRecordService();
  const { id } = await service.generate();
  const call = () => service.call();
  const put = (body: Parameters<typeof service.routes.records.update>[0]['body']) =>
    service.routes.records.update({ params: { id }, body }, call());
  await put({ title: 'A new title' });
  await service.routes.records.correct(
    { params: { id }, body: { text: 'In the findings, replace clear with free.' } },
    call(),
  );
  const signed = await put({ status: 'final' });
  await put({ sections: [...signed.data.sections, addendum] });
  expect(told(service)).toEqual([
    [1, 'generated'],
    [2, 'edited'],
    [3, 'corrected'],
    [4, 'signed'],
    [5, 'addendum'],
  ]);
  expect(new Set(service.told.map((change) => change.id))).toEqual(new Set([id]));
});

test('a document made by a job names its exam, and a deleted one is announced', async () => {
  const service = await createRecordService();
  const worklist_item_id = await service.exam();
  await service.enqueue({ text: dictated, worklist_item_id });
  await service.jobs.idle();
  const [made] = service.told;
  expect(made).toEqual({ space: 'local', id: made?.id, worklist_item_id, version: 1, change: 'generated' });
  await service.routes.records.delete({ params: { id: made!.id } }, service.call());
  expect(service.told[1]).toEqual({ ...made, change: 'deleted' });
});

test('calls that change nothing, fail, or are in another space are not announced', async () => {
  const service = await createRecordService();
  const { id, title } = await service.generate();
  await service.generate({ text: dictated }, { caller: elsewhere });
  await service.generate({ text: dictated }, { caller: testClient });
  const put = (body: { title: string }, headers: Record<string, string> = {}) =>
    service.routes.records.update({ params: { id }, body }, service.call({ headers }));
  await put({ title });
  expect((await refusal(put({ title: 'Too late' }, { 'if-match': '"9"' }))).code).toBe('VERSION_CONFLICT');
  await service.routes.records.correct({ params: { id }, body: { text: 'Nothing of the kind.' } }, service.call());
  expect(told(service)).toEqual([[1, 'generated']]);
});

test('the stream has ids and versions, and no word of the document', async () => {
  const service = await createRecordService();
  const following = read(service, 2);
  const record = await service.generate({ text: 'Test Patient, canary 4711.' });
  const text = await following;
  expect(text).toBe(
    `:\nid: run.0\n\nevent: record\nid: run.1\ndata: ${JSON.stringify({ id: record.id, worklist_item_id: null, version: 1, change: 'generated' })}\n\n`,
  );
});

test('a returning reader gets the missed events', async () => {
  const service = await createRecordService();
  const first = await service.generate();
  const second = await service.generate();
  const text = await read(service, 1, { 'last-event-id': 'run.1' });
  expect(text).toContain(`"id":"${second.id}"`);
  expect(text).not.toContain(first.id);
  expect(await read(service, 1, { 'last-event-id': 'another.1' })).toContain('event: reset\nid: run.2\n');
});
