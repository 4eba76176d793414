/** Where the forms of the pages of a login may lead. */
import type { Page } from '../../http/page/layout.ts';
import type { AuthorizationRequest } from '../pending-requests.ts';

/**
 * Where the forms of a request lead in the end, as the CSP source of the redirect URI: its origin, or its scheme where CSP
 * has no way to write the origin (IPv6). A device login stays here.
 */
export function readFormTarget({ answer }: AuthorizationRequest): Pick<Page, 'formTarget'> {
  if (answer.kind === 'device') return {};
  const { protocol, origin, hostname } = new URL(answer.redirect_uri);
  return { formTarget: origin === 'null' || hostname.startsWith('[') ? protocol : origin };
}
