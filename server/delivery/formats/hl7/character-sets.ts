/** The character sets of messages: MSH-18 (table 0211), by what encodes it. */
export const characterSets = {
  'UNICODE UTF-8': 'utf8',
  '8859/1': 'latin1',
} as const;
export type CharacterSet = keyof typeof characterSets;

/** What typography has and small character sets have not. */
const plain: Readonly<Record<string, string>> = {
  '‘': "'",
  '’': "'",
  '‚': "'",
  '“': '"',
  '”': '"',
  '„': '"',
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
  '\u202f': ' ',
  '\u2009': ' ',
  '\u200b': '',
  '\ufeff': '',
};

/**
 * The bytes of a message; `undefined` where the character set cannot hold its text. Nothing that changes what the text says
 * is replaced: a letter that cannot be written is no message.
 */
export function encodeHl7(message: string, charset: CharacterSet): Buffer | undefined {
  const encoding = characterSets[charset];
  if (encoding === 'utf8') return Buffer.from(message, encoding);
  const written = Array.from(message.normalize('NFC'), (character) => {
    if (character.codePointAt(0)! <= 0xff) return character;
    // `~` divides repetitions.
    return Object.hasOwn(plain, character) ? plain[character]!.replace('~', '\\R\\') : undefined;
  });
  return written.includes(undefined) ? undefined : Buffer.from(written.join(''), encoding);
}
