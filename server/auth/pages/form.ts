/** The hidden fields of our forms, and the check that a submitted form is ours. */
import type { FastifyRequest } from 'fastify';
import type { PendingRequest, PendingRequests } from '../pending-requests.ts';
import { sameSecret } from '../../runtime/secrets.ts';
import { readBrowserCookie } from './browser-cookie.ts';
import { html } from '../../http/page/html.ts';
import type { Html } from '../../http/page/html.ts';

export const hiddenFields = (request: PendingRequest): Html =>
  html`<input type="hidden" name="request" value="${request.sealed}" />
    <input type="hidden" name="csrf" value="${request.csrf}" />`;

export type Form = Readonly<Record<string, string | undefined>>;

/** Opens the pending request of an address or form if this browser began it. */
export const findPending = (
  pending: PendingRequests,
  request: FastifyRequest,
  { request: sealed }: Form,
): Promise<PendingRequest | undefined> =>
  pending.get(typeof sealed === 'string' ? sealed : undefined, (of) => readBrowserCookie(request.headers.cookie, of));

/**
 * A form is ours if the browser reports our origin and it carries our token. Cookies prove nothing, because all ports
 * of a machine share them.
 */
export const isOurForm = (request: FastifyRequest, form: Form, pending: PendingRequest): boolean =>
  isFromOurPage(request) && sameSecret(form.csrf ?? '', pending.csrf);

export function isFromOurPage({ headers, base }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  return headers.origin === base && (site === undefined || site === 'same-origin' || site === 'none');
}
