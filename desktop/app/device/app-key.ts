/** The key that encrypts the app's own data and the data of the server on this computer. */
import type { KeyOptions } from '../../../server/index.ts';
import type { Keychain } from '../../../src/node/login/keychain.ts';

/**
 * The data is encrypted wherever the system has a keychain, by the same rule as tokens. If the keychain fails, a person
 * who starts the app in a terminal reads how to go without (`credential_store`); in a window nobody could read that, so
 * the app goes on unencrypted.
 */
export const appKey = (options: {
  /** `undefined`: the person chose to go without encryption. */
  readonly keychain: Keychain | undefined;
  readonly passphrase: string | undefined;
  readonly inWindow: boolean;
}): KeyOptions => {
  const { keychain, passphrase, inWindow } = options;
  return {
    ...(keychain && { encrypt: 'keychain', keychain }),
    ...(passphrase && { passphrase: async () => passphrase }),
    orPlain: inWindow,
    instead:
      'or keep everything unencrypted, in files that only you can read: set the variable LAUDIO_CREDENTIAL_STORE to file',
  };
};
