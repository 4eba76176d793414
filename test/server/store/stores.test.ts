import { stores } from '../../../server/store/registry.ts';
import { describeStore } from '../../suites/store.suite.ts';

for (const [name, open] of Object.entries(stores)) describeStore(name, open, { persistent: name !== 'memory' });
