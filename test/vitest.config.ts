import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';
import { pathOf, readTimes } from './gate/times.ts';
import { explored } from './support/explored.ts';

/** All servers of tests that choose no store keep their documents in PostgreSQL. */
const inPostgres = process.env['LAUDIO_TEST_STORE'] === 'postgres' ? ['test/support/shared-postgres.ts'] : [];

/** Files that share a browser. */
const browser = [
  'test/e2e/**/*.test.ts',
  'test/sessions/page.test.ts',
  'test/server/pages/{browser,policy,provider-browser}.test.ts',
];

/** Files that share a PostgreSQL. */
const database = ['test/server/storage/postgres/**/*.test.ts'];

/** Files that have a process of their own; the others share one a worker, so that what they import is loaded once. */
const alone = [
  // They pack and install the program, and end what they started at any moment.
  'test/{build,crash}/**/*.test.ts',
  // They open thousands of stores and read huge files: rubbish that costs twice as much to collect among many modules.
  'test/server/{operations/maintenance,storage/data-directory,storage/files,storage/lowdb}/**/*.test.ts',
  'test/server/storage/*.test.ts',
  'test/files/worklist/{limits,readers}.test.ts',
  // They measure the memory, the turns and the threads of their process.
  'test/server/{speech/rules-writer,http/stalls,records/uploads/memory,runtime/workers/workers}.test.ts',
  // The page's modules have state: its signals.
  'test/desktop/renderer/**/*.test.ts',
  // It builds the site, and drives a browser.
  'test/docs/site.test.ts',
  // They put another module in the place of one.
  'test/desktop/main/{shell,updater}.test.ts',
];

/** The longest start first, so that no long one is left when the others are done. A new file counts as long. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const times = readTimes();
    const secondsOf = (file: TestSpecification): number => times[pathOf(file)]?.wall ?? Infinity;
    // Those that share a process come last: others would interrupt them.
    return files.toSorted(
      (a, b) => Number(b.project.config.isolate) - Number(a.project.config.isolate) || secondsOf(b) - secondsOf(a) || 0,
    );
  }
}

const minutes = 60_000;

export default defineConfig({
  // The oldest Node that the program supports runs the tests as well.
  oxc: { target: 'node22' },
  test: {
    root: fileURLToPath(new URL('..', import.meta.url)),
    globalSetup: ['test/support/set-up.ts'],
    setupFiles: ['test/support/processor-time.ts'],
    reporters: [...configDefaults.reporters],
    projects: [
      {
        extends: true,
        test: { name: 'browser', isolate: false, include: browser, globalSetup: ['test/support/shared-browser.ts'] },
      },
      {
        extends: true,
        test: { name: 'database', include: database, globalSetup: ['test/support/shared-postgres.ts'] },
      },
      { extends: true, test: { name: 'alone', include: alone, globalSetup: inPostgres } },
      {
        extends: true,
        test: {
          name: 'together',
          isolate: false,
          include: ['test/**/*.test.ts'],
          exclude: [...browser, ...database, ...alone],
          globalSetup: inPostgres,
        },
      },
    ],
    sequence: { sequencer: LongestFirst },
    // More than half of the time of every file is waiting: for a browser, a disk or a process.
    maxWorkers: availableParallelism() * 2,
    // The processes that tests start, dozens of each program, read what the first one compiled.
    env: { NODE_COMPILE_CACHE: fileURLToPath(new URL('../node_modules/.compile-cache', import.meta.url)) },
    // A real browser and a real keychain take their time on a busy machine; nothing waits for the clock.
    testTimeout: 3 * minutes * explored.times,
    hookTimeout: 3 * minutes,
    // Most of what tests leave behind is young: a larger nursery collects it before it is copied.
    execArgv: ['--max-semi-space-size=64'],
    restoreMocks: true,
    expect: { poll: { timeout: 60_000 } },
  },
});
