/**
 * Content that stays the same as long as a server runs: it is built once and compressed once, and an entity tag saves
 * readers that already have it the transfer (RFC 9110 8.8.3, 12.5.3). All answers share the bytes, so that many slow
 * readers take no more memory than one.
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { chooseCoding, isCompressible } from './content-coding.ts';
import type { Coding } from './content-coding.ts';

export interface FixedAnswer {
  /** 304: the reader has this content. */
  readonly status: 200 | 304;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
}

/** The answer to a request with these headers. Rejects if the content cannot be built. */
export type FixedContent = (header: (name: string) => string | undefined) => Promise<FixedAnswer>;

/** Compresses in a moment; a build has the time to do better. */
const compress: Readonly<Record<Coding, (content: Buffer) => Promise<Buffer>>> = {
  br: (content) => compressWithBrotli(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
  gzip: promisify(gzip),
};
const compressWithBrotli = promisify(brotliCompress);

/**
 * `headers` has a Content-Type. `make` is called for the first reader, and again after it has failed. `compressedAlready`
 * reads what a build has compressed; what is not there is compressed for its first reader.
 */
export function createFixedContent(
  make: () => string | Buffer | Promise<Buffer>,
  headers: Readonly<Record<string, string>> & { readonly 'Content-Type': string },
  compressedAlready: Readonly<Partial<Record<Coding, () => Promise<Buffer>>>> = {},
): FixedContent {
  let made: Promise<{ readonly content: Buffer; readonly tag: string }> | undefined;
  const compressed = new Map<Coding, Promise<Buffer>>();

  const open = async () => {
    const content = Buffer.from(await make());
    return { content, tag: createHash('sha256').update(content).digest('base64url').slice(0, 22) };
  };
  const compressedBy = (coding: Coding, content: Buffer): Promise<Buffer> => {
    const read = compressedAlready[coding];
    const found =
      compressed.get(coding) ?? (read ? read().catch(() => compress[coding](content)) : compress[coding](content));
    compressed.set(coding, found);
    return found;
  };

  return async (header) => {
    made ??= open().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    const { content, tag } = await made;
    const mayCompress = isCompressible(headers['Content-Type'], content.length);
    const coding = mayCompress ? chooseCoding(header('accept-encoding')) : undefined;
    const etag = coding === undefined ? `"${tag}"` : `"${tag}-${coding}"`;
    const own = { ...headers, ETag: etag, ...(mayCompress && { Vary: 'Accept-Encoding' }) };
    if (hasTag(header('if-none-match'), etag)) return { status: 304, headers: own, body: null };
    if (coding === undefined) return { status: 200, headers: own, body: content };
    const body = await compressedBy(coding, content);
    return { status: 200, headers: { ...own, 'Content-Encoding': coding }, body };
  };
}

/** Weak tags count too (RFC 9110 13.1.2). */
const hasTag = (header: string | undefined, etag: string): boolean =>
  header?.split(',').some((each) => ['*', etag].includes(each.trim().replace(/^W\//, ''))) ?? false;
