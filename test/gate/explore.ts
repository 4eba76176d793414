/**
 * `npm run test:explore [-- FILTER… --seed N]`: the tests that draw what they try, with a seed drawn for this run and twenty times
 * as many tries. What it finds becomes an example in the test, with its seed and path.
 */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { posix } from 'node:path';
import { root } from '../support/modules.ts';
import { readGraph } from './reach.ts';
import { conclude, runTests } from './run.ts';

const { values, positionals } = parseArgs({ options: { seed: { type: 'string' } }, allowPositionals: true });
const seed = values.seed ?? String(randomInt(2 ** 31));
process.env['LAUDIO_EXPLORE_SEED'] = seed;
process.stdout.write(
  `Seed ${seed}: npm run test:explore -- --seed ${seed}${positionals.map((one) => ` ${one}`).join('')}\n`,
);
// Where everything drawn begins: a test that does not reach it tries the same each time.
const drawing = readGraph().reachOf(['test/support/explored.ts']);
const outcome = await runTests({
  retry: false,
  choose: async (vitest) => {
    const chosen = await vitest.globTestSpecifications(positionals);
    return chosen.filter(({ moduleId }) => drawing.has(posix.relative(root, moduleId)));
  },
});
conclude(outcome);
process.stdout.write(`Seed ${seed}\n`);
