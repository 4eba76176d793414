/** Recognises requests of our own page. A cookie alone proves nothing: two ports of one machine share cookies. */
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../src/contract/errors.ts';
import { web } from '../bridge/carriers.ts';

const forbidden = (): AppError => new AppError('FORBIDDEN', { message: 'Only the app’s own page may ask for this.' });

/**
 * A write requires our exact origin, the same site, and a header that no form and no foreign page can send without a
 * preflight.
 */
export function requireOwnPost(request: FastifyRequest): void {
  const { base, headers } = request;
  if (headers.origin !== base || headers[web.ownHeader] !== '1') throw forbidden();
  requireOwnSite(request);
}

/** A read: if the browser reports the site of a request, it must be our own. */
export function requireOwnSite({ headers }: FastifyRequest): void {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') throw forbidden();
}
