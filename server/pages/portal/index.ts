/**
 * The portal: pages for the operator to manage partner applications, their webhooks, channels, and the data of one patient. Every
 * change uses the operator's API call, so that rules, limits and audit trail are those of the API.
 */
import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createClient } from '../../../src/client/client.ts';
import type { Transport } from '../../../src/client/transport.ts';
import type { Client } from '../../../src/contract/admin.ts';
import type { RawOutput } from '../../../src/contract/endpoint.ts';
import { AppError } from '../../../src/contract/errors.ts';
import type { EventType } from '../../../src/contract/events.ts';
import type { RegisteredScope } from '../../../src/contract/scopes.ts';
import type { BackupStatus } from '../../../src/contract/system.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import type { Log } from '../../runtime/log.ts';
import { seeOther } from '../../auth/redirect.ts';
import { describeError } from '../../../src/domain/describe-error.ts';
import { asAppError } from '../../http/plugins/errors.ts';
import { html } from '../../http/page/html.ts';
import { isAllowed } from '../operator-rights.ts';
import type { OperatorPlace } from '../../auth/operator-place.ts';
import type { OperatorSession, OperatorSessions } from '../operator-sessions.ts';
import { languageFor } from '../../http/page/page-words.ts';
import { sendPage } from '../../http/page/send-page.ts';
import { applicationPage, choicePage, kinds, listPage, newPage, removePage, emptyForm } from './application-pages.ts';
import type { ApplicationForm } from './application-pages.ts';
import { enterPage, enterPath } from './enter-page.ts';
import { back, frame, applicationPath, portal, wordsIn } from './parts.ts';
import type { View } from './parts.ts';
import { problemsIn } from './problems.ts';
import type { Problem } from './problems.ts';
import { channelForms, channelPages } from './channels.ts';
import { messageForms, messagePages } from './messages.ts';
import { patientForms, patientPages } from './patients.ts';
import { trailPages } from './trail.ts';
import { goTo } from './visit.ts';
import type { SessionState, Page, Visit } from './visit.ts';
import { webhookPage } from './webhook-page.ts';
import type { WebhookForm } from './webhook-page.ts';
import { removeOldest } from '../../../src/domain/oldest.ts';

export interface PortalDeps {
  readonly sessions: OperatorSessions;
  readonly place: OperatorPlace;
  readonly clock: Clock;
  readonly log: Log;
  readonly adminToken: string;
  /** `undefined`: none are planned. The call for the status counts all that is stored as well. */
  readonly findBackup: () => Promise<BackupStatus | undefined>;
  /** A transport for calls on behalf of that address, and of that user. */
  readonly transportFrom: (address: string, operator?: string) => Transport;
  /** The name of the login provider; `undefined`: there is only the setup code. */
  readonly providerName: string | undefined;
}

/** Maximum of sessions whose answers are kept, and of form answers kept per session. */
const maxStates = 64;
const maxAnswers = 50;

export function registerPortal(app: FastifyInstance, deps: PortalDeps): void {
  const { sessions, place, log, providerName: provider } = deps;
  const { asks } = sessions;
  /** Keyed by the id of the session. */
  const states = new Map<string, SessionState>();

  /** `signal` ends the calls of the visit. */
  const createVisit = (request: FastifyRequest, session: OperatorSession, signal?: AbortSignal): Visit => {
    const language = languageFor(request);
    const kept = states.get(session.id) ?? { secret: undefined, notice: undefined, answers: new Map() };
    states.set(session.id, kept);
    if (states.size > maxStates) removeOldest(states);
    const [path = '', search = ''] = request.url.split('?', 2);
    const {
      id = '',
      delivery = '',
      message = '',
    } = request.params as Partial<Record<'id' | 'delivery' | 'message', string>>;
    // A HEAD request shows nothing, so it does not use up one-time content.
    const isShown = request.method === 'GET';
    const transport = deps.transportFrom(place.findAddress(request), session.user?.id);
    const notice = kept.notice?.at === path && isShown ? kept.notice.text : undefined;
    if (notice !== undefined) kept.notice = undefined;
    return {
      language,
      words: wordsIn(language),
      hidden: () =>
        html`<input type="hidden" name="csrf" value="${session.csrf}" /><input
            type="hidden"
            name="once"
            value="${randomUUID()}"
          />`,
      session,
      hasInspector: !place.isShared,
      notice,
      channels: [],
      api: createOperatorClient(deps, (outgoing) => transport({ ...outgoing, ...(signal && { signal }) })),
      findBackup: deps.findBackup,
      kept,
      id,
      delivery,
      message,
      query: new URLSearchParams(search),
      form: request.body instanceof URLSearchParams ? request.body : new URLSearchParams(),
      secretAt(at) {
        if (kept.secret?.at !== at || !isShown) return undefined;
        const { value } = kept.secret;
        kept.secret = undefined;
        return value;
      },
    };
  };

  const showPage = async (request: FastifyRequest, { raw }: FastifyReply, page: Page): Promise<RawOutput> => {
    const session = await sessions.find(request);
    if (!session) return enterPage(languageFor(request), request.url, { provider, asks });
    // A page may read all that is stored, which is of no use to a reader who has left.
    const left = new AbortController();
    raw.once('close', () => left.abort());
    const visit = await withChannels(createVisit(request, session, left.signal));
    return isAllowed(session.role, request) ? page(visit) : refuse(visit);
  };
  const runForm = async (request: FastifyRequest, page: Page): Promise<RawOutput> => {
    const session = await sessions.find(request);
    if (!session) return enterPage(languageFor(request), portal, { provider, asks, problem: 'forged' });
    const visit = createVisit(request, session);
    if (!isAllowed(session.role, request)) return refuse(visit);
    if (!sessions.isFormOf(request, session, visit.form.get('csrf')))
      return { ...messagePage(visit, visit.words.problems.forged), status: 403 };
    // Includes the typed values: a form that was changed after going back is a new one.
    const once = `${request.url} ${visit.form.toString()}`;
    const { answers } = visit.kept;
    const before = answers.get(once);
    if (before) return before;
    const answer = withChannels(visit).then(page);
    answers.set(once, answer);
    if (answers.size > maxAnswers) removeOldest(answers);
    // The form had no effect, so it may be sent again.
    const isDone = await answer.then(({ status }) => status === 303).catch(() => false);
    if (!isDone) answers.delete(once);
    return answer;
  };

  app.register(async (pages) => {
    pages.removeAllContentTypeParsers();
    pages.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 128 * 1024 },
      (_request, body, done) => done(null, new URLSearchParams(body as string)),
    );
    pages.setErrorHandler(async (error, request, reply) => {
      const known = asAppError(error, request);
      if (!known) log({ level: 'error', event: 'page_failed', request_id: request.id, ...describeError(error) });
      const status = known?.status ?? 503;
      // Without its store the server knows nobody.
      const session = await sessions.find(request).catch(() => undefined);
      if (!session) {
        const problem = status < 500 ? 'forged' : 'failed';
        return sendPage(reply, enterPage(languageFor(request), portal, { provider, asks, problem }));
      }
      const visit = createVisit(request, session);
      const { application, problems } = visit.words;
      const text = status === 404 ? application.gone : status < 500 ? problems.forged : problems.failed;
      return sendPage(reply, { ...messagePage(visit, text), status: Math.min(status, 503) });
    });

    pages.addHook('preHandler', async (request, reply) =>
      request.routeOptions.url !== enterPath && (await place.isPassedOn(request, reply)) ? reply : undefined,
    );

    pages.post(enterPath, async (request, reply) => {
      const form = request.body as URLSearchParams;
      const to = form.get('to') ?? '';
      const entered = await sessions.enter(request, form.get('code'));
      const path = isWithin(to) ? to : portal;
      return 'problem' in entered
        ? sendPage(reply, enterPage(languageFor(request), path, { provider, asks, problem: entered.problem }))
        : sendPage(reply, seeOther(path, { 'Set-Cookie': entered.cookie }));
    });
    pages.post(`${portal}/leave`, async (request, reply) =>
      sendPage(
        reply,
        await runForm(request, async () => seeOther(portal, { 'Set-Cookie': await sessions.leave(request) })),
      ),
    );
    for (const [path, page] of Object.entries(shown))
      pages.get(path, async (request, reply) => sendPage(reply, await showPage(request, reply, page)));
    for (const [path, page] of Object.entries(taken))
      pages.post(path, async (request, reply) => sendPage(reply, await runForm(request, page)));
  });
}

const createOperatorClient = ({ clock, adminToken }: PortalDeps, transport: Transport) =>
  createClient({
    clock,
    random: Math.random,
    uuid: randomUUID,
    server: 'http://localhost',
    transport,
    adminToken: async () => adminToken,
    // People waiting for a page prefer an error to a long wait.
    retry: { limit: 0 },
  });

/** Maximum of channels whose problems each page shows. */
const maxChannels = 200;

/** A failure to read the channels must not prevent any page. */
async function withChannels(visit: Visit): Promise<Visit> {
  const found = await visit.api.channels.list({ query: { limit: maxChannels } }).catch(() => undefined);
  return { ...visit, channels: found?.data.items ?? [] };
}

const isWithin = (path: string): boolean => /^\/portal(?:\/[\w-]+)*(?:\?[\w=&%.-]*)?$/.test(path);

const refuse = (view: View): RawOutput => ({ ...messagePage(view, view.words.looksOnly), status: 403 });

const messagePage = (view: View, text: string): RawOutput =>
  frame(view, {
    title: view.words.error,
    content: html`${back(portal, view.words.application.all)}
      <h1>${text}</h1>`,
  });

const clientOf = async ({ api, id }: Visit): Promise<Client> => (await api.clients.get({ params: { id } })).data;

const orNone = <T>(asked: Promise<T>): Promise<T | undefined> =>
  asked.catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  });

const webhookOf = async ({ api, id }: Visit) => (await orNone(api.webhooks.get({ params: { client_id: id } })))?.data;

const linesOf = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

const typedIn = ({ form }: Visit): ApplicationForm => ({
  name: form.get('name') ?? '',
  uris: form.get('redirect_uris') ?? '',
  scopes: form.getAll('scopes'),
  test: form.has('test'),
  space: (form.get('space') ?? '').trim(),
});

async function showApplication(
  visit: Visit,
  typed?: ApplicationForm,
  problems?: readonly Problem[],
): Promise<RawOutput> {
  const [client, webhook] = await Promise.all([clientOf(visit), webhookOf(visit)]);
  const facts = { client, hasWebhook: webhook !== undefined, secret: visit.secretAt(applicationPath(visit.id)) };
  return applicationPage(visit, facts, typed, problems);
}

async function showWebhook(visit: Visit, typed?: WebhookForm, problems?: readonly Problem[]): Promise<RawOutput> {
  const { api, id } = visit;
  const [client, webhook] = await Promise.all([clientOf(visit), webhookOf(visit)]);
  const deliveries = webhook
    ? (await api.webhooks.deliveries({ params: { client_id: id }, query: { limit: 20 } })).data.items
    : [];
  const secret = visit.secretAt(applicationPath(id, 'webhook'));
  return webhookPage(visit, { client, webhook, deliveries, secret }, typed, problems);
}

/** Pages without effects, by path. */
const shown: Readonly<Record<string, Page>> = {
  [portal]: async (visit) => {
    const cursor = visit.query.get('cursor');
    const [{ data }, backup] = await Promise.all([
      visit.api.clients.list({ query: { ...(cursor && { cursor }) } }),
      visit.findBackup(),
    ]);
    return listPage(visit, data.items, { next: data.next_cursor, isFirst: cursor === null }, backup);
  },
  [`${portal}/new`]: (visit) => {
    const kind = kinds.find((each) => each === visit.query.get('kind'));
    return kind ? newPage(visit, kind, emptyForm(kind)) : choicePage(visit);
  },
  ...channelPages,
  ...messagePages,
  ...patientPages,
  ...trailPages,
  [`${portal}/:id`]: (visit) => showApplication(visit),
  [`${portal}/:id/remove`]: async (visit) => removePage(visit, await clientOf(visit)),
  [`${portal}/:id/webhook`]: (visit) => showWebhook(visit),
};

/** Actions of forms, by path. */
const taken: Readonly<Record<string, Page>> = {
  ...channelForms,
  ...messageForms,
  ...patientForms,
  async [`${portal}/new`](visit) {
    const typed = typedIn(visit);
    const kind = kinds.find((each) => each === visit.form.get('kind')) ?? 'web';
    const redirect_uris = linesOf(typed.uris);
    try {
      const { data } = await visit.api.clients.create({
        body: {
          name: typed.name.trim(),
          kind,
          redirect_uris,
          scopes: [...typed.scopes] as RegisteredScope[],
          ...(typed.test && { test_mode: true }),
          ...(typed.space !== '' && { space: typed.space }),
        },
      });
      return goTo(visit, applicationPath(data.id), { secret: data.secret });
    } catch (error) {
      return newPage(visit, kind, typed, problemsIn(error, visit.words, redirect_uris));
    }
  },
  async [`${portal}/:id`](visit) {
    const typed = typedIn(visit);
    const redirect_uris = linesOf(typed.uris);
    try {
      const body = { name: typed.name.trim(), redirect_uris, scopes: [...typed.scopes] as RegisteredScope[] };
      await visit.api.clients.update({ params: { id: visit.id }, body });
      return goTo(visit, applicationPath(visit.id), { notice: visit.words.application.saved });
    } catch (error) {
      return showApplication(visit, typed, problemsIn(error, visit.words, redirect_uris));
    }
  },
  async [`${portal}/:id/secret`](visit) {
    const keep_old_seconds = Number(visit.form.get('keep') ?? 0);
    try {
      const { data } = await visit.api.clients.rotateSecret({ params: { id: visit.id }, query: { keep_old_seconds } });
      return goTo(visit, applicationPath(visit.id), { secret: data.secret });
    } catch (error) {
      return showApplication(visit, undefined, problemsIn(error, visit.words));
    }
  },
  async [`${portal}/:id/secret/end`](visit) {
    try {
      await visit.api.clients.update({ params: { id: visit.id }, body: { keep_old_seconds: 0 } });
      return goTo(visit, applicationPath(visit.id), { notice: visit.words.secret.ended });
    } catch (error) {
      return showApplication(visit, undefined, problemsIn(error, visit.words));
    }
  },
  async [`${portal}/:id/remove`](visit) {
    await visit.api.clients.delete({ params: { id: visit.id } });
    return goTo(visit, portal, { notice: visit.words.remove.isRemoved });
  },
  async [`${portal}/:id/webhook`](visit) {
    const { form, id } = visit;
    const url = (form.get('url') ?? '').trim();
    const typed = { url, events: form.getAll('events') as EventType[], enabled: form.has('enabled') };
    try {
      const { data } = await visit.api.webhooks.put({ params: { client_id: id }, body: typed });
      const { secret } = data;
      return goTo(
        visit,
        applicationPath(id, 'webhook'),
        secret === undefined ? { notice: visit.words.application.saved } : { secret },
      );
    } catch (error) {
      return showWebhook(visit, typed, problemsIn(error, visit.words));
    }
  },
  [`${portal}/:id/webhook/secret`]: (visit) =>
    onWebhook(visit, async ({ url }) => {
      const { data } = await visit.api.webhooks.put({
        params: { client_id: visit.id },
        body: { url, rotate_secret: true },
      });
      return { secret: data.secret };
    }),
  [`${portal}/:id/webhook/test`]: (visit) =>
    onWebhook(visit, async () => {
      await visit.api.webhooks.test({ params: { client_id: visit.id }, body: {} });
      return { notice: visit.words.webhook.tested };
    }),
  [`${portal}/:id/webhook/remove`]: (visit) =>
    onWebhook(visit, async () => {
      await visit.api.webhooks.delete({ params: { client_id: visit.id } });
      return { notice: visit.words.webhook.isRemoved };
    }),
  [`${portal}/:id/webhook/deliveries/:delivery`]: (visit) =>
    onWebhook(visit, async () => {
      await visit.api.webhooks.resend({ params: { client_id: visit.id, id: visit.delivery } });
      return { notice: visit.words.webhook.resent };
    }),
};

/** Runs an action on the application's webhook, and returns to its page. */
async function onWebhook(
  visit: Visit,
  act: (webhook: { readonly url: string }) => Promise<{ notice?: string; secret?: string | undefined }>,
): Promise<RawOutput> {
  const { api, id } = visit;
  try {
    const { data } = await api.webhooks.get({ params: { client_id: id } });
    return goTo(visit, applicationPath(id, 'webhook'), await act(data));
  } catch (error) {
    return showWebhook(visit, undefined, problemsIn(error, visit.words));
  }
}
