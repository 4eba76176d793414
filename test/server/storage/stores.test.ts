/** Every store of documents keeps the promises of its port. */
import { randomBytes } from 'node:crypto';
import { describe } from 'vitest';
import { createSealing } from '../../../server/storage/sealing/sealing.ts';
import type { documentStores } from '../../../server/storage/registry.ts';
import { describeStore } from '../../suites/store.suite.ts';
import type { StoreTraits } from '../../suites/store.suite.ts';
import { memoryKeychain } from '../../support/memory-keychain.ts';
import { openerOf } from '../../support/open-stores.ts';
import { openUnsteady } from './lowdb/unsteady-store.ts';

const traits: Record<keyof typeof documentStores, StoreTraits> = {
  lowdb: { persistent: true, openUnsteady: openUnsteady() },
  memory: { persistent: false },
};
for (const [name, trait] of Object.entries(traits)) describeStore(name, openerOf(name), trait);

const key = { encrypt: 'keychain', keychain: memoryKeychain() } as const;
const sealing = createSealing(randomBytes(32));
describe('encrypted', () => {
  const open = openerOf('lowdb');
  describeStore('lowdb', (options) => open({ ...options, key }), {
    persistent: true,
    openUnsteady: openUnsteady({ sealing: async () => sealing }),
  });
});
