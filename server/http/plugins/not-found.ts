/**
 * Answers unknown addresses with 404, and known addresses with another method with a 405 that lists the allowed
 * methods.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isEventStream } from '../../../src/contract/endpoint.ts';
import type { Endpoint, Group } from '../../../src/contract/endpoint.ts';
import { AppError } from '../../../src/contract/errors.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import { suggestPath } from '../../../src/domain/nearest-path.ts';
import { findSenderAddress } from '../client-address.ts';
import { languageFor } from '../page/page-words.ts';
import { unknownPage } from '../page/unknown-page.ts';
import { OAuthError } from '../oauth-error.ts';
import { sendFailure } from './errors.ts';
import type { RateLimiter } from './rate-limit.ts';
import { textBefore } from '../../../src/domain/text-before.ts';

interface Deps {
  readonly clock: Clock;
  readonly rateLimiter: RateLimiter;
}

export function registerNotFound(
  app: FastifyInstance,
  groups: Readonly<Record<string, Group>>,
  { clock, rateLimiter }: Deps,
): void {
  const paths = new Map<string, Endpoint[]>();
  for (const group of Object.values(groups)) {
    for (const endpoint of Object.values(group.endpoints)) {
      paths.set(endpoint.path, [...(paths.get(endpoint.path) ?? []), endpoint]);
    }
  }
  const patterns = [...paths].map(([path, endpoints]) => ({ path, matches: patternOf(path), endpoints }));

  const refuse = async (request: FastifyRequest, reply: FastifyReply, endpoints: readonly Endpoint[] | undefined) => {
    // Requests for unknown addresses count against the same limit as requests without a token.
    if (request.url.startsWith('/api/v1/')) await rateLimiter.count(`anonymous ${findSenderAddress(request)}`, reply);
    if (!endpoints) {
      if (wantsPage(request)) return sendUnknownPage(request, reply);
      const hint = suggestPath(textBefore(request.url, '?'));
      return sendFailure(request, reply, new AppError('NOT_FOUND', { ...(hint !== undefined && { hint }) }), clock);
    }
    const allowed = listMethods(endpoints);
    reply.header('Allow', allowed.join(', '));
    if (endpoints[0]?.access === 'client') throw new OAuthError('invalid_request', `Use ${allowed.join(' or ')}`, 405);
    return sendFailure(
      request,
      reply,
      new AppError('METHOD_NOT_ALLOWED', {
        message: `This address takes ${allowed.join(', ')}.`,
        details: { allowed },
      }),
      clock,
    );
  };

  const answer = (request: FastifyRequest, reply: FastifyReply) => {
    const path = textBefore(request.url, '?');
    return refuse(request, reply, patterns.find(({ matches }) => matches.test(path))?.endpoints);
  };
  app.setNotFoundHandler(answer);
  // The framework refuses a QUERY without a media type before it gets there.
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404 && request.method === 'QUERY') answer(request, reply).catch(done);
    else done();
  });

  // The router would take the last part of such an address for an id where it has the method for one.
  for (const { path, endpoints } of patterns) {
    const alike = patterns.filter((other) => other.path !== path && other.matches.test(path));
    const others = alike.flatMap((other) => listMethods(other.endpoints)).filter((method) => method !== 'HEAD');
    const method = others.filter((other) => !listMethods(endpoints).includes(other));
    if (method.length === 0) continue;
    const onRequest = (request: FastifyRequest, reply: FastifyReply) => refuse(request, reply, endpoints);
    app.route({ method, url: path, onRequest, handler: () => undefined });
  }
}

/** Programs get JSON whatever they accept: a person never opens these by hand. */
const isForPrograms = /^\/(?:api|oauth|\.well-known)(?:\/|$)/;

/** Whether a person opened the address in a browser, which asks for HTML by its name. */
const wantsPage = ({ method, url, headers }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD') && /\btext\/html\b/i.test(headers.accept ?? '') && !isForPrograms.test(url);

function sendUnknownPage(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  request.refusal = 'NOT_FOUND';
  const { status, headers, body } = unknownPage(languageFor(request));
  return reply.code(status).headers(headers).header('Vary', 'Accept, Accept-Language').send(body);
}

function listMethods(endpoints: readonly Endpoint[]): string[] {
  const methods: string[] = endpoints.map(({ method }) => method);
  const hasHead = endpoints.some((endpoint) => endpoint.method === 'GET' && !isEventStream(endpoint));
  return hasHead ? [...methods, 'HEAD'] : methods;
}

/** `/api/v1/jobs/{id}` as a regular expression. */
const patternOf = (template: string): RegExp =>
  new RegExp(`^${template.replace(/[.$]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+')}/?$`);
