/** Files of records, passed through from the service: the dictated audio, and exports. */
import { exportFormats } from '../../../src/contract/export.ts';
import type { ExportFormat } from '../../../src/contract/export.ts';
import type { RawAnswer } from '../../../src/client/client.ts';
import { AppError } from '../../../src/contract/errors.ts';
import type { AppFile, FileRange, ServiceDeps } from '../service.ts';

const address = /^records\/([A-Za-z0-9_-]{1,64})\/(?:audio|export\.([a-z0-9-]+))$/;
const isFormat = (word: string): word is ExportFormat => Object.hasOwn(exportFormats, word);

/** `undefined` if the address is not that of a record's file, or the file is missing. */
export async function recordFile(
  { connect }: ServiceDeps,
  path: string,
  range?: FileRange,
): Promise<AppFile | undefined> {
  const [, id, format] = address.exec(path) ?? [];
  if (id === undefined || (format !== undefined && !isFormat(format))) return undefined;
  const { records } = connect().client;
  try {
    return format === undefined
      ? toFile(await records.audio({ params: { id } }, range && { headers: { range: headerOf(range) } }), range)
      : toFile(await records.export({ params: { id }, query: { format: format as ExportFormat } }), range);
  } catch (error) {
    if (error instanceof AppError && (error.code === 'NOT_FOUND' || error.status === 416)) return undefined;
    throw error;
  }
}

function toFile({ status, headers, body }: RawAnswer, range: FileRange | undefined): AppFile {
  const contentType = headers['content-type'] ?? 'application/octet-stream';
  const total = /\/(\d+)$/.exec(headers['content-range'] ?? '')?.[1] ?? headers['content-length'];
  const name = nameIn(headers['content-disposition'] ?? '');
  // If the service ignores the range, it is cut out here.
  const stream = range && status !== 206 ? cutRange(body, range) : body;
  return { contentType, size: total === undefined ? undefined : Number(total), ...(name && { name }), stream };
}

/** A name with other characters could escape the folder or the header. */
const nameIn = (disposition: string): string | undefined =>
  /filename="([A-Za-z0-9_-][A-Za-z0-9._-]{0,150})"/.exec(disposition)?.[1];

const headerOf = ({ start, end }: FileRange): string => `bytes=${start}-${end < Number.MAX_SAFE_INTEGER ? end : ''}`;

async function* cutRange(body: AsyncIterable<Uint8Array>, { start, end }: FileRange): AsyncGenerator<Uint8Array> {
  let at = 0;
  for await (const chunk of body) {
    const part = chunk.subarray(Math.max(0, start - at), Math.max(0, end + 1 - at));
    at += chunk.length;
    if (part.length > 0) yield part;
    if (at > end) return;
  }
}
