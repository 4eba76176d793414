import { engines } from '../../../server/engine/registry.ts';
import { describeEngine } from '../../suites/engine.suite.ts';

for (const [name, create] of Object.entries(engines)) describeEngine(name, create);
