/**
 * The shelf in IndexedDB. All words have keys of their own that no script can read (WebCrypto, not extractable), which go
 * with them.
 */
import { openDB } from 'idb';
import type { DBSchema, IDBPDatabase } from 'idb';
import type { Typed } from '../../bridge/typed.ts';
import type { ShelvedWords, WordShelf } from './word-shelf.ts';

interface StoredWords {
  readonly id: string;
  readonly page: string;
  readonly desk: string;
  readonly key: CryptoKey;
  readonly iv: Uint8Array<ArrayBuffer>;
  readonly sealed: ArrayBuffer;
}

interface Schema extends DBSchema {
  words: { key: string; value: StoredWords };
}

const name = 'laudio-words';

const idOf = ({ page, typed: { kind, subject } }: Parameters<WordShelf['forget']>[0]): string =>
  `${page} ${kind} ${subject}`;

/** Words can be decrypted only in their own place. */
const algorithmOf = (id: string, iv: Uint8Array<ArrayBuffer>) => ({
  name: 'AES-GCM',
  iv,
  additionalData: new TextEncoder().encode(id),
});

/** Opens the database with the first call. If the browser stores nothing, its calls reject. */
export function createBrowserWordShelf(): WordShelf {
  let opening: Promise<IDBPDatabase<Schema>> | undefined;
  const database = (): Promise<IDBPDatabase<Schema>> => {
    const lost = (): void => (opening = undefined);
    const opened = (opening ??= openDB<Schema>(name, 1, {
      upgrade: (created) => void created.createObjectStore('words', { keyPath: 'id' }),
      terminated: lost,
      // Closes the database for a page of a newer version.
      blocking(_present, _next, { target }) {
        (target as IDBDatabase).close();
        lost();
      },
    }));
    // A browser that could not open the database may open it later.
    opened.catch(lost);
    return opened;
  };
  const open = async ({ id, page, desk, key, iv, sealed }: StoredWords): Promise<ShelvedWords | []> => {
    try {
      const plain = await crypto.subtle.decrypt(algorithmOf(id, iv), key, sealed);
      return { page, desk, typed: JSON.parse(new TextDecoder().decode(plain)) as Typed };
    } catch {
      return [];
    }
  };

  return {
    async keep(words) {
      const { page, desk, typed } = words;
      const id = idOf(words);
      const stored = await database();
      const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
      const iv = crypto.getRandomValues(new Uint8Array(12));
      const plain = new TextEncoder().encode(JSON.stringify(typed));
      const sealed = await crypto.subtle.encrypt(algorithmOf(id, iv), key, plain);
      // Words count as stored only when they have reached the disk.
      const change = stored.transaction('words', 'readwrite', { durability: 'strict' });
      await Promise.all([change.store.put({ id, page, desk, key, iv, sealed }), change.done]);
    },
    async list(desk) {
      const stored = await (await database()).getAll('words');
      return (await Promise.all(stored.filter((words) => words.desk === desk).map(open))).flat();
    },
    async forget(words) {
      await (await database()).delete('words', idOf(words));
    },
    live(page) {
      // A page without https has no locks, and stores nothing either.
      void navigator.locks?.request(`${name} ${page}`, () => new Promise<never>(() => undefined));
    },
    async ifGone(page, work) {
      await navigator.locks.request(`${name} ${page}`, { ifAvailable: true }, async (lock) => {
        if (lock !== null) await work();
      });
    },
  };
}
