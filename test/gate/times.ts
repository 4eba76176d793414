/** How long each test file takes, kept in the repository: who runs first is decided by it. `npm run test:times` writes it anew. */
import { readFileSync, writeFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestModule, TestSpecification } from 'vitest/node';

/** Seconds. `processor`: what the processor worked for the file, in its process and in those that it started. */
export interface FileTimes {
  readonly wall: number;
  readonly processor: number;
  /** Of the wall's time: until its process and Vitest in it are ready. */
  readonly start: number;
  /** Of the wall's time: until its modules are loaded. */
  readonly load: number;
  /** Of the wall's time: hooks and tests. */
  readonly tests: number;
}

/** By the file's path from the root. */
export type Times = Readonly<Record<string, FileTimes>>;

/** The path by which a test file is known here, from the root. */
export const pathOf = ({ project, moduleId }: TestSpecification): string =>
  posix.relative(project.config.root, moduleId);

const kept = fileURLToPath(new URL('times.json', import.meta.url));

export const readTimes = (): Times => JSON.parse(readFileSync(kept, 'utf8')) as Times;

/** One line a file, so that a change shows which one it was. */
export function writeTimes(times: Times): void {
  const lines = Object.entries(times)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, of]) => `  ${JSON.stringify(name)}: ${JSON.stringify(of).replaceAll(/([:,])/g, '$1 ')}`);
  writeFileSync(kept, `{\n${lines.join(',\n')}\n}\n`);
}

const rounded = (ms: number): number => Math.round(ms / 10) / 100;

export const timesOf = (modules: readonly TestModule[]): Times =>
  Object.fromEntries(
    modules.map((module) => {
      const { environmentSetupDuration, prepareDuration, collectDuration, setupDuration, duration } =
        module.diagnostic();
      const start = rounded(environmentSetupDuration + prepareDuration);
      const load = rounded(collectDuration);
      const tests = rounded(setupDuration + duration);
      const processor = rounded((module.meta().processorSeconds ?? 0) * 1000);
      return [module.relativeModuleId, { wall: rounded((start + load + tests) * 1000), processor, start, load, tests }];
    }),
  );

const shown = 10;

/** The files that took longest, beside what they took when the times were last kept; nothing for a run of a few files. */
export function slowestFiles(times: Times, before: Times): string {
  const all = Object.entries(times);
  if (all.length <= shown) return '';
  const column = (seconds: number | undefined, width: number) => (seconds?.toFixed(1) ?? '').padStart(width);
  const lines = all
    .toSorted(([, a], [, b]) => b.wall - a.wall)
    .slice(0, shown)
    .map(
      ([name, { wall, processor }]) =>
        `${column(wall, 8)} ${column(before[name]?.wall, 9)} ${column(processor, 11)}  ${name}`,
    );
  const sum = (of: (one: FileTimes) => number) => all.reduce((total, [, one]) => total + of(one), 0) / 60;
  return [
    '',
    ' Slowest files',
    '  wall s    kept s processor s',
    ...lines,
    ` All ${all.length} files: ${sum(({ wall }) => wall).toFixed(1)} minutes of workers, ${sum(({ processor }) => processor).toFixed(1)} of the processor`,
    '',
  ].join('\n');
}
