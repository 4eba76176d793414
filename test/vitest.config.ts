import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';
import { slowestFiles } from './support/slowest-files.ts';

/** Files that have a process of their own; the others share one a worker, so that what they import is loaded once. */
const alone = [
  // They end what they started at any moment, and drive browsers.
  'test/{build,crash,e2e}/**/*.test.ts',
  // They open thousands of stores and read huge files: rubbish that costs twice as much to collect among many modules.
  'test/server/{data-directory,maintenance,store}/**/*.test.ts',
  'test/worklist-files/{limits,readers}.test.ts',
  // They measure the memory, the turns and the threads of their process.
  'test/server/{engine/rules-writer,http/stalls,uploads/memory,workers/workers}.test.ts',
  // The page's modules have state: its signals.
  'test/desktop/renderer/**/*.test.ts',
  // It builds the site, and drives a browser.
  'test/docs/site.test.ts',
  // They put another module in the place of one.
  'test/desktop/main/{shell,updater}.test.ts',
];

/** What needs a process of its own comes first: it takes longest, and would interrupt those that share one. */
class AloneFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- It is the sequencer's, which sorts a copy.
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => Number(b.project.config.isolate) - Number(a.project.config.isolate));
  }
}

/** Where `.ci/run` wants to read what became of each test. */
const { LAUDIO_TEST_RESULTS: results } = process.env;
const resultsFile: ['json', { outputFile: string }][] =
  results === undefined ? [] : [['json', { outputFile: results }]];

export default defineConfig({
  // The oldest Node that the program supports runs the tests as well.
  oxc: { target: 'node22' },
  test: {
    root: fileURLToPath(new URL('..', import.meta.url)),
    globalSetup: ['test/support/set-up.ts'],
    setupFiles: ['test/support/processor-time.ts'],
    reporters: [...configDefaults.reporters, slowestFiles, ...resultsFile],
    projects: [
      { extends: true, test: { name: 'alone', include: alone } },
      { extends: true, test: { name: 'together', isolate: false, include: ['test/**/*.test.ts'], exclude: alone } },
    ],
    sequence: { sequencer: AloneFirst },
    // Vitest leaves a processor to itself, and needs a tenth of one.
    maxWorkers: availableParallelism(),
    // The processes that tests start, dozens of each program, read what the first one compiled.
    env: { NODE_COMPILE_CACHE: fileURLToPath(new URL('../node_modules/.compile-cache', import.meta.url)) },
    // A real browser and a real keychain take their time on a busy machine; nothing waits for the clock.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    restoreMocks: true,
    expect: { poll: { timeout: 30_000 } },
  },
});
