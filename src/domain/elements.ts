/** Elements of lists that have them: where one is missing, a rule about the list is broken, and no further step can be right. */

/** The element at an index of the list. RangeError where the list has none there. */
export function elementAt<T>(list: ArrayLike<T>, index: number): T {
  const element = list[index];
  if (element === undefined) throw new RangeError(`No element ${index} in a list of ${list.length}.`);
  return element;
}

/** The last element of the list. RangeError where the list is empty. */
export const lastElement = <T>(list: ArrayLike<T>): T => elementAt(list, list.length - 1);
