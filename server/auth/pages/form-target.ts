/** Where the forms of the login pages may lead. */
import type { Page } from '../../http/page/layout.ts';
import type { AuthorizationRequest } from '../pending-requests.ts';

/**
 * The CSP source of the request's redirect URI: its origin, or its scheme if CSP cannot express the origin (IPv6).
 * Device logins end on this server.
 */
export function readFormTarget({ answer }: AuthorizationRequest): Pick<Page, 'formTarget'> {
  if (answer.kind === 'device') return {};
  const { protocol, origin, hostname } = new URL(answer.redirect_uri);
  return { formTarget: origin === 'null' || hostname.startsWith('[') ? protocol : origin };
}
