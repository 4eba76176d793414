import { recognisers, writers } from '../../../server/engine/registry.ts';
import { describeRecogniser } from '../../suites/recogniser.suite.ts';
import { describeWriter } from '../../suites/writer.suite.ts';

for (const [name, create] of Object.entries(recognisers)) describeRecogniser(name, create);
for (const [name, create] of Object.entries(writers)) describeWriter(name, create);
