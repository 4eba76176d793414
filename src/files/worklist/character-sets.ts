/**
 * Texts of DICOM and HL7 v2 by the character sets that they name: DICOM (0008,0005), PS3.3 C.12.1.1.2, and HL7 MSH-18,
 * table 0211. Both may switch between sets inside a text (ISO 2022, PS3.5 6.1.2.5).
 */
import { textDecoder } from './web-standards.ts';

/** Half of a code table: which bytes it takes, and how they are read. */
interface Half {
  readonly label: string;
  /** Bytes a character; those of the encoding `label` have the high bit, those of the text may not. */
  readonly width: 1 | 2;
  /** Byte before each character that the encoding needs: 0x8F leads to JIS X 0212 in EUC-JP. */
  readonly lead?: number;
}

const single = (label: string): Half => ({ label, width: 1 });
const double = (label: string, lead?: number): Half => ({ label, width: 2, ...(lead !== undefined && { lead }) });

/** Escape sequences, without ESC, by the half that they fill: 0 for bytes below 0x80, 1 for those above. */
const escapes: Readonly<Record<string, readonly [half: 0 | 1, set: Half]>> = {
  '(B': [0, single('utf-8')],
  '(J': [0, single('shift_jis')],
  $B: [0, double('euc-jp')],
  '$@': [0, double('euc-jp')],
  '$(D': [0, double('euc-jp', 0x8f)],
  ')I': [1, single('shift_jis')],
  '$)C': [1, double('euc-kr')],
  '$)A': [1, double('gbk')],
  '-A': [1, single('iso-8859-1')],
  '-B': [1, single('iso-8859-2')],
  '-C': [1, single('iso-8859-3')],
  '-D': [1, single('iso-8859-4')],
  '-L': [1, single('iso-8859-5')],
  '-G': [1, single('iso-8859-6')],
  '-F': [1, single('iso-8859-7')],
  '-H': [1, single('iso-8859-8')],
  '-M': [1, single('iso-8859-9')],
  '-T': [1, single('windows-874')],
  '-b': [1, single('iso-8859-15')],
};
const escape = 0x1b;

/** Encoding by the number of the set, as in `ISO_IR 100` and `ISO 2022 IR 100`. */
const byNumber: Readonly<Record<string, string>> = {
  '6': 'utf-8',
  '13': 'shift_jis',
  '58': 'gbk',
  '87': 'utf-8',
  '100': 'iso-8859-1',
  '101': 'iso-8859-2',
  '109': 'iso-8859-3',
  '110': 'iso-8859-4',
  '126': 'iso-8859-7',
  '127': 'iso-8859-6',
  '138': 'iso-8859-8',
  '144': 'iso-8859-5',
  '148': 'iso-8859-9',
  '149': 'euc-kr',
  '159': 'utf-8',
  '166': 'windows-874',
  '192': 'utf-8',
  '203': 'iso-8859-15',
};

/** Names without such a number: DICOM's own, and those of HL7. */
const byName: Readonly<Record<string, string>> = {
  GB18030: 'gb18030',
  'GB 18030-2000': 'gb18030',
  GBK: 'gbk',
  'UNICODE UTF-8': 'utf-8',
  UNICODE: 'utf-8',
  'UTF-8': 'utf-8',
  UTF8: 'utf-8',
  ASCII: 'utf-8',
  'BIG-5': 'big5',
  'CNS 11643-1992': 'big5',
  'KS X 1001': 'euc-kr',
};

/** The encoding of a name; `undefined` where it is not known. */
export function findEncoding(name: string): string | undefined {
  const plain = name.trim().toUpperCase();
  const [, number] = /^ISO[ _]?(?:2022[ _]?)?IR[ _]?(\d+)$/.exec(plain) ?? [];
  if (number !== undefined) return byNumber[number];
  const [, part] = /^(?:ISO[ -]?)?8859[/-](\d+)$/.exec(plain) ?? [];
  return part === undefined ? (byName[plain] ?? labelled(plain)) : `iso-8859-${part}`;
}

/** Names of neither standard that senders write all the same, such as WINDOWS-1252; UTF-16 shows itself where it is meant. */
function labelled(name: string): string | undefined {
  try {
    const { encoding } = textDecoder(name);
    return encoding.startsWith('utf-16') || encoding === 'replacement' ? undefined : encoding;
  } catch {
    return undefined;
  }
}

/** A text, and whether its bytes are UTF-8 though another set is named. */
export interface DecodedText {
  readonly text: string;
  readonly isUtf8?: true;
}

/** Sets of one byte a character, which UTF-8 is next to never by chance. */
const isSingle = (encoding: string | undefined): boolean =>
  /^(?:iso-8859-|windows-|ibm|macintosh)/.test(encoding ?? '');

/** As `decodeText`; but many senders name Latin-1 and send UTF-8, and letters that are strictly UTF-8 are next to never anything else. */
export function decodeNamed(bytes: Uint8Array, names: readonly string[]): DecodedText {
  const [first, ...others] = names.filter((name) => name.trim() !== '');
  const isOneSet = first !== undefined && others.length === 0 && !(hasCodeExtensions(names) && bytes.includes(escape));
  if (isOneSet && isSingle(findEncoding(first)) && bytes.some((byte) => byte > 0x7f)) {
    const text = asUtf8(bytes);
    if (text !== undefined) return { text, isUtf8: true };
  }
  return { text: decodeText(bytes, names) };
}

function asUtf8(bytes: Uint8Array): string | undefined {
  try {
    return textDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

const hasCodeExtensions = (names: readonly string[]): boolean =>
  names.length > 1 || /2022|^ISO ?IR ?(?:87|159)$/i.test(names[0] ?? '');

/**
 * A text by the sets that its data set or message names, the first of which holds until an escape sequence. Without
 * any it is UTF-8 where it is strictly that, else Latin-1. Bytes that are none of the set become U+FFFD.
 */
export function decodeText(bytes: Uint8Array, names: readonly string[]): string {
  const declared = names.filter((name) => name.trim() !== '');
  if (hasCodeExtensions(names) && bytes.includes(escape)) return decodeExtended(bytes, findEncoding(names[0] ?? ''));
  const encoding = declared[0] === undefined ? undefined : findEncoding(declared[0]);
  // Sets that only escape sequences lead to say nothing about bytes without them.
  if (encoding === undefined || encoding === 'utf-8') return decodeUtf8OrLatin1(bytes, encoding === undefined);
  return textDecoder(encoding).decode(bytes);
}

/** A declared UTF-8 is strict; ASCII and nothing at all are not, as many senders keep Latin-1 under them. */
function decodeUtf8OrLatin1(bytes: Uint8Array, isOpen: boolean): string {
  try {
    return textDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return textDecoder(isOpen ? 'windows-1252' : 'utf-8').decode(bytes);
  }
}

export const isBeyondAscii = (byte: number | undefined): boolean => byte !== undefined && byte > 0x7f;

/** PS3.5 6.1.2.5.3: delimiters and line ends bring back the first set. */
const resets = new Set<number | undefined>([...'\\^=\r\n\f\t'].map((character) => character.charCodeAt(0)));

function decodeExtended(bytes: Uint8Array, first: string | undefined): string {
  const initial: [Half, Half] = [
    single('utf-8'),
    single(first === undefined || first === 'utf-8' ? 'iso-8859-1' : first),
  ];
  let halves: [Half, Half] = [...initial];
  let text = '';
  let at = 0;
  while (at < bytes.length) {
    if (bytes[at] === escape) {
      const sequence = ['', ...Object.keys(escapes)].find((key) => key !== '' && startsWith(bytes, at + 1, key));
      const [half, set] = (sequence === undefined ? undefined : escapes[sequence]) ?? [0, initial[0]];
      halves = half === 0 ? [set, halves[1]] : [halves[0], set];
      at += 1 + (sequence?.length ?? 0);
      continue;
    }
    const isHigh = isBeyondAscii(bytes[at]);
    const half = halves[isHigh ? 1 : 0];
    let end = at;
    while (end < bytes.length && bytes[end] !== escape && isBeyondAscii(bytes[end]) === isHigh) {
      end += half.width;
      if (half.width === 1 && resets.has(bytes[end - 1])) break;
    }
    text += decodeHalf(bytes.subarray(at, Math.min(end, bytes.length)), half);
    if (half.width === 1 && resets.has(bytes[end - 1])) halves = [...initial];
    at = end;
  }
  return text;
}

const startsWith = (bytes: Uint8Array, at: number, text: string): boolean =>
  [...text].every((character, index) => bytes[at + index] === character.charCodeAt(0));

function decodeHalf(bytes: Uint8Array, { label, width, lead }: Half): string {
  if (width === 1) return textDecoder(label).decode(bytes);
  const raised: number[] = [];
  for (const [index, byte] of bytes.entries()) {
    if (lead !== undefined && index % 2 === 0) raised.push(lead);
    raised.push(byte | 0x80);
  }
  return textDecoder(label).decode(Uint8Array.from(raised));
}
