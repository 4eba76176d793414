import { randomBytes } from 'node:crypto';
import { describe } from 'vitest';
import { createSealing } from '../../../server/sealing/sealing.ts';
import { stores } from '../../../server/store/registry.ts';
import type { StoreName } from '../../../server/store/registry.ts';
import { describeStore } from '../../suites/store.suite.ts';
import type { StoreTraits } from '../../suites/store.suite.ts';
import { memoryKeychain } from '../../support/memory-keychain.ts';
import { openUnsteady } from './lowdb/unsteady-store.ts';

const traits: Record<StoreName, StoreTraits> = {
  lowdb: { persistent: true, openUnsteady: openUnsteady() },
  memory: { persistent: false },
};
for (const name of Object.keys(stores) as StoreName[]) describeStore(name, stores[name], traits[name]);

const key = { encrypt: 'keychain', keychain: memoryKeychain() } as const;
const sealing = createSealing(randomBytes(32));
describe('encrypted', () =>
  describeStore('lowdb', ({ directory }) => stores.lowdb({ directory, key }), {
    persistent: true,
    openUnsteady: openUnsteady({ sealing: async () => sealing }),
  }));
