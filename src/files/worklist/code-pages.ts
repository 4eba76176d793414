/**
 * Letters of files that name no encoding and are not UTF-8: Windows-1252, or a code page of DOS or of the Macintosh, which older
 * programs still write.
 */
import { textDecoder } from './web-standards.ts';

const candidates = ['windows-1252', 'ibm850', 'macintosh'] as const;
export type LegacyEncoding = (typeof candidates)[number];

/** Letters by how well they fit into a word of a western European language. */
const letters: readonly (readonly [fit: number, letters: string])[] = [
  [4, 'áàâãäçéèêíñóôõöúüß'],
  [2, 'ëîïìòùûåæøœšž'],
  [1, 'ýþð'],
];
const fits = new Map(
  letters.flatMap(([fit, all]) => [...all, ...all.toUpperCase()].map((letter) => [letter, fit] as const)),
);
const misfit = -4;
/** Signs that occur next to letters. */
const besideLetters = /[ºª°²³¹µ½¼¾·’‘–—…®™©´\u00a0\u00ad]/;
/** Signs that stand where a word begins or ends: as good as a letter. */
const wellPlaced = 4;
const beforeWord = /[“„«‘‹¿¡]/;
const behindWord = /[”“»’›…]/;
const neverText = /[\x80-\x9f\ufffd\u2500-\u259f]/;
const isLetter = (letter: string): boolean => /\p{L}/u.test(letter);

/** How well a character beyond ASCII fits between two others. */
function rateFit(letter: string, before: string, after: string): number {
  if (neverText.test(letter)) return misfit;
  const [isPreceded, isFollowed] = [isLetter(before), isLetter(after)];
  if (!isPreceded && !isFollowed) return 0;
  if (isPreceded ? !isFollowed && behindWord.test(letter) : beforeWord.test(letter)) return wellPlaced;
  if (besideLetters.test(letter)) return 0;
  const fit = fits.get(letter);
  if (fit !== undefined) return isOtherCase(letter, before, after) ? misfit : fit;
  return isPreceded ? misfit : 0;
}

const isSmall = (letter: string): boolean => letter !== letter.toUpperCase();
const isCapital = (letter: string): boolean => letter !== letter.toLowerCase();

/** A capital behind a small letter, or a small letter between capitals. */
const isOtherCase = (letter: string, before: string, after: string): boolean =>
  isCapital(letter) ? isSmall(before) : letter !== 'ß' && isCapital(before) && isCapital(after);

/** The encoding whose letters fit best into the words of the bytes; of equals the first. */
export function guessLegacyEncoding(bytes: Uint8Array): LegacyEncoding {
  const sample = bytes.subarray(0, sampleSize);
  const ranked = candidates.map((encoding) => {
    const text = textDecoder(encoding).decode(sample);
    let rank = 0;
    for (let at = 0; at < text.length; at++) {
      const letter = text.charAt(at);
      if (letter > '\x7f') rank += rateFit(letter, text[at - 1] ?? ' ', text[at + 1] ?? ' ');
    }
    return { encoding, rank };
  });
  return ranked.reduce((best, each) => (each.rank > best.rank ? each : best)).encoding;
}
const sampleSize = 64 * 1024;

/**
 * Lead characters of UTF-8 that was read as Windows-1252, and how many characters belong to each. Those of the first kind are next
 * to never followed by such characters in any text; of the others several have to be met.
 */
const sure =
  /[\u00c2\u00c3]([\u0080-\u00bfŒœŠšŸŽžƒˆ˜–—‘’‚“”„†‡•…‰‹›€™])|\u00e2(?:[€‚]|\u0080|\u0082)[\u0080-\u00bfŒœŠšŸŽžƒˆ˜–—‘’‚“”„†‡•…‰‹›€™]/g;
const maybe = /[\u00c4-\u00df]([\u0080-\u00bfŒœŠšŸŽžƒˆ˜–—‘’‚“”„†‡•…‰‹›€™])/g;
/** Where a word may end in such a lead, and a sentence go on with such a sign. */
const endsWord = /^.[–—‘’“”„…‹›](?!\p{L})/u;

/** The text, where its letters were encoded in UTF-8 twice, as it was before; `undefined` where they were not. */
export function encodedOnce(text: string): string | undefined {
  if (!/[\u00c2-\u00df\u00e2]/.test(text)) return undefined;
  const once = text.replace(sure, (written, _sign, at: number) =>
    endsWord.test(text.slice(at, at + 3)) ? written : (decodedAgain(written) ?? written),
  );
  const pairs = once.match(maybe)?.length ?? 0;
  const all = pairs < 2 ? once : once.replace(maybe, (written) => decodedAgain(written) ?? written);
  return all === text ? undefined : all;
}

function decodedAgain(written: string): string | undefined {
  const bytes = Array.from(written, (letter) => windows1252().get(letter) ?? -1);
  if (bytes.includes(-1)) return undefined;
  try {
    return textDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes));
  } catch {
    return undefined;
  }
}

let byLetter: ReadonlyMap<string, number> | undefined;
/** The byte of each character of Windows-1252; what it leaves open are controls of Latin-1. */
function windows1252(): ReadonlyMap<string, number> {
  if (byLetter) return byLetter;
  const bytes = Array.from({ length: 256 }, (_, byte) => byte);
  const text = textDecoder('windows-1252').decode(Uint8Array.from(bytes));
  const latin1 = bytes.map((byte) => [String.fromCharCode(byte), byte] as const);
  return (byLetter = new Map([...latin1, ...Array.from(text, (letter, byte) => [letter, byte] as const)]));
}
