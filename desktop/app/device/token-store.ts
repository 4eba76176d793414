/** The token store of the app. */
import { AppError } from '../../../src/contract/errors.ts';
import { createCredentialStore } from '../../../src/node/login/credential-store.ts';
import type { CredentialStore } from '../../../src/node/login/credential-store.ts';
import type { Keychain } from '../../../src/node/login/keychain.ts';
import type { Log } from '../service.ts';

export interface TokenStoreDeps {
  /** Directory of the app. */
  readonly directory: string;
  /** `undefined`: tokens are in files that only their owner can read. */
  readonly keychain: Keychain | undefined;
  readonly log: Log;
}

/**
 * Uses the keychain if it works, otherwise files. This is determined at first use, since asking the keychain takes
 * time. People whose tokens are in the other store have to log in again.
 */
export function createTokenStore({ directory, keychain, log }: TokenStoreDeps): CredentialStore {
  const make = (kind: CredentialStore['kind']) =>
    createCredentialStore({
      kind,
      stateDirectory: directory,
      keychain: keychain ?? noKeychain,
      warn: () => log({ level: 'warn', event: 'tokens_unencrypted' }),
    });
  const choose = async (): Promise<CredentialStore> => {
    if (!keychain) return make('file');
    try {
      const sealed = make('keychain');
      await sealed.prepare('device');
      return sealed;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return make('file');
    }
  };
  let chosen: Promise<CredentialStore> | undefined;
  const store = (): Promise<CredentialStore> => (chosen ??= choose());
  return {
    kind: keychain ? 'keychain' : 'file',
    prepare: async (key) => (await store()).prepare(key),
    load: async (key) => (await store()).load(key),
    save: async (key, credentials) => (await store()).save(key, credentials),
    remove: async (key) => (await store()).remove(key),
    describe: () => directory,
  };
}

const fail = async (): Promise<never> => {
  throw new AppError('CREDENTIAL_STORE');
};
const noKeychain: Keychain = { get: fail, set: fail, delete: fail };
