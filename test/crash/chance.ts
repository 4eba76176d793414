import { createHash } from 'node:crypto';

/** From 0 to 1 (1 excluded), by what it is for: the same in each run, and in each process. */
export const chance = (...what: readonly (string | number)[]): number =>
  createHash('sha256').update(JSON.stringify(what)).digest().readUInt32BE() / 2 ** 32;

/** What tests by chance begin with, so that a run can be repeated. */
export const seed = Number(process.env['LAUDIO_CRASH_SEED'] ?? 1);

const asked = process.env['LAUDIO_CRASH_ROUNDS'];

/** How often tests by chance kill what they test; the full run asks for 200. */
export const rounds = (usual: number): number => Number(asked ?? usual);

/** The full run leaves out nothing; the short one takes so many of them, evenly spread. */
export const sample = <T>(all: readonly T[], usual: number): readonly T[] =>
  asked === undefined ? all.filter((_, index) => index % Math.ceil(all.length / usual) === 0) : all;
