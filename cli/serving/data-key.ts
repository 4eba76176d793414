/** Gets the key of an encrypted data directory: from the keychain, from a passphrase, or from the environment. */
import { AppError } from '../../src/contract/errors.ts';
import type { KeyOptions } from '../../server/index.ts';
import { flag } from '../command.ts';
import type { Context } from '../context.ts';
import { readSecret } from '../shell/secret.ts';

const variable = 'LAUDIO_PASSPHRASE';
const keyVariable = 'LAUDIO_DATA_KEY';

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
  const dataKey = readDataKey(context.env[keyVariable]);
  const hasPassphrase = passphraseStdin || Boolean(context.env[variable]);
  return {
    ...(encrypt && { encrypt: dataKey ? 'environment' : hasPassphrase ? 'passphrase' : 'keychain' }),
    dataKey,
    keychain: createKeychain({ clock: context.clock, stateDirectory: context.paths.state }),
    passphrase: () =>
      readSecret(context, 'Passphrase of the data directory', passphraseStdin, variable, '--passphrase-stdin'),
    instead: `or encrypt with a passphrase, with --passphrase-stdin or ${variable}`,
  };
}

/** 32 bytes in base64, in either alphabet. */
function readDataKey(text: string | undefined): Uint8Array | undefined {
  if (!text) return undefined;
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length === 32 && /^[\w+/-]{43}=?$/.test(text.trim())) return key;
  throw new AppError('CONFIGURATION', {
    message: `${keyVariable} is not a key of 32 bytes in base64.`,
    hint: 'Make one with `openssl rand -base64 32`, and keep it: what it encrypts cannot be read without it.',
  });
}
