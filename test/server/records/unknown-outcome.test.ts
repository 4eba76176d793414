/** A commit whose outcome is unknown may have been made: nothing that its documents name is removed. */
import { expect, onTestFinished, test } from 'vitest';
import { AppError } from '../../../src/contract/errors.ts';
import { contract } from '../../../src/contract/index.ts';
import type { CollectionName } from '../../../server/storage/collections.ts';
import type { Store } from '../../../server/storage/store.ts';
import { startApi, succeeded } from '../../support/api.ts';
import type { Api, Ask } from '../../support/api.ts';
import { wav } from '../../support/audio.ts';
import { backupOf, restoreTo } from '../../support/maintenance.ts';
import { audioPart, multipart, multipartType } from '../http/multipart.ts';

const { generate, list, audio } = contract.records.endpoints;
const { create, append } = contract.transcriptions.endpoints;

/** Commits, and then loses the answer: once, for the next commit that writes to the collection, or for the next `replace`. */
function breakingStore() {
  let next: CollectionName | 'replace' | undefined;
  const lose = (): void => {
    next = undefined;
    throw new AppError('OUTCOME_UNKNOWN', { retryAfter: 1 });
  };
  const between = (real: Store): Store => ({
    ...real,
    async transact(work, actor) {
      let written: readonly CollectionName[] = [];
      const result = await real.transact(async (tx) => {
        const answer = await work(tx);
        written = tx.written().map(({ collection }) => collection);
        return answer;
      }, actor);
      if (written.some((collection) => collection === next)) lose();
      return result;
    },
    async replace(documents) {
      await real.replace(documents);
      if (next === 'replace') lose();
    },
  });
  return { between, breakNext: (at: CollectionName | 'replace') => void (next = at) };
}

const unknown = { status: 503, error: { code: 'OUTCOME_UNKNOWN' } };
const form = (mode: string): { body: Buffer; headers: Record<string, string> } => ({
  body: multipart([audioPart(wav({ seconds: 10 })), { name: 'mode', value: mode }]),
  headers: { 'content-type': multipartType },
});

async function start() {
  const { between, breakNext } = breakingStore();
  return { api: await startApi({ store: between }, onTestFinished), breakNext };
}

const expectAudio = async (api: Api, ask: Pick<Ask, 'token'> = {}): Promise<void> => {
  const [record] = succeeded(await api.call(list, { query: {}, ...ask })).items;
  expect(await api.call(audio, { params: { id: record?.id ?? 'none' }, ...ask })).toMatchObject({ status: 200 });
};

test('uploaded audio stays with its record', async () => {
  const { api, breakNext } = await start();
  breakNext('records');
  expect(await api.call(generate, form('sync'))).toMatchObject(unknown);
  await expectAudio(api);
});

test('uploaded audio stays with its job', async () => {
  const { api, breakNext } = await start();
  breakNext('jobs');
  expect(await api.call(generate, form('async'))).toMatchObject(unknown);
  const [job] = succeeded(await api.call(contract.jobs.endpoints.list, { query: {} })).items;
  expect(await api.ended(job?.id ?? 'none')).toMatchObject({ status: 'completed' });
  await expectAudio(api);
});

test('the sound of a live transcription stays, in its pieces and in the record', async () => {
  const { api, breakNext } = await start();
  const { id } = succeeded(await api.call(create, { body: { language: 'en-US' } }), 201);
  const ask = (offset: number) => ({ params: { id }, query: { offset }, body: Buffer.alloc(64_000, 1) });
  succeeded(await api.call(append, ask(0)));
  breakNext('sounds');
  expect(await api.call(append, ask(64_000))).toMatchObject(unknown);
  breakNext('records');
  expect(await api.call(generate, { body: { transcription_id: id } })).toMatchObject(unknown);
  await expectAudio(api);
});

test('the audio of a backup stays with the documents that replaced others', async () => {
  const { api } = await start();
  succeeded(await api.call(generate, form('sync')), 201);
  const backup = await backupOf(api);
  const { api: other, breakNext } = await start();
  breakNext('replace');
  expect(await restoreTo(other, backup)).toMatchObject(unknown);
  await expectAudio(other, { token: (await other.tokens()).access_token });
});
