/** Which requests are from our own page. Cookies alone prove nothing between two ports of one machine, which share them. */
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../src/contract/errors.ts';
import { web } from '../bridge/carriers.ts';

const forbidden = (): AppError => new AppError('FORBIDDEN', { message: 'Only the app’s own page may ask for this.' });

/** A write: exact origin, same site, and a header that no form and no foreign page can send without being asked first. */
export function requireOwnPost(request: FastifyRequest): void {
  const { base, headers } = request;
  if (headers.origin !== base || headers[web.ownHeader] !== '1') throw forbidden();
  requireOwnSite(request);
}

/** A read by our page: browsers that tell where a request comes from have to tell that. */
export function requireOwnSite({ headers }: FastifyRequest): void {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') throw forbidden();
}
