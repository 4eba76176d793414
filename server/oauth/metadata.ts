/** Authorization server metadata (RFC 8414), read from the contract. */
import { oauth } from '../../src/contract/oauth.ts';
import { allScopes } from '../../src/contract/scopes.ts';

/** `issuer`: the URL at which the server was asked, without a slash at its end. */
export function metadataOf(issuer: string): Record<string, unknown> {
  const { authorize, token, revoke, jwks } = oauth.endpoints;
  const clientAuthentication = ['client_secret_basic', 'client_secret_post'];
  return {
    issuer,
    authorization_endpoint: issuer + authorize.path,
    token_endpoint: issuer + token.path,
    revocation_endpoint: issuer + revoke.path,
    jwks_uri: issuer + jwks.path,
    scopes_supported: allScopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: clientAuthentication,
    revocation_endpoint_auth_methods_supported: clientAuthentication,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    ui_locales_supported: ['en', 'pt-BR', 'es'],
  };
}
