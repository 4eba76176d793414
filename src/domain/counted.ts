/** A number with its noun, for English sentences: `1 warning`, `2 warnings`. `shown`: the number as it is written there. */
export const counted = (count: number, noun: string, shown = String(count)): string =>
  `${shown} ${noun}${count === 1 ? '' : 's'}`;
