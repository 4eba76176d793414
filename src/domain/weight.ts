/** How much a JSON value is, for bounds on what handling it may cost. */

/** A value of its own counts like so many characters: a list of small ones costs more time than a text of its length. */
const perValue = 16;

/**
 * Characters in the value's texts and names, and 16 for each value: about the length of its JSON. Stops counting beyond
 * `enough`, so that the answer costs no more than what it bounds.
 */
export function weightOf(value: unknown, enough = Infinity): number {
  let weight = 0;
  const rest = [value];
  while (rest.length > 0 && weight <= enough) {
    const each = rest.pop();
    weight += perValue;
    if (typeof each === 'string') weight += each.length;
    else if (Array.isArray(each)) {
      // What will be counted anyway need not be gathered.
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
