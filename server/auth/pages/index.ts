/** The login pages (specification, section 1, manual mode): login, then consent. A device's code comes first. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RawOutput } from '../../../src/contract/endpoint.ts';
import { approve, deny } from '../approval.ts';
import { decideDevice } from '../devices.ts';
import type { AuthorizationServices } from '../exchange.ts';
import { createLogin } from '../login.ts';
import { toLoggedInUser } from '../pending-requests.ts';
import type { PendingRequest, PendingRequests } from '../pending-requests.ts';
import { providerProblems } from '../provider/provider.ts';
import { seeOther } from '../redirect.ts';
import type { StoredUser } from '../stored-account.ts';
import { findSender } from '../../http/client-address.ts';
import { describeError } from '../../../src/domain/describe-error.ts';
import { asAppError } from '../../http/plugins/errors.ts';
import { browserCookie, endedCookie } from './browser-cookie.ts';
import { consentPage } from './consent-page.ts';
import { deviceEndPage } from './device-pages.ts';
import { createDeviceRoutes } from './device-routes.ts';
import { errorPage } from './error-page.ts';
import { isOurForm, findPending } from './form.ts';
import type { Form, Visit } from './form.ts';
import { loginPage } from './login-page.ts';
import { pageAddress, paths } from './paths.ts';
import type { RequestPage } from './paths.ts';
import { createProviderPages } from './provider-pages.ts';
import { chooseLanguage, languageFor } from '../../http/page/page-words.ts';
import { sendPage } from '../../http/page/send-page.ts';
import type { PageLanguage } from '../../http/page/page-words.ts';

/** Shows a page for a pending request. */
type Show = (visit: Visit) => Promise<RawOutput> | RawOutput;

interface Requests {
  /** Shared with the authorize endpoint, which opens the requests. */
  readonly pending: PendingRequests;
  /** Clients of the app that this server hosts. */
  readonly isAdopted: (clientId: string) => Promise<boolean>;
}

export function registerPages(app: FastifyInstance, services: AuthorizationServices, requests: Requests): void {
  const { pending } = requests;
  const show = showPages(services, requests);

  app.register(async (pages) => {
    pages.removeAllContentTypeParsers();
    pages.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 8192 },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(body as string))),
    );
    pages.setErrorHandler((error, request, reply) => {
      const known = asAppError(error, request);
      if (!known)
        services.log({ level: 'error', event: 'page_failed', request_id: request.id, ...describeError(error) });
      const kind = (known?.status ?? 500) >= 500 ? 'failed' : 'forged';
      return sendPage(reply, errorPage({ language: languageFor(request), kind }));
    });

    for (const page of ['login', 'consent'] as const) {
      const path = paths[page];
      pages.get(path, (request, reply) => answer(request, reply, (request.query ?? {}) as Form, show[page].get));
      pages.post(path, (request, reply) => answer(request, reply, (request.body ?? {}) as Form, show[page].post));
    }
    if (services.provider) {
      pages.get(paths.provider, (request, reply) =>
        answer(request, reply, (request.query ?? {}) as Form, show.provider.begin),
      );
      pages.get(paths.providerCallback, (request, reply) => {
        const brought = new URLSearchParams(request.url.split('?', 2)[1]);
        const form = { request: brought.get('state') ?? undefined };
        return answer(request, reply, form, (visit) => show.provider.finish(visit, brought));
      });
      pages.post(paths.providerLogout, async (request, reply) => {
        const { logout_token: token = '' } = (request.body ?? {}) as Form;
        return sendPage(reply, await show.provider.logOut(token, findSender(request)));
      });
    }
    const device = createDeviceRoutes(services, pending);
    pages.get(paths.device, async (request, reply) => sendPage(reply, device.show(request)));
    pages.post(paths.device, async (request, reply) => sendPage(reply, await device.enter(request)));
  });

  async function answer(request: FastifyRequest, reply: FastifyReply, form: Form, page: Show): Promise<FastifyReply> {
    const found = await findPending(pending, request, form);
    const language = chooseLanguage(found?.ui_locales, request.headers['accept-language']);
    if (!found) return sendPage(reply, errorPage({ language, kind: 'expired' }));
    if (request.method === 'POST' && !isOurForm(request, form, found))
      return sendPage(reply, errorPage({ language, kind: 'forged' }));
    return sendPage(reply, await page({ request: found, language, form, from: findSender(request) }));
  }
}

/** Laudio's own app needs no consent, but only if the code returns to this server. */
const isOwn = async (
  { client_id, issuer, answer }: PendingRequest,
  isAdopted: Requests['isAdopted'],
): Promise<boolean> =>
  answer.kind === 'redirect' &&
  new URL(answer.redirect_uri).origin === new URL(issuer).origin &&
  (await isAdopted(client_id));

function showPages(services: AuthorizationServices, { pending, isAdopted }: Requests) {
  const { provider } = services;
  const login = createLogin(services);
  const expired = (language: PageLanguage): RawOutput => errorPage({ language, kind: 'expired' });

  /** Redirects to a page, with a new cookie after a login or logout. */
  const moveTo = (page: RequestPage, request: PendingRequest): RawOutput =>
    seeOther(pageAddress(page, request), { 'Set-Cookie': browserCookie(request) });

  const logInAgain = async (request: PendingRequest): Promise<RawOutput> =>
    moveTo('login', await pending.enter(request, undefined));

  /** The user who logged in; `undefined` if the user was deleted or changed the password since. */
  const loggedInUser = async ({ user }: PendingRequest): Promise<StoredUser | undefined> => {
    const stored = user && (await services.store.get('users', user.id));
    return stored && toLoggedInUser(stored).password === user.password ? stored : undefined;
  };

  /** Sends the application, or stores for the device, who approved; `null` if the person refused. */
  const conclude = async (request: PendingRequest, language: PageLanguage, user: string | null): Promise<RawOutput> => {
    const { answer } = request;
    if (answer.kind === 'device') {
      const isNew = await decideDevice(services, answer.device, user);
      return isNew ? deviceEndPage(language, user === null ? 'denied' : 'approved') : expired(language);
    }
    const byRedirect = { ...request, answer };
    return user === null ? deny(byRedirect) : approve(services, byRedirect, user);
  };

  /** Accepts one decision per request: of two concurrent ones, the second finds the request closed. */
  const decide = async (request: PendingRequest, language: PageLanguage, user: string | null) => {
    if (!(await pending.close(request))) return expired(language);
    const output = await conclude(request, language, user).catch(async (error: unknown) => {
      await pending.reopen(request);
      throw error;
    });
    return { ...output, headers: { ...output.headers, 'Set-Cookie': endedCookie(request) } };
  };

  const enter = async (request: PendingRequest, language: PageLanguage, user: StoredUser): Promise<RawOutput> =>
    (await isOwn(request, isAdopted))
      ? decide(request, language, user.id)
      : moveTo('consent', await pending.enter(request, user));

  return {
    provider: createProviderPages(services, { pending, enter }),
    login: {
      get: ({ request, language, form }) => {
        if (request.user) return seeOther(pageAddress('consent', request));
        const problem = providerProblems.find((each) => each === form.problem);
        return loginPage(language, request, {
          provider,
          ...(problem && { attempt: { username: '', problem: { provider: problem } } }),
        });
      },
      async post({ request, language, form, from }) {
        if (form.decision === 'deny') return decide(request, language, null);
        const username = form.username ?? '';
        const outcome = await login({ space: request.space, username, password: form.password ?? '', from });
        if (!('user' in outcome))
          return loginPage(language, request, { provider, attempt: { username, problem: outcome } });
        return enter(request, language, outcome.user);
      },
    } satisfies Record<'get' | 'post', Show>,
    consent: {
      async get({ request, language }) {
        const user = await loggedInUser(request);
        return user ? consentPage(language, request, user, services.clock.now()) : logInAgain(request);
      },
      async post({ request, language, form }) {
        const user = form.decision === 'switch' ? undefined : await loggedInUser(request);
        if (!user) return logInAgain(request);
        return decide(request, language, form.decision === 'approve' ? user.id : null);
      },
    } satisfies Record<'get' | 'post', Show>,
  };
}
