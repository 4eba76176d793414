/** The weight of a JSON value, by which the service bounds the cost of handling it. */

/** Each value counts as this many characters: a list of small values costs more time than a text of the same length. */
const perValue = 16;

/**
 * Characters in the value's texts and names, and 16 for each value: about the length of its JSON. Stops counting beyond
 * `enough`, so that the answer costs no more than what it bounds.
 */
export function measureWeight(value: unknown, enough = Infinity): number {
  let weight = 0;
  const rest = [value];
  while (rest.length > 0 && weight <= enough) {
    const each = rest.pop();
    weight += perValue;
    if (typeof each === 'string') weight += each.length;
    else if (Array.isArray(each)) {
      // Values that will be counted anyway need not be collected.
      if (weight + each.length * perValue > enough) return weight + each.length * perValue;
      for (const entry of each) rest.push(entry);
    } else if (typeof each === 'object' && each !== null) {
      for (const name in each) {
        weight += name.length;
        rest.push((each as Record<string, unknown>)[name]);
        if (weight + rest.length * perValue > enough) return weight + rest.length * perValue;
      }
    }
  }
  return weight;
}
