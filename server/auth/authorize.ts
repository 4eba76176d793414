/** Answers the authorize endpoint: with a code, the login page, or a refusal (RFC 6749 4.1.2). */
import type { RawOutput } from '../../src/contract/endpoint.ts';
import { AppError } from '../../src/contract/errors.ts';
import { browserCookie } from './pages/browser-cookie.ts';
import { errorPage } from './pages/error-page.ts';
import { pageAddress } from './pages/paths.ts';
import { chooseLanguage } from '../http/page/page-words.ts';
import { approve } from './approval.ts';
import { findTestUser } from './accounts.ts';
import { requireChecked } from './exchange.ts';
import type { Exchange } from './exchange.ts';
import { OAuthError, oauthError } from '../http/oauth-error.ts';
import type { AuthorizationRequest, RedirectAnswer } from './pending-requests.ts';
import { backToClient, seeOther } from './redirect.ts';

/** Approves test clients at once in the name of their test user. For other clients a person logs in. */
export async function answerAuthorize(exchange: Exchange): Promise<RawOutput> {
  const { services, pending } = exchange.server;
  const request = createRequest(exchange);
  if (requireChecked(exchange, 'interactive')) {
    const opened = await pending.open(request);
    return seeOther(pageAddress('login', opened), { 'Set-Cookie': browserCookie(opened) });
  }
  const user = await findTestUser(services.store, request.space);
  if (!user) throw oauthError('access_denied', 'The test user of this client was deleted');
  return approve(services, request, user.id);
}

function createRequest(exchange: Exchange): AuthorizationRequest<RedirectAnswer> {
  const client = requireChecked(exchange, 'client');
  return {
    client_id: client.id,
    client_name: client.name,
    space: client.space,
    scope: requireChecked(exchange, 'scope'),
    answer: {
      kind: 'redirect',
      redirect_uri: requireChecked(exchange, 'redirect_uri'),
      state: requireChecked(exchange, 'state'),
      code_challenge: requireChecked(exchange, 'code_challenge'),
    },
    issuer: exchange.issuer,
    ui_locales: exchange.params.ui_locales,
  };
}

/**
 * RFC 6749 4.1.2.1: redirects to the URI once it is known to be the client's, otherwise shows a page without links. The
 * `state` is returned unchanged.
 */
export function refuseAuthorize(exchange: Exchange, error: unknown): RawOutput {
  const refusal = toRefusal(error);
  const { redirect_uri } = exchange.checked;
  if (redirect_uri === undefined) {
    const language = chooseLanguage(exchange.params.ui_locales, exchange.header('accept-language'));
    return errorPage({ language, kind: 'request', detail: refusal });
  }
  return backToClient(redirect_uri, exchange.issuer, {
    error: refusal.error,
    error_description: refusal.description,
    state: exchange.params.state,
  });
}

/** A redirect cannot carry status 503, so a store failure becomes an error code; a bug stays an error. */
function toRefusal(error: unknown): OAuthError {
  if (error instanceof OAuthError) return error;
  if (error instanceof AppError) return oauthError('temporarily_unavailable', error.message);
  throw error;
}
