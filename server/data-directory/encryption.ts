/** How a data directory is encrypted, and what its key takes; store/lowdb/keys.ts keeps it. */
import type { Keychain } from '../../src/node/login/keychain.ts';
import type { Sealing } from '../../src/node/files/sealing.ts';

/** What opens the data. */
export const keyPlaces = ['keychain', 'passphrase'] as const;
export type KeyPlace = (typeof keyPlaces)[number];

export interface KeyOptions {
  /** Where the key of a directory goes that is not encrypted yet; without it such a directory stays as it is. */
  readonly encrypt?: KeyPlace | undefined;
  readonly keychain?: Keychain | undefined;
  /** Asked only where it is needed. */
  readonly passphrase?: (() => Promise<string>) | undefined;
  /** What a person can do where the keychain takes no key, besides unlocking it: "or …". */
  readonly instead?: string;
  /** Where the keychain takes no key, the directory stays as it is for now. */
  readonly orPlain?: boolean;
}

export interface Encryption {
  readonly place: KeyPlace;
  /** For everything that is kept in the directory. */
  readonly sealing: Sealing;
}
