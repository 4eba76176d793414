/** The store in PostgreSQL works with every store of audio, and takes over what another pair has. */
import { expect, onTestFinished, test } from 'vitest';
import { blobStores } from '../../../../server/storage/registry.ts';
import { contract } from '../../../../src/contract/index.ts';
import { describeStorePair } from '../../../suites/store-pair.suite.ts';
import { startApi } from '../../../support/api.ts';
import type { ApiOptions } from '../../../support/api.ts';
import { wav } from '../../../support/audio.ts';
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
