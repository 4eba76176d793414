/** The characters of a template file, whatever encoding it has. */
import { fileMessage } from '../../contract/messages/files.ts';
import { textDecoder } from '../worklist/web-standards.ts';
import { noTemplate } from './reading.ts';

/** Files that somebody may take for a template, by how they begin. */
const others: readonly (readonly [beginning: string, what: 'pdf' | 'rtf' | 'zip_or_word' | 'old_word' | 'gzip'])[] = [
  ['%PDF', 'pdf'],
  ['{\\rtf', 'rtf'],
  ['PK\u0003\u0004', 'zip_or_word'],
  ['\u00d0\u00cf\u0011\u00e0', 'old_word'],
  ['\u001f\u008b', 'gzip'],
];

/** Byte order marks (Encoding Standard 6). */
const marks: readonly (readonly [encoding: string, bytes: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/**
 * The text: by its byte order mark, else by UTF-16 without one, else as UTF-8, else by the encoding that the file names in its
 * first bytes, else as Windows-1252. VALIDATION_FAILED for what is no text.
 */
export function textOfFile(bytes: Uint8Array): string {
  const head = Array.from(bytes.subarray(0, 1024), (byte) => String.fromCharCode(byte)).join('');
  const other = others.find(([beginning]) => head.trimStart().startsWith(beginning));
  if (other) throw noTemplate(fileMessage('template_is', { what: fileMessage(other[1]) }));
  const mark = marks.find(([, start]) => start.every((byte, at) => bytes[at] === byte));
  const encoding = mark?.[0] ?? wideEncoding(head);
  const text = encoding === undefined ? byContent(bytes, head) : textDecoder(encoding).decode(bytes);
  if (text.includes('\u0000')) throw noTemplate(fileMessage('template_text'));
  return text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
}

/** UTF-16 without a mark: every other byte of the first characters is zero. */
const wideEncoding = (head: string): string | undefined =>
  /^[^\0]\0[^\0]\0/.test(head) ? 'utf-16le' : /^\0[^\0]\0[^\0]/.test(head) ? 'utf-16be' : undefined;

function byContent(bytes: Uint8Array, head: string): string {
  try {
    return textDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const named = /(?:charset|encoding)\s*=\s*(?:["']\s*)?([\w.:-]+)/i.exec(head)?.[1] ?? '';
    return createDecoder(named).decode(bytes);
  }
}

function createDecoder(label: string): ReturnType<typeof textDecoder> {
  try {
    const decoder = textDecoder(label);
    // Files that call themselves UTF-8 and are not are Windows-1252 in practice.
    if (decoder.encoding !== 'utf-8') return decoder;
  } catch {
    // The label is unknown.
  }
  return textDecoder('windows-1252');
}
