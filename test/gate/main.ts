/** `npm test [-- FILTER… OPTIONS]`: the gate, with Vitest's options. `--times` keeps how long each file took, for the order of the next runs. */
import { parseCLI } from 'vitest/node';
import { conclude, runTests } from './run.ts';
import { writeTimes } from './times.ts';

const words = process.argv.slice(2);
const keepsTimes = words.includes('--times');
const { filter: filters, options } = parseCLI(['vitest', 'run', ...words.filter((word) => word !== '--times')]);
const outcome = await runTests({ vitest: options, filters });
if (keepsTimes) {
  const isWhole = filters.length === 0 && outcome.failed === 0;
  if (isWhole) writeTimes(outcome.times);
  else process.stderr.write('The times are not kept: those of a whole run that passes are.\n');
}
conclude(outcome);
