/** Notes with each test file what the processor worked for it, which a busy machine changes less than the wall's time. */
import { afterAll } from 'vitest';
import { secondsOfChildren } from './seconds-of-children.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** Seconds that the processor worked for the file: in its process and, on Linux, in those that it started and that ended. */
    processorSeconds?: number;
  }
}

function secondsSoFar(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + secondsOfChildren();
}

// Run before each file. What came before it in the same process is not its own, the start of a process is.
const before = process.uptime() < 2 ? 0 : secondsSoFar();

// Hooks run in reverse order: what the file itself started has ended.
// oxlint-disable-next-line no-empty-pattern -- Vitest reads from it that the hook wants no fixtures.
afterAll(({}, { file }) => {
  file.meta.processorSeconds = secondsSoFar() - before;
});
