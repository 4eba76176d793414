/** Elements of lists that have them: where one is missing, a rule about the list is broken, and no further step can be right. */

/** The element at an index of the list. RangeError where the list has none there. */
export function elementAt<T>(list: ArrayLike<T>, index: number): T {
  const element = list[index];
  if (element === undefined) throw new RangeError(`No element ${index} in a list of ${list.length}.`);
  return element;
}

/** The last element of the list. RangeError where the list is empty. */
export const lastElement = <T>(list: ArrayLike<T>): T => elementAt(list, list.length - 1);

/** The value of a key of the map. RangeError where the map lacks it. */
export function valueAt<K, V>(map: { get(key: K): V | undefined }, key: K): V {
  const value = map.get(key);
  if (value === undefined) throw new RangeError('No value of that key.');
  return value;
}

/** The first element that fits. RangeError where none does. */
export function findElement<T>(list: readonly T[], fits: (element: T, index: number) => boolean): T {
  const found = list.find(fits);
  if (found === undefined) throw new RangeError(`None of ${list.length} elements fits.`);
  return found;
}
