/** The key of the app's own data: that of the server on this computer, and of what the app keeps beside it. */
import type { KeyOptions } from '../../../server/index.ts';
import type { Keychain } from '../../../src/node/keychain.ts';

/**
 * Encrypted wherever the system has a keychain, by the rule that tokens follow: whoever starts the app in a terminal is
 * told how to go without one (`credential_store`); in a window nobody could read that, so there it goes on unencrypted.
 */
export const appKey = (options: {
  /** `undefined`: the person chose to go without. */
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
