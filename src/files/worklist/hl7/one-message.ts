/** Reads one message at a time, at once: for a connection, which gets them one after the other and has to answer each. */
import { fileMessage } from '../../../contract/messages/files.ts';
import { AppError } from '../../../contract/errors.ts';
import type { Times } from '../kinds.ts';
import { problem, withWarnings } from '../reading.ts';
import type { Reading, ReadOptions } from '../reading.ts';
import { asBinaryText, unicodeIn } from '../text.ts';
import { textDecoder } from '../web-standards.ts';
import { createOffsets } from '../zone.ts';
import { decodedLines } from './decode.ts';
import { noSeparators } from './hl7.ts';
import { indent, parseMessage, splitMessage } from './message.ts';
import type { Message } from './message.ts';
import { orderReading, readOrders } from './order.ts';

export interface ReadMessage {
  /** The message, for its header and its acknowledgement; `undefined` where it has no header. */
  readonly message: Message | undefined;
  /** Nothing for an acknowledgement; otherwise exams, changes of patients, or why there is none. */
  readonly readings: readonly Reading[];
}

const position = { message: 1 } as const;

/**
 * A reader of messages. USAGE for a zone or an encoding that is not known. `bytes` are those of one message, without its frame; `lines`
 * its lines, of which each character is a byte, where somebody has split them.
 */
export function createMessageReader(
  options: Pick<ReadOptions, 'timeZone' | 'encoding' | 'mapping'> = {},
): (bytes: Uint8Array, lines?: readonly string[]) => ReadMessage {
  const times: Times = {
    offsetAt: createOffsets(
      options.timeZone ?? options.mapping?.time_zone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone,
    ),
  };
  const { encoding } = options;
  const reading = orderReading(options);
  const decode = encoding === undefined ? undefined : createDecoder(encoding);
  return (bytes, binaryLines) => {
    const unicode = unicodeIn(bytes);
    const decodeAll = unicode ? createDecoder(unicode.encoding) : decode;
    const { lines: decoded, warning = undefined } = decodeAll
      ? { lines: joinSegments(splitMessage(decodeAll(bytes))) }
      : decodedLines(joinSegments(binaryLines ?? splitMessage(asBinaryText(bytes))));
    if (!decoded[0]?.startsWith('MSH')) {
      return {
        message: undefined,
        readings: [problem(position, fileMessage('no_hl7'), fileMessage('begins_msh'), { place: 'MSH' })],
      };
    }
    const message = parseMessage(decoded);
    if (!message) return { message: undefined, readings: [noSeparators(position)] };
    const readings = readOrders(message, position, { ...reading, times, isOpen: false });
    return {
      message,
      readings: warning === undefined ? readings : readings.map((each) => withWarnings(each, [warning])),
    };
  };
}

function createDecoder(encoding: string): (bytes: Uint8Array) => string {
  try {
    const decoder = textDecoder(encoding);
    return (bytes) => decoder.decode(bytes);
  } catch {
    throw new AppError('USAGE', { message: 'The encoding is not known.' });
  }
}

/** Segments; a line that is none goes on with the text of the one before. */
function joinSegments(all: readonly string[]): string[] {
  const lines: string[] = [];
  for (const raw of all) {
    const line = raw.replace(indent, '');
    if (line.trim() === '') continue;
    if (lines.length === 0 || /^[A-Z][A-Z\d]{2}(?=[^\w\s]|$)/.test(line)) lines.push(line);
    else lines.push(`${lines.pop()}\n${line}`);
  }
  return lines;
}
