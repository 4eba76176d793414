/** The key that encrypts the data of the app and of the server on this computer. */
import type { KeyOptions } from '../../../server/index.ts';
import type { Keychain } from '../../../src/node/login/keychain.ts';

/**
 * The data is encrypted if the system has a keychain, by the same rule as tokens. If the keychain fails, a person who
 * starts the app in a terminal reads how to continue without encryption (`credential_store`); in a window that message
 * would be invisible, so the app continues unencrypted.
 */
export const appKey = (options: {
  /** `undefined`: the person opted out of encryption. */
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
