/**
 * Reads the characters of a file: finds the encoding by the bytes where no option names it, and yields the text in
 * chunks.
 */
import { fileMessage } from '../../contract/messages/files.ts';
import { AppError } from '../../contract/errors.ts';
import type { ByteSource } from './bytes.ts';
import { guessLegacyEncoding } from './code-pages.ts';
import type { LegacyEncoding } from './code-pages.ts';
import type { Guess } from './reading.ts';
import { textDecoder } from './web-standards.ts';
import { isBeyondAscii } from './character-sets.ts';

export interface Text {
  /** The beginning of the file, without byte order mark, to tell its format by. */
  readonly head: string;
  /** Whether the bytes show that they are Unicode. */
  readonly isMarked: boolean;
  /** The whole text from its first character; can be read once. */
  chunks(): AsyncIterable<string>;
  /** Whether a piece holds bytes outside the encoding, where no option named the encoding. */
  isDamaged(piece: string): boolean;
}

/** The message about a piece for which `isDamaged` holds. */
export const damage = {
  message: fileMessage('not_utf8'),
  hint: fileMessage('one_encoding'),
};

/** Byte order marks (Encoding Standard 6). */
const marks: readonly (readonly [encoding: string, bytes: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** How bytes show that they are Unicode, and how many of them only show it. */
export interface UnicodeForm {
  readonly encoding: string;
  readonly skip: number;
}

/** Recognises a byte order mark, or the zeros of UTF-16 next to the first two characters, which are ASCII. */
export function unicodeIn(head: Uint8Array): UnicodeForm | undefined {
  const mark = marks.find(([, start]) => start.every((byte, at) => head[at] === byte));
  if (mark) return { encoding: mark[0], skip: mark[1].length };
  const isText = (at: number): boolean => /[\t\n\v\r -~]/.test(String.fromCharCode(head[at] ?? 0));
  if (head[1] === 0 && head[3] === 0 && isText(0) && isText(2)) return { encoding: 'utf-16le', skip: 0 };
  if (head[0] === 0 && head[2] === 0 && isText(1) && isText(3)) return { encoding: 'utf-16be', skip: 0 };
  return undefined;
}

/**
 * The encoding of the options, else that of Unicode which shows itself, else by the first character beyond ASCII, however late it
 * comes: UTF-8 or an older one. USAGE where the options name an unknown encoding.
 */
export function openText(bytes: ByteSource, encoding: string | undefined, guess: (guess: Guess) => void): Text {
  const { head } = bytes;
  const shown = unicodeIn(head);
  const skip = shown && (encoding === undefined || label(encoding) === shown.encoding) ? shown.skip : 0;
  const known = encoding !== undefined ? label(encoding) : shown?.encoding;
  const chosen = known ?? guessed(head, bytes.isWhole);
  return {
    head: textDecoder(chosen ?? 'utf-8').decode(head.subarray(skip), { stream: true }),
    isMarked: shown !== undefined,
    chunks() {
      // The guess is reported here, since formats that are not read as text have no use for it.
      if (known === undefined && chosen !== undefined) guess(encodingGuess(chosen));
      return decoded(skipping(bytes.chunks, skip), chosen, guess);
    },
    isDamaged: (piece) => encoding === undefined && piece.includes('\ufffd'),
  };
}

/** The encoding by the Encoding Standard's own name. */
function label(encoding: string): string {
  try {
    return textDecoder(encoding).encoding;
  } catch {
    throw new AppError('USAGE', {
      message: 'The encoding is not known.',
      hint: 'Known are, for example, utf-8, utf-16le, windows-1252 and iso-8859-2.',
    });
  }
}

const encodingGuess = (encoding: string): Guess => ({
  what: 'encoding',
  value: encoding,
  why: reasons[encoding] ?? 'Its first letter beyond ASCII is valid UTF-8.',
});
const reasons: Readonly<Record<string, string>> = {
  'windows-1252': 'It is not UTF-8, so it was taken for Windows-1252 (Latin-1).',
  ibm850:
    'It is not UTF-8, and its letters are those of code page 850 (DOS): look whether names are right, or name another by --encoding.',
  macintosh:
    'It is not UTF-8, and its letters are those of the old Macintosh: look whether names are right, or name another by --encoding.',
} satisfies Record<LegacyEncoding, string>;

/** Returns `undefined` while all is ASCII, or where the end of the beginning leaves the encoding open. */
function guessed(head: Uint8Array, isWhole: boolean): string | undefined {
  const at = firstBeyondAscii(head);
  return at === -1 || (!isWhole && head.length - at < maxCharacterBytes) ? undefined : encodingAt(head, at);
}

/** Bytes of the longest character of UTF-8. */
const maxCharacterBytes = 4;

/**
 * The first character beyond ASCII decides: in the older encodings, an accented letter is next to never followed by
 * what UTF-8 would have there. Later characters that contradict the encoding are reported, not guessed.
 */
function encodingAt(bytes: Uint8Array, at: number): string {
  const [first = 0] = bytes.subarray(at);
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  return isUtf8(bytes.subarray(at, at + length)) ? 'utf-8' : guessLegacyEncoding(bytes);
}

function firstBeyondAscii(bytes: Uint8Array): number {
  for (let at = 0; at < bytes.length; at++) if (isBeyondAscii(bytes[at])) return at;
  return -1;
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    textDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Bytes read one for one as characters, for formats that name their encoding inside. */
export async function* binaryText(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  for await (const chunk of chunks) yield asBinaryText(chunk);
}

export function asBinaryText(bytes: Uint8Array): string {
  let text = '';
  // As many arguments as every engine takes.
  for (let at = 0; at < bytes.length; at += 8192)
    text += String.fromCharCode.apply(null, bytes.subarray(at, at + 8192) as unknown as number[]);
  return text;
}

/** The bytes that `asBinaryText` read. */
export function binaryBytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}

async function* skipping(chunks: AsyncIterable<Uint8Array>, skip: number): AsyncGenerator<Uint8Array> {
  let left = skip;
  for await (const chunk of chunks) {
    yield left > 0 ? chunk.subarray(left) : chunk;
    left = 0;
  }
}

async function* decoded(
  chunks: AsyncIterable<Uint8Array>,
  encoding: string | undefined,
  guess: (guess: Guess) => void,
): AsyncGenerator<string> {
  let decoder = encoding === undefined ? undefined : textDecoder(encoding);
  const decide = (bytes: Uint8Array, at: number): ReturnType<typeof textDecoder> => {
    const decided = encodingAt(bytes, at);
    guess(encodingGuess(decided));
    return textDecoder(decided);
  };
  /** The last bytes of a chunk, where they may be the beginning of a character. */
  let held: Uint8Array = new Uint8Array(0);
  for await (const chunk of chunks) {
    if (decoder) {
      yield decoder.decode(chunk, { stream: true });
      continue;
    }
    const bytes = held.length === 0 ? chunk : concat(held, chunk);
    const at = firstBeyondAscii(bytes);
    // With fewer bytes, the next chunk decides.
    if (at !== -1 && bytes.length - at < maxCharacterBytes) {
      held = bytes.slice(at);
      yield textDecoder('utf-8').decode(bytes.subarray(0, at));
      continue;
    }
    held = new Uint8Array(0);
    if (at !== -1) {
      decoder = decide(bytes, at);
      yield decoder.decode(bytes, { stream: true });
    } else yield textDecoder('utf-8').decode(bytes);
  }
  decoder ??= held.length > 0 ? decide(held, 0) : textDecoder('utf-8');
  yield decoder.decode(held);
}

function concat(one: Uint8Array, other: Uint8Array): Uint8Array {
  const all = new Uint8Array(one.length + other.length);
  all.set(one);
  all.set(other, one.length);
  return all;
}
