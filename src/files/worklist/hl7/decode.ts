/** The characters of a message by the sets that it names (MSH-18, table 0211). */
import type { Message } from '../../../contract/messages/message.ts';
import { fileMessage } from '../../../contract/messages/files.ts';
import { decodeNamed, decodeText, findEncoding } from '../character-sets.ts';
import { asBinaryText, binaryBytes } from '../text.ts';
import { splitHeader } from './split-header.ts';

export interface DecodedLines {
  readonly lines: readonly string[];
  readonly warning?: Message;
}

const isAscii = (text: string): boolean => /^[\0-\x1a\x1c-\x7f]*$/.test(text);

/** Decodes by MSH-18, which may name several sets; a message in ASCII needs none. */
export function decodedLines(lines: readonly string[]): DecodedLines {
  const all = lines.join('\r');
  if (isAscii(all)) return { lines };
  const separator = lines[0]?.[3] ?? '|';
  const fields = splitHeader(lines[0] ?? '', separator);
  const repetition = fields[1]?.[1] ?? '~';
  const named = (fields[17] ?? '').split(repetition).filter((set) => set.trim() !== '');
  const sets = named.filter((set) => findEncoding(set) !== undefined);
  const { text, isUtf8 } = decodeNamed(binaryBytes(all), sets);
  const decoded = text.split('\r');
  const [first] = sets;
  if (isUtf8 && first !== undefined) {
    return { lines: decoded, warning: fileMessage('charset_utf8', { set: first.trim() }) };
  }
  if (sets.length > 0 || named.length === 0) return { lines: decoded };
  return { lines: decoded, warning: fileMessage('charset_unknown') };
}

/** A stored message as a person reads it: HL7 by the set that it names, anything else as UTF-8 or, if it isn't that, as Latin-1. */
export function decodeContent(bytes: Uint8Array): string {
  const text = asBinaryText(bytes);
  return text.startsWith('MSH') ? decodedLines(text.split('\r')).lines.join('\r') : decodeText(bytes, []);
}
