/** The way of operators to the login provider and back. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RawOutput } from '../../src/contract/endpoint.ts';
import { ownName, readCookie, secureAttribute } from '../../src/node/http/cookies.ts';
import { createSealedClaims } from '../../src/node/login/sealed-claims.ts';
import type { AuthorizationServices } from '../auth/exchange.ts';
import { pendingSeconds } from '../auth/pending-requests.ts';
import { admitOperator } from '../auth/provider/admit-person.ts';
import { operatorRoles } from '../auth/provider/provider-options.ts';
import type { Provider, ProviderProblem, ProviderTrip } from '../auth/provider/provider.ts';
import { seeOther } from '../auth/redirect.ts';
import { readLoginKey } from '../auth/server-key.ts';
import { findSender } from '../http/client-address.ts';
import { html } from '../http/page/html.ts';
import { sendPage } from '../http/page/send-page.ts';
import { pageOutput } from '../http/page/layout.ts';
import { languageFor, words } from '../http/page/page-words.ts';
import { randomSecret, sameSecret } from '../runtime/secrets.ts';
import type { OperatorSessions } from './operator-sessions.ts';
import { enterPage } from './portal/enter-page.ts';
import { portal, wordsIn } from './portal/parts.ts';

export const operatorLoginPath = `${portal}/provider`;
const callbackPath = `${operatorLoginPath}/callback`;

/** The content of the cookie: only the browser that left may come back. */
interface CarriedTrip extends ProviderTrip {
  readonly state: string;
  readonly to: string;
}

interface OperatorLogin {
  readonly authorization: AuthorizationServices;
  readonly provider: Provider;
  readonly sessions: OperatorSessions;
}

export function registerOperatorLogin(
  app: FastifyInstance,
  { authorization, provider, sessions }: OperatorLogin,
): void {
  const claims = createSealedClaims({ clock: authorization.clock, key: () => readLoginKey(authorization) });

  const begin = async (request: FastifyRequest): Promise<RawOutput> => {
    const { to } = request.query as { to?: unknown };
    const { tag } = words[languageFor(request)];
    const trip = provider.createTrip();
    const state = randomSecret();
    const begun = await provider.begin(trip, { state, redirectUri: request.base + callbackPath, language: tag });
    if ('problem' in begun) return refuse(request, begun.problem);
    const carried: CarriedTrip = { ...trip, state, to: typeof to === 'string' && isOurs(to) ? to : portal };
    const sealed = await claims.seal('operator', carried, pendingSeconds);
    return seeOther(begun.address, { 'Set-Cookie': createCookie(request, sealed, pendingSeconds) });
  };

  const finish = async (request: FastifyRequest, reply: FastifyReply): Promise<RawOutput> => {
    const answer = new URLSearchParams(request.url.split('?', 2)[1]);
    const cookie = readCookie(request.headers.cookie, cookieName(request));
    const carried = await claims.open<CarriedTrip>('operator', cookie);
    if (!carried || !sameSecret(answer.get('state') ?? '', carried.state)) return refuse(request, 'expired');
    const { state, to } = carried;
    const outcome = await provider.finish(carried, { answer, state, redirectUri: request.base + callbackPath });
    if ('problem' in outcome) return refuse(request, outcome.problem);
    const { identity } = outcome;
    const role = operatorRoles.find((each) => identity.roles.has(each));
    if (!role) return refuse(request, 'no_role');
    const from = findSender(request);
    const user = await admitOperator(authorization, identity, { space: provider.space, from, role });
    authorization.noteLogin({ way: 'operator_provider', outcome: 'done', user_id: user.id, from });
    reply.header('Set-Cookie', [await sessions.enterAs(request, user, role), createCookie(request, '', 0)]);
    return welcome(request, to);
  };

  const refuse = (request: FastifyRequest, problem: ProviderProblem): RawOutput => {
    const from = findSender(request);
    authorization.noteLogin({ way: 'operator_provider', outcome: 'wrong', reason: problem, from });
    const page = enterPage(languageFor(request), portal, {
      problem: { provider: problem },
      provider: provider.name,
      asks: sessions.asks,
    });
    return { ...page, headers: { ...page.headers, 'Set-Cookie': createCookie(request, '', 0) } };
  };

  app.get(operatorLoginPath, async (request, reply) => sendPage(reply, await begin(request)));
  app.get(callbackPath, async (request, reply) => sendPage(reply, await finish(request, reply)));
}

/**
 * A page that goes on by itself: the session's cookie is for this site alone, so that browsers withhold it from a redirect that another
 * site began.
 */
function welcome(request: FastifyRequest, to: string): RawOutput {
  const language = languageFor(request);
  const { title, enter } = wordsIn(language);
  return pageOutput({
    language,
    title,
    content: html`<h1>${title}</h1>
      <div class="actions"><a class="button primary" href="${to}">${enter.go}</a></div>`,
    headers: { Refresh: `0; url=${to}` },
  });
}

/** A page of the operator, without a host: nothing leads elsewhere. */
const isOurs = (to: string): boolean => /^\/(?:portal|inspector)(?:\/[\w-]+)*$/.test(to);

const cookieName = ({ base }: FastifyRequest): string => ownName(base, 'laudio_operator_login');

/** Lax, because the browser comes back from the provider's site. */
const createCookie = (request: FastifyRequest, value: string, seconds: number): string =>
  `${cookieName(request)}=${value}; Max-Age=${seconds}; Path=/; HttpOnly; SameSite=Lax${secureAttribute(request.base)}`;
