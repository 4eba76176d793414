/** The characters of a message by the sets that it names (MSH-18, table 0211). */
import { decodeText, encodingOf } from '../character-sets.ts';
import { binaryBytes } from '../text.ts';
import { textDecoder } from '../web-standards.ts';

export interface Decoded {
  readonly lines: readonly string[];
  readonly warning?: string;
}

const isAscii = (text: string): boolean => /^[\0-\x1a\x1c-\x7f]*$/.test(text);

/**
 * By MSH-18, which may name several sets; a message in ASCII needs none. Many senders name Latin-1 and send UTF-8: where letters
 * beyond ASCII are strictly UTF-8, they are next to never anything else.
 */
export function decodedLines(lines: readonly string[]): Decoded {
  const all = lines.join('\r');
  if (isAscii(all)) return { lines };
  const separator = lines[0]?.[3] ?? '|';
  const fields = lines[0]?.split(separator) ?? [];
  const repetition = fields[1]?.[1] ?? '~';
  const sets = (fields[17] ?? '').split(repetition).filter((set) => encodingOf(set) !== undefined);
  const bytes = binaryBytes(all);
  const [first, ...others] = sets;
  if (first !== undefined && others.length === 0 && encodingOf(first)?.startsWith('iso-8859-')) {
    const text = asUtf8(bytes);
    if (text !== undefined) {
      const warning = `MSH-18 names ${first.trim()}, but the message is in UTF-8; it was read as UTF-8.`;
      return { lines: text.split('\r'), warning };
    }
  }
  return { lines: decodeText(bytes, sets).split('\r') };
}

function asUtf8(bytes: Uint8Array): string | undefined {
  try {
    return textDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
