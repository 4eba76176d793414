/** Whether this run draws what it tries (`npm run test:explore`), or tries the same each time (`npm test`). */

const { LAUDIO_EXPLORE_SEED: drawn } = process.env;

/** How much more often than the gate an exploring run tries what is drawn. */
const timesMore = 20;

export const explored = {
  isOn: drawn !== undefined,
  /** Where everything drawn begins. A failure is repeated by `npm run test:explore -- --seed SEED FILE`. */
  seed: Number(drawn ?? 1),
  /** What a number of runs is multiplied by. */
  times: drawn === undefined ? 1 : timesMore,
} as const;

/** At most so many of them, evenly spread and with the first; all of them in an exploring run. */
export const sampled = <T>(all: readonly T[], most: number): readonly T[] =>
  explored.isOn ? all : all.filter((_, index) => index % Math.ceil(all.length / most) === 0);
