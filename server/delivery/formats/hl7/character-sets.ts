/** Character sets of messages: MSH-18 (table 0211), with what Node decodes them by. */
import { findEntry } from '../../../../src/domain/find-entry.ts';

interface Set {
  /** Label of the Encoding Standard. */
  readonly label: string;
  /** Bytes of a character beyond ASCII; 0: there is none, or any number. */
  readonly width: 0 | 1 | 2;
}

const single = (label: string): Set => ({ label, width: 1 });
const double = (label: string): Set => ({ label, width: 2 });

/** Those of two bytes are used only with both bytes beyond ASCII: receivers look for separators byte by byte. */
export const characterSets = {
  'UNICODE UTF-8': { label: 'utf-8', width: 0 },
  ASCII: { label: 'ascii', width: 0 },
  '8859/1': single('iso-8859-1'),
  '8859/2': single('iso-8859-2'),
  '8859/3': single('iso-8859-3'),
  '8859/4': single('iso-8859-4'),
  '8859/5': single('iso-8859-5'),
  '8859/6': single('iso-8859-6'),
  '8859/7': single('iso-8859-7'),
  '8859/8': single('iso-8859-8'),
  '8859/9': single('iso-8859-9'),
  '8859/15': single('iso-8859-15'),
  'GB 18030-2000': double('gb18030'),
  'KS X 1001': double('euc-kr'),
} as const satisfies Readonly<Record<string, Set>>;
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
  // As in H₂O. Digits above the line would be other numbers.
  ...Object.fromEntries(Array.from('₀₁₂₃₄₅₆₇₈₉', (digit, at) => [digit, String(at)])),
  '\u202f': ' ',
  '\u2009': ' ',
  '\u200b': '',
  '\ufeff': '',
};

/** Names of the Greek letters that reports use; µ is the prefix of a unit. */
const greek: Readonly<Record<string, string>> = {
  μ: 'u',
  µ: 'u',
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
  if (charset === 'UNICODE UTF-8') return { bytes: Buffer.from(message, 'utf8') };
  const table = findTable(charset);
  const holds = (text: string): boolean => !text.match(beyondAscii)?.some((character) => !table.has(character));
  const toBytes = (text: string): string => text.replace(beyondAscii, (character) => table.get(character) ?? '?');
  let lacking: string | undefined;
  const bytes = message.normalize('NFC').replace(beyondAscii, (character) => {
    const same = findSame(character, holds);
    if (same === undefined && unknown === 'refuse') lacking ??= character;
    // `~` separates repetitions.
    return toBytes(same ?? replaceLetter(character, holds)).replace('~', '\\R\\');
  });
  return lacking === undefined ? { bytes: Buffer.from(bytes, 'latin1') } : { lacking };
}

const beyondAscii = /[^\0-\x7f]/gu;

/** The text in the letters of Latin-1, as `replace` does it. */
export const toLatin1 = (text: string): string =>
  text
    .normalize('NFC')
    .replace(beyondAscii, (character) => findSame(character, isLatin) ?? replaceLetter(character, isLatin));

const isLatin = (text: string): boolean => !/[^\0-\xff]/.test(text);

/** The character, or one that means the same, if the set holds it. */
const findSame = (character: string, holds: (text: string) => boolean): string | undefined =>
  [character, findEntry(plain, character)].find((each) => each !== undefined && holds(each));

function replaceLetter(character: string, holds: (text: string) => boolean): string {
  const [letter = ''] = character.normalize('NFD');
  return findEntry(greek, letter) ?? (letter !== character && holds(letter) && /^\p{L}$/u.test(letter) ? letter : '?');
}

/** The bytes of characters, as a text with a character for each. */
type Table = ReadonlyMap<string, string>;
const tables = new Map<CharacterSet, Table>();

/** Only the characters beyond ASCII. */
function findTable(charset: CharacterSet): Table {
  const known = tables.get(charset);
  if (known) return known;
  const { label, width }: Set = characterSets[charset];
  const high = Array.from({ length: 0x60 }, (_, at) => at + 0xa0);
  const sequences = { 0: [], 1: high.map((byte) => [byte]), 2: high.flatMap((one) => high.map((two) => [one, two])) }[
    width
  ];
  const decoder = new TextDecoder(label);
  const table = new Map<string, string>();
  for (const bytes of sequences) {
    const character = decoder.decode(Uint8Array.from(bytes));
    if (Array.from(character).length === 1 && character !== '\ufffd' && !isPrivate(character))
      table.set(character, String.fromCharCode(...bytes));
  }
  // Control characters, which the Encoding Standard reads as letters of Windows.
  if (width === 1)
    for (let byte = 0x80; byte < 0xa0; byte += 1) table.set(String.fromCharCode(byte), String.fromCharCode(byte));
  tables.set(charset, table);
  return table;
}

const isPrivate = (character: string): boolean => /\p{Co}/u.test(character);
