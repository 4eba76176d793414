/** The token endpoint from the client's side: exchanges codes, refreshes tokens and revokes them. */
import { createCaller } from '../../client/client.ts';
import type { ClientOptions } from '../../client/client.ts';
import { AppError } from '../../contract/errors.ts';
import { contract } from '../../contract/index.ts';
import { deviceGrantType } from '../../contract/oauth.ts';
import type { TokenResponse } from '../../contract/oauth.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Credentials } from './credential-store.ts';

export interface OAuthClient {
  readonly client_id: string;
  readonly client_secret: string;
}

export interface TokenEndpoint {
  /** LOGIN_FAILED when the server refuses. */
  exchange(grant: { code: string; redirect_uri: string; code_verifier: string }): Promise<Credentials>;
  /** The server's own error while nobody has approved the device. */
  redeemDevice(deviceCode: string): Promise<Credentials>;
  /** LOGIN_REQUIRED when the refresh token is no longer valid. */
  refresh(refreshToken: string): Promise<Credentials>;
  /** A refresh token's access tokens end with it. */
  revoke(token: string, hint: 'access_token' | 'refresh_token'): Promise<void>;
}

/** Tokens for the fields of a grant and of the client's proof. Throws the server's error. */
export async function askForTokens(
  options: ClientOptions,
  fields: Readonly<Record<string, string>>,
): Promise<Credentials> {
  const answer = await createCaller(options)(contract.oauth.endpoints.token, { body: fields });
  if (!('data' in answer)) throw new AppError('BAD_ANSWER');
  return credentialsFrom(answer.data as TokenResponse, options.clock);
}

export function createTokenEndpoint(options: ClientOptions, client: OAuthClient): TokenEndpoint {
  const call = createCaller(options);
  const { revoke } = contract.oauth.endpoints;
  const ask = async (grant: Readonly<Record<string, string>>): Promise<Credentials> => ({
    ...(await askForTokens(options, { ...grant, ...client })),
    client_secret: client.client_secret,
  });
  return {
    exchange: (grant) => ask({ grant_type: 'authorization_code', ...grant }).catch(refusedAs('LOGIN_FAILED')),
    redeemDevice: (deviceCode) => ask({ grant_type: deviceGrantType, device_code: deviceCode }),
    refresh: async (refreshToken) => {
      const fresh = await ask({ grant_type: 'refresh_token', refresh_token: refreshToken }).catch(
        refusedAs('LOGIN_REQUIRED'),
      );
      // A refresh token that the answer does not replace stays valid (RFC 6749 6).
      return { refresh_token: refreshToken, ...fresh };
    },
    revoke: async (subject, hint) => {
      await call(revoke, { body: { token: subject, token_type_hint: hint, ...client } });
    },
  };
}

/** RFC 6749 5.1; types were checked by the contract's schema already. */
function credentialsFrom(answer: TokenResponse, clock: Clock): Credentials {
  const usable =
    answer.token_type.toLowerCase() === 'bearer' && answer.expires_in > 0 && /^[\x21-\x7e]+$/.test(answer.access_token);
  if (!usable) throw new AppError('BAD_ANSWER', { message: 'The token endpoint’s answer is not usable.' });
  return {
    access_token: answer.access_token,
    expires_at: clock.now() + answer.expires_in * 1000,
    scope: answer.scope,
    ...(answer.refresh_token !== undefined && { refresh_token: answer.refresh_token }),
  };
}

/** Turns a refusal in OAuth's own words into a login error; other errors pass unchanged. */
export const refusedAs =
  (code: 'LOGIN_FAILED' | 'LOGIN_REQUIRED') =>
  (error: unknown): never => {
    if (!(error instanceof AppError) || typeof error.details?.['oauth_error'] !== 'string' || error.status === 429)
      throw error;
    if (error.status !== null && error.status >= 500) throw error;
    const wrongClient = error.details['oauth_error'] === 'invalid_client';
    throw new AppError(code, {
      message: wrongClient
        ? 'The server does not accept this client id and secret.'
        : code === 'LOGIN_REQUIRED'
          ? 'The login has ended.'
          : `The server refused the login: ${error.message}`,
      details: error.details,
      hint: wrongClient ? 'Check the client id and LAUDIO_CLIENT_SECRET.' : 'Run "laudio login".',
      ...(error.status !== null && { status: error.status }),
      ...(error.requestId !== undefined && { requestId: error.requestId }),
    });
  };
