import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { explored } from '../support/explored.ts';

/** From 0 to 1 (1 excluded), by what it is for: the same in each run, and in each process. */
export const chance = (...what: readonly (string | number)[]): number =>
  createHash('sha256').update(JSON.stringify(what)).digest().readUInt32BE() / 2 ** 32;

/** What tests by chance begin with, so that a run can be repeated. */
export const { seed } = explored;

/** How often tests by chance kill what they test: `usual` times in the gate. */
export const rounds = (usual: number): number => usual * explored.times;

/** An exploring run waits for a moment that is drawn, at most so many ms; the gate goes by the event before it alone. */
export const moment = async (most: number, ...what: readonly (string | number)[]): Promise<void> => {
  if (explored.isOn) await setTimeout(chance(seed, 'moment', ...what) * most);
};
