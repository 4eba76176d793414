import { vi } from 'vitest';

/** Waits until the assertion holds, as long as `expect.poll` does: on a busy machine the second of `vi.waitFor` is over at once. */
export const eventually = <T>(assertion: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(assertion, { timeout: 30_000 });
