/** The built page: a table of its files, so that no address can refer to any other file. */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../src/contract/errors.ts';
import { codings } from '../../src/node/http/content-coding.ts';
import type { Coding } from '../../src/node/http/content-coding.ts';
import { createFixedContent } from '../../src/node/http/fixed-content.ts';
import { isMissing } from '../../src/node/files/private-file.ts';

const indexName = 'index.html';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.wav': 'audio/wav',
  // A dictionary, which the page unpacks: no content coding.
  '.gz': 'application/gzip',
};

/** The page may load its own files, call its own server, and play its own sound. */
const pagePolicy = [
  "default-src 'none'",
  // This allows compiling WebAssembly (the Opus encoder), not eval of script.
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "media-src 'self' blob:",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Directory of the built page: next to the built program; when the program runs as TypeScript, in dist. */
export const builtPage = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../dist/renderer' : '../../renderer', import.meta.url),
);
export const isBuilt = (directory: string): boolean => existsSync(join(directory, indexName));

export const pageHeaders = {
  'Content-Security-Policy': pagePolicy,
  'Permissions-Policy': 'microphone=(self), hid=(self), camera=(), geolocation=()',
  'Referrer-Policy': 'no-referrer',
  // A window that the app opened, such as a viewer's, can be reused for the next exam.
  'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
  'X-Content-Type-Options': 'nosniff',
} as const;

export interface PageFile {
  /** Path in the file's address. */
  readonly address: string;
  /** Path of the file on this computer. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>> & { readonly 'Content-Type': string };
  /** Paths of the compressed variants of the file. */
  readonly compressed: Readonly<Partial<Record<Coding, string>>>;
}

/** Extensions of the compressed variants (.build/compress.ts). */
export const codingEndings: Readonly<Record<Coding, string>> = { br: '.br', gzip: '.gz' };

/** `index.html` at `/`, and all other files. Throws CONFIGURATION if the page is not built. */
export async function listPage(directory: string): Promise<readonly PageFile[]> {
  // Folders have no type below. Yarn's Plug'n'Play names wrong parents for entries with types.
  const found = await readdir(directory, { recursive: true }).catch(() => []);
  const names = found.map((name) => name.replaceAll(sep, '/'));
  if (!names.includes(indexName)) {
    throw new AppError('CONFIGURATION', {
      message: 'The app’s page is not built.',
      hint: 'Build it with "npm run build:app".',
    });
  }
  const known = new Set(names);
  const compressed = new Set(names.flatMap((name) => Object.values(codingEndings).map((ending) => `${name}${ending}`)));
  return names.flatMap((name) => {
    if (compressed.has(name)) return [];
    const type = types[extname(name).toLowerCase()];
    if (type === undefined) return [];
    // Vite changes the name of a file in assets/ with its content.
    const caching = name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
    return {
      address: name === indexName ? '/' : `/${encodeURI(name)}`,
      path: join(directory, name),
      headers: { ...pageHeaders, 'Cache-Control': caching, 'Content-Type': type },
      compressed: Object.fromEntries(
        codings
          .map((coding) => [coding, `${name}${codingEndings[coding]}`] as const)
          .filter(([, beside]) => known.has(beside))
          .map(([coding, beside]) => [coding, join(directory, beside)]),
      ),
    };
  });
}

/** The first request for a file reads it. */
export async function servePage(app: FastifyInstance, directory: string): Promise<void> {
  for (const { address, path, headers, compressed } of await listPage(directory)) {
    const read = Object.fromEntries(Object.entries(compressed).map(([coding, file]) => [coding, () => readFile(file)]));
    const content = createFixedContent(() => readBuilt(path), headers, read);
    app.route({
      method: ['GET', 'HEAD'],
      url: address,
      async handler({ headers: asked }, reply) {
        const { status, headers: own, body } = await content((name) => asked[name]?.toString());
        return reply
          .code(status)
          .headers(own)
          .send(body ?? undefined);
      },
    });
  }
}

const readBuilt = (path: string): Promise<Buffer> =>
  readFile(path).catch((error: unknown) => {
    // The page is being rebuilt at this moment.
    throw isMissing(error)
      ? new AppError('NOT_FOUND', { message: 'The app’s page was built again.', hint: 'Start the server again.' })
      : error;
  });
