/** Tests that only exploring runs have. */
import { test } from 'vitest';
import { explored } from './explored.ts';

/**
 * A longer way to what a test of the gate looks at already: the comment above it names that one. `npm run test:explore` takes it.
 */
export const exploringTest: (name: string, play: () => Promise<void>) => void = explored.isOn ? test : () => undefined;
