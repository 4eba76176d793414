import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import { slowestFiles } from './support/slowest-files.ts';

export default defineConfig({
  // The oldest Node that the program supports runs the tests as well.
  oxc: { target: 'node22' },
  test: {
    root: fileURLToPath(new URL('..', import.meta.url)),
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/set-up.ts'],
    setupFiles: ['test/support/processor-time.ts'],
    reporters: [...configDefaults.reporters, slowestFiles],
    // A real browser and a real keychain take their time on a busy machine; nothing waits for the clock.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    restoreMocks: true,
    expect: { poll: { timeout: 30_000 } },
  },
});
