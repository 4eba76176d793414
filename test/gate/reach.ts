/** Which tests a change of a file can reach, by what each module imports, loads, starts or reads. */
import { existsSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { filesBelow, readModules, root } from '../support/modules.ts';

/** Steps from a changed file to each test file that depends on it: 0 for a test that was changed itself. */
export type Reach = ReadonlyMap<string, number>;

/** What a module uses without naming it by its address: the page, which is built before, and files that it looks for. */
const unnamed: Readonly<Record<string, readonly string[]>> = {
  'test/support/app.ts': ['desktop/renderer/main.tsx'],
  'test/e2e/recorder.test.ts': ['desktop/renderer/main.tsx'],
  'docs/site/pages.ts': ['README.md', 'CHANGELOG.md', 'docs', '.github', 'samples'],
  'test/architecture.test.ts': ['src', 'server', 'cli', 'desktop', 'test', 'docs/site', '.build'],
};

export interface Graph {
  /** Paths of all test files, from the root. */
  readonly tests: readonly string[];
  /** The tests that these files reach, the nearest first. Paths are from the root; folders that a test reads count too. */
  reachOf(changed: readonly string[]): Reach;
}

const sources = ['src', 'server', 'cli', 'desktop', 'test', 'docs/site', '.build'] as const;
const isTest = (path: string): boolean => path.endsWith('.test.ts');

/** What a path is about: `cli/commands/engine/list.ts` → cli, commands, engine, list. */
const subjectsOf = (path: string): ReadonlySet<string> =>
  new Set(path.split(/[/.-]/).filter((word) => !['test', 'ts', 'tsx', 'index'].includes(word)));

/** The tests that a change reaches, in the order in which they are likely to tell of it: `secondsOf` is what each takes. */
export function nearestFirst(
  changed: readonly string[],
  reach: Reach,
  secondsOf: (test: string) => number,
): readonly string[] {
  const subjects = changed.map(subjectsOf);
  const kinship = new Map(
    [...reach.keys()].map((test) => {
      const own = subjectsOf(test);
      return [test, Math.max(0, ...subjects.map((words) => [...own].filter((word) => words.has(word)).length))];
    }),
  );
  return [...reach]
    .toSorted(
      ([a, stepsA], [b, stepsB]) =>
        Number(stepsB < 2) - Number(stepsA < 2) ||
        kinship.get(b)! - kinship.get(a)! ||
        stepsA - stepsB ||
        secondsOf(a) - secondsOf(b),
    )
    .map(([test]) => test);
}

/** Reads every source file: some seconds. */
export function readGraph(base = root): Graph {
  const modules = readModules(base, filesBelow(base, sources, /\.[cm]?tsx?$/));
  const users = new Map<string, Set<string>>();
  const uses = (user: string, used: string): void => {
    const known = users.get(used) ?? new Set();
    users.set(used, known.add(user));
  };
  for (const { path, imports, files } of modules) {
    for (const { kind, target } of imports) if (kind !== 'type') uses(path, target);
    for (const file of files) {
      const target = posix.join(posix.dirname(path), file).replace(/\/$/, '');
      // What runs in a process, a thread or a page of its own is named by its address; so are samples.
      if (target !== '.' && !target.startsWith('..') && existsSync(join(base, target))) uses(path, target);
    }
  }
  for (const [user, all] of Object.entries(unnamed)) for (const used of all) uses(user, used);
  const folders = [...users.keys()].filter((path) =>
    statSync(join(base, path), { throwIfNoEntry: false })?.isDirectory(),
  );
  const tests = modules.map(({ path }) => path).filter(isTest);
  return {
    tests,
    reachOf(changed) {
      const steps = new Map<string, number>();
      let edge = changed.flatMap((path) => [path, ...folders.filter((folder) => path.startsWith(`${folder}/`))]);
      for (let step = 0; edge.length > 0; step++) {
        const next: string[] = [];
        for (const path of edge) {
          if (steps.has(path)) continue;
          steps.set(path, step);
          next.push(...(users.get(path) ?? []));
        }
        edge = next;
      }
      const reached = [...steps].filter(([path]) => isTest(path));
      return new Map(reached.toSorted(([, a], [, b]) => a - b));
    },
  };
}
