/** Tokens of the FHIRcast hub of another system, by the credentials of a client (RFC 6749 4.4). */
import { isLoopback } from '../../client/address.ts';
import type { Transport } from '../../client/transport.ts';
import { AppError } from '../../contract/errors.ts';
import type { HubFault } from '../../contract/viewer.ts';
import type { Clock } from '../../domain/clock.ts';

export interface HubLogin {
  /** Where tokens are had: https, or http on this computer. */
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly secret: string;
}

export interface HubToken {
  readonly access_token: string;
  /** Milliseconds since 1970. */
  readonly expires_at: number;
}

const scope = 'fhircast/*.*';
/** Bytes. */
const maxAnswer = 64 * 1024;
/** Seconds of a token whose answer doesn't say. */
const shortLife = 300;

export async function askForHubToken(
  { tokenUrl, clientId, secret }: HubLogin,
  { transport, clock }: { readonly transport: Transport; readonly clock: Clock },
): Promise<HubToken | HubFault> {
  const oauth = await import('oauth4webapi');
  const { origin, hostname } = new URL(tokenUrl);
  const server = { issuer: origin, token_endpoint: tokenUrl };
  const client = { client_id: clientId };
  const proof = oauth.ClientSecretBasic(secret);
  try {
    const response = await oauth.clientCredentialsGrantRequest(
      server,
      client,
      proof,
      { scope },
      {
        [oauth.customFetch]: fetchBy(transport),
        [oauth.allowInsecureRequests]: isLoopback(hostname),
      },
    );
    const answer = await oauth.processClientCredentialsResponse(server, client, response);
    const isForHub = answer.scope === undefined || answer.scope.includes('fhircast/');
    if (!isForHub) return 'forbidden';
    return { access_token: answer.access_token, expires_at: clock.now() + (answer.expires_in ?? shortLife) * 1000 };
  } catch (error) {
    if (error instanceof oauth.ResponseBodyError) return error.error === 'invalid_scope' ? 'forbidden' : 'unauthorized';
    if (error instanceof oauth.WWWAuthenticateChallengeError) return 'unauthorized';
    // Neither an answer of OAuth nor a defect of this program: something else answers there, or nothing.
    if (error instanceof oauth.OperationProcessingError || error instanceof AppError) return 'unreachable';
    throw error;
  }
}

/** The calls of the library over the transport, which knows the proxies. */
const fetchBy =
  (transport: Transport) =>
  async (
    url: string,
    { headers, body }: { readonly headers: Record<string, string>; readonly body?: unknown },
  ): Promise<Response> => {
    const answer = await transport({ method: 'POST', url, headers, body: String(body) });
    return new Response(await answer.text(maxAnswer), { status: answer.status, headers: answer.headers });
  };
