/** The app that the embedded server mounts at `/`, if its page is built. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Log, Mount } from '../../server/index.ts';
import type { Context } from '../context.ts';

export interface AppMountOptions {
  readonly dataDir: string;
  readonly testClient:
    | { readonly client_id: string; readonly client_secret: string; readonly redirect_uri: string }
    | undefined;
  readonly setupCode: string;
  /** The log of the server. */
  readonly log: Log;
}

/** `undefined` if the page is not built. The data directory contains the app's files. */
export async function appMount(
  context: Context,
  { dataDir, testClient, setupCode, log }: AppMountOptions,
): Promise<Mount | undefined> {
  const { builtPage, isBuilt, mountWeb } = await import('../../desktop/web/index.ts');
  if (!isBuilt(builtPage)) return undefined;
  const [{ createKeychain }, { systemClock }] = await Promise.all([
    import('../../src/node/login/keychain.ts'),
    import('../../src/node/clock.ts'),
  ]);
  return mountWeb({
    directory: join(dataDir, 'app'),
    page: builtPage,
    testClient,
    setupCode,
    fillsTestList: true,
    clock: systemClock,
    random: Math.random,
    uuid: randomUUID,
    log,
    // Loaded only when a person works at a remote service.
    transport: async (request) => (await context.deps()).transport(request),
    keychain:
      context.settings.credential_store === 'keychain'
        ? createKeychain({ clock: systemClock, stateDirectory: context.paths.state })
        : undefined,
  });
}
