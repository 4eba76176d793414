/** Results for texts that come again and again: coded values of a column, places and names of a mapping. */

/** A mapping may name any texts. A column of more values is not coded, and what is known of it must not take room. */
const maxKnown = 1000;

/** Remembers the results of a function that always gives the same one for a text. */
export function remembering<Result>(convert: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, Result>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined || known.has(text)) return before as Result;
    const result = convert(text);
    if (known.size >= maxKnown) known.clear();
    known.set(text, result);
    return result;
  };
}
