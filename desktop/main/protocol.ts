/**
 * Registers the scheme of the page, which is its origin: a secure scheme with streams, separate from the web and from
 * `file:`.
 */
import { protocol } from 'electron';
import { ipc } from '../bridge/carriers.ts';

const scheme = new URL(ipc.origin).protocol.slice(0, -1);

/** Must be called before the app is ready. */
export function registerScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme, privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true, codeCache: true } },
  ]);
}

export const serveScheme = (answer: (request: Request) => Promise<Response>): void => protocol.handle(scheme, answer);
