/** What `laudio://app` gives: the built page's own files, by a table, and the files of the app. Knows no Electron. */
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { App } from '../app/page/app.ts';
import { anatomyOf, failureOf, statusOf } from '../app/page/failure.ts';
import type { Log } from '../app/service.ts';
import { ipc } from '../bridge/carriers.ts';
import { answerFile } from '../web/file-answer.ts';
import { listPage, pageHeaders } from '../web/page-files.ts';
import { isOwnPage } from './guards.ts';

export interface PageAnswerDeps {
  /** The directory of the built page. */
  readonly page: string;
  readonly app: App;
  readonly log: Log;
}

/** CONFIGURATION where there is no built page. */
export async function createPageAnswer({
  page,
  app,
  log,
}: PageAnswerDeps): Promise<(request: Request) => Promise<Response>> {
  const pageFiles = new Map((await listPage(page)).map((file) => [file.address, file]));
  return async ({ url, method, headers: asked }) => {
    if (!isOwnPage(url)) return refusal(404);
    if (method !== 'GET') return refusal(405, { Allow: 'GET' });
    // As it came: what URL makes of dots and percent signs names no file that the table doesn't.
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
      if (known.code === 'INTERNAL_ERROR') log({ level: 'error', event: 'app_file_failed', ...anatomyOf(error) });
      return refusal(statusOf(known));
    }
  };
}

const refusal = (status: number, headers: Record<string, string> = {}): Response =>
  new Response(null, { status, headers: { ...pageHeaders, 'Cache-Control': 'no-store', ...headers } });

/** As a router decodes it: the app's own addresses have their ids percent-encoded. */
function decoded(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return '';
  }
}
