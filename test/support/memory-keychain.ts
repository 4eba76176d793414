/** Keychains that are none of this system's: one that works, and one that does not. */
import { AppError } from '../../src/contract/errors.ts';
import type { Keychain } from '../../src/node/login/keychain.ts';

export function memoryKeychain(): Keychain & { readonly entries: Map<string, string> } {
  const entries = new Map<string, string>();
  return {
    entries,
    get: async (account) => entries.get(account),
    set: async (account, secret) => void entries.set(account, secret),
    delete: async (account) => void entries.delete(account),
  };
}

const refuse = async (): Promise<never> => {
  throw new AppError('CREDENTIAL_STORE', { message: 'The keychain is locked.', hint: 'Unlock it.' });
};

export const lockedKeychain: Keychain = { get: refuse, set: refuse, delete: refuse };
