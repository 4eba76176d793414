/** The app over HTTP: the embedded server mounts it, so that a browser at the server becomes the app. */
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Mount, MountHost } from '../../server/index.ts';
import { AppError, errorCodeFor } from '../../src/contract/errors.ts';
import { comment, eventStreamHeaders, eventText } from '../../src/client/events/server-sent-events.ts';
import { makeEphemeralDirectory } from '../../src/node/files/ephemeral-directory.ts';
import { ensurePrivateDirectory } from '../../src/node/files/private-file.ts';
import { createSealedClaims } from '../../src/node/login/sealed-claims.ts';
import { calls } from '../bridge/calls.ts';
import { web } from '../bridge/carriers.ts';
import { setupCodeNeeded } from '../bridge/session.ts';
import type { BridgeCall } from '../bridge/call.ts';
import type { App } from '../app/page/app.ts';
import { isCall } from '../app/page/check-call.ts';
import { bridgeErrorOf, failureOf, statusOf } from '../app/page/failure.ts';
import { createHost } from '../app/host.ts';
import type { Host, HostDeps } from '../app/host.ts';
import { createLocalServer } from '../app/device/local-server.ts';
import type { LocalServer } from '../app/device/local-server.ts';
import { isAnswerTo, loginSeconds } from '../app/device/logins.ts';
import type { FinishedLogin } from '../app/device/logins.ts';
import type { PendingLogin } from '../app/device/visit.ts';
import { createCookies, newTicket, ticketOf } from './cookies.ts';
import type { Cookies, Ticket } from './cookies.ts';
import { answerFile } from './file-answer.ts';
import { requireOwnPost, requireOwnSite } from './guard.ts';
import { builtPage, isBuilt, pageHeaders, servePage } from './page-files.ts';
import type { Clock } from '../../src/domain/clock.ts';
import { createEventReader } from '../../src/client/events/event-reader.ts';
import { describeError } from '../../src/domain/describe-error.ts';

export { builtPage, isBuilt };

export interface WebOptions extends Omit<HostDeps, 'local' | 'models' | 'sealing'> {
  /** The built page: `index.html` and its files. */
  readonly page: string;
  readonly testClient: LocalServer['testClient'];
  /**
   * The setup code on the terminal: a person who types it in a browser is the operator (src/node/login/setup-code.ts).
   */
  readonly setupCode: string;
}

/** The login data in the browser's cookie. */
interface CarriedLogin {
  readonly login: PendingLogin;
  /** Id of the session that the login creates. */
  readonly ticket: string;
}

/** A browser whose person is logged in. */
interface PageSession {
  readonly ticket: Ticket;
  /** Key of the desk. */
  readonly desk: string;
}

/** A call without the code asks whether one is needed; only a code that somebody typed is a guess. */
const isWrongSetupCode = (error: unknown, input: unknown): boolean =>
  error instanceof AppError && error.details?.['reason'] === setupCodeNeeded && Object(input).code !== undefined;

/** Maximum bytes of a call: a record, a worklist file, or a complete compressed dictation. */
const maxJsonBytes = 12 * 1024 * 1024;
const maxBodyBytes = 200 * 1024 * 1024;

/** Makes the mount for `createServer({ mount })`. */
export const mountWeb =
  (options: WebOptions): Mount =>
  async ({ fastify, transport, dial, adminToken, sealing, models, shared, hasProvider, adopt, noteWrongSetupCode }) => {
    // Processes share what is in the store; the files here are for this process alone.
    const own = shared && (await makeEphemeralDirectory());
    const directory = own?.path ?? options.directory;
    await ensurePrivateDirectory(directory);
    // The first user of several processes is made by a command: none of them has a setup code.
    const hasUsers = hasProvider || shared !== undefined;
    const streams = new Map<() => void, string>();
    const local = createLocalServer({
      ...options,
      directory,
      sealing,
      shared,
      transport,
      dial,
      adminToken,
      hasProvider: hasUsers,
      adopt,
    });
    const onDropped = (desk: string): void => {
      for (const [end, at] of streams) if (at === desk) end();
    };
    const host = await createHost({ ...options, directory, sealing, local, models, shared, onDropped });
    readBytes(fastify);
    answerErrors(fastify, options);
    await servePage(fastify, options.page);
    const device = shared ? 'shared' : options.directory;
    routes(fastify, host, createCookies(device), { ...options, noteWrongSetupCode, shared }, streams);
    // The server already answers; it does not wait for the desks.
    fastify.addHook('onReady', async () => {
      void host.resume();
    });
    return {
      renew: host.renew,
      async close() {
        for (const end of streams.keys()) end();
        await host.close();
        await own?.[Symbol.asyncDispose]();
      },
    };
  };

function routes(
  fastify: FastifyInstance,
  host: Host,
  cookiesAt: (base: string) => Cookies,
  { clock, noteWrongSetupCode, shared }: WebOptions & Pick<MountHost, 'noteWrongSetupCode' | 'shared'>,
  streams: Map<() => void, string>,
): void {
  const findSession = async (request: FastifyRequest): Promise<PageSession | undefined> => {
    const ticket = cookiesAt(request.base).session(request.headers.cookie);
    const desk = ticket && (await host.deskOf(ticket.session));
    return ticket && desk !== undefined ? { ticket, desk } : undefined;
  };
  /** Whether another process of the server serves the desk, and has answered therefore. */
  const isPassedOn = async (request: FastifyRequest, reply: FastifyReply, session: PageSession | undefined) => {
    if (!session || !shared || (await shared.desks.isHere(session.desk))) return false;
    await shared.desks.passOn(session.desk, request, reply);
    return true;
  };
  const openApp = (
    request: FastifyRequest,
    ticket: Ticket | undefined,
    next = newTicket(),
    keep: (login: PendingLogin) => void = () => undefined,
  ): App => host.app({ session: ticket?.session, nextSession: next.session, origin: request.base, keep });
  const ownKey = randomBytes(32);
  const claims = createSealedClaims({ clock, key: shared?.key ?? (async () => ownKey) });

  fastify.post<{ Params: { name: string } }>(
    `${web.calls}:name`,
    { bodyLimit: maxBodyBytes },
    async (request, reply) => {
      const { name } = request.params;
      const session = await findSession(request);
      if (await isPassedOn(request, reply, session)) return reply;
      const ticket = session?.ticket;
      const next = newTicket();
      const { input, bytes } = readInput(name, request);
      let begun: PendingLogin | undefined;
      const app = openApp(request, ticket, next, (login) => (begun = login));
      const desk = request.headers[web.deskHeader];
      const output = await app
        .call(name, input, bytes, desk === undefined ? undefined : String(desk))
        .catch((error: unknown) => {
          if (isWrongSetupCode(error, input)) noteWrongSetupCode(request);
          throw error;
        });
      const cookies = cookiesAt(request.base);
      if (begun) {
        const carried: CarriedLogin = { login: begun, ticket: next.value };
        reply.header('Set-Cookie', cookies.setLogin(await claims.seal('login', carried, loginSeconds)));
      } else if (name === 'session.start' || name === 'session.first_user')
        reply.header('Set-Cookie', cookies.setSession(next));
      else if (name === 'session.end') reply.header('Set-Cookie', cookies.endSession);
      else if (name === 'session.state' && ticket) reply.header('Set-Cookie', cookies.setSession(ticket));
      return reply.header('Cache-Control', 'no-store').send({ output });
    },
  );

  fastify.get(web.events, async (request, reply) => {
    requireOwnSite(request);
    const session = await findSession(request);
    // A browser does not reconnect after 204: nobody is logged in.
    if (!session) return reply.code(204).header('Cache-Control', 'no-store').send();
    if (await isPassedOn(request, reply, session)) return reply;
    reply.hijack();
    reply.raw.writeHead(200, {
      ...eventStreamHeaders,
      // The connection has no other use: when the server stops, it need not wait until the connection is idle.
      Connection: 'close',
      'X-Content-Type-Options': 'nosniff',
      'X-Request-Id': request.id,
    });
    const { stream, end } = streamEvents(openApp(request, session.ticket), clock);
    streams.set(end, session.desk);
    reply.raw.once('close', () => {
      streams.delete(end);
      stream.destroy();
    });
    stream.pipe(reply.raw);
    return reply;
  });

  fastify.get<{ Params: { '*': string } }>(`${web.files}*`, async (request, reply) => {
    requireOwnSite(request);
    const session = await findSession(request);
    if (await isPassedOn(request, reply, session)) return reply;
    const app = openApp(request, session?.ticket);
    const { status, headers, body } = await answerFile(app, request.params['*'], request.headers.range);
    return reply
      .code(status)
      .headers(headers)
      .send(Readable.from(body, { objectMode: false }));
  });

  if (shared)
    fastify.post(web.enter, async (request, reply) => {
      if (!shared.desks.isPassedOn(request)) throw new AppError('NOT_FOUND');
      const isEntered = await host.enter(request.body as FinishedLogin).then(
        () => true,
        (error: unknown) => {
          if (Object(error).code === 'LOGIN_FAILED') return false;
          throw error;
        },
      );
      return reply.code(isEntered ? 204 : 409).send();
    });

  fastify.get(web.callback, async (request, reply) => {
    const cookies = cookiesAt(request.base);
    const query = new URLSearchParams(request.url.split('?', 2)[1] ?? '');
    const carried = await claims.open<CarriedLogin>('login', cookies.login(request.headers.cookie));
    // Any other request to this address ends no login.
    if (!carried || !isAnswerTo(carried.login, query)) return backHome(reply, 'LOGIN_FAILED');
    reply.header('Set-Cookie', cookies.endLogin);
    try {
      await host.comeBack(query, carried.login);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return backHome(reply, error.code);
    }
    return backHome(reply.header('Set-Cookie', cookies.setSession(ticketOf(carried.ticket))));
  });
}

/** The page explains the failure by its code; addresses never contain the message. */
const backHome = (reply: FastifyReply, problem?: string): FastifyReply =>
  reply
    .headers({ ...pageHeaders, 'Cache-Control': 'no-store' })
    .redirect(problem === undefined ? '/' : `/?login=${problem.toLowerCase()}`, 303);

/** The body is the plain audio; the input of the call is in a header. */
function readBytes(fastify: FastifyInstance): void {
  // The API around the app reads such bodies as streams.
  fastify.removeContentTypeParser('application/octet-stream');
  fastify.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );
  // Checked before any byte of the body is read.
  fastify.addHook('onRequest', async (request) => {
    if (request.method !== 'POST' || request.url === web.enter) return;
    requireOwnPost(request);
    const isJson = request.headers['content-type']?.startsWith('application/json') ?? false;
    if (isJson && Number(request.headers['content-length'] ?? 0) > maxJsonBytes)
      throw new AppError('PAYLOAD_TOO_LARGE');
  });
}

function readInput(name: string, request: FastifyRequest): { input: unknown; bytes?: Uint8Array } {
  const takesBytes = isCall(name) && (calls[name] as BridgeCall).bytes === true;
  if (!takesBytes || !Buffer.isBuffer(request.body)) return { input: request.body };
  const header = request.headers[web.inputHeader];
  try {
    return { input: JSON.parse(decodeURIComponent(String(header ?? ''))) as unknown, bytes: request.body };
  } catch {
    throw new AppError('VALIDATION_FAILED', { message: `The header ${web.inputHeader} is not readable.` });
  }
}

/** Answers failures in the bridge's format. */
function answerErrors(fastify: FastifyInstance, { log }: WebOptions): void {
  fastify.setErrorHandler((error, request, reply) => {
    const known = asAppError(error);
    if (known.code === 'INTERNAL_ERROR')
      log({ level: 'error', event: 'app_call_failed', request_id: request.id, ...describeError(error) });
    if (known.retryAfter !== undefined) reply.header('Retry-After', known.retryAfter);
    return reply
      .code(statusOf(known))
      .header('Cache-Control', 'no-store')
      .send({ error: bridgeErrorOf(known) });
  });
}

/** A request that Fastify refuses has its own status. */
function asAppError(error: unknown): AppError {
  const { statusCode } = Object(error) as { statusCode?: unknown };
  return !(error instanceof AppError) && typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500
    ? new AppError(errorCodeFor(undefined, statusCode), { status: statusCode })
    : failureOf(error);
}

/** Sends events until the page disconnects or `end` is called. */
function streamEvents(app: App, clock: Clock): { readonly stream: Readable; end(): void } {
  const { stream, offer, end } = createEventReader(clock, () => stop());
  const stop = app.on((event) => offer(Buffer.from(eventText(event))));
  // Sent at once, so that the page knows that it is connected and reconnects soon after an interruption.
  offer(Buffer.from(`retry: 1000\n${comment}`));
  return { stream, end };
}
