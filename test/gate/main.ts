/** `npm test [-- FILTER… OPTIONS]`: the gate, with Vitest's options. `--times` keeps how long each file took, for the order of the next runs. */
import { parseCLI } from 'vitest/node';
import { conclude, runTests } from './run.ts';
import { writeTimes } from './times.ts';

const words = process.argv.slice(2);
const keepsTimes = words.includes('--times');
const { filter, options } = parseCLI(['vitest', 'run', ...words.filter((word) => word !== '--times')]);
const outcome = await runTests({
  vitest: options,
  ...(filter.length > 0 && { choose: (vitest) => vitest.globTestSpecifications(filter) }),
});
if (keepsTimes && filter.length === 0 && outcome.failed === 0) writeTimes(outcome.times);
conclude(outcome);
