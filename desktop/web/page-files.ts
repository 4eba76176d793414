/** The built page: a table of the files that there are, so that no address can name another. */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../src/contract/errors.ts';
import { isMissing } from '../../src/node/private-file.ts';

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
};

/** What the page may load and do: its own files, its own server, its own sound. */
const pagePolicy = [
  "default-src 'none'",
  // Compiling WebAssembly (the Opus encoder) is no eval of script.
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

/** Where the built page is: beside the built program, or, while this runs as TypeScript, where the build puts it. */
export const builtPage = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../dist/renderer' : '../../renderer', import.meta.url),
);
export const isBuilt = (directory: string): boolean => existsSync(join(directory, indexName));

export const pageHeaders = {
  'Content-Security-Policy': pagePolicy,
  'Permissions-Policy': 'microphone=(self), hid=(self), camera=(), geolocation=()',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
} as const;

export interface PageFile {
  /** Path of its address. */
  readonly address: string;
  /** Where it is on this computer. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** `index.html` at `/` and everything else beside it. CONFIGURATION where there is no built page. */
export async function listPage(directory: string): Promise<readonly PageFile[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(directory.length)
        .replace(/^[\\/]/, '')
        .replaceAll(sep, '/'),
    );
  if (!names.includes(indexName)) {
    throw new AppError('CONFIGURATION', {
      message: 'The app’s page is not built.',
      hint: 'Build it with "npm run build:app".',
    });
  }
  return names.flatMap((name) => {
    const type = types[extname(name).toLowerCase()];
    if (type === undefined) return [];
    // The names of what Vite builds into assets/ change with their content.
    const caching = name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
    return {
      address: name === indexName ? '/' : `/${encodeURI(name)}`,
      path: join(directory, name),
      headers: { ...pageHeaders, 'Cache-Control': caching, 'Content-Type': type },
    };
  });
}

/** Files are read when they are asked for: together they are large, and most are asked for once. */
export async function servePage(app: FastifyInstance, directory: string): Promise<void> {
  for (const { address, path, headers } of await listPage(directory)) {
    app.get(address, async (_request, reply) => {
      const content = await readFile(path).catch((error: unknown) => {
        // The page is being built again.
        throw isMissing(error)
          ? new AppError('NOT_FOUND', { message: 'The app’s page was built again.', hint: 'Start the server again.' })
          : error;
      });
      return reply.headers(headers).send(content);
    });
  }
}
