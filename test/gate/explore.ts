/**
 * `npm run test:explore [-- FILTER… --seed N]`: the tests that draw what they try, with a seed drawn for this run and twenty times
 * as many tries. What it finds becomes an example in the test, with its seed and path.
 */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { readGraph } from './reach.ts';
import { conclude, runTests } from './run.ts';

const { values, positionals: filters } = parseArgs({
  options: { seed: { type: 'string' } },
  allowPositionals: true,
});
const seed = values.seed ?? String(randomInt(2 ** 31));
if (!/^\d+$/.test(seed)) throw new Error('--seed takes a whole number');
process.env['LAUDIO_EXPLORE_SEED'] = seed;
process.stdout.write(`${['npm run test:explore -- --seed', seed, ...filters].join(' ')}\n`);
// Where everything drawn begins: a test that does not reach it tries the same each time.
const drawing = readGraph().reachOf(['test/support/explored.ts']);
conclude(await runTests({ retry: false, filters, isChosen: (path) => drawing.has(path) }));
process.stdout.write(`Seed ${seed}\n`);
