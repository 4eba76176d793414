/**
 * The data key of a data directory: 32 random bytes. `encryption.json` holds the data key, sealed with a key from the system's
 * keychain or the environment, or with a passphrase. No code here replaces or deletes a data key: without the key the data is lost.
 */
import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { conforms } from '../../../src/client/conforms.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { integer, object, oneOf, string } from '../../../src/contract/schema.ts';
import type { TypeOf } from '../../../src/contract/schema.ts';
import { ofFile } from '../../../src/node/system-error.ts';
import type { DirectoryContents } from './contents.ts';
import { keyPlaces } from './encryption.ts';
import type { Encryption, KeyOptions, KeyPlace } from './encryption.ts';
import { PassphraseWrapped, unwrapWithPassphrase, wrapWithPassphrase } from '../sealing/passphrase.ts';
import { hasCode, nodeFileSystem, replacePrivateFile } from './private-files.ts';
import type { FileSystem } from './private-files.ts';
import { createSealing, dataKeyLength } from '../sealing/sealing.ts';

export const keyFile = 'encryption.json';
const format = 1;

const Head = object({ format: integer(), by: oneOf(keyPlaces), checksum: string() });
/** `entry`: the keychain's name for the key under which `key` is sealed. */
const InKeychain = object({ entry: string(), salt: string(), key: string() });
/** Sealed with the key of the environment. */
const FromEnvironment = object({ salt: string(), key: string() });
type WrappedKey =
  | ({ readonly by: 'keychain' } & TypeOf<typeof InKeychain>)
  | ({ readonly by: 'environment' } & TypeOf<typeof FromEnvironment>)
  | ({ readonly by: 'passphrase' } & PassphraseWrapped);

const wrappedForms = { keychain: InKeychain, passphrase: PassphraseWrapped, environment: FromEnvironment };

const context = Buffer.from('data key');

/**
 * Opens the key of the directory, which has to be locked; `undefined` where it is not encrypted and is not to be. `contents`
 * says what may lie there that only a key which is not here can read. AppError
 * CONFIGURATION or CREDENTIAL_STORE where the key cannot be had; then everything is as it was.
 */
export async function openEncryption(
  directory: string,
  options: KeyOptions,
  contents: readonly DirectoryContents[],
  fs: FileSystem = nodeFileSystem,
): Promise<Encryption | undefined> {
  const wrapped = await readWrapped(directory, fs);
  if (wrapped) {
    if (options.encrypt === 'passphrase' && wrapped.by !== 'passphrase') throw noPassphrase(wrapped.by);
    return { place: wrapped.by, sealing: createSealing(await unwrap(wrapped, options)) };
  }
  if (options.encrypt === undefined) return undefined;
  for (const each of contents) if (await each.holdsSealed(directory, fs)) throw keyMissing();
  const bytes = randomBytes(dataKeyLength);
  const made = await wrap(bytes, options.encrypt, options).catch((error: unknown) => {
    if (options.orPlain && error instanceof AppError && error.code === 'CREDENTIAL_STORE') return undefined;
    throw error;
  });
  if (!made) return undefined;
  await writeWrapped(directory, made, fs);
  return { place: made.by, sealing: createSealing(bytes) };
}

async function wrap(bytes: Uint8Array, place: KeyPlace, options: KeyOptions): Promise<WrappedKey> {
  if (place === 'passphrase') return { by: place, ...(await wrapWithPassphrase(bytes, await readPassphrase(options))) };
  if (place === 'environment') return { by: place, ...sealKey(bytes, readDataKey(options)) };
  const entry = `data key ${randomBytes(8).toString('hex')}`;
  const key = randomBytes(dataKeyLength);
  const { keychain } = options;
  const stored = await asking(
    async () => {
      await keychain?.set(entry, key.toString('base64'));
      return keychain?.get(entry);
    },
    `Unlock it and try again${options.instead === undefined ? '' : `; ${options.instead}`}. Nothing was changed.`,
  );
  // A keychain that forgets would take all data with it.
  if (stored !== key.toString('base64')) throw noKeychain('The keychain of this system did not keep the key.');
  return { by: place, entry, ...sealKey(bytes, key) };
}

interface SealedKey {
  readonly salt: string;
  readonly key: string;
}

function sealKey(bytes: Uint8Array, key: Uint8Array): SealedKey {
  const salt = randomBytes(16);
  const sealed = createSealing(key).forFile(salt).seal(bytes, context);
  return { salt: salt.toString('base64'), key: sealed.toString('base64') };
}

/** Throws if the key is another one. */
const openKey = ({ salt, key: sealed }: SealedKey, key: Uint8Array): Uint8Array =>
  createSealing(key).forFile(Buffer.from(salt, 'base64')).open(Buffer.from(sealed, 'base64'), context);

async function unwrap(wrapped: WrappedKey, options: KeyOptions): Promise<Uint8Array> {
  if (wrapped.by === 'passphrase') return unwrapWithPassphrase(wrapped, await readPassphrase(options));
  if (wrapped.by === 'environment') {
    const key = readDataKey(options);
    try {
      return openKey(wrapped, key);
    } catch {
      throw new AppError('CONFIGURATION', {
        message: 'The key in LAUDIO_DATA_KEY is not that of this data directory.',
        hint: 'Set LAUDIO_DATA_KEY to the key with which the directory was encrypted.',
      });
    }
  }
  const { keychain } = options;
  if (!keychain) {
    throw noKeychain(
      'The key of this data directory is in the keychain of this system.',
      'Start without LAUDIO_CREDENTIAL_STORE=file: to go without the keychain is too late once data is encrypted.',
    );
  }
  const { entry } = wrapped;
  const stored = await asking(() => keychain.get(entry), 'Unlock it and start again. Nothing was changed.');
  if (stored === undefined) {
    throw noKeychain(
      `The keychain of this system has no entry "${entry}", which holds the key of this data directory.`,
      'Start as the user, and on the computer, that encrypted it; or restore a backup into another directory.',
    );
  }
  try {
    return openKey(wrapped, Buffer.from(stored, 'base64'));
  } catch {
    throw noKeychain(
      `The entry "${entry}" in the keychain of this system is not the key of this data directory.`,
      'Put the former entry back, or restore a backup into another directory.',
    );
  }
}

async function readPassphrase({ passphrase }: KeyOptions): Promise<string> {
  if (passphrase) return passphrase();
  throw new AppError('CONFIGURATION', {
    message: 'This data directory is encrypted with a passphrase.',
    hint: 'Give the passphrase in LAUDIO_PASSPHRASE or with --passphrase-stdin.',
  });
}

function readDataKey({ dataKey }: KeyOptions): Uint8Array {
  if (dataKey) return dataKey;
  throw new AppError('CONFIGURATION', {
    message: 'This data directory is encrypted with a key from the environment.',
    hint: 'Set LAUDIO_DATA_KEY to that key.',
  });
}

/** The keychain's own hint is about tokens. */
const asking = <T>(work: () => Promise<T>, hint: string): Promise<T> =>
  work().catch((error: unknown) => {
    throw error instanceof AppError ? noKeychain(error.message, hint, error) : error;
  });

const noKeychain = (message: string, hint?: string, cause?: unknown): AppError =>
  new AppError('CREDENTIAL_STORE', { message, ...(hint !== undefined && { hint }), cause });

/** A person who gives a passphrase would believe that the passphrase protects the data. */
const noPassphrase = (place: 'keychain' | 'environment'): AppError =>
  new AppError('CONFIGURATION', {
    message: `This data directory is encrypted with a key ${place === 'keychain' ? 'in the keychain of this system' : 'from LAUDIO_DATA_KEY'}, not with a passphrase.`,
    hint: 'Start without a passphrase.',
  });

const checksumOf = (wrapped: WrappedKey): string => createHash('sha256').update(JSON.stringify(wrapped)).digest('hex');

async function writeWrapped(directory: string, wrapped: WrappedKey, fs: FileSystem): Promise<void> {
  const content = { format, ...wrapped, checksum: checksumOf(wrapped) };
  await replacePrivateFile(fs, join(directory, keyFile), `${JSON.stringify(content, null, 2)}\n`);
}

async function readWrapped(directory: string, fs: FileSystem): Promise<WrappedKey | undefined> {
  let content: unknown;
  try {
    content = JSON.parse(await fs.readFile(join(directory, keyFile), 'utf8'));
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error instanceof SyntaxError ? damaged() : ofFile(keyFile, error);
  }
  if (Number((content as { format?: unknown } | null)?.format) > format) {
    throw new AppError('CONFIGURATION', {
      message: `The file ${keyFile} in the data directory was written by a newer version.`,
      hint: 'Start the version of Laudio that wrote the file, or a newer version.',
    });
  }
  if (!conforms(Head, content)) throw damaged();
  const { format: _format, checksum, ...wrapped } = content as TypeOf<typeof Head> & WrappedKey;
  const isWhole = conforms(wrappedForms[wrapped.by], wrapped);
  if (!isWhole || checksum !== checksumOf(wrapped)) throw damaged();
  return wrapped;
}

const keyMissing = (): AppError =>
  new AppError('DATA_DAMAGED', {
    message: `The data directory is encrypted, and its file ${keyFile} is missing.`,
    hint: 'Put a copy of it in its place, or restore a backup into another directory.',
  });

const damaged = (): AppError =>
  new AppError('DATA_DAMAGED', {
    message: `The file ${keyFile} in the data directory is damaged.`,
    hint: 'The file is unchanged. Put a copy of the file in its place: without the file the data cannot be read.',
  });
