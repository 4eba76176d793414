/** Gets the key of an encrypted data directory: from the keychain, from a passphrase, or from the environment. */
import { AppError } from '../../src/contract/errors.ts';
import type { KeyOptions } from '../../server/index.ts';
import { flag, text } from '../command.ts';
import type { Context } from '../context.ts';
import { readSecret, readSecretFile } from '../shell/secret.ts';

const variable = 'LAUDIO_PASSPHRASE';
const keyVariable = 'LAUDIO_DATA_KEY';

export const passphraseOption = {
  passphraseStdin: flag(`Read the passphrase from the first line of standard input; default: from ${variable}`),
  passphraseFile: text('File with the passphrase, on its first line', { placeholder: 'FILE' }),
};

export interface DataKeyInput {
  /** Whether to encrypt the directory from now on. */
  readonly encrypt?: boolean;
  readonly passphraseStdin: boolean;
  readonly passphraseFile?: string | undefined;
}

/** Asks neither person nor keychain before the directory is known to need a key. */
export async function keyOptions(context: Context, input: DataKeyInput): Promise<KeyOptions> {
  const { encrypt, passphraseStdin, passphraseFile: file } = input;
  if (file !== undefined && passphraseStdin)
    throw new AppError('USAGE', { message: 'Use --passphrase-file or --passphrase-stdin, not both.' });
  const { createKeychain } = await import('../../src/node/login/keychain.ts');
  const dataKey = readDataKey(context.env[keyVariable]);
  const hasPassphrase = file !== undefined || passphraseStdin || Boolean(context.env[variable]);
  return {
    ...(encrypt && { encrypt: dataKey ? 'environment' : hasPassphrase ? 'passphrase' : 'keychain' }),
    dataKey,
    keychain: createKeychain({ clock: context.clock, stateDirectory: context.paths.state }),
    passphrase: async () =>
      file !== undefined
        ? readSecretFile(context, file, '--passphrase-file')
        : readSecret(context, 'Passphrase of the data directory', passphraseStdin, variable, '--passphrase-stdin'),
    instead: `or encrypt with a passphrase, with --passphrase-file, --passphrase-stdin or ${variable}`,
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
