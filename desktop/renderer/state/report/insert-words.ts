/** The text with the words at a place, apart from what is around them by a space; `end`: after the words. */
export function insertWords(
  text: string,
  at: number,
  words: string,
): { readonly text: string; readonly added: string; readonly end: number } {
  const before = at > 0 && !/\s/.test(text.charAt(at - 1)) ? ' ' : '';
  const after = at < text.length && !/[\s.,;:)]/.test(text.charAt(at)) ? ' ' : '';
  const added = `${before}${words}${after}`;
  return {
    text: `${text.slice(0, at)}${added}${text.slice(at)}`,
    added,
    end: at + before.length + words.length,
  };
}
