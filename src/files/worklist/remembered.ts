/** Results for texts of mappings, such as the place that a text names: each message asks for the same ones. */

/** A mapping of a file may have any texts. */
const maxKnown = 1000;

/** Remembers the results of a function that always gives the same one for a text. */
export const remembered = <T>(read: (text: string) => T): ((text: string) => T) => {
  const known = new Map<string, T>();
  return (text) => {
    const value = known.get(text);
    if (value !== undefined || known.has(text)) return value as T;
    if (known.size >= maxKnown) known.clear();
    const result = read(text);
    known.set(text, result);
    return result;
  };
};
