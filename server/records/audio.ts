/** The dictated audio, whole or in part (RFC 9110 14). */
import { audioTypes } from '../../src/contract/document.ts';
import type { RawOutput } from '../../src/contract/endpoint.ts';
import { AppError } from '../../src/contract/errors.ts';
import type { Call } from '../http/call.ts';
import type { Services } from '../services.ts';
import type { Reading } from '../store/blobs.ts';
import type { StoredRecord } from './stored-record.ts';

/** 200, 206 or 416; 404 where the record came from text. INTERNAL_ERROR where the audio is not what was kept. */
export async function audioOf(
  { blobs }: Pick<Services, 'blobs'>,
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
  const wanted = rangeFor(call, etag);
  if (!wanted) {
    const whole = await blobs.read(blob, known);
    if (!whole) throw new AppError('NOT_FOUND', { message: 'The audio of this record is gone.' });
    return { status: 200, headers: { ...headers, 'Content-Length': String(whole.size) }, body: whole.stream };
  }
  const size = await sizeOf(blobs, blob, known);
  const range = within(wanted, size);
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

async function sizeOf(blobs: Services['blobs'], blob: string, known: Reading): Promise<number> {
  const first = await blobs.read(blob, { ...known, range: { start: 0, end: 0 } });
  if (!first) throw new AppError('NOT_FOUND', { message: 'The audio of this record is gone.' });
  first.stream.destroy();
  return first.size;
}

/** As sent: first and last byte, either of which may be missing, not both. */
interface Wanted {
  readonly first: number | undefined;
  readonly last: number | undefined;
}

/**
 * The one range asked for. Several ranges, other units and what cannot be read may be ignored (14.2), as must a range of
 * an older state (`If-Range`, 13.1.5).
 */
function rangeFor(call: Call, etag: string): Wanted | undefined {
  const condition = call.header('if-range');
  if (condition !== undefined && condition !== etag) return undefined;
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(call.header('range')?.trim() ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return undefined;
  const [first, last] = [match[1], match[2]].map((digits) => (digits ? Number(digits) : undefined));
  if (first !== undefined && last !== undefined && last < first) return undefined;
  return { first, last };
}

/** The bytes that there are of it, `undefined` where there are none. */
function within({ first, last }: Wanted, size: number): { start: number; end: number } | undefined {
  const start = first ?? Math.max(0, size - last!);
  const end = Math.min(first === undefined ? Infinity : (last ?? Infinity), size - 1);
  return start <= end ? { start, end } : undefined;
}
