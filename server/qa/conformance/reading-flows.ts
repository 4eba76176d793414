/** Flows that change nothing. */
import { isEventStream } from '../../../src/contract/endpoint.ts';
import type { Endpoint } from '../../../src/contract/endpoint.ts';
import { contract } from '../../../src/contract/index.ts';
import { bearers, hasParams, itemsOf, readProblems, readOne, fillMissing } from './flow.ts';
import type { FlowContext } from './flow.ts';
import type { Probe, Observation } from './probe.ts';

const { oauth, jobs } = contract;

const isPaged = ({ query }: Endpoint): boolean => query?.properties?.['cursor'] !== undefined;

export async function metadata({ probe, has }: FlowContext): Promise<void> {
  const { metadata, jwks, authorize, token } = oauth.endpoints;
  if (!has(metadata)) return;
  const seen = await probe.ask(metadata, {}, { status: 200 });
  if (!seen.ok) return;
  const base = probe.options.server;
  const document = Object(seen.body) as Readonly<Record<string, unknown>>;
  const is = (name: string, expected: unknown) =>
    probe.expect(
      document[name] === expected,
      seen,
      `${name}: ${String(expected)}`,
      String(document[name] ?? 'nothing').slice(0, 200),
      'RFC 8414 2; 4.1',
    );
  is('issuer', base);
  is('authorization_endpoint', base + authorize.path);
  is('token_endpoint', base + token.path);
  const holds = (name: string, word: string) =>
    probe.expect(
      (Array.isArray(document[name]) ? (document[name] as unknown[]) : []).includes(word),
      seen,
      `${name} with ${word}`,
      'without',
      'RFC 8414 2; 5',
    );
  holds('response_types_supported', 'code');
  holds('grant_types_supported', 'authorization_code');
  holds('grant_types_supported', 'refresh_token');
  holds('code_challenge_methods_supported', 'S256');
  await probe.ask(jwks, {}, { status: 200 });
}

export async function refusedLogins({ probe }: FlowContext): Promise<void> {
  const { token, revoke, authorize } = oauth.endpoints;
  const form = (text: string) => ({ raw: { type: 'application/x-www-form-urlencoded', text } });
  const isRefused = (seen: Observation, words: readonly string[]) => {
    const { error } = Object(seen.body) as { error?: unknown };
    probe.expect(
      words.includes(String(error)),
      seen,
      `error: ${words.join(' or ')}`,
      String(error).slice(0, 60),
      '4.1; RFC 6749 5.2',
    );
  };
  const client = 'client_id=check_unknown_0&client_secret=check_unknown_0';
  const stranger = await probe.ask(token, form(`grant_type=refresh_token&refresh_token=x&${client}`), {
    status: [400, 401],
  });
  isRefused(stranger, ['invalid_client']);
  isRefused(await probe.ask(token, form(''), { status: [400, 401] }), ['invalid_request', 'invalid_client']);
  isRefused(await probe.ask(revoke, form(`token=x&${client}`), { status: [400, 401] }), ['invalid_client']);
  // An unknown client gets a page instead of a redirect (RFC 6749 3.1.2.4).
  const sent = await probe.ask(
    authorize,
    {
      query: {
        response_type: 'code',
        client_id: 'check_unknown_0',
        redirect_uri: 'https://example.invalid/',
        scope: 'jobs:read',
        state: 'x',
      },
    },
    { status: 400 },
  );
  probe.expect(
    sent.headers['location'] === undefined,
    sent,
    'no redirect for an unknown client',
    'a redirect',
    '4.1; RFC 6749 3.1.2.4',
  );
}

export async function tokens({ probe, has }: FlowContext): Promise<void> {
  for (const endpoint of bearers.filter(
    (each) => each.method === 'GET' && has(each) && (!hasParams(each) || !each.extension),
  )) {
    for (const token of [null, 'check.not.a-token']) {
      const seen = await probe.ask(
        endpoint,
        { ...fillMissing(endpoint), token },
        { status: 401, code: 'UNAUTHORIZED' },
      );
      if (!seen.ok) continue;
      probe.expect(
        /^Bearer\b/i.test(seen.headers['www-authenticate'] ?? ''),
        seen,
        'WWW-Authenticate: Bearer',
        seen.headers['www-authenticate'] === undefined ? 'nothing' : 'something else',
        'RFC 6750 3; 5',
      );
      const { hint } = Object((Object(seen.body) as { error?: { details?: unknown } }).error?.details) as {
        hint?: unknown;
      };
      probe.expect(typeof hint === 'string', seen, 'error.details.hint', 'nothing', '4.2');
    }
  }
}

export async function lists({ probe, has }: FlowContext): Promise<void> {
  for (const endpoint of bearers.filter(
    (each) =>
      each.method === 'GET' &&
      has(each) &&
      !hasParams(each) &&
      each.answer === 'envelope' &&
      each !== oauth.endpoints.validate,
  )) {
    const whole = await probe.ask(endpoint, { query: fillMissing(endpoint).query }, { status: 200 });
    if (!isPaged(endpoint)) continue;
    await pages(probe, endpoint);
    const refused = await probe.ask(endpoint, { query: { limit: 0 } }, { status: 400, code: 'VALIDATION_FAILED' });
    probe.expect(
      readProblems(refused).some(({ field }) => field === 'limit'),
      refused,
      'details.errors[].field: limit',
      'another',
      '7',
    );
    await probe.ask(endpoint, { query: { cursor: 'check-no-cursor' } }, { status: 400, code: 'VALIDATION_FAILED' });
    const id = itemsOf(whole)[0]?.['id'];
    const one = bearers.find(({ method, path }) => method === 'GET' && path === `${endpoint.path}/{id}`);
    if (id !== undefined && one && has(one)) await readOne(probe, one, String(id));
  }
}

/** Reads three pages of one item, and checks that no item repeats. */
async function pages(probe: Probe, endpoint: Endpoint): Promise<void> {
  const ids = new Set<unknown>();
  let cursor: unknown;
  for (let page = 0; page < 3; page++) {
    const seen = await probe.ask(
      endpoint,
      { query: { limit: 1, ...(cursor !== undefined && { cursor }) } },
      { status: 200 },
    );
    if (!seen.ok) return;
    const items = itemsOf(seen);
    probe.expect(
      items.length <= 1,
      seen,
      'a page of at most 1 item with limit=1',
      `${items.length} items`,
      '4.3; extension',
    );
    const [{ id } = {}] = items as { id?: unknown }[];
    if (id !== undefined)
      probe.expect(!ids.has(id), seen, 'each item on one page', 'an item on two pages', '4.3; extension');
    ids.add(id);
    cursor = seen.data['next_cursor'];
    if (typeof cursor !== 'string') return;
    probe.expect(items.length > 0, seen, 'no next_cursor on an empty page', 'a next_cursor', '4.3; extension');
  }
}

export async function missingResources({ probe, has }: FlowContext): Promise<void> {
  for (const endpoint of bearers.filter(
    (each) => each.method === 'GET' && has(each) && hasParams(each) && !isEventStream(each),
  )) {
    await probe.ask(endpoint, fillMissing(endpoint), { status: 404, code: 'NOT_FOUND' });
  }
  const { list } = jobs.endpoints;
  await probe.ask(list, { path: '/api/v1/check-unknown' }, { status: 404, code: 'NOT_FOUND' });
}

const limitHeaders = [
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'ratelimit-policy',
  'ratelimit',
];

/** A service without a rate limit sends none of the headers; one with a limit sends all of them, always. */
export async function limits({ probe }: FlowContext): Promise<void> {
  const answers = probe.seen.filter(({ status }) => status >= 200 && status < 400);
  if (!answers.some(({ headers }) => limitHeaders.some((name) => headers[name] !== undefined))) return;
  for (const seen of answers) {
    const missing = limitHeaders.filter((name) => seen.headers[name] === undefined);
    probe.expect(missing.length === 0, seen, 'the headers of the rate limit', `without ${missing.join(', ')}`, '7, 8');
    const limit = Number(seen.headers['x-ratelimit-limit']);
    const remaining = Number(seen.headers['x-ratelimit-remaining']);
    if (missing.length === 0)
      probe.expect(remaining <= limit, seen, 'no more requests left than the limit', `${remaining} of ${limit}`, '8');
  }
}
