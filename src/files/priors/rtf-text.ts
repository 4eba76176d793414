/** The words of RTF (version 1.9.1) as plain text with its lines; pictures, fonts and whatever else is no text are passed over. */
import { textDecoder } from '../worklist/web-standards.ts';

export const isRtf = (text: string): boolean => /^\s*\{\\rtf/.test(text);

/** Destinations whose content is no text of the page; so are all that begin with `\*`. */
const opaque = new Set(
  (
    'fonttbl colortbl stylesheet info pict object header headerl headerr headerf footer footerl footerr footerf ' +
    'listtable listoverridetable revtbl rsidtbl generator themedata colorschememapping latentstyles datastore xmlnstbl fldinst'
  ).split(' '),
);

/** Control words and signs that stand for characters. */
const characters: Readonly<Record<string, string>> = {
  par: '\n',
  line: '\n',
  sect: '\n',
  page: '\n',
  row: '\n',
  cell: ' ',
  tab: '\t',
  emdash: '—',
  endash: '–',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  bullet: '•',
  '~': '\u00a0',
  _: '-',
  '{': '{',
  '}': '}',
  '\\': '\\',
  '\n': '\n',
  '\r': '\n',
};

/** State that holds inside a group. */
interface Group {
  readonly isOpaque: boolean;
  /** Characters that follow a `\u` for readers that know no Unicode. */
  readonly instead: number;
}

/** A control word with its number, a byte in hexadecimal digits, a control sign, a brace, a line end, or text. */
const token = /\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([\da-f]{2})|\\([^a-z])|([{}])|[\r\n]+|([^\\{}\r\n]+)/gi;

export function textOfRtf(rtf: string): string {
  const groups: Group[] = [];
  let group: Group = { isOpaque: false, instead: 1 };
  let encoding = 'windows-1252';
  let bytes: number[] = [];
  const parts: string[] = [];
  /** Characters that are left to pass over. */
  let skip = 0;
  const flush = (): void => {
    if (bytes.length > 0) parts.push(decoded(bytes, encoding));
    bytes = [];
  };
  const write = (text: string): void => {
    const rest = text.slice(skip);
    skip = Math.max(0, skip - text.length);
    if (group.isOpaque || rest === '') return;
    flush();
    parts.push(rest);
  };
  for (const [, word, number, hex, sign, brace, text] of rtf.matchAll(token)) {
    if (brace === '{') groups.push(group);
    else if (brace === '}') {
      flush();
      skip = 0;
      group = groups.pop() ?? group;
    } else if (hex !== undefined) {
      if (skip > 0) skip -= 1;
      else if (!group.isOpaque) bytes.push(Number.parseInt(hex, 16));
    } else if (text !== undefined) write(text);
    else if (sign === '*' || (word !== undefined && opaque.has(word))) group = { ...group, isOpaque: true };
    else if (word === 'ansicpg') encoding = codePages[number ?? ''] ?? `windows-${number}`;
    else if (word === 'uc') group = { ...group, instead: Number(number ?? 1) };
    else if (word === 'u' && number !== undefined) {
      write(String.fromCharCode(Number(number) & 0xffff));
      skip = group.instead;
    } else {
      const name = word ?? sign;
      if (name !== undefined) write(characters[name] ?? '');
    }
  }
  flush();
  return parts
    .join('')
    .replace(/[ \t]+(\n?)/g, (spaces, end: string) => end || spaces)
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** Code pages that are no Windows one. */
const codePages: Readonly<Record<string, string>> = {
  '850': 'ibm850',
  '65001': 'utf-8',
  '932': 'shift_jis',
  '936': 'gbk',
};

function decoded(bytes: readonly number[], encoding: string): string {
  try {
    return textDecoder(encoding).decode(Uint8Array.from(bytes));
  } catch {
    return textDecoder('windows-1252').decode(Uint8Array.from(bytes));
  }
}
