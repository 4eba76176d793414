/** A rough stem: equal for singular and plural, masculine and feminine. */
export const stem = (word: string): string =>
  word.length > 5 ? word.replace(/(?:oes|aes|ais|eis|es|os|as|s|o|a|e)$/, '') : word.replace(/s$/, '');
