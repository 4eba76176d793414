/** Redirects to the application with the user's decision: a code or a refusal (RFC 6749 4.1.2). */
import type { RawOutput } from '../../src/contract/endpoint.ts';
import type { AuthorizationServices } from './exchange.ts';
import { issueCode } from './grants.ts';
import type { AuthorizationRequest, RedirectAnswer } from './pending-requests.ts';
import { backToClient } from './redirect.ts';

type RedirectRequest = AuthorizationRequest<RedirectAnswer>;

export async function approve(
  services: AuthorizationServices,
  request: RedirectRequest,
  userId: string,
): Promise<RawOutput> {
  const code = await issueCode(services, request, userId);
  const { redirect_uri, state } = request.answer;
  return backToClient(redirect_uri, request.issuer, { code, state });
}

export const deny = ({ issuer, answer: { redirect_uri, state } }: RedirectRequest): RawOutput =>
  backToClient(redirect_uri, issuer, {
    error: 'access_denied',
    error_description: 'The user did not approve',
    state,
  });
