/** Text for comparing words: in lower case and without accents. */

/** Lower case and without accents, unit by unit: a place in the answer is the same place in `text` (which is NFC). */
export const fold = (text: string): string =>
  /^[\u0000-\u007f]*$/.test(text)
    ? text.toLowerCase()
    : text.replace(/[A-Z\u0080-\uffff]/g, (unit) => {
        const isLatin = /[A-Z\u0080-\u024f\u1e00-\u1eff]/.test(unit);
        const plain = (isLatin ? unit.normalize('NFD').charAt(0) : unit).toLowerCase();
        return plain.length === 1 ? plain : unit;
      });

/** The words of a list that is written as one string, over as many lines as it needs. */
export const wordList = (words: string): string[] => words.split(/\s+/).filter((word) => word !== '');

export const wordSet = (words: string): ReadonlySet<string> => new Set(wordList(words));

/** A list of phrases that is written as one string, separated by commas. */
export const phraseList = (phrases: string): string[] =>
  phrases
    .split(',')
    .map((phrase) => phrase.trim().replace(/\s+/g, ' '))
    .filter((phrase) => phrase !== '');
