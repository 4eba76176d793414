/** Text in ISO 8859-1: what it cannot hold is written as people would on such a system. */

/** Typography and signs of measurement. */
const signs: Readonly<Record<string, string>> = {
  '‘': "'",
  '’': "'",
  '‚': "'",
  '′': "'",
  '“': '"',
  '”': '"',
  '„': '"',
  '″': '"',
  '–': '-',
  '—': '-',
  '‐': '-',
  '‑': '-',
  '−': '-',
  '•': '-',
  '≤': '<=',
  '≥': '>=',
  '≠': '<>',
  '≈': '~',
  '→': '->',
  '←': '<-',
  '↑': '(up)',
  '↓': '(down)',
  '√': '(root)',
  '∞': '(infinite)',
  '€': 'EUR',
  œ: 'oe',
  Œ: 'OE',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ı: 'i',
};

const greek =
  'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma sigma tau upsilon phi chi psi omega';
const greekNames: ReadonlyMap<string, string> = new Map(
  greek.split(' ').map((name, at) => [String.fromCodePoint(0x3b1 + at), name]),
);

const isLatin1 = (text: string): boolean => !/[^\x00-\xff]/.test(text);

/** A sign's plain form, a letter without its marks, the name of a Greek letter; else `?`. Invisible characters are left out. */
function plain(character: string): string {
  const sign = Object.hasOwn(signs, character) ? signs[character] : greekNames.get(character.toLowerCase());
  if (sign !== undefined) return sign;
  if (/[\p{Cf}\p{M}]/u.test(character)) return '';
  const base = character.normalize('NFKD').replace(/\p{M}/gu, '').replaceAll('⁄', '/');
  return isLatin1(base) ? base : '?';
}

/** `rewrite` is given each replacement, which may hold any character of ISO 8859-1. */
export const toLatin1 = (text: string, rewrite: (replacement: string) => string): string =>
  isLatin1(text) ? text : text.normalize('NFC').replace(/[^\x00-\xff]/gu, (character) => rewrite(plain(character)));
