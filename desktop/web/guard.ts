/** Which requests are from our own page. Cookies alone prove nothing between two ports of one machine, which share them. */
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../src/contract/errors.ts';
import { web } from '../bridge.ts';

const forbidden = (): AppError => new AppError('FORBIDDEN', { message: 'Only the app’s own page may ask for this.' });

/** Where the browser sees this server; its host has been checked against what the server answers to. */
export const originOf = ({ headers }: FastifyRequest): string => headers.origin ?? `http://${headers.host}`;

/** A write: exact origin, same site, and a header that no form and no foreign page can send without being asked first. */
export function requireOwnPost(request: FastifyRequest): void {
  const { host, origin } = request.headers;
  const isOwnOrigin = origin !== undefined && (origin === `http://${host}` || origin === `https://${host}`);
  if (!isOwnOrigin || request.headers[web.ownHeader] !== '1') throw forbidden();
  requireOwnSite(request);
}

/** A read by our page: browsers that tell where a request comes from have to tell that. */
export function requireOwnSite({ headers }: FastifyRequest): void {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') throw forbidden();
}

const loopbackAddress = /^(?:127\.|::1$|::ffff:127\.)/;
const loopbackHost = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/i;

/** Whether the browser is on this computer; a proxy in front makes everybody look so, and says that it is there. */
export const isHere = ({ ip, headers }: FastifyRequest): boolean =>
  loopbackAddress.test(ip) &&
  loopbackHost.test(headers.host ?? '') &&
  headers['x-forwarded-for'] === undefined &&
  headers['forwarded'] === undefined &&
  headers['via'] === undefined;
