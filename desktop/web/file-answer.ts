/** Serves files of the app, whole or in part (RFC 9110 14), for every carrier. */
import { AppError } from '../../src/contract/errors.ts';
import type { App } from '../app/page/app.ts';
import type { FileRange } from '../app/service.ts';

export interface FileAnswer {
  readonly status: 200 | 206 | 416;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array>;
}

/** Supports one range that starts at a byte; other forms may be ignored (14.2). */
function parseRange(header: string | null | undefined): FileRange | undefined {
  const match = /^bytes=(\d{1,15})-(\d{0,15})$/.exec(header?.trim() ?? '');
  if (!match) return undefined;
  const start = Number(match[1]);
  const end = match[2] ? Number(match[2]) : Number.MAX_SAFE_INTEGER;
  return end < start ? undefined : { start, end };
}

/** `range`: the Range header. Throws NOT_FOUND if there is no such file. */
export async function answerFile(app: App, address: string, range: string | null | undefined): Promise<FileAnswer> {
  const part = parseRange(range);
  const file = await app.file(address, part);
  if (!file) throw new AppError('NOT_FOUND');
  const { size, stream: body, name } = file;
  const ending = /\.(\w+)$/.exec(address)?.[1];
  const headers = {
    'Content-Type': file.contentType,
    'Cache-Control': 'no-store',
    // An exported page contains a person's text, and must never run as a page of ours.
    'Content-Security-Policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'",
    'Content-Disposition':
      ending === undefined || ending === 'wav' ? 'inline' : `attachment; filename="${name ?? `document.${ending}`}"`,
  };
  if (size === undefined) return { status: 200, headers, body };
  const inParts = { ...headers, 'Accept-Ranges': 'bytes' };
  if (!part) return { status: 200, headers: { ...inParts, 'Content-Length': `${size}` }, body };
  if (part.start >= size) {
    await body[Symbol.asyncIterator]().return?.();
    return { status: 416, headers: { ...inParts, 'Content-Range': `bytes */${size}` }, body: nothing() };
  }
  const end = Math.min(part.end, size - 1);
  return {
    status: 206,
    headers: {
      ...inParts,
      'Content-Range': `bytes ${part.start}-${end}/${size}`,
      'Content-Length': `${end - part.start + 1}`,
    },
    body,
  };
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
