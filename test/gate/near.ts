/**
 * `npm run test:near [-- COMMIT] [--all]`: the tests that the change since COMMIT can reach, uncommitted work included; by default
 * since the branch left its upstream, or the last commit where there is none. The nearest come first, until a minute is full;
 * `--all` runs all of them. Browsers and packing are left out unless what they are for was changed.
 */
import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { readOptions, refuseOptions } from '../support/program-options.ts';
import { root } from '../support/modules.ts';
import { nearestFirst, readGraph } from './reach.ts';
import { conclude, runTests } from './run.ts';
import { readTimes } from './times.ts';

/** Seconds that the tests may take, by what they took before. */
const budget = 40;
/** Of a file that is new. */
const usual = 2;

/** Tests that take long to begin, and what has to change for them to run. */
const costly: readonly { readonly tests: RegExp; readonly sources: RegExp }[] = [
  {
    tests: /^test\/(e2e|docs\/site|sessions\/page)/,
    sources: /^(desktop\/(renderer|bridge)|test\/e2e|docs\/site)\//,
  },
  { tests: /^test\/build\//, sources: /^(\.build\/|test\/build\/|package(-lock)?\.json$)/ },
];

const git = (...words: string[]): string =>
  execFileSync('git', words, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '');

/** Where the branch left its upstream; the last commit where it has none. */
function defaultCommit(): string {
  try {
    return git('merge-base', 'HEAD', '@{upstream}');
  } catch {
    return 'HEAD';
  }
}

/** The files that are not as they were at the commit. */
function changedSince(commit: string): string[] {
  try {
    return [
      ...lines(git('diff', '--name-only', commit, '--')),
      ...lines(git('ls-files', '--others', '--exclude-standard')),
    ];
  } catch {
    return refuseOptions(import.meta.filename, `git knows no changes since ${commit}; name a commit or a branch.`);
  }
}

const { values, positionals } = readOptions(import.meta.filename, {
  options: { all: { type: 'boolean' } },
  allowPositionals: true,
});
const commit = positionals[0] ?? defaultCommit();
const changed = changedSince(commit);
const times = readTimes();
const graph = readGraph();
const reach = graph.reachOf(changed);
const isIncluded = (test: string): boolean =>
  costly.every(({ tests, sources }) => !tests.test(test) || changed.some((path) => sources.test(path)));

const secondsOf = (test: string): number => times[test]?.wall ?? usual;
const near = new Set<string>();
let seconds = 0;
for (const test of nearestFirst(changed, reach, secondsOf).filter(isIncluded)) {
  const takes = secondsOf(test) / availableParallelism();
  if (!values.all && near.size > 0 && seconds + takes > budget) continue;
  seconds += takes;
  near.add(test);
}

process.stdout.write(
  `${changed.length} files changed since ${commit}; they reach ${reach.size} of ${graph.tests.length} test files, of which ${near.size} run here.\n`,
);
if (near.size < reach.size)
  process.stdout.write(
    `The others are further away, or need a browser or a package: npm test runs them${values.all ? '' : ', and --all those that are further away'}.\n`,
  );
if (near.size > 0) conclude(await runTests({ isChosen: (path) => near.has(path) }));
