/**
 * Property tests: fast-check, with one seed for every run of the gate, and with drawn seeds and many more runs in
 * `npm run test:explore` (test/gate/explore.ts).
 */
import * as fastCheck from 'fast-check';
import type { Parameters } from 'fast-check';
import { explored } from './explored.ts';

export * from 'fast-check';

/** `fc.assert` with the seed of this run, and as many runs as it asks for. */
export const assert = ((property: fastCheck.IRawProperty<unknown>, parameters: Parameters<unknown> = {}) =>
  fastCheck.assert(property, {
    seed: explored.seed,
    ...parameters,
    numRuns: (parameters.numRuns ?? usualRuns) * explored.times,
  })) as typeof fastCheck.assert;

/** Of a property that does not say how many it needs. */
const usualRuns = 100;
