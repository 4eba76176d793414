/**
 * `npm run test:explore [-- FILTER… --seed N]`: the tests that draw what they try, with a seed drawn for this run and twenty times
 * as many tries. What it finds becomes an example in the test, with its seed and path.
 *
 * With `--store postgres`: the tests of servers, as the gate has them, over PostgreSQL.
 */
import { randomInt } from 'node:crypto';
import { readOptions, refuseOptions } from '../support/program-options.ts';
import { readGraph } from './reach.ts';
import { conclude, runTests } from './run.ts';

const { values, positionals: filters } = readOptions(import.meta.filename, {
  options: { seed: { type: 'string' }, store: { type: 'string' } },
  allowPositionals: true,
});

/** Runs the tests that reach the file. */
async function runReaching(path: string): Promise<void> {
  const reaching = readGraph().reachOf([path]);
  conclude(await runTests({ retry: false, filters, isChosen: (test) => reaching.has(test) }));
}

async function runInPostgres(): Promise<void> {
  if (values.store !== 'postgres') refuseOptions(import.meta.filename, '--store takes postgres.');
  process.env['LAUDIO_TEST_STORE'] = values.store;
  await runReaching('test/support/default-store.ts');
}

async function explore(): Promise<void> {
  const seed = values.seed ?? String(randomInt(2 ** 31));
  if (!/^\d+$/.test(seed)) refuseOptions(import.meta.filename, '--seed takes a whole number.');
  process.env['LAUDIO_EXPLORE_SEED'] = seed;
  process.stdout.write(`${['npm run test:explore -- --seed', seed, ...filters].join(' ')}\n`);
  // Where everything drawn begins: a test that does not reach it tries the same each time.
  await runReaching('test/support/explored.ts');
  process.stdout.write(`Seed ${seed}\n`);
}

await (values.store === undefined ? explore() : runInPostgres());
