/** Character sets of messages: MSH-18 (table 0211), with the encoding in Node. */
import { findEntry } from '../../../../src/domain/find-entry.ts';

export const characterSets = {
  'UNICODE UTF-8': 'utf8',
  '8859/1': 'latin1',
} as const;
export type CharacterSet = keyof typeof characterSets;

/** Replacements in small character sets that do not change the meaning. */
const plain: Readonly<Record<string, string>> = {
  '‘': "'",
  '’': "'",
  '‚': "'",
  '′': "'",
  '“': '"',
  '”': '"',
  '„': '"',
  '″': '"',
  '‐': '-',
  '–': '-',
  '—': '-',
  '‑': '-',
  '−': '-',
  '…': '...',
  '•': '-',
  '≤': '<=',
  '≥': '>=',
  '≈': '~',
  '→': '->',
  // The Greek letter; Latin-1 has the sign of the unit.
  μ: 'µ',
  '\u202f': ' ',
  '\u2009': ' ',
  '\u200b': '',
  '\ufeff': '',
};

/** Names of the Greek letters that reports use. */
const greek: Readonly<Record<string, string>> = {
  α: 'alpha',
  β: 'beta',
  γ: 'gamma',
  δ: 'delta',
  Δ: 'Delta',
  ε: 'epsilon',
  θ: 'theta',
  κ: 'kappa',
  λ: 'lambda',
  π: 'pi',
  ρ: 'rho',
  σ: 'sigma',
  τ: 'tau',
  φ: 'phi',
  χ: 'chi',
  ω: 'omega',
  Ω: 'Omega',
};

/** How to treat other characters that the character set lacks. */
export const unknownLetterChoices = ['refuse', 'replace'] as const;
export type UnknownLetters = (typeof unknownLetterChoices)[number];

/** The bytes of a message, or the first character that the character set lacks. */
export type EncodedMessage = { readonly bytes: Buffer } | { readonly lacking: string };

/**
 * Replaces only characters that do not change the meaning; with `replace` also others: a Greek letter by its name, one with a mark by
 * the letter alone, and what is left by a question mark.
 */
export function encodeHl7(message: string, charset: CharacterSet, unknown: UnknownLetters = 'refuse'): EncodedMessage {
  const encoding = characterSets[charset];
  if (encoding === 'utf8') return { bytes: Buffer.from(message, encoding) };
  let written = '';
  for (const character of message.normalize('NFC')) {
    const same = isLatin(character) ? character : findEntry(plain, character);
    if (same === undefined && unknown === 'refuse') return { lacking: character };
    // `~` separates repetitions.
    written += same === character ? character : (same ?? replaceLetter(character)).replace('~', '\\R\\');
  }
  return { bytes: Buffer.from(written, encoding) };
}

const isLatin = (character: string): boolean => character <= '\u00ff';

function replaceLetter(character: string): string {
  const [letter = ''] = character.normalize('NFD');
  return findEntry(greek, letter) ?? (/^[A-Za-z]$/.test(letter) ? letter : '?');
}
