/**
 * A further store costs a folder and a line: the worked examples, a database for documents and a service of objects for audio,
 * are put into the registries and nowhere else, keep to the suites, and are chosen by settings.
 */
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { checkStores, createServer } from '../../../server/index.ts';
import { blobStores, documentStores } from '../../../server/storage/registry.ts';
import { choices, storeParts } from '../../../src/node/choices.ts';
import { resolveSettings } from '../../../src/node/settings.ts';
import { describeBlobStore } from '../../suites/blobs.suite.ts';
import { describeStorePair } from '../../suites/store-pair.suite.ts';
import { describeStore } from '../../suites/store.suite.ts';
import { openerOf } from '../../support/open-stores.ts';
import { objectBlobStore } from '../../support/stores/object-blobs.ts';
import { startObjectServer } from '../../support/stores/object-server.ts';
import { sqliteDocumentStore } from '../../support/stores/sqlite-documents.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const lines = [
  [documentStores, { sqlite: sqliteDocumentStore }],
  [blobStores, { objects: objectBlobStore }],
] as const;
for (const [table, line] of lines) Object.assign(table, line);
afterAll(() => {
  for (const [table, line] of lines) for (const name of Object.keys(line)) Reflect.deleteProperty(table, name);
});

const service = await startObjectServer();
afterAll(() => service.close());
const objects = { use: `objects:${service.url}`, key: service.key };
const deps = { directory: undefined, key: service.key } as never;

describeStore('sqlite', openerOf('sqlite', 'memory'), { persistent: true });
describeBlobStore('objects', {
  open() {
    service.empty();
    return objectBlobStore.open({ url: service.url }, deps);
  },
  again: () => objectBlobStore.open({ url: service.url }, deps),
});

describeStorePair({
  store: { use: 'sqlite' },
  blobs: objects,
  lasting: { documents: true, audio: true },
  empty: service.empty,
});

describe('are chosen', () => {
  const chosen = (env: Record<string, string>) => {
    const files = [{ from: 'user' as const, path: '/config.json', values: { store: { use: 'sqlite', cache_mib: 2 } } }];
    return choices(storeParts, resolveSettings({ flags: {}, env, cwd: '/', files }).values, env);
  };
  const env = { LAUDIO_BLOBS: objects.use, LAUDIO_BLOBS_KEY: service.key };

  test('by the environment and the configuration, with a key that comes from the environment', async () => {
    const directory = await temporaryDirectory();
    const server = await createServer({ version: '0', dataDir: directory, ...chosen(env) });
    onTestFinished(() => server.close());
    expect(server.forgets).toEqual([]);
    await server.close();
    expect(await checkStores({ directory, ...chosen(env) })).toMatchObject({ sound: true, audio: { named: 0 } });
  });

  test.each([
    [
      'a store that is not there',
      { store: { use: 'sqlit' } },
      'There is no store "sqlit". Choose with --store: lowdb, memory, postgres, sqlite. Did you mean sqlite?',
    ],
    [
      'blobs that are not there',
      { blobs: { use: 'ftp' } },
      'There is no store of audio "ftp". Choose with --blobs: files, memory, s3, objects.',
    ],
    [
      'an option that is not',
      { store: { use: 'sqlite', options: { cache_mib: 0 } } },
      'The store sqlite cannot be set up like this: cache_mib must be a whole number from 1 to 1024. Say --store "sqlite [cache_mib=CACHE_MIB]"; in brackets is what may be left out.',
    ],
    [
      'nothing where something is needed',
      { blobs: { use: 'objects' } },
      'The store of audio objects cannot be set up like this: url is required. Say --blobs "objects url=URL"; in brackets is what may be left out.',
    ],
    [
      'no directory for what keeps files',
      {},
      'The store lowdb keeps files, and there is no data directory. Name a data directory with --data-dir.',
    ],
  ])('and %s is refused, in words', async (_what, wrong, message) => {
    const refusal = await createServer({ version: '0', ...wrong }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'CONFIGURATION' });
    const { message: said, hint } = refusal as { message: string; hint: string };
    expect(`${said} ${hint}`).toBe(message);
  });
});
