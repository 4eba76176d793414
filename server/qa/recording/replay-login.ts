/**
 * The authorization server of a replay. A recording has no codes, states or tokens, and a client's are always new: every login
 * succeeds at once, and every token is accepted. A recorded refusal is repeated.
 */
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { HarEntry } from '../../../src/client/har.ts';
import { contract } from '../../../src/contract/index.ts';
import { accessTokenSeconds, deviceCodeSeconds } from '../../../src/contract/oauth.ts';
import { allScopes } from '../../../src/contract/scopes.ts';
import { isoNow } from '../../../src/domain/clock.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import { builtInTestClient } from '../../auth/bootstrap.ts';
import { buildMetadata } from '../../auth/metadata.ts';
import { mediaTypeOf } from './content.ts';
import type { RecordedRequest } from './exchange.ts';
import { jsonHeaders, sendJson } from './loopback-server.ts';

interface LoginAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const { authorize, token, deviceAuthorization, revoke, metadata, jwks, validate } = contract.oauth.endpoints;

const json = (body: unknown, status = 200): LoginAnswer => ({
  status,
  headers: jsonHeaders(),
  body: JSON.stringify(body),
});

const fieldsOf = ({ content }: RecordedRequest): URLSearchParams =>
  new URLSearchParams(
    content.kind === 'form' ? content.fields.map(([name, value]): [string, string] => [name, value]) : [],
  );

/** The answer to a call of a login; `own` is the replay's URL, `recorded` returns the next recorded answer to the call. */
export function answerLogin(
  call: RecordedRequest,
  own: string,
  recorded: () => HarEntry | undefined,
): LoginAnswer | undefined {
  const [path = '', search = ''] = call.address.split('?', 2);
  const is = (endpoint: { readonly method: string; readonly path: string }): boolean =>
    endpoint.method === call.method && endpoint.path === path;
  if (is(metadata)) return json(buildMetadata(own));
  if (is(jwks)) return json({ keys: [] });
  if (is(authorize)) return redirect(new URLSearchParams(search), own);
  if (is(revoke)) return toRefusal(recorded()) ?? json({});
  if (is(token)) return toRefusal(recorded()) ?? json(createTokens(fieldsOf(call)));
  if (is(deviceAuthorization)) return json(createCodes(own));
  return undefined;
}

/** RFC 6749 4.1.2, RFC 9207 2. An invalid redirect URI is a bad request. */
function redirect(query: URLSearchParams, own: string): LoginAnswer {
  const target = query.get('redirect_uri') ?? '';
  if (!URL.canParse(target)) return json({ error: 'invalid_request' }, 400);
  const url = new URL(target);
  url.searchParams.set('code', `code-${randomUUID()}`);
  url.searchParams.set('iss', own);
  const state = query.get('state');
  if (state !== null) url.searchParams.set('state', state);
  const { headers } = json(null);
  return { status: 303, headers: { ...headers, 'content-type': 'text/html', location: url.href }, body: '' };
}

function createTokens(fields: URLSearchParams): Record<string, unknown> {
  const isMachine = fields.get('grant_type') === 'client_credentials';
  return {
    access_token: `replayed-${randomUUID()}`,
    token_type: 'Bearer',
    expires_in: accessTokenSeconds,
    ...(!isMachine && { refresh_token: `replayed-${randomUUID()}` }),
    scope: fields.get('scope') ?? allScopes.join(' '),
  };
}

/** Answers token validation if the archive does not. Returns whether the call was one. */
export function answerValidation(
  { method, address }: RecordedRequest,
  clock: Clock,
  response: ServerResponse,
): boolean {
  if (method !== validate.method || address !== validate.path) return false;
  const id = `req_${randomUUID()}`;
  const answer = {
    success: true,
    data: {
      valid: true,
      client_id: builtInTestClient.client_id,
      user: null,
      scope: allScopes.join(' '),
      test_mode: true,
      expires_at: new Date(clock.now() + accessTokenSeconds * 1000).toISOString(),
      expires_in: accessTokenSeconds,
    },
    meta: { request_id: id, timestamp: isoNow(clock), processing_time_ms: 0 },
  };
  sendJson(response, 200, answer, { 'x-request-id': id });
  return true;
}

const createCodes = (own: string) => ({
  device_code: `device-${randomUUID()}`,
  user_code: 'WDJB-MJHT',
  verification_uri: `${own}/device`,
  verification_uri_complete: `${own}/device?user_code=WDJB-MJHT`,
  expires_in: deviceCodeSeconds,
  interval: 1,
});

function toRefusal(entry: HarEntry | undefined): LoginAnswer | undefined {
  if (!entry || entry.response.status < 400) return undefined;
  const { status, content } = entry.response;
  if (mediaTypeOf({ 'content-type': content.mimeType }) !== 'application/json' || !content.text) return undefined;
  return { ...json(null, status), body: content.text };
}
