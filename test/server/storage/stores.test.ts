/** Every store of documents keeps the promises of its port. */
import { randomBytes } from 'node:crypto';
import { describe } from 'vitest';
import { createSealing } from '../../../server/storage/sealing/sealing.ts';
import type { documentStores } from '../../../server/storage/registry.ts';
import { describeStore } from '../../suites/store.suite.ts';
import type { StoreTraits } from '../../suites/store.suite.ts';
import { answerLate, drawTurns } from '../../support/late-store.ts';
import { memoryKeychain } from '../../support/memory-keychain.ts';
import { openerOf } from '../../support/open-stores.ts';
import type { OpenStores } from '../../support/open-stores.ts';
import { openUnsteady } from './lowdb/unsteady-store.ts';

/** That in PostgreSQL has tests of its own, beside its database. */
const traits: Record<Exclude<keyof typeof documentStores, 'postgres'>, StoreTraits> = {
  lowdb: { persistent: true, openUnsteady: openUnsteady() },
  memory: { persistent: false },
};
for (const [name, trait] of Object.entries(traits)) describeStore(name, openerOf(name), trait);

describe('late, and out of order', () => {
  const open = openerOf('memory');
  const openLate: OpenStores = async (options) => {
    const opened = await open(options);
    const store = answerLate(opened.store, drawTurns(3));
    return { ...opened, store, close: () => store.close().then(opened.close) };
  };
  describeStore('memory', openLate, { persistent: false });
});

const key = { encrypt: 'keychain', keychain: memoryKeychain() } as const;
const sealing = createSealing(randomBytes(32));
describe('encrypted', () => {
  const open = openerOf('lowdb');
  describeStore('lowdb', (options) => open({ ...options, key }), {
    persistent: true,
    openUnsteady: openUnsteady({ sealing: async () => sealing }),
  });
});
