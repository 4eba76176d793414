/** What a server does with a store of documents and a store of blobs together, whichever they are. */
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { checkStores } from '../../server/index.ts';
import type { ServerOptions } from '../../server/index.ts';
import { contract } from '../../src/contract/index.ts';
import { startApi, succeeded } from '../support/api.ts';
import type { Api } from '../support/api.ts';
import { wav } from '../support/audio.ts';
import { backupOf, restoreTo } from '../support/maintenance.ts';
import { memoryKeychain } from '../support/memory-keychain.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

export interface StorePair {
  readonly store: NonNullable<ServerOptions['store']>;
  readonly blobs: NonNullable<ServerOptions['blobs']>;
  /** Whether each has what it had when another server starts. */
  readonly lasting: { readonly documents: boolean; readonly audio: boolean };
  /** Takes what a former test left outside the data directory. */
  readonly empty?: () => void | Promise<void>;
  /** Default: both. */
  readonly forms?: readonly Form[];
}

/** What is on the disk: as it came, or sealed. */
export const forms = ['plain', 'encrypted'] as const;
export type Form = (typeof forms)[number];

const speech = wav({ seconds: 3 });
const { records, maintenance, system } = contract;

export function describeStorePair({ store, blobs, lasting, empty, forms: tried = forms }: StorePair): void {
  const names = { store: store.use.split(':')[0]!, blobs: blobs.use.split(':')[0]! };

  describe.each(tried)(`${names.store} with ${names.blobs}, %s`, (form) => {
    beforeEach(() => empty?.());
    const key = form === 'encrypted' ? ({ encrypt: 'keychain', keychain: memoryKeychain() } as const) : {};
    const start = (dataDir: string): Promise<Api> =>
      startApi({ stores: { store, blobs }, dataDir, key }, onTestFinished);
    const heard = async ({ server, token }: Api, id: string): Promise<Buffer | number> => {
      const url = records.endpoints.audio.path.replace('{id}', id);
      const answer = await server.inject({ url, headers: { authorization: `Bearer ${token}` } });
      return answer.statusCode === 200 ? answer.rawPayload : answer.statusCode;
    };
    const speak = async (api: Api): Promise<string> =>
      (await api.generate({ audio: { content_type: 'audio/wav', data: speech.toString('base64') } })).id;

    test('keep a document with its audio, in a backup too, and report the sizes', async () => {
      const api = await start(await temporaryDirectory());
      const spoken = await speak(api);
      expect(await heard(api, spoken)).toEqual(speech);
      const status = succeeded(await api.call(system.endpoints.status));
      expect(status).toMatchObject({ ...names, encrypted: form === 'encrypted', audio_files: 1 });
      expect(status.audio_bytes).toBeGreaterThanOrEqual(speech.length);
      const backup = await backupOf(api);
      succeeded(await api.call(maintenance.endpoints.reset, { body: {} }));
      expect(await heard(api, spoken)).toBe(404);
      expect(succeeded(await api.call(system.endpoints.status))).toMatchObject({ audio_files: 0, audio_bytes: 0 });
      expect(await restoreTo(api, backup)).toMatchObject({ status: 200, data: { audio_files: 1, missing_audio: 0 } });
      expect(await heard(api, spoken)).toEqual(speech);
      expect(await api.server.inject({ url: '/readyz' })).toMatchObject({ statusCode: 200 });
    });

    test('have what they had when another server starts, as far as they say so', async () => {
      const directory = await temporaryDirectory();
      const first = await start(directory);
      const spoken = await speak(first);
      expect([...first.server.forgets]).toEqual([
        ...(lasting.documents ? [] : ['documents']),
        ...(lasting.audio ? [] : ['audio']),
      ]);
      await first.close();
      const checking = checkStores({ directory, store, blobs, key });
      if (!lasting.documents) {
        await expect(checking).rejects.toMatchObject({ code: 'CONFIGURATION' });
        return;
      }
      const audio = lasting.audio ? { named: 1, bad: 0 } : null;
      expect(await checking).toMatchObject({ sound: true, audio, found: { documents: { records: 1 } } });
      const second = await start(directory);
      expect(await heard(second, spoken)).toEqual(lasting.audio ? speech : 404);
      await second.close();
    });
  });
}
