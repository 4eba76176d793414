/** Character sets of messages: MSH-18 (table 0211), with the encoding in Node. */
import { findEntry } from '../../../../src/domain/find-entry.ts';
export const characterSets = {
  'UNICODE UTF-8': 'utf8',
  '8859/1': 'latin1',
} as const;
export type CharacterSet = keyof typeof characterSets;

/** ASCII replacements for typographic characters that small character sets lack. */
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
 * The bytes of a message; `undefined`: the character set cannot represent its text. Replaces only characters that do not change
 * the meaning.
 */
export function encodeHl7(message: string, charset: CharacterSet): Buffer | undefined {
  const encoding = characterSets[charset];
  if (encoding === 'utf8') return Buffer.from(message, encoding);
  const written = Array.from(message.normalize('NFC'), (character) => {
    if (character <= '\u00ff') return character;
    // `~` separates repetitions.
    return findEntry(plain, character)?.replace('~', '\\R\\');
  });
  return written.includes(undefined) ? undefined : Buffer.from(written.join(''), encoding);
}
