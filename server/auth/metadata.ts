/** Authorization server metadata (RFC 8414), derived from the contract. */
import { assertionAlgorithms, grantTypes, oauth } from '../../src/contract/oauth.ts';
import { allScopes } from '../../src/contract/scopes.ts';

/** `issuer`: the URL of this server, without a trailing slash. */
export function buildMetadata(issuer: string): Record<string, unknown> {
  const { authorize, deviceAuthorization, token, revoke, jwks } = oauth.endpoints;
  const methods = ['client_secret_basic', 'client_secret_post', 'private_key_jwt'];
  return {
    issuer,
    authorization_endpoint: issuer + authorize.path,
    token_endpoint: issuer + token.path,
    device_authorization_endpoint: issuer + deviceAuthorization.path,
    revocation_endpoint: issuer + revoke.path,
    jwks_uri: issuer + jwks.path,
    scopes_supported: allScopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: grantTypes,
    token_endpoint_auth_methods_supported: methods,
    token_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
    revocation_endpoint_auth_methods_supported: methods,
    revocation_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    ui_locales_supported: ['en', 'pt-BR', 'es'],
  };
}
