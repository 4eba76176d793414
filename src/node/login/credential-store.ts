/** Tokens at rest, one set per profile: under a key of the system's keychain, or in a file if the user chose so. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { conforms } from '../../client/conforms.ts';
import { AppError } from '../../contract/errors.ts';
import { integer, object, string } from '../../contract/schema.ts';
import type { JsonSchema, TypeOf } from '../../contract/schema.ts';
import type { Keychain } from './keychain.ts';
import { readPrivateFile, removePrivateFile, writePrivateFile } from '../files/private-file.ts';
import { profileName } from '../settings.ts';

export const Credentials = object(
  {
    access_token: string(),
    expires_at: integer({ description: 'Milliseconds since 1970.' }),
    scope: string(),
  },
  { refresh_token: string(), client_secret: string() },
);
export type Credentials = TypeOf<typeof Credentials>;

export type CredentialStoreKind = 'keychain' | 'file';

/** Every call throws CREDENTIAL_STORE when the store cannot be used. */
export interface CredentialStore {
  readonly kind: CredentialStoreKind;
  /** Checks that tokens can be saved, before a person takes the trouble to log in. */
  prepare(profile: string): Promise<void>;
  load(profile: string): Promise<Credentials | undefined>;
  save(profile: string, credentials: Credentials): Promise<void>;
  remove(profile: string): Promise<void>;
  /** Where a profile's tokens are, for people. */
  describe(profile: string): string;
}

export interface CredentialStoreOptions {
  readonly kind: CredentialStoreKind;
  readonly stateDirectory: string;
  readonly keychain: Keychain;
  /** Called once, before the first secret is written to a plain file. */
  readonly warn: (message: string) => void;
}

export const createCredentialStore = (options: CredentialStoreOptions): CredentialStore =>
  options.kind === 'keychain' ? sealedStore(options) : fileStore(options);

const buildPath = (stateDirectory: string, profile: string, ending: string): string => {
  if (!profileName.test(profile)) throw new AppError('CONFIGURATION', { message: 'That is no name of a profile.' });
  return join(stateDirectory, 'credentials', `${profile}.${ending}`);
};

function fileStore({ stateDirectory, warn }: CredentialStoreOptions): CredentialStore {
  const path = (profile: string) => buildPath(stateDirectory, profile, 'json');
  let warned = false;
  return {
    kind: 'file',
    prepare: async () => undefined,
    load: async (profile) => {
      const content = await readPrivateFile(path(profile));
      return content === undefined ? undefined : parse(content, Credentials);
    },
    save: async (profile, credentials) => {
      if (!warned) warn(`Tokens are kept unencrypted in ${path(profile)}; only you can read that file.`);
      warned = true;
      await writePrivateFile(path(profile), JSON.stringify(credentials));
    },
    remove: (profile) => removePrivateFile(path(profile)),
    describe: (profile) => `the file ${path(profile)}`,
  };
}

const Sealed = object({ nonce: string(), tag: string(), data: string() });

/**
 * Keychains hold little (2,560 bytes on Windows) and tokens are long, so the keychain holds a 32-byte key, and a file
 * holds the tokens encrypted with it (AES-256-GCM, a new nonce each time, bound to its account).
 */
function sealedStore({ stateDirectory, keychain }: CredentialStoreOptions): CredentialStore {
  const path = (profile: string) => buildPath(stateDirectory, profile, 'sealed');
  // The same profile name in another directory is another login.
  const account = (profile: string) => `${profile} (${stateDirectory})`;
  const readKey = async (profile: string): Promise<Buffer | undefined> => {
    const key = Buffer.from((await keychain.get(account(profile))) ?? '', 'base64');
    return key.length === 32 ? key : undefined;
  };
  const makeKey = async (profile: string): Promise<Buffer> => {
    const key = randomBytes(32);
    await keychain.set(account(profile), key.toString('base64'));
    return key;
  };
  return {
    kind: 'keychain',
    prepare: async (profile) => {
      if (!(await readKey(profile))) await makeKey(profile);
    },
    load: async (profile) => {
      const content = await readPrivateFile(path(profile));
      if (content === undefined) return undefined;
      const key = await readKey(profile);
      return key && parse(open(parse(content, Sealed), key, account(profile)), Credentials);
    },
    save: async (profile, credentials) => {
      const key = (await readKey(profile)) ?? (await makeKey(profile));
      const sealed = seal(JSON.stringify(credentials), key, account(profile));
      await writePrivateFile(path(profile), JSON.stringify(sealed));
    },
    // The key first: if the keychain does not work, nothing is deleted, and without the key the file is noise.
    remove: async (profile) => {
      await keychain.delete(account(profile));
      await removePrivateFile(path(profile));
    },
    describe: (profile) => `${path(profile)}, encrypted with a key in the keychain of this system`,
  };
}

function seal(plain: string, key: Buffer, bound: string): TypeOf<typeof Sealed> {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(bound));
  const data = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return {
    nonce: nonce.toString('base64'),
    tag: cipher.getAuthTag().toString('base64'),
    data: data.toString('base64'),
  };
}

function open({ nonce, tag, data }: TypeOf<typeof Sealed>, key: Buffer, bound: string): string {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64'), { authTagLength: 16 });
    decipher.setAAD(Buffer.from(bound)).setAuthTag(Buffer.from(tag, 'base64'));
    return Buffer.concat([decipher.update(Buffer.from(data, 'base64')), decipher.final()]).toString('utf8');
  } catch {
    throw damaged();
  }
}

const damaged = (): AppError =>
  new AppError('CREDENTIAL_STORE', { message: 'The stored login is damaged.', hint: 'Run "laudio login" again.' });

function parse<S extends JsonSchema>(content: string, schema: S): TypeOf<S> {
  try {
    const value: unknown = JSON.parse(content);
    if (conforms(schema, value)) return value as TypeOf<S>;
  } catch {
    // The check below reports this damage like any other; the parser's own message would quote the content.
  }
  throw damaged();
}
