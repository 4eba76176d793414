/** HL7 v2: one message or many, in batch files (FHS, BHS … BTS, FTS), or as captured from the wire (MLLP). */
import { fileMessage } from '../../../contract/messages/files.ts';
import { splitLines } from '../lines.ts';
import type { Times } from '../kinds.ts';
import { ignoredPlaces } from '../mapping.ts';
import type { Input, Reader } from '../reader.ts';
import { problem, withWarnings } from '../reading.ts';
import type { Position, Reading, ReadOptions } from '../reading.ts';
import { binaryText } from '../text.ts';
import { decodedLines } from './decode.ts';
import { indent, parseMessage } from './message.ts';
import type { Message } from './message.ts';
import { orderReading, readOrders } from './order.ts';
import { normalisePlace } from './places.ts';

const cutOff = fileMessage('file_cut');

interface ReadingOf {
  readonly times: Times;
  /** The message ends where the file does, without the end of a segment. */
  readonly isOpen: boolean;
  /** Orders and patients that one message may be about. */
  readonly maxSubjects?: number;
}

/** Reads the content of a message. */
type Understand = (message: Message, position: Position, options: ReadingOf) => readonly Reading[];

/**
 * Reads messages of some kind. A message that names its character set is decoded by it, so that the file is read byte by byte
 * at first.
 */
export const hl7Reader = (understanding: (options: ReadOptions, guess: Input['guess']) => Understand): Reader =>
  async function* ({ bytes, text, options, limits, times, guess }) {
    const isBinary = options.encoding === undefined && !text.isMarked;
    const understand = understanding(options, guess);
    const collector = createCollector((lines, position, isOpen) => {
      const { lines: decoded, warning } = isBinary ? decodedLines(lines) : { lines };
      const message = parseMessage(decoded);
      if (!message) return [noSeparators(position)];
      const readings = understand(message, position, { times, isOpen, maxSubjects: limits.subjects });
      return warning === undefined ? readings : readings.map((reading) => withWarnings(reading, [warning]));
    }, limits);
    const chunks = isBinary ? binaryText(bytes.chunks) : text.chunks();
    let isOpen = false;
    for await (const { first, lines, isOpen: isLastOpen = false } of splitLines(chunks, limits.item)) {
      isOpen = isLastOpen;
      yield lines.flatMap((line, at) => collector.line(line, first + at));
    }
    yield collector.end(isOpen);
  };

export const noSeparators = (position: Position): Reading =>
  problem(position, fileMessage('no_separators'), fileMessage('msh'), {
    place: 'MSH-2',
  });

export const readHl7: Reader = hl7Reader((options, guess) => {
  const reading = orderReading(options);
  const ignored = ignoredPlaces(options.mapping, normalisePlace);
  if (ignored) guess(ignored);
  return (message, position, of) => readOrders(message, position, { ...reading, ...of });
});

/** `isOpen`: the file ends before the last segment does. */
type ReadMessage = (lines: readonly string[], position: Position, isOpen: boolean) => readonly Reading[];

/** Joins lines into messages, and checks the counts of the envelopes around them. */
function createCollector(read: ReadMessage, { item: limit }: Input['limits']) {
  let message: string[] = [];
  let size = 0;
  let position: Position = {};
  let count = 0;
  /** The message is inside an MLLP frame, whose end is still to come. */
  let isFramed = false;
  let strayLine = -1;
  /** Messages since BHS, batches since FHS; `undefined` outside. */
  let inBatch: number | undefined;
  let inFile: number | undefined;

  const flush = (isOpen = false): readonly Reading[] => {
    const lines = message;
    message = [];
    size = 0;
    if (lines.length === 0) return [];
    if (!isFramed) return read(lines, position, isOpen);
    isFramed = false;
    return [problem(position, fileMessage('mllp_cut'), cutOff)];
  };

  const begin = (line: string, number: number): readonly Reading[] => {
    const before = flush();
    count += 1;
    if (inBatch !== undefined) inBatch += 1;
    position = { line: number, message: count };
    message = [line];
    return before;
  };

  /** BTS-1 counts messages, FTS-1 batches (2.15.2, 2.15.7). */
  const checkCount = (
    line: string,
    number: number,
    counted: number | undefined,
    what: 'counts_messages' | 'counts_batches',
  ): readonly Reading[] => {
    const said = line.split(line[3] ?? '|')[1]?.trim() ?? '';
    if (counted === undefined || !/^\d+$/.test(said) || Number(said) === counted) return [];
    const params = { segment: line.slice(0, 3), said: Number(said), found: counted };
    return [problem({ line: number }, fileMessage(what, params), cutOff)];
  };

  const envelopes: Readonly<Record<string, (line: string, number: number) => readonly Reading[]>> = {
    FHS: () => ((inFile = 0), []),
    BHS: () => {
      inBatch = 0;
      if (inFile !== undefined) inFile += 1;
      return [];
    },
    BTS: (line, number) => {
      const counted = inBatch;
      inBatch = undefined;
      return checkCount(line, number, counted, 'counts_messages');
    },
    FTS: (line, number) => {
      const counted = inFile;
      inFile = undefined;
      return checkCount(line, number, counted, 'counts_batches');
    },
  };

  const plain = (raw: string, number: number): readonly Reading[] => {
    if (raw.trim() === '') return [];
    const line = raw.replace(indent, '');
    const name = /^[A-Z][A-Z\d]{2}(?=[^\w\s]|$)/.exec(line)?.[0];
    if (name === 'MSH') return begin(line, number);
    const envelope = name === undefined ? undefined : envelopes[name];
    if (envelope) return [...flush(), ...envelope(line, number)];
    if (message.length === 0) {
      const isFirst = strayLine !== number - 1;
      strayLine = number;
      return isFirst ? [problem({ line: number }, fileMessage('in_no_message'), fileMessage('begins_msh'))] : [];
    }
    size += line.length;
    if (size > limit) {
      message = [];
      isFramed = false;
      return [problem(position, fileMessage('too_long'), fileMessage('next_header'))];
    }
    // A line that is no segment goes on with the text of the one before.
    if (name === undefined) message.push(`${message.pop()}\n${line}`);
    else message.push(line);
    return [];
  };

  return {
    line(line: string, number: number): readonly Reading[] {
      if (!/[\v\x1c]/.test(line)) return plain(line, number);
      // Start and end of a block (HL7 v2.5.1 appendix C, MLLP).
      return line.split(/([\v\x1c])/).flatMap((part) => {
        if (part === '\x1c') {
          isFramed = false;
          return flush();
        }
        if (part !== '\v') return plain(part, number);
        const before = flush();
        isFramed = true;
        position = { line: number, message: count + 1 };
        return before;
      });
    },
    end(isOpen: boolean): readonly Reading[] {
      const last = flush(isOpen);
      if (inBatch === undefined && inFile === undefined) return last;
      const missing = fileMessage(inBatch === undefined ? 'no_file_trailer' : 'no_batch_trailer');
      return [...last, problem({ message: count }, missing, cutOff)];
    },
  };
}
