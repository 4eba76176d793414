/** Answers the application with what the user decided: a code, or a refusal (RFC 6749 4.1.2). */
import type { RawOutput } from '../../src/contract/endpoint.ts';
import type { AuthorizationServices } from './exchange.ts';
import { issueCode } from './grants.ts';
import type { AuthorizationRequest } from './pending-requests.ts';
import { backToClient } from './redirect.ts';

export async function approve(
  services: AuthorizationServices,
  request: AuthorizationRequest,
  userId: string,
): Promise<RawOutput> {
  const code = await issueCode(services, request, userId);
  return backToClient(request.redirect_uri, request.issuer, { code, state: request.state });
}

export const deny = (request: AuthorizationRequest): RawOutput =>
  backToClient(request.redirect_uri, request.issuer, {
    error: 'access_denied',
    error_description: 'The user did not approve',
    state: request.state,
  });
