/** The words that ask for the program's version alone: they are answered before anything else is loaded. */
const flags: ReadonlySet<string> = new Set(['--version', '-v', '-V', 'version']);

export const asksForVersion = (words: readonly string[]): boolean => words.length === 1 && flags.has(words[0]!);
