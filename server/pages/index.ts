/** The pages of a login (specification, section 1, manual mode): log in, then allow or refuse. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RawOutput } from '../../src/contract/endpoint.ts';
import { approve, deny } from '../oauth/approval.ts';
import type { AuthorizationServices } from '../oauth/exchange.ts';
import { createLogin } from '../oauth/login.ts';
import { loggedIn } from '../oauth/pending-requests.ts';
import type { PendingRequest, PendingRequests } from '../oauth/pending-requests.ts';
import { seeOther } from '../oauth/redirect.ts';
import type { StoredUser } from '../oauth/stored-account.ts';
import { addressOf } from '../http/client-address.ts';
import { anatomyOf, asAppError } from '../plugins/errors.ts';
import { browserCookie, endedCookie } from './browser-cookie.ts';
import { consentPage } from './consent-page.ts';
import { errorPage } from './error-page.ts';
import { isOurForm, pendingOf } from './form.ts';
import type { Form } from './form.ts';
import { loginPage } from './login-page.ts';
import { pageAddress, paths } from './paths.ts';
import { languageOf } from './page-words.ts';
import type { PageLanguage } from './page-words.ts';

/** Shows a page for the pending request that its address or its form names. */
type Show = (visit: Visit) => Promise<RawOutput> | RawOutput;

interface Visit {
  readonly request: PendingRequest;
  readonly language: PageLanguage;
  readonly form: Form;
  /** The address of the browser, for limits. */
  readonly address: string;
}

/**
 * Registers the pages. `pending` is shared with the authorize endpoint, which opens the requests that are decided here.
 */
export function registerPages(app: FastifyInstance, services: AuthorizationServices, pending: PendingRequests): void {
  const show = showPages(services, pending);

  app.register(async (pages) => {
    pages.removeAllContentTypeParsers();
    pages.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 8192 },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(body as string))),
    );
    pages.setErrorHandler((error, request, reply) => {
      const known = asAppError(error, request);
      if (!known) services.log({ level: 'error', event: 'page_failed', request_id: request.id, ...anatomyOf(error) });
      const kind = (known?.status ?? 500) >= 500 ? 'failed' : 'forged';
      return send(reply, errorPage({ language: languageOf(undefined, request.headers['accept-language']), kind }));
    });

    for (const [page, path] of Object.entries(paths) as [keyof typeof paths, string][]) {
      pages.get(path, (request, reply) => answer(request, reply, (request.query ?? {}) as Form, show[page].get));
      pages.post(path, (request, reply) => answer(request, reply, (request.body ?? {}) as Form, show[page].post));
    }
  });

  async function answer(request: FastifyRequest, reply: FastifyReply, form: Form, page: Show): Promise<FastifyReply> {
    const found = await pendingOf(pending, request, form);
    const language = languageOf(found?.ui_locales, request.headers['accept-language']);
    if (!found) return send(reply, errorPage({ language, kind: 'expired' }));
    if (request.method === 'POST' && !isOurForm(request, form, found))
      return send(reply, errorPage({ language, kind: 'forged' }));
    return send(reply, await page({ request: found, language, form, address: addressOf(request) }));
  }
}

const send = (reply: FastifyReply, output: RawOutput): FastifyReply =>
  reply
    .code(output.status)
    .headers(output.headers)
    .send(output.body ?? '');

function showPages(
  services: AuthorizationServices,
  pending: PendingRequests,
): Record<keyof typeof paths, { get: Show; post: Show }> {
  const login = createLogin(services);
  const expired = (language: PageLanguage): RawOutput => errorPage({ language, kind: 'expired' });

  /** Redirects to a page, with the new cookie of a request in which somebody logged in or out. */
  const moveTo = (page: keyof typeof paths, request: PendingRequest): RawOutput =>
    seeOther(pageAddress(page, request), { 'Set-Cookie': browserCookie(request) });

  const logInAgain = async (request: PendingRequest): Promise<RawOutput> =>
    moveTo('login', await pending.enter(request, undefined));

  /** The user who logged in; `undefined` where the user was deleted or got a new password meanwhile. */
  const loggedInUser = async ({ user }: PendingRequest): Promise<StoredUser | undefined> => {
    const stored = user && (await services.store.get('users', user.id));
    return stored && loggedIn(stored).password === user.password ? stored : undefined;
  };

  /** Takes one decision for each request: of two decisions sent at once, the second finds the request closed. */
  const decide = async (
    request: PendingRequest,
    language: PageLanguage,
    outcome: () => RawOutput | Promise<RawOutput>,
  ) => {
    if (!pending.close(request)) return expired(language);
    const output = await Promise.resolve(outcome()).catch((error: unknown) => {
      pending.reopen(request);
      throw error;
    });
    return { ...output, headers: { ...output.headers, 'Set-Cookie': endedCookie(request) } };
  };

  return {
    login: {
      get: ({ request, language }) =>
        request.user ? seeOther(pageAddress('consent', request)) : loginPage(language, request),
      async post({ request, language, form, address }) {
        if (form.decision === 'deny') return decide(request, language, () => deny(request));
        const username = form.username ?? '';
        const outcome = await login({ space: request.space, username, password: form.password ?? '', address });
        if (!('user' in outcome)) return loginPage(language, request, { username, problem: outcome });
        return moveTo('consent', await pending.enter(request, outcome.user));
      },
    },
    consent: {
      async get({ request, language }) {
        const user = await loggedInUser(request);
        return user ? consentPage(language, request, user) : logInAgain(request);
      },
      async post({ request, language, form }) {
        const user = form.decision === 'switch' ? undefined : await loggedInUser(request);
        if (!user) return logInAgain(request);
        if (form.decision !== 'approve') return decide(request, language, () => deny(request));
        return decide(request, language, () => approve(services, request, user.id));
      },
    },
  };
}
