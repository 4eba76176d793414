/** Text as people look for it: without case, accents and the separators of DICOM names. */

const isAscii = /^[\x00-\x7f]*$/;

/** Lower case, without accents; spaces and separators stay. */
export function foldLetters(text: string): string {
  return (isAscii.test(text) ? text : text.normalize('NFKD').replace(/\p{M}+/gu, '')).toLowerCase();
}

/** Folded, with the separators of DICOM names as spaces and single spaces: `TESTE^PACIENTE` becomes `teste paciente`. */
export const foldText = (text: string): string =>
  foldLetters(text)
    .replace(/[\s^=]+/g, ' ')
    .trim();

/** A test for texts that together hold every word of `query`, in any order, each also as a part of a word. */
export function textSearch(query: string): (texts: readonly (string | null)[]) => boolean {
  const words = foldText(query).split(' ');
  return (texts) => {
    const folded = foldText(texts.filter((text) => text !== null).join('\n'));
    return words.every((word) => folded.includes(word));
  };
}
