/** Measuring by turns, so that what else the machine does meets every contender alike; only ratios are told. */

/** Takes one measurement. Whether more or less is better is the reader's affair. */
export type Measure = () => Promise<number>;

/** The middle of an odd number of values, the mean of the two in the middle of an even one. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low = Number.NaN, high = Number.NaN] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return (low + high) / 2;
}

/** Runs all contenders `rounds` times, one after the other in each round, after one turn that does not count. */
export async function takeTurns<Name extends string>(
  contenders: Record<Name, Measure>,
  rounds: number,
): Promise<Record<Name, number>> {
  const names = Object.keys(contenders) as Name[];
  const values = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = -1; round < rounds; round += 1) {
    for (const name of names) {
      const value = await contenders[name]();
      if (round >= 0) values[name].push(value);
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(values[name])])) as Record<Name, number>;
}
