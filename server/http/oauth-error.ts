/**
 * The one exception to the one error class: the authorization server refuses in the words of RFC 6749,
 * which are neither the API's codes nor its envelope.
 */

/** RFC 6749 4.1.2.1 and 5.2, RFC 8628 3.5; `temporarily_unavailable` with 429 for a client that has to wait. */
export const oauthErrorCodes = [
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'invalid_scope',
  'unauthorized_client',
  'unsupported_grant_type',
  'unsupported_response_type',
  'access_denied',
  'authorization_pending',
  'slow_down',
  'expired_token',
  'server_error',
  'temporarily_unavailable',
] as const;
export type OAuthErrorCode = (typeof oauthErrorCodes)[number];

export class OAuthError extends Error {
  readonly error: OAuthErrorCode;
  /** For the developer of the client. */
  readonly description: string;
  readonly status: number;
  /** In addition to those that every OAuth error has. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    error: OAuthErrorCode,
    description: string,
    status = 400,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(`${error}: ${description}`);
    this.name = 'OAuthError';
    this.error = error;
    this.description = printable(description);
    this.status = status;
    this.headers = headers;
  }
}

export const oauthError = (...args: ConstructorParameters<typeof OAuthError>): OAuthError => new OAuthError(...args);

/** RFC 6749 5.2 allows no quotation mark, no backslash and ASCII alone; a parameter's name may be anything. */
const printable = (text: string): string => text.replace(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, '?');
