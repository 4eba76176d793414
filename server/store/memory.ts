/** A store that forgets: for trying things out, and for tests. */
import { createDocumentStore } from './document-store.ts';
import type { Store } from './store.ts';
import { createTables } from './tables.ts';

export const createMemoryStore = (): Store =>
  createDocumentStore('memory', createTables(), {
    setbacks: 0,
    pending: [],
    append: async () => {},
    replace: async () => {},
    compact: async () => {},
    probe: async () => {},
    close: async () => {},
  });
