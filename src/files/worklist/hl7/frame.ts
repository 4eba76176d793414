/**
 * The messages in the bytes of a frame. One is the rule; a batch of several (FHS, BHS … BTS, FTS) and Unicode that shows itself are
 * met, and so are line ends and a byte order mark before the first header.
 */
import { decodeNamed, findEncoding } from '../character-sets.ts';
import { asBinaryText, binaryBytes, unicodeIn } from '../text.ts';
import { textDecoder, textEncoder } from '../web-standards.ts';
import { indent, splitMessage } from './message.ts';
import { splitHeader } from './split-header.ts';

/** A header (MSH, BHS), of which each character is a byte. */
export interface Header {
  readonly separator: string;
  /** MSH-2. */
  readonly encoding: string;
  /** Fields have the numbers of the standard; an absent one is empty. */
  field(number: number): string;
}

export interface FramedMessage {
  readonly header: Header;
  /** The message alone. Where the frame was in UTF-16, or had a mark, it is in UTF-8 and begins with the mark. */
  readonly bytes: Uint8Array;
  /** The lines of the bytes, of which each character is a byte, from the header on. */
  readonly lines: readonly string[];
}

export interface Frame {
  readonly messages: readonly [FramedMessage, ...FramedMessage[]];
  /** The header of the batch; of a file around batches the first. */
  readonly batch?: Header;
  /** Says which count of a trailer is wrong, for people. */
  readonly miscounted?: string;
}

const mark = '\u00ef\u00bb\u00bf';
const utf8 = 'UNICODE UTF-8';

/** `undefined` where no line begins like the header of a message. */
export function parseFrame(raw: Uint8Array): Frame | undefined {
  const unicode = unicodeIn(raw);
  const text = asBinaryText(unicode ? utf8Of(raw, unicode.encoding) : raw);
  const messages: MessageLines[] = [];
  let message: MessageLines | undefined;
  const envelopes: string[] = [];
  let batch: Header | undefined;
  let isClean = !unicode;
  for (const written of splitMessage(text)) {
    const line = written.replace(indent, '');
    const name = line.slice(0, 3);
    const header =
      name === 'MSH' || name === 'BHS' || name === 'FHS' ? parseHeader(line, unicode !== undefined) : undefined;
    if (name === 'MSH' && header) messages.push((message = { header, lines: [line] }));
    else if (header || /^(?:BTS|FTS)(?:[^\w\s]|$)/.test(line)) {
      if (name === 'BHS' || !batch) batch = header ?? batch;
      envelopes.push(line);
    } else if (message) message.lines.push(line);
    else isClean &&= line.trim() === '';
  }
  const [only, ...others] = messages;
  if (!only) return undefined;
  const isPlain = others.length === 0 && envelopes.length === 0 && isClean;
  const toFramed = ({ header, lines }: MessageLines): FramedMessage => ({
    header,
    lines,
    bytes: isPlain ? raw : binaryBytes(`${unicode ? mark : ''}${lines.join('\r')}\r`),
  });
  const miscounted = miscountedIn(envelopes, messages.length);
  return {
    messages: [toFramed(only), ...others.map(toFramed)],
    ...(batch && { batch }),
    ...(miscounted !== undefined && { miscounted }),
  };
}

interface MessageLines {
  readonly header: Header;
  readonly lines: string[];
}

/** A part of a header in the characters of its sets (MSH-18). */
export function decodePart(part: string, { field, encoding }: Header): string {
  // Nearly all are, and all sets have these characters.
  if (/^[ -~]*$/.test(part)) return part;
  const sets = field(18).split(encoding[1] ?? '~');
  const known = sets.filter((set) => findEncoding(set) !== undefined);
  return decodeNamed(binaryBytes(part), known).text;
}

/** UTF-16 that was framed as such begins with half of the frame's own byte. */
function utf8Of(raw: Uint8Array, encoding: string): Uint8Array {
  const isHalved = encoding === 'utf-16be' && raw.length % 2 === 1 && raw[0] === 0;
  const text = isHalved ? textDecoder('utf-16le').decode(raw.subarray(1)) : textDecoder(encoding).decode(raw);
  return textEncoder().encode(text.replace(/^\ufeff/, ''));
}

function parseHeader(line: string, isUnicode: boolean): Header | undefined {
  const separator = line[3];
  if (separator === undefined || /[\w\s]/.test(separator)) return undefined;
  const fields = splitHeader(line, separator);
  const encoding = fields[1] || '^~\\&';
  // Answers are in UTF-8, in whichever form of Unicode the message came.
  const field = (number: number): string => (number === 18 && isUnicode ? utf8 : (fields[number - 1] ?? ''));
  return { separator, encoding, field };
}

/** BTS-1 counts the messages of a batch (2.15.2). It is checked only if the frame holds a single batch. */
function miscountedIn(envelopes: readonly string[], counted: number): string | undefined {
  const trailers = envelopes.filter((line) => line.startsWith('BTS'));
  const [trailer] = trailers;
  if (trailer === undefined || trailers.length > 1) return undefined;
  const said = trailer.split(trailer[3] ?? '|')[1]?.trim() ?? '';
  return !/^\d+$/.test(said) || Number(said) === counted
    ? undefined
    : `BTS counts ${Number(said)} messages, but there are ${counted}.`;
}
