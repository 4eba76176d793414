/**
 * Parses a JSON body and streams `audio.data` as bytes while it arrives. Memory holds only one piece of audio and the
 * other fields.
 */
import { Assembler } from 'stream-json/core/assembler.js';
import { jsonParser } from 'stream-json/core/parser.js';
import type { Token } from 'stream-json/core/parser.js';
import { AppError, validationFailed } from '../../../src/contract/errors.ts';
import { maxJsonDepth } from '../../../src/domain/json-shape.ts';
import { maxParts, refuseHostile, tooDeep, tooManyParts } from '../../http/plugins/json-body.ts';
import { createBreaks } from '../../runtime/breaks.ts';
import { maxFieldBytes } from './audio-sink.ts';
import type { AudioSink } from './audio-sink.ts';
import { base64Decoder } from './base64.ts';

const audioField = 'audio.data';

/** Rejects with INVALID_JSON, VALIDATION_FAILED or PAYLOAD_TOO_LARGE, and with the errors of `sink`. */
export async function readAudioJson(source: AsyncIterable<Uint8Array>, sink: AudioSink): Promise<unknown> {
  const tokens = tokenReader(source);
  const assembler = new Assembler();
  let scalar = '';
  let size = 0;
  let parts = 0;
  let begun = false;
  let taken = false;
  for (let token = await tokens.next(); token; token = await tokens.next()) {
    begun = true;
    size += 1 + ('value' in token ? String(token.value).length : 0);
    parts += partsBegun[token.name] ?? 0;
    if (parts > maxParts) throw tooManyParts();
    if (size > maxFieldBytes) throw new AppError('PAYLOAD_TOO_LARGE', { details: { limit_bytes: maxFieldBytes } });
    switch (token.name) {
      case 'startString':
        if (isAudio(assembler)) {
          if (taken)
            throw validationFailed([
              { field: audioField, message: `${audioField} is repeated`, code: 'INVALID_VALUE' },
            ]);
          taken = true;
          await sink(tokens.base64());
          assembler.stringValue('');
          break;
        }
        scalar = '';
        break;
      case 'startKey':
      case 'startNumber':
        scalar = '';
        break;
      case 'stringChunk':
      case 'numberChunk':
        scalar += token.value;
        break;
      case 'endKey':
        assembler.keyValue(scalar);
        break;
      case 'endString':
        assembler.stringValue(scalar);
        break;
      case 'endNumber':
        assembler.numberValue(scalar);
        break;
      default:
        assembler.consume(token);
        if (assembler.depth > maxJsonDepth) throw tooDeep();
    }
  }
  if (!begun) throw new AppError('INVALID_JSON', { message: 'The body is empty.' });
  if (!assembler.done) throw endsEarly();
  refuseHostile(assembler.current);
  return assembler.current;
}

/** Names and values per kind of token; a name counts twice. */
const partsBegun: Partial<Record<Token['name'], number>> = {
  startKey: 2,
  startObject: 1,
  startArray: 1,
  startString: 1,
  startNumber: 1,
  nullValue: 1,
  trueValue: 1,
  falseValue: 1,
};

/** Whether the string that begins now is the value of `audio.data`. */
const isAudio = (assembler: Assembler): boolean =>
  assembler.depth === 2 && assembler.key === 'data' && assembler.path[0] === 'audio';

const endsEarly = (cause?: unknown): AppError =>
  new AppError('INVALID_JSON', { message: 'The body ends too early.', cause });

interface TokenReader {
  next(): Promise<Token | undefined>;
  /** Decodes the string that has just begun, to its end. */
  base64(): AsyncGenerator<Uint8Array>;
}

function tokenReader(source: AsyncIterable<Uint8Array>): TokenReader {
  const batches = tokenBatches(source);
  let batch: readonly Token[] = [];
  let at = 0;
  const next = async (): Promise<Token | undefined> => {
    while (at === batch.length) {
      const { done, value } = await batches.next();
      if (done) return undefined;
      batch = value;
      at = 0;
    }
    return batch[at++];
  };
  return {
    next,
    async *base64() {
      const decoder = base64Decoder(audioField);
      for (let token = await next(); token?.name !== 'endString'; token = await next()) {
        if (token?.name !== 'stringChunk') throw endsEarly();
        let text = token.value;
        // The parser's chunks are short, so available chunks are decoded together.
        for (let more = batch[at]; more?.name === 'stringChunk'; more = batch[++at]) text += more.value;
        yield decoder.decode(text);
      }
      decoder.end();
    },
  };
}

/** Bytes per parser call: escaped text takes a hundred times as long as other text. */
const sliceBytes = 16 * 1024;

/** Yields the tokens of each piece. The parser must not pack tokens, because its packing has no limit. */
async function* tokenBatches(source: AsyncIterable<Uint8Array>): AsyncGenerator<readonly Token[]> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const parser = jsonParser({ packValues: false });
  const parse = (bytes?: Uint8Array): readonly Token[] => {
    try {
      // White space at the end completes a final number or literal.
      const parsed = parser(bytes ? decoder.decode(bytes, { stream: true }) : `${decoder.decode()}\n`);
      return typeof parsed === 'symbol' ? [] : parsed.values;
    } catch (cause) {
      throw new AppError('INVALID_JSON', { cause });
    }
  };
  const pieces = source[Symbol.asyncIterator]();
  const breathe = createBreaks();
  for (;;) {
    const piece = await pieces.next().catch((error: unknown) => {
      throw error instanceof AppError ? error : endsEarly(error);
    });
    if (piece.done) break;
    for (let at = 0; at < piece.value.length; at += sliceBytes) {
      yield parse(piece.value.subarray(at, at + sliceBytes));
      await breathe();
    }
  }
  yield parse();
}
