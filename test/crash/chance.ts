import { createHash } from 'node:crypto';
import { explored } from '../support/explored.ts';

/** From 0 to 1 (1 excluded), by what it is for: the same in each run, and in each process. */
export const chance = (...what: readonly (string | number)[]): number =>
  createHash('sha256').update(JSON.stringify(what)).digest().readUInt32BE() / 2 ** 32;

/** What tests by chance begin with, so that a run can be repeated. */
export const { seed } = explored;

/** How often tests by chance kill what they test: `usual` times in the gate. */
export const rounds = (usual: number): number => usual * explored.times;

/** `usual` of them, evenly spread; an exploring run leaves out nothing. */
export const sample = <T>(all: readonly T[], usual: number): readonly T[] =>
  explored.isOn ? all : all.filter((_, index) => index % Math.ceil(all.length / usual) === 0);
