/** The store in PostgreSQL works with every store of audio, and takes over what another pair has. */
import { randomBytes } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { selectStores } from '../../../../server/app.ts';
import type { KeyOptions } from '../../../../server/storage/data-directory/encryption.ts';
import type { OpenedStores } from '../../../../server/storage/stores.ts';
import { blobStores } from '../../../../server/storage/registry.ts';
import { contract } from '../../../../src/contract/index.ts';
import { systemClock } from '../../../../src/node/clock.ts';
import { oneChunk } from '../../../../src/node/files/pieces.ts';
import { describeStorePair, forms } from '../../../suites/store-pair.suite.ts';
import { startApi } from '../../../support/api.ts';
import type { ApiOptions } from '../../../support/api.ts';
import { wav } from '../../../support/audio.ts';
import { explored } from '../../../support/explored.ts';
import { backupOf, restoreTo } from '../../../support/maintenance.ts';
import { addressIn, askDatabase, newSchema } from '../../../support/postgres-schemas.ts';
import { startSwift } from '../../../support/s3/swift.ts';
import { temporaryDirectory } from '../../../support/temporary-directory.ts';

const swift = await startSwift();

for (const [name, audio] of Object.entries(blobStores)) {
  const schema = newSchema();
  const made = name === 's3' ? await swift.makeBucket() : undefined;
  describeStorePair({
    store: { use: addressIn(schema) },
    blobs: made ? { use: `s3:${made.address}`, key: made.key } : { use: name },
    lasting: { documents: true, audio: 'look' in audio },
    // In the gate one form with each: store-pairs.test.ts and s3.test.ts try each store of audio in both.
    forms: explored.isOn ? forms : [name === 'memory' ? 'plain' : 'encrypted'],
    async empty() {
      await askDatabase(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
      await made?.empty();
    },
  });
}

test('a backup of lowdb and files is restored into PostgreSQL and S3, and back', async () => {
  const { address, key } = await swift.makeBucket();
  const speech = wav({ seconds: 3 });
  const start = (options: ApiOptions) => startApi(options, onTestFinished);
  const one = await start({ dataDir: await temporaryDirectory() });
  const exam = await one.exam();
  const audio = { content_type: 'audio/wav' as const, data: speech.toString('base64') };
  const { id } = await one.generate({ audio, worklist_item_id: exam });
  const several = await start({
    stores: { store: { use: addressIn(newSchema()) }, blobs: { use: `s3:${address}`, key } },
    dataDir: await temporaryDirectory(),
  });
  const back = await start({ dataDir: await temporaryDirectory() });
  let backup = await backupOf(one);
  for (const api of [several, back]) {
    expect(await restoreTo(api, backup)).toMatchObject({ status: 200, data: { audio_files: 1, missing_audio: 0 } });
    const { access_token: token } = await api.tokens();
    const url = contract.records.endpoints.audio.path.replace('{id}', id);
    const heard = await api.server.inject({ url, headers: { authorization: `Bearer ${token}` } });
    expect([heard.statusCode, heard.rawPayload.equals(speech)]).toEqual([200, true]);
    expect((await api.call(contract.worklists.endpoints.get, { params: { id: exam }, token })).status).toBe(200);
    backup = await backupOf(api);
  }
});

test('audio is encrypted from now on only where no other process would miss it', async () => {
  const schema = newSchema();
  const { address, key } = await swift.makeBucket();
  const dataKey = randomBytes(32);
  const open = async (options: KeyOptions): Promise<OpenedStores> => {
    const opened = await selectStores({
      store: { use: addressIn(schema) },
      blobs: { use: `s3:${address}`, key },
    }).open({ directory: undefined, key: options, clock: systemClock, log: () => {}, memory: undefined });
    onTestFinished(() => opened.close());
    return opened;
  };
  const refuse = (options: KeyOptions, message: RegExp) =>
    expect(open(options)).rejects.toMatchObject({ code: 'CONFIGURATION', message: expect.stringMatching(message) });
  const encrypt: KeyOptions = { encrypt: 'environment', dataKey };
  const blob = 'blb_01JNA0000000000000000000AA';
  const read = async ({ blobs }: OpenedStores) => String(await (await blobs.read(blob))?.stream.toArray());

  const plain = await open({});
  await plain.blobs.write(blob, oneChunk(Buffer.from('a test patient speaks')), Infinity);
  await refuse(encrypt, /runs without --encrypt/);
  expect(await read(plain)).toBe('a test patient speaks');
  // While another one encrypts, and has not said so by its mark.
  const encrypting = plain.members?.claim('sealed audio another', { begin() {}, end() {} });
  await encrypting?.answered;
  await refuse({}, /Another process encrypts/);
  await plain.close();
  // One that has crashed finds nothing any more anyway.
  await askDatabase(`INSERT INTO ${schema}.members (id, until) VALUES ('crashed', '-infinity')`);
  const sealed = [await open(encrypt), await open(encrypt), await open({ dataKey })];
  for (const each of sealed) expect(await read(each)).toBe('a test patient speaks');
  await refuse({}, /is encrypted/);
});
