/** Gets the key of an encrypted data directory: from the keychain, or from a passphrase. */
import type { KeyOptions } from '../../server/index.ts';
import { flag } from '../command.ts';
import type { Context } from '../context.ts';
import { readSecret } from '../shell/secret.ts';

const variable = 'LAUDIO_PASSPHRASE';

export const passphraseOption = {
  passphraseStdin: flag(`Read the passphrase from the first line of standard input; default: from ${variable}`),
};

export interface DataKeyInput {
  /** Whether to encrypt the directory from now on. */
  readonly encrypt?: boolean;
  readonly passphraseStdin: boolean;
}

/** Asks neither person nor keychain before the directory is known to need a key. */
export async function keyOptions(context: Context, { encrypt, passphraseStdin }: DataKeyInput): Promise<KeyOptions> {
  const { createKeychain } = await import('../../src/node/login/keychain.ts');
  const hasPassphrase = passphraseStdin || Boolean(context.env[variable]);
  return {
    ...(encrypt && { encrypt: hasPassphrase ? 'passphrase' : 'keychain' }),
    keychain: createKeychain({ clock: context.clock, stateDirectory: context.paths.state }),
    passphrase: () =>
      readSecret(context, 'Passphrase of the data directory', passphraseStdin, variable, '--passphrase-stdin'),
    instead: `or encrypt with a passphrase, with --passphrase-stdin or ${variable}`,
  };
}
