/**
 * The word shelf in IndexedDB. All words have separate keys that no script can read (WebCrypto, not extractable) and
 * that are removed with them.
 */
import type { DBSchema } from 'idb';
import type { TypedInput } from '../../bridge/typed.ts';
import { openWhenUsed, strictly } from './database.ts';
import { createKey, seal, unseal } from './seal-bytes.ts';
import type { SealedBytes } from './seal-bytes.ts';
import type { ShelvedWords, WordShelf } from './word-shelf.ts';

interface StoredWords extends SealedBytes {
  readonly id: string;
  readonly page: string;
  readonly desk: string;
  readonly key: CryptoKey;
}

interface Schema extends DBSchema {
  words: { key: string; value: StoredWords };
}

const name = 'laudio-words';

const idOf = ({ page, typed: { kind, subject } }: Parameters<WordShelf['forget']>[0]): string =>
  `${page} ${kind} ${subject}`;

/** Opens the database at the first call. If the browser stores nothing, calls reject. */
export function createBrowserWordShelf(): WordShelf {
  const database = openWhenUsed<Schema>(name, 1, (created) => {
    created.createObjectStore('words', { keyPath: 'id' });
  });
  const open = async (stored: StoredWords): Promise<ShelvedWords | []> => {
    const { id, page, desk, key } = stored;
    try {
      const plain = await unseal(key, id, stored);
      return { page, desk, typed: JSON.parse(new TextDecoder().decode(plain)) as TypedInput };
    } catch {
      return [];
    }
  };

  return {
    async keep(words) {
      const { page, desk, typed } = words;
      const id = idOf(words);
      const stored = await database();
      const key = await createKey();
      const sealed = await seal(key, id, new TextEncoder().encode(JSON.stringify(typed)));
      const change = stored.transaction('words', 'readwrite', strictly);
      await Promise.all([change.store.put({ id, page, desk, key, ...sealed }), change.done]);
    },
    async list(desk) {
      const stored = await (await database()).getAll('words');
      return (await Promise.all(stored.filter((words) => words.desk === desk).map(open))).flat();
    },
    async forget(words) {
      await (await database()).delete('words', idOf(words));
    },
    live(page) {
      // A page without HTTPS has no locks, and stores nothing either.
      void navigator.locks?.request(`${name} ${page}`, () => new Promise<never>(() => undefined));
    },
    async ifGone(page, work) {
      await navigator.locks.request(`${name} ${page}`, { ifAvailable: true }, async (lock) => {
        if (lock !== null) await work();
      });
    },
  };
}
