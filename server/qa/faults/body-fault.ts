/** Applies a fault to the body of an answer: slow, cut off, or malformed by missing its second half. */
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { faultMs, slowBodyMs } from '../../../src/contract/fault-effects.ts';

/** Number of pieces of a slow body; each piece of a stream waits as long as one of them. */
const slowPieces = 20;

/** Waits this many ms, or until the fault or the call has ended. */
export type Wait = (ms: number) => Promise<void>;

interface BodyFault {
  /** `slow:2s`, `partial`, `malformed`. */
  readonly effect: string;
  readonly reply: FastifyReply;
  readonly wait: Wait;
  readonly isEventStream: boolean;
}

/** The payload that replaces the one of Fastify; an empty payload is unchanged. */
export function applyBodyFault(payload: unknown, struck: BodyFault): unknown {
  const whole = typeof payload === 'string' ? Buffer.from(payload) : payload;
  const isWhole = Buffer.isBuffer(whole);
  if (!(isWhole && whole.length > 0) && !(whole instanceof Readable)) return payload;
  const { effect, reply } = struck;
  if (effect === 'malformed') {
    reply.removeHeader('content-length');
    return isWhole ? half(whole) : stream(halves(whole), whole);
  }
  if (isWhole) reply.header('content-length', whole.length);
  if (effect.startsWith('slow')) return stream(slow(whole, struck), whole);
  const broken = struck.isEventStream ? someEvents(whole, struck) : someBytes(whole, struck);
  return stream(broken, whole);
}

/** A stream that destroys its source when it closes. */
function stream(pieces: AsyncIterable<Uint8Array>, source: Buffer | Readable): Readable {
  const made = Readable.from(pieces, { objectMode: false });
  if (source instanceof Readable) made.once('close', () => source.destroy());
  return made;
}

const half = (bytes: Buffer): Buffer => bytes.subarray(0, bytes.length >> 1);

async function* halves(source: Readable): AsyncGenerator<Uint8Array> {
  for await (const piece of source) yield half(Buffer.from(piece as Uint8Array));
}

/** A buffer in pieces, or the chunks of a stream. */
async function* splitPieces(source: Buffer | Readable): AsyncGenerator<Uint8Array> {
  if (!Buffer.isBuffer(source)) {
    for await (const piece of source) yield piece as Uint8Array;
    return;
  }
  const size = Math.max(1, Math.ceil(source.length / slowPieces));
  for (let at = 0; at < source.length; at += size) yield source.subarray(at, at + size);
}

async function* slow(source: Buffer | Readable, { effect, wait }: BodyFault): AsyncGenerator<Uint8Array> {
  const [, length] = effect.split(':');
  const pause = (length === undefined ? slowBodyMs : faultMs(length)) / slowPieces;
  for await (const piece of splitPieces(source)) {
    await wait(pause);
    yield piece;
  }
}

const parseCount = (effect: string): number | undefined => {
  const [, count] = effect.split(':');
  return count === undefined ? undefined : Math.max(1, Number(count));
};

/** The requested number of bytes, or half of the body; if its length is unknown, half of its first piece. */
async function* someBytes(source: Buffer | Readable, { effect, reply }: BodyFault): AsyncGenerator<Uint8Array> {
  const length = Number(reply.getHeader('content-length') ?? Number.NaN);
  let left = parseCount(effect) ?? Math.max(1, length >> 1);
  for await (const piece of splitPieces(source)) {
    if (parseCount(effect) === undefined && Number.isNaN(length)) left = Math.max(1, piece.length >> 1);
    yield piece.subarray(0, left);
    left -= piece.length;
    if (left <= 0) return breakOff(reply);
  }
}

/** The requested number of server-sent events, or one; comments do not count. */
async function* someEvents(source: Buffer | Readable, { effect, reply }: BodyFault): AsyncGenerator<Uint8Array> {
  let left = parseCount(effect) ?? 1;
  let begun = '';
  for await (const piece of splitPieces(source)) {
    begun += Buffer.from(piece).toString('utf8');
    for (let end = begun.indexOf('\n\n'); end >= 0; end = begun.indexOf('\n\n')) {
      const block = begun.slice(0, end + 2);
      begun = begun.slice(end + 2);
      yield Buffer.from(block);
      if (/^data:/m.test(block) && --left <= 0) return breakOff(reply);
    }
  }
}

/** Fastify closes the connection of a failing stream; first, pending data must be flushed. */
async function breakOff({ raw }: FastifyReply): Promise<never> {
  do await new Promise((resolve) => setImmediate(resolve));
  while ((raw.socket?.writableLength ?? 0) > 0 && !raw.destroyed);
  throw new Error('A fault cut the answer off.');
}
