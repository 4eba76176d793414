/** Serves `laudio://app`: the listed files of the built page, and the files of the app. Independent of Electron. */
import { describeError } from '../../src/domain/describe-error.ts';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { App } from '../app/page/app.ts';
import { failureOf, statusOf } from '../app/page/failure.ts';
import type { Log } from '../app/service.ts';
import { ipc } from '../bridge/carriers.ts';
import { answerFile } from '../web/file-answer.ts';
import { listPage, pageHeaders } from '../web/page-files.ts';
import { isOwnPage } from './guards.ts';

export interface PageAnswerDeps {
  /** Directory of the built page. */
  readonly page: string;
  readonly app: App;
  readonly log: Log;
}

/** Throws CONFIGURATION if the page is not built. */
export async function createPageAnswer({
  page,
  app,
  log,
}: PageAnswerDeps): Promise<(request: Request) => Promise<Response>> {
  const pageFiles = new Map((await listPage(page)).map((file) => [file.address, file]));
  return async ({ url, method, headers: asked }) => {
    if (!isOwnPage(url)) return refusal(404);
    if (method !== 'GET') return refusal(405, { Allow: 'GET' });
    // Uses the path as parsed by URL: a path with dots or percent signs matches no file in the table.
    const { pathname } = new URL(url);
    const file = pageFiles.get(pathname);
    if (file) return new Response(await readFile(file.path), { headers: { ...file.headers } });
    if (!pathname.startsWith(ipc.files)) return refusal(404);
    try {
      const { status, headers, body } = await answerFile(
        app,
        decoded(pathname.slice(ipc.files.length)),
        asked.get('range'),
      );
      return new Response(Readable.toWeb(Readable.from(body, { objectMode: false })) as ReadableStream, {
        status,
        headers: { ...headers },
      });
    } catch (error) {
      const known = failureOf(error);
      if (known.code === 'INTERNAL_ERROR') log({ level: 'error', event: 'app_file_failed', ...describeError(error) });
      return refusal(statusOf(known));
    }
  };
}

const refusal = (status: number, headers: Record<string, string> = {}): Response =>
  new Response(null, { status, headers: { ...pageHeaders, 'Cache-Control': 'no-store', ...headers } });

/** Decoded like a router: addresses of the app contain percent-encoded ids. */
function decoded(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return '';
  }
}
