/**
 * One run of tests. A file that fails runs once more, alone: if it passes then, its tests count as passed and are printed last
 * as `flaky: FILE > NAME`, which is a defect to mend next.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createVitest } from 'vitest/node';
import type { CliOptions, TestModule, TestRunResult } from 'vitest/node';
import { root } from '../support/modules.ts';
import { pathOf, readTimes, slowestFiles, timesOf } from './times.ts';
import type { Times } from './times.ts';

export interface Outcome {
  readonly passed: number;
  readonly failed: number;
  /** Tests that this machine cannot run: `FILE > NAME`. */
  readonly skipped: readonly string[];
  /** Tests that failed beside others and passed alone: `FILE > NAME`. */
  readonly flaky: readonly string[];
  readonly times: Times;
}

export interface RunOptions {
  readonly vitest?: CliOptions;
  /** Parts of paths; a file runs whose path has one of them. Default: all. */
  readonly filters?: readonly string[];
  /** Whether a test file, by its path from the root, is among those that run. Default: all are. */
  readonly isChosen?: (path: string) => boolean;
  /** Whether a file that fails runs once more. Not where chance is what is looked for. */
  readonly retry?: boolean;
}

/** So many files that fail are no chance. */
const mostRetried = 20;

export async function runTests({
  vitest: options,
  filters = [],
  isChosen = () => true,
  retry = true,
}: RunOptions): Promise<Outcome> {
  const vitest = await createVitest({
    config: join(root, 'test/vitest.config.ts'),
    watch: false,
    run: true,
    ...options,
  });
  try {
    await vitest.standalone();
    const found = await vitest.getRelevantTestSpecifications([...filters]);
    const specifications = found.filter((file) => isChosen(pathOf(file)));
    if (specifications.length === 0) return refused(`No test file is meant by ${filters.join(' ') || 'this'}.`);
    const first = await vitest
      .runTestSpecifications(specifications, specifications.length === found.length && filters.length === 0)
      // The set-up says what the machine lacks.
      .catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
    if (typeof first === 'string') return refused(first);
    const modules = new Map(first.testModules.map((module) => [module.moduleId, module]));
    const times = timesOf(first.testModules);
    const failing = first.testModules.filter((module) => hasFailed(module, first));
    const failed = new Set(failing.map(({ moduleId }) => moduleId));
    const strayErrors = first.unhandledErrors.filter((error) => fileOf(error) === undefined).length;
    const flaky: string[] = [];
    if (retry && options?.bail === undefined && failing.length <= mostRetried) {
      for (const module of failing) {
        process.stdout.write(`\n${module.relativeModuleId} failed; it runs once more, alone.\n`);
        const again = await vitest.runTestSpecifications(
          specifications.filter(({ moduleId }) => moduleId === module.moduleId),
        );
        // It lists the modules of the runs before as well.
        const alone = again.testModules.find(({ moduleId }) => moduleId === module.moduleId);
        if (again.unhandledErrors.length > 0 || alone === undefined || hasFailed(alone, again)) continue;
        modules.set(alone.moduleId, alone);
        failed.delete(module.moduleId);
        flaky.push(...failuresOf(module));
      }
    }
    process.stdout.write(slowestFiles(times, readTimes()));
    return { ...count([...modules.values()], failed, strayErrors), flaky, times };
  } finally {
    await vitest.close();
  }
}

/** Nothing has run, and why. */
function refused(reason: string): Outcome {
  process.stderr.write(`${reason}\n`);
  return { passed: 0, failed: 1, skipped: [], flaky: [], times: {} };
}

const hasFailed = (module: TestModule, { unhandledErrors }: TestRunResult): boolean =>
  !['passed', 'skipped'].includes(module.state()) || unhandledErrors.some((error) => fileOf(error) === module.moduleId);

/** The test file in whose process nobody caught it. */
const fileOf = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'VITEST_TEST_PATH' in error
    ? String(error.VITEST_TEST_PATH)
    : undefined;

/** Its tests that failed, or the file where it is not one of them. */
function failuresOf(module: TestModule): string[] {
  const names = [...module.children.allTests('failed')].map(
    ({ fullName }) => `${module.relativeModuleId} > ${fullName}`,
  );
  return names.length > 0 ? names : [module.relativeModuleId];
}

/** A file that could not be run, and an error that no file owns, count as one failed test each. */
function count(modules: readonly TestModule[], failed: ReadonlySet<string>, strayErrors: number) {
  const sum = { passed: 0, failed: strayErrors, skipped: [] as string[] };
  for (const module of modules) {
    let failures = 0;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      if (state === 'passed') sum.passed += 1;
      else if (state === 'skipped') sum.skipped.push(`${module.relativeModuleId} > ${test.fullName}`);
      else failures += 1;
    }
    if (failed.has(module.moduleId)) sum.failed += Math.max(1, failures);
  }
  if (sum.passed === 0) sum.failed += 1;
  return sum;
}

/** Says what a reader has to know beyond vitest's own summary, and ends the process accordingly. */
export function conclude({ passed, failed, skipped, flaky }: Outcome): void {
  const { LAUDIO_TEST_RESULTS: results } = process.env;
  if (results !== undefined) writeFileSync(results, JSON.stringify({ passed, failed, skipped, flaky }));
  for (const name of skipped) process.stdout.write(`not run on this machine: ${name}\n`);
  process.stdout.write(
    `\n${passed} passed, ${failed} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}\n`,
  );
  for (const name of flaky) process.stdout.write(`flaky: ${name}\n`);
  process.exitCode = failed > 0 ? 1 : 0;
}
