/**
 * Segments of the audit trail: ranges of entries in a blob instead of in memory. The blob is gzipped JSON lines: the first line has
 * the number of the segment and the hash of the preceding entry, each other line an entry. A document refers to the blob, so that
 * backups, checks, encryption and orphan collection handle segments like audio.
 */
import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { createGunzip, gzip } from 'node:zlib';
import type { AuditEntry, AuditHead, AuditRemoval } from '../../../src/contract/audit.ts';
import { AppError, isStorageFailure } from '../../../src/contract/errors.ts';
import { isBlobFault } from '../../storage/blobs/blobs.ts';
import { isChanged } from '../../storage/sealing/sealing.ts';
import type { Documents } from '../../storage/collections.ts';
import { createBreaks } from '../../runtime/breaks.ts';
import type { Reader, StoredDocument } from '../../storage/store.ts';
import { entryId, noHead, segmentId } from './trail.ts';
import type { Trail } from './trail.ts';

export type Segment = Documents['audit_segments'];

/** The newest segment that begins before that entry; `undefined`: there is none. */
export async function findSegmentBefore(reader: Reader, number: number): Promise<Segment | undefined> {
  const [segment] = await reader.find('audit_segments', { before: segmentId(number), limit: 1 });
  return segment;
}

/** The segment that contains the entry, or contained it before retention removed it. */
export async function findSegment(reader: Reader, number: number): Promise<Segment | undefined> {
  const segment = await findSegmentBefore(reader, number + 1);
  return segment && segment.last >= number ? segment : undefined;
}

/** The last entry in a segment. */
export async function readSegmentsEnd(reader: Reader): Promise<AuditHead> {
  const [newest] = await reader.find('audit_segments', { limit: 1 });
  return newest ? { number: newest.last, hash: newest.hash } : noHead;
}

/** The removal by retention; `null`: there was none. */
export async function readRemoval(reader: Reader): Promise<AuditRemoval | null> {
  const first = await reader.get('audit_segments', segmentId(1));
  return first?.kept_s === undefined ? null : { number: first.last, hash: first.hash, kept_s: first.kept_s };
}

const buildHeadLine = ({ first, previous }: Pick<Segment, 'first' | 'previous'>): string =>
  JSON.stringify({ laudio: 'audit', format: 1, first, previous });

/** An entry as a line that begins with its number, which `readNumber` reads without parsing. */
export const toLine = ({ number, ...entry }: AuditEntry): string => JSON.stringify({ number, ...entry });

const numberAt = '{"number":'.length;
export const readNumber = (line: Buffer): number =>
  Number.parseInt(line.toString('latin1', numberAt, numberAt + 16), 10);

/** Throws if the line is no entry. */
export const parseEntry = (line: Buffer): AuditEntry => JSON.parse(line.toString()) as AuditEntry;

const compress = promisify(gzip);

/** Content of the blob of a segment with these lines, and their text. */
export async function packSegment(
  segment: Pick<Segment, 'first' | 'previous'>,
  lines: readonly Buffer[],
): Promise<{ readonly packed: Buffer; readonly text: Buffer }> {
  const headLine = Buffer.from(`${buildHeadLine(segment)}\n`);
  const whole = Buffer.concat([headLine, ...lines]);
  return { packed: await compress(whole), text: whole.subarray(headLine.length) };
}

/** Bytes decompressed at a time. */
const chunkSize = 128 * 1024;
/** Maximum size in bytes, compressed or not. */
const maxSegmentBytes = 64 * 2 ** 20;

export interface SegmentContent {
  /** Text of the lines, as far as readable. */
  readonly text: Buffer;
  /** Whether the first line is that of this segment. */
  readonly isOwn: boolean;
  /** Whether the blob's bytes are those that were written. */
  readonly isUnchanged: boolean;
  /** Why the text ends early; `undefined`: it is complete. */
  readonly fault: unknown;
}

/** Reads a segment, even if damaged. `undefined`: it has no blob, or that is missing. Rejects with AppError STORAGE_UNAVAILABLE if the store fails. */
export async function readContent({ blobs }: Trail, segment: Segment): Promise<SegmentContent | undefined> {
  const packed = segment.blob === null ? undefined : await readPacked(blobs, segment.blob);
  if (!packed) return undefined;
  const unpacked = await collectBytes(Readable.from([packed.bytes]).pipe(createGunzip({ chunkSize })));
  const end = unpacked.bytes.indexOf(10);
  const headLine = unpacked.bytes.toString('utf8', 0, Math.max(0, end));
  return {
    text: end < 0 ? Buffer.alloc(0) : unpacked.bytes.subarray(end + 1),
    isOwn: headLine === buildHeadLine(segment),
    isUnchanged: packed.fault === undefined && hash('sha256', packed.bytes, 'hex') === segment.sha256,
    fault: packed.fault ?? unpacked.fault,
  };
}

async function readPacked(blobs: Trail['blobs'], blob: string) {
  try {
    const read = await blobs.read(blob);
    return read && (await collectBytes(read.stream));
  } catch (fault) {
    if (!isChanged(fault)) throw fault;
    return { bytes: Buffer.alloc(0), fault };
  }
}

async function collectBytes(stream: Readable): Promise<{ bytes: Buffer; fault: unknown }> {
  const chunks: Buffer[] = [];
  let length = 0;
  let fault: unknown;
  try {
    for await (const chunk of stream) {
      chunks.push(chunk as Buffer);
      length += (chunk as Buffer).length;
      if (length > maxSegmentBytes) throw new RangeError('Segments are never that long.');
    }
  } catch (error) {
    // A segment of a store that has failed may be whole.
    if (isStorageFailure(error) && !isBlobFault(error)) throw error;
    fault = error;
  }
  return { bytes: Buffer.concat(chunks), fault };
}

/** Text of the lines. Rejects with AppError INTERNAL_ERROR if the segment was changed. */
export async function readSegment(trail: Trail, segment: Segment): Promise<Buffer> {
  const content = await readContent(trail, segment);
  if (content?.isUnchanged && content.fault === undefined) return content.text;
  const { first, last } = segment;
  throw new AppError('INTERNAL_ERROR', {
    message: `The entries ${first} to ${last} of the audit trail ${content ? 'were changed on the disk of the server' : 'are missing'}.`,
    hint: 'laudio server audit verify shows the damage. Use --since and --until to select readable entries; a backup may have the others.',
    details: { first, last },
    cause: content?.fault,
  });
}

/** Lines from last to first. */
export function* linesFromEnd(text: Buffer): Generator<Buffer, void> {
  let end = text.length - 1;
  while (end > 0) {
    const start = text.lastIndexOf(10, end - 1) + 1;
    yield text.subarray(start, end);
    end = start - 1;
  }
}

/** Lines from first to last. */
export function* linesFromStart(text: Buffer): Generator<Buffer, void> {
  for (let start = 0; start < text.length;) {
    const found = text.indexOf(10, start);
    const end = found < 0 ? text.length : found;
    yield text.subarray(start, end);
    start = end + 1;
  }
}

/** A dump with all entries of the trail in order, instead of only those in the store. */
export async function* dumpWholeTrail(
  trail: Trail,
  dump: AsyncIterable<StoredDocument>,
): AsyncGenerator<StoredDocument, void> {
  const breathe = createBreaks();
  // A store may dump the entries first.
  let { number: last } = await readSegmentsEnd(trail.store);
  for await (const stored of dump) {
    if (stored.collection !== 'audit_segments') {
      // Moved entries may still be in the store.
      if (stored.collection !== 'audit' || stored.document.number > last) yield stored;
      continue;
    }
    last = Math.max(last, stored.document.last);
    if (stored.document.blob === null) continue;
    for (const line of linesFromStart(await readSegment(trail, stored.document))) {
      const entry = parseEntry(line);
      yield { collection: 'audit', document: { id: entryId(entry.number), ...entry } };
      const turn = breathe();
      if (turn) await turn;
    }
  }
}
