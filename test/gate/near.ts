/**
 * `npm run test:near [-- COMMIT] [--all]`: the tests that the change since COMMIT can reach, uncommitted work included; by default
 * since the branch left its upstream, or the last commit where there is none. The nearest come first, until a minute is full;
 * `--all` runs all of them. Browsers and packing are left out unless what they are for was changed.
 */
import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { posix } from 'node:path';
import { filesBelow, root } from '../support/modules.ts';
import { nearestFirst, readGraph } from './reach.ts';
import { conclude, runTests } from './run.ts';
import { readTimes } from './times.ts';

/** Seconds that the tests may take, by what they took before. */
const budget = 40;
/** Of a file that is new. */
const usual = 2;

/** Tests that take long to begin, and what has to change for them to run. */
const costly: readonly { readonly tests: RegExp; readonly sources: RegExp }[] = [
  { tests: /^test\/(e2e|docs\/site)/, sources: /^(desktop\/(renderer|bridge)|test\/(e2e|docs\/site))\// },
  { tests: /^test\/build\//, sources: /^(test\/build\/|package(-lock)?\.json$)/ },
];

const git = (...words: string[]): string => execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim();
const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '');

/** Where the branch left its upstream; the last commit where it has none. */
function defaultCommit(): string {
  try {
    return git('merge-base', 'HEAD', '@{upstream}');
  } catch {
    return 'HEAD';
  }
}

const words = process.argv.slice(2);
const takesAll = words.includes('--all');
const commit = words.find((word) => !word.startsWith('-')) ?? defaultCommit();
const changed = [
  ...lines(git('diff', '--name-only', commit, '--')),
  ...lines(git('ls-files', '--others', '--exclude-standard')),
];
const times = readTimes();
const reach = readGraph().reachOf(changed);
const isIncluded = (test: string): boolean =>
  costly.every(({ tests, sources }) => !tests.test(test) || changed.some((path) => sources.test(path)));

const secondsOf = (test: string): number => times[test]?.wall ?? usual;
const reached = nearestFirst(changed, reach, secondsOf).filter(isIncluded);
const near = new Set<string>();
let seconds = 0;
for (const test of reached) {
  const takes = secondsOf(test) / availableParallelism();
  if (!takesAll && near.size > 0 && seconds + takes > budget) continue;
  seconds += takes;
  near.add(test);
}

process.stdout.write(
  `${changed.length} files changed since ${commit}; they reach ${reach.size} of ${filesBelow(root, ['test'], /\.test\.ts$/).length} test files.\n`,
);
if (near.size === 0) {
  process.stdout.write('None of them runs here: npm test runs them.\n');
} else {
  const outcome = await runTests({
    choose: async (vitest) => {
      const all = await vitest.globTestSpecifications();
      return all.filter(({ moduleId }) => near.has(posix.relative(root, moduleId)));
    },
  });
  conclude(outcome);
  const left = reach.size - near.size;
  if (left > 0)
    process.stdout.write(
      `${left} files that the change reaches did not run: they are further away, or need a browser or a package. npm test runs them${takesAll ? '' : ', and --all all but the last two kinds'}.\n`,
    );
}
