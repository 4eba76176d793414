/** Serves the dictated audio of a record, whole or in part (RFC 9110 14). */
import { audioTypes } from '../../src/contract/document.ts';
import type { RawOutput } from '../../src/contract/endpoint.ts';
import { AppError } from '../../src/contract/errors.ts';
import type { Call } from '../http/call.ts';
import type { RecordDeps } from './deps.ts';
import type { Reading } from '../storage/blobs/blobs.ts';
import type { StoredRecord } from './stored-record.ts';

/**
 * Answers 200 with the whole audio, 206 with the requested range, or 416. 404 if the record has no audio, for example
 * because it was typed. INTERNAL_ERROR if the stored audio is damaged.
 */
export async function serveAudio(
  { blobs }: Pick<RecordDeps, 'blobs'>,
  record: StoredRecord,
  call: Call,
): Promise<RawOutput> {
  const { audio_blob: blob, source } = record;
  if (blob === null || source.content_type === undefined)
    throw new AppError('NOT_FOUND', { message: 'This record has no audio.' });
  const known = { sha256: source.sha256 };
  const etag = `"${source.sha256 ?? blob}"`;
  const headers = {
    'Content-Type': source.content_type,
    'Content-Disposition': `inline; filename="${record.id}.${audioTypes[source.content_type]}"`,
    'Accept-Ranges': 'bytes',
    ETag: etag,
  };
  const requested = readRange(call, etag);
  if (!requested) {
    const whole = await blobs.read(blob, known);
    if (!whole) throw new AppError('NOT_FOUND', { message: 'The audio of this record is gone.' });
    return { status: 200, headers: { ...headers, 'Content-Length': String(whole.size) }, body: whole.stream };
  }
  const size = await readSize(blobs, blob, known);
  const range = clipRange(requested, size);
  if (!range) return { status: 416, headers: { ...headers, 'Content-Range': `bytes */${size}` }, body: null };
  const part = await blobs.read(blob, { ...known, range });
  if (!part) throw new AppError('NOT_FOUND', { message: 'The audio of this record is gone.' });
  return {
    status: 206,
    headers: {
      ...headers,
      'Content-Range': `bytes ${range.start}-${range.end}/${size}`,
      'Content-Length': String(range.end - range.start + 1),
    },
    body: part.stream,
  };
}

async function readSize(blobs: RecordDeps['blobs'], blob: string, known: Reading): Promise<number> {
  const first = await blobs.read(blob, { ...known, range: { start: 0, end: 0 } });
  if (!first) throw new AppError('NOT_FOUND', { message: 'The audio of this record is gone.' });
  first.stream.destroy();
  return first.size;
}

/** The Range header: from the first byte to the last one, or so many bytes at the end. */
type RequestedRange = { readonly first: number; readonly last: number } | { readonly suffix: number };

/**
 * Reads a single range. Multiple ranges, other units and malformed ranges are ignored, as 14.2 permits; so is a range
 * with an outdated `If-Range` (13.1.5).
 */
function readRange(call: Call, etag: string): RequestedRange | undefined {
  const condition = call.header('if-range');
  if (condition !== undefined && condition !== etag) return undefined;
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(call.header('range')?.trim() ?? '');
  const [, from, to] = match ?? [];
  if (!from) return to ? { suffix: Number(to) } : undefined;
  const [first, last] = [Number(from), to ? Number(to) : Infinity];
  return last < first ? undefined : { first, last };
}

/** Clips the range to the audio; `undefined` if they don't overlap. */
function clipRange(range: RequestedRange, size: number): { start: number; end: number } | undefined {
  const { first, last } = 'suffix' in range ? { first: Math.max(0, size - range.suffix), last: Infinity } : range;
  const [start, end] = [first, Math.min(last, size - 1)];
  return start <= end ? { start, end } : undefined;
}
