/** The encryption of a data directory, and the options for its key, which keys.ts manages. */
import type { Keychain } from '../../../src/node/login/keychain.ts';
import type { Sealing } from '../../../src/node/files/sealing.ts';

/** The secret that opens the data key: a key in the system's keychain, a passphrase, or a key of the environment. */
export const keyPlaces = ['keychain', 'passphrase', 'environment'] as const;
export type KeyPlace = (typeof keyPlaces)[number];

export interface KeyOptions {
  /** Encrypts a plain directory, and puts its key here; `undefined`: a plain directory stays plain. */
  readonly encrypt?: KeyPlace | undefined;
  readonly keychain?: Keychain | undefined;
  /** Called only if the passphrase is needed. */
  readonly passphrase?: (() => Promise<string>) | undefined;
  /** 32 bytes from the environment. Blobs outside of the directory are sealed with it, in every process. */
  readonly dataKey?: Uint8Array | undefined;
  /** For the error message if the keychain takes no key: what a person can do other than unlock the keychain: "or …". */
  readonly instead?: string;
  /** If the keychain takes no key, leaves the directory plain for now instead of failing. */
  readonly orPlain?: boolean;
}

export interface Encryption {
  readonly place: KeyPlace;
  /** Seals every file in the directory. */
  readonly sealing: Sealing;
}
