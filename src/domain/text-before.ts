/** The text before the first `mark`, or all of it where it has none. */
export function textBefore(text: string, mark: string): string {
  const at = text.indexOf(mark);
  return at < 0 ? text : text.slice(0, at);
}
