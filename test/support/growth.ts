/** How the work for an input grows with its length, in time of the processor: what other programs take of it does not count. */

const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/** Work that takes twice as long for twice the input is linear; four times as long, quadratic. */
export const mostGrowth = 2.5;
/** The clock of the processor shows nothing shorter than a few ms, so short work is repeated to come to so many. */
const measuredMs = 50;
/** Work that takes less, in ms, says nothing of how it grows. */
const tellingMs = 1;
const explosive = 12;
/** Twice the input of work that takes longer, in ms, is not tried. */
const longestMs = 300;
/** Work that is excessive is so each time; what else the process does shows once. */
const mostTries = 3;

/** What the work takes, in ms; of short work, the mean. */
async function cost(work: () => unknown): Promise<number> {
  const begun = cpuMs();
  let times = 0;
  let spent = 0;
  while (spent < measuredMs && times < 1000) {
    await work();
    times += 1;
    spent = cpuMs() - begun;
  }
  return spent / times;
}

export interface Growth {
  readonly size: number;
  /** For `size`, twice and four times of it. */
  readonly ms: readonly [number, number, number];
}

async function growthOf(size: number, [first, second, third]: readonly (() => unknown)[]): Promise<Growth> {
  const one = await cost(first!);
  const two = await cost(second!);
  // Work that multiplies so would not end for the third.
  const four = two > longestMs ? 4 * two : two > explosive * one ? Infinity : await cost(third!);
  return { size, ms: [one, two, four] };
}

/**
 * The growth of work that is more than linear; `undefined` where it is linear, or too short to tell up to `largest`. `make` gives the
 * work for an input of some size; it may be done many times.
 */
export async function excessiveGrowth(
  make: (size: number) => () => unknown,
  { from, largest }: { readonly from: number; readonly largest: number },
): Promise<Growth | undefined> {
  for (let size = Math.ceil(from); 4 * size <= largest; size *= 2) {
    const works = [size, 2 * size, 4 * size].map(make);
    const growth = await growthOf(size, works);
    if (growth.ms[2] < tellingMs && 8 * size <= largest) continue;
    // Again where it seems to be: a first run also compiles, and any may collect what others left.
    let latest = growth;
    for (let tries = 1; tries < mostTries && isExcessive(latest); tries += 1) latest = await growthOf(size, works);
    if (isExcessive(latest)) return latest;
    if (growth.ms[2] > longestMs) return undefined;
  }
  return undefined;
}

const isExcessive = ({ ms: [one, two, four] }: Growth): boolean =>
  four > tellingMs && four > mostGrowth * two && four > mostGrowth * mostGrowth * one;
