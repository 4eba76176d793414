/** `it is full`, `Make room.` → `it is full. Make room.` */
export const joinSentences = (parts: readonly (string | null | undefined)[]): string =>
  parts
    .filter((part): part is string => Boolean(part))
    .map((part, index, { length }) => (index === length - 1 || /[.!?]$/.test(part) ? part : `${part}.`))
    .join(' ');
