/** A number with its noun, for English sentences: `1 warning`, `2 warnings`. `shown`: the number as the sentence writes it. */
export const counted = (count: number, noun: string, shown = String(count)): string =>
  `${shown} ${noun}${count === 1 ? '' : 's'}`;
