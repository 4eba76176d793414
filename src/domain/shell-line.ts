/** Command lines for a person to copy. */

/** The words as a shell takes them. */
export const shellLine = (words: readonly string[]): string => words.map(quoted).join(' ');

/** Quotes the text, so that a shell takes it for a single word. */
const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
