/** The hidden fields of our forms, where they may lead, and the check that a submitted form is ours. */
import type { FastifyRequest } from 'fastify';
import type { AuthorizationRequest, PendingRequest, PendingRequests } from '../pending-requests.ts';
import { sameSecret } from '../../runtime/secrets.ts';
import { readBrowserCookie } from './browser-cookie.ts';
import { html } from '../../http/page/html.ts';
import type { Html } from '../../http/page/html.ts';
import type { PageLanguage } from '../../http/page/page-words.ts';
import type { Sender } from '../exchange.ts';
import type { Page } from '../../http/page/layout.ts';

export const hiddenFields = (request: PendingRequest): Html =>
  html`<input type="hidden" name="request" value="${request.sealed}" />
    <input type="hidden" name="csrf" value="${request.csrf}" />`;

export type Form = Readonly<Record<string, string | undefined>>;

/** A browser's request to a page of a pending request. */
export interface Visit {
  readonly request: PendingRequest;
  readonly language: PageLanguage;
  readonly form: Form;
  /** The browser's address, for rate limits, and its request. */
  readonly from: Sender;
}

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

/**
 * The CSP source of the request's redirect URI: its origin, or its scheme if CSP cannot express the origin (IPv6).
 * Device logins end on this server.
 */
export function readFormTarget({ answer }: AuthorizationRequest): Pick<Page, 'formTarget'> {
  if (answer.kind === 'device') return {};
  const { protocol, origin, hostname } = new URL(answer.redirect_uri);
  return { formTarget: origin === 'null' || hostname.startsWith('[') ? protocol : origin };
}
