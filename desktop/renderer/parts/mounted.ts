/** The element of a reference, for effects and events of a mounted component. */
export function mounted<E extends Element>({ current }: { readonly current: E | null }): E {
  if (current === null) throw new Error('The element is not on the page.');
  return current;
}
