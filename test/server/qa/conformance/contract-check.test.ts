/** The check of a service finds nothing at the embedded server, and whatever is planted between it and the check. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createServer } from '../../../../server/index.ts';
import type { Server } from '../../../../server/index.ts';
import { flows } from '../../../../server/qa/conformance/flows.ts';
import { checkContract, createContractCheck } from '../../../../server/qa/conformance/index.ts';
import type { ContractCheckOptions, ContractReport } from '../../../../server/qa/conformance/index.ts';
import type { IncomingAnswer, OutgoingRequest, Transport } from '../../../../src/client/transport.ts';
import { AppError } from '../../../../src/contract/errors.ts';
import { allScopes } from '../../../../src/contract/scopes.ts';
import { systemClock } from '../../../../src/node/clock.ts';
import { createHttpCall } from '../../../../src/node/http/http-call.ts';
import { logIn } from '../../../../src/node/login/oauth-login.ts';
import { cheapSecrets } from '../../../support/cheap-secrets.ts';

let server: Server;
let token: string;
let waited = 0;
// Schemas are compiled once for all tests.
const answers = createContractCheck('0');
const clock = { ...systemClock, elapsed: () => systemClock.elapsed() + waited };
const http = createHttpCall({ timeout: 20_000, env: {} });
beforeAll(async () => {
  server = await createServer({
    version: '0',
    store: { use: 'memory' },
    rateLimit: 0,
    port: 0,
    secretCosts: cheapSecrets,
  });
  const options = { transport: http.transport, server: server.url, clock, random: Math.random, uuid: randomUUID };
  ({ access_token: token } = await logIn({
    http: options,
    client: { client_id: 'test_tc_local', client_secret: 'test_tcs_local' },
    scope: allScopes.join(' '),
    userAgent: { kind: 'http' },
    notify: () => undefined,
  }));
});
afterAll(async () => {
  await http.close();
  await server.close();
});

const check = (
  transport: Transport,
  more: Partial<ContractCheckOptions> = {},
  names?: readonly string[],
): Promise<ContractReport> =>
  checkContract(
    {
      transport,
      server: server.url,
      token: async () => token,
      clock,
      patience: 10_000,
      version: '0',
      writes: true,
      specificationAlone: false,
      uuid: randomUUID,
      ...more,
    },
    { check: answers, ...(names && { table: flows.filter(({ name }) => names.includes(name)) }) },
  );

test('the embedded server deviates in nothing, and nothing is left but cancelled exams', async () => {
  const report = await check(http.transport);
  expect(report.deviations).toEqual([]);
  expect(report.flows.map(({ state }) => state)).toEqual(flows.map(() => 'passed'));
  expect(report.left).toEqual([1, 2].map(() => expect.stringMatching(/^exam wli_\w+, cancelled$/) as string));
  const read = async (path: string) => {
    const answer = await fetch(server.url + path, { headers: { authorization: `Bearer ${token}` } });
    return ((await answer.json()) as { data: { items: { status: string }[] } }).data.items;
  };
  expect(await read('/api/v1/medical-records')).toEqual([]);
  expect(await read('/api/v1/macros')).toEqual([]);
  expect(await read('/api/v1/worklists/items')).toMatchObject([{ status: 'cancelled' }, { status: 'cancelled' }]);
  expect(await read('/api/v1/priors')).toEqual([]);
});

test('without --write nothing is changed', async () => {
  const methods = new Set<string>();
  const report = await check(
    (request) => {
      // Logins that are refused are all that is posted.
      if (!request.url.includes('/api/oauth/')) methods.add(request.method);
      return http.transport(request);
    },
    { writes: false },
  );
  expect(report.deviations).toEqual([]);
  expect([...methods].toSorted()).toEqual(['GET', 'HEAD']);
  expect(report.flows.filter(({ state }) => state === 'skipped')).toHaveLength(
    flows.filter(({ writes }) => writes).length,
  );
});

/** What is changed of an answer. */
interface Body {
  data?: {
    title?: unknown;
    version?: unknown;
    items?: Record<string, unknown>[];
    next_cursor?: unknown;
    processed?: number;
    test_mode?: unknown;
  };
  error?: { code?: unknown };
}

/** What a service could get wrong: the answer to the calls that it is about, made another. */
interface Planted {
  readonly what: string;
  readonly at: (request: OutgoingRequest) => boolean;
  readonly answer?: (answer: IncomingAnswer) => IncomingAnswer;
  readonly body?: (body: Body) => unknown;
  readonly request?: (request: OutgoingRequest) => OutgoingRequest;
  readonly flow: string;
  /** Endpoint, and what was found. */
  readonly found: readonly [endpoint: string | RegExp, found: RegExp];
}

const path = (request: OutgoingRequest): string => new URL(request.url).pathname;
const isOk = ({ status }: IncomingAnswer) => status < 300;
const withoutHeader = (name: string) => (answer: IncomingAnswer) => {
  const { [name]: _gone, ...headers } = answer.headers;
  return { ...answer, headers };
};
const withHeader = (name: string, value: string) => (answer: IncomingAnswer) => ({
  ...answer,
  headers: { ...answer.headers, [name]: value },
});
const toJobs = (request: OutgoingRequest) => path(request) === '/api/v1/jobs' && request.method === 'GET';
const toGenerate = (request: OutgoingRequest) => path(request).endsWith('/generate');
const toIngest = (request: OutgoingRequest) => path(request).endsWith('/ingest');
const lists = 'lists, page by page';
const exams = 'ingest and status of exams';
const dictation = 'a document, from dictation to export';
const firstItem = (body: Body, change: (item: Record<string, unknown>) => void) => {
  const item = body.data?.items?.[0];
  if (item) change(item);
  return body;
};

const planted: readonly Planted[] = [
  { what: 'a missing field', at: toGenerate, body: (body) => (delete body.data?.title, body), flow: dictation, found: ['POST /api/v1/medical-records/generate', /data\.title is required/] },
  { what: 'a wrong type', at: toGenerate, body: (body) => (body.data && (body.data.version = '1'), body), flow: dictation, found: [/generate/, /data\.version must be a whole number/] },
  { what: 'a word that is none', at: toIngest, body: (body) => firstItem(body, (item) => (item['status'] = 'made')), flow: exams, found: [/ingest/, /status must be one of/] },
  { what: 'a field that is none', at: toJobs, body: (body) => ({ ...body, extra: 1 }), flow: lists, found: ['GET /api/v1/jobs', /extra is not a field/] },
  { what: 'a wrong status', at: toGenerate, answer: (answer) => (answer.status === 201 ? { ...answer, status: 200 } : answer), flow: dictation, found: [/generate/, /^200/] },
  { what: 'a wrong code', at: toJobs, body: (body) => (body.error && (body.error.code = 'FORBIDDEN'), body), flow: 'calls without a valid token', found: ['GET /api/v1/jobs', /401 FORBIDDEN/] },
  { what: 'no X-Request-Id', at: toJobs, answer: withoutHeader('x-request-id'), flow: lists, found: ['GET /api/v1/jobs', /X-Request-Id is missing/] },
  { what: 'another request id', at: toJobs, answer: withHeader('x-request-id', 'req_other'), flow: lists, found: ['GET /api/v1/jobs', /meta\.request_id/] },
  { what: 'no X-Processing-Time', at: toJobs, answer: withoutHeader('x-processing-time'), flow: lists, found: ['GET /api/v1/jobs', /X-Processing-Time/] },
  { what: 'no ETag', at: (request) => request.method === 'GET', answer: withoutHeader('etag'), flow: dictation, found: ['GET /api/v1/medical-records/{id}', /header etag is missing/] },
  { what: 'no challenge', at: toJobs, answer: withoutHeader('www-authenticate'), flow: 'calls without a valid token', found: ['GET /api/v1/jobs', /www-authenticate is missing/] },
  { what: 'no Location', at: toGenerate, answer: withoutHeader('location'), flow: 'an asynchronous document', found: [/generate/, /header location is missing/] },
  { what: 'another content type', at: toJobs, answer: withHeader('content-type', 'text/html'), flow: lists, found: ['GET /api/v1/jobs', /text\/html is not described/] },
  { what: 'no JSON', at: toJobs, body: () => undefined, flow: lists, found: ['GET /api/v1/jobs', /not JSON/] },
  { what: 'an empty 404', at: (request) => path(request).endsWith('check-unknown'), body: () => ({}), flow: 'resources that do not exist', found: [/GET/, /^404$/] },
  { what: 'pages that are too long', at: (request) => path(request) === '/api/v1/templates' || toItems(request), body: (body) => (body.data?.items?.[0] && body.data.items.push(body.data.items[0]), body), flow: lists, found: [/worklists\/items/, /2 items/] },
  { what: 'a cursor for ever', at: toItems, body: (body) => (body.data && (body.data.next_cursor = 'again'), body), request: (request) => ({ ...request, url: request.url.replace('&cursor=again', '') }), flow: lists, found: [/worklists\/items/, /on two pages/] },
  { what: 'limits that are not looked at', at: toJobs, request: (request) => ({ ...request, url: request.url.replace('limit=0', 'limit=1') }), flow: lists, found: ['GET /api/v1/jobs', /^200/] },
  { what: 'an Idempotency-Key that is ignored', at: toIngest, request: ({ headers: { 'idempotency-key': _key, ...headers }, ...request }) => ({ ...request, headers }), flow: exams, found: [/ingest/, /another batch/] },
  { what: 'an If-Match that is ignored', at: (request) => request.method === 'PUT', request: ({ headers: { 'if-match': _tag, ...headers }, ...request }) => ({ ...request, headers }), flow: dictation, found: ['PUT /api/v1/medical-records/{id}', /^200/] },
  { what: 'counts that do not add up', at: toIngest, body: (body) => (body.data && (body.data.processed! += 1), body), flow: exams, found: [/ingest/, /, not/] },
  { what: 'a token that is not looked at', at: toJobs, request: (request) => ({ ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } }), flow: 'calls without a valid token', found: ['GET /api/v1/jobs', /^200/] },
  { what: 'another issuer', at: (request) => path(request).startsWith('/.well-known'), body: (body) => ({ ...body, issuer: 'https://other.example' }), flow: 'authorization server metadata', found: [/well-known/, /other\.example/] },
  { what: 'a half of the limit headers', at: () => true, answer: (answer) => (isOk(answer) ? withHeader('x-ratelimit-limit', '100')(answer) : answer), flow: 'rate limit headers', found: ['GET /api/v1/jobs', /without x-ratelimit-remaining/] },
  { what: 'a signature that stays', at: (request) => path(request).endsWith('/signing'), request: (request) => ({ ...request, method: 'GET', url: request.url.replace('/signing', '') }), flow: 'a signature that is taken back', found: ['DELETE /api/v1/medical-records/{id}/signing', /`signing`/] },
  { what: 'a grace period that is left out', at: (request) => request.method === 'PUT', body: (body) => (body.data && delete (body.data as Record<string, unknown>)['signing'], body), flow: 'a signature that is taken back', found: ['PUT /api/v1/medical-records/{id}', /draft/] },
  { what: 'a communication that is not in the text', at: (request) => request.method === 'PUT', body: (body) => (body.data && Object.assign(body.data, { text: '' }), body), flow: 'a critical result, from open to told', found: [/critical-results\/\{result\}/, /version/] },
  { what: 'a filter that is not looked at', at: (request) => path(request).endsWith('/worklists/items'), request: (request) => ({ ...request, url: request.url.replace(/status=[^&]*&/, '') }), flow: 'assigning an exam, and its priors', found: [/worklists\/items/, /true/] },
  { what: 'a prior that is not corrected', at: (request) => path(request).endsWith('/priors'), body: (body) => firstItem(body, (item) => (item['status'] = 'final')), flow: 'assigning an exam, and its priors', found: ['GET /api/v1/worklists/items/{id}/priors', /final/] },
  { what: 'a late answer', at: toJobs, answer: (answer) => ((waited += 60_000), answer), flow: lists, found: ['GET /api/v1/jobs', /^60/] },
  { what: 'a cut connection', at: toJobs, answer: () => { throw new AppError('NETWORK'); }, flow: lists, found: ['GET /api/v1/jobs', /^no answer/] },
]; // prettier-ignore

function toItems(request: OutgoingRequest): boolean {
  return path(request) === '/api/v1/worklists/items' && request.method === 'GET';
}

const through =
  ({ at, request: ask, answer: answered, body }: Planted): Transport =>
  async (outgoing) => {
    if (!at(outgoing)) return http.transport(outgoing);
    const answer = await http.transport(ask ? ask(outgoing) : outgoing);
    const changed = answered ? answered(answer) : answer;
    if (!body) return changed;
    const text = await answer.text(2 ** 24);
    const made = body(JSON.parse(text) as Body);
    return { ...changed, text: async () => (made === undefined ? '<html>' : JSON.stringify(made)) };
  };

describe('planted deviations', () => {
  test.each(planted.map((each) => [each.what, each] as const))('%s is found', async (_what, each) => {
    const { deviations, flows: checked } = await check(through(each), {}, [
      ...(each.flow === 'rate limit headers' ? [lists] : []),
      each.flow,
    ]);
    const [endpoint, found] = each.found;
    const same = deviations.filter((deviation) => {
      const isThere =
        typeof endpoint === 'string' ? deviation.endpoint === endpoint : endpoint.test(deviation.endpoint);
      return isThere && found.test(deviation.found);
    });
    expect(same, JSON.stringify(deviations, null, 1)).not.toEqual([]);
    expect(same[0]!.section).not.toBe('');
    expect(checked.some(({ state }) => state === 'deviates')).toBe(true);
  });
});

test('a service that is away, a token that is refused and a real client end the check', async () => {
  const away: Transport = async () => {
    throw new AppError('NETWORK');
  };
  await expect(check(away)).rejects.toMatchObject({ code: 'NETWORK' });
  await expect(check(http.transport, { token: async () => 'nobody’s'.replace('’', '') })).rejects.toMatchObject({
    code: 'LOGIN_REQUIRED',
  });
  const real: Planted = {
    ...planted[0]!,
    at: (request) => path(request).endsWith('/validate'),
    body: (body) => ((body.data!.test_mode = false), body),
  };
  await expect(check(through(real))).rejects.toMatchObject({ code: 'FORBIDDEN' });
});
