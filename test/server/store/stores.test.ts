import { describe } from 'vitest';
import { stores } from '../../../server/store/registry.ts';
import { describeStore } from '../../suites/store.suite.ts';
import { memoryKeychain } from '../../support/memory-keychain.ts';

for (const [name, open] of Object.entries(stores)) describeStore(name, open, { persistent: name !== 'memory' });

const key = { encrypt: 'keychain', keychain: memoryKeychain() } as const;
describe('encrypted', () =>
  describeStore('lowdb', ({ directory }) => stores.lowdb({ directory, key }), { persistent: true }));
