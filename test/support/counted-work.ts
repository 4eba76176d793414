/**
 * Counts what a function does, where a clock would only tell how busy the machine is: look-ups in maps and sets, and items of
 * lists that it walks through or copies.
 */

/** The methods of lists that walk through all items, or copy some. */
const walking = [
  'concat',
  'every',
  'filter',
  'find',
  'findIndex',
  'flatMap',
  'forEach',
  'map',
  'some',
  'toSorted',
] as const;
const copying = ['slice', 'splice'] as const;

/** What the function did, in steps; the work must not wait for anything. */
export function countedWork(work: () => void): number {
  let steps = 0;
  const restored: (() => void)[] = [];
  function count(owner: object, name: string, stepsOf: (self: unknown, result: unknown) => number): void {
    const original: unknown = Reflect.get(owner, name);
    Reflect.set(owner, name, function counted(this: unknown, ...values: unknown[]) {
      const result: unknown = Reflect.apply(original as () => unknown, this, values);
      steps += stepsOf(this, result);
      return result;
    });
    restored.push(() => void Reflect.set(owner, name, original));
  }
  const lengthOf = (list: unknown): number => (list as ArrayLike<unknown>).length;
  for (const name of ['get', 'has', 'set']) count(Map.prototype, name, () => 1);
  for (const name of ['has', 'add']) count(Set.prototype, name, () => 1);
  for (const name of walking) count(Array.prototype, name, (self) => 1 + lengthOf(self));
  for (const name of copying) count(Array.prototype, name, (_self, result) => 1 + lengthOf(result));
  try {
    work();
    return steps;
  } finally {
    for (const restore of restored.toReversed()) restore();
  }
}
