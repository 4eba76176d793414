/** The calls of the hub, at `/fhircast`, and its WebSockets. Their shapes are those of the standard, so the contract has none of them. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { WebSocketServer } from 'ws';
import { AppError } from '../../src/contract/errors.ts';
import { machineClockOf } from '../../src/domain/clock.ts';
import type { Clock } from '../../src/domain/clock.ts';
import { CastRefusal } from '../../src/protocols/fhircast/messages.ts';
import { createPlaceKey, hubPath, topicForCaller } from '../../src/protocols/fhircast/place.ts';
import type { Authenticator } from '../http/authenticator.ts';
import type { Caller } from '../http/call.ts';
import { findSenderAddress } from '../http/client-address.ts';
import { parseJson } from '../http/plugins/json-body.ts';
import type { RateLimiter } from '../http/plugins/rate-limit.ts';
import { bearerToken } from '../http/request-call.ts';
import type { Hub } from './hub.ts';
import type { CastForm } from './subscription.ts';

/** Bytes that an application may send over its WebSocket at once: acknowledgements. */
const maxMessageBytes = 256 * 1024;

/** Which process has a topic, by the key of its place. The others pass on what concerns it. */
interface TopicPlaces {
  /** Whether this process has the topic; the first that is asked gets it. */
  isHere(place: string): Promise<boolean>;
  /** Whether another process passed the request on. */
  isPassedOn(request: Pick<IncomingMessage, 'headers'>): boolean;
  /** Passes the request on, and its answer back. SERVER_BUSY if no process is reached. */
  passOn(place: string, request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** Joins the socket to one of the process that has the topic. Rejects if none takes it. */
  joinSocket(place: string, request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>;
  /** Leaves all topics to other processes. */
  close(): Promise<void>;
}

export interface HubDeps {
  readonly clock: Clock;
  readonly uuid: () => string;
  readonly authenticate: Pick<Authenticator, 'bearer' | 'follow'>;
  readonly rateLimiter: RateLimiter;
  /** `lost`: called for a topic that another process has now. */
  readonly findPlaces: (lost: (place: string) => void) => TopicPlaces;
  /** Pages of viewers that may call the hub from their own origin. */
  readonly viewerOrigins: readonly string[];
}

/** The hub, once somebody uses it. */
interface HubInUse {
  readonly load: () => Promise<Hub>;
  readonly loaded: () => Hub | undefined;
  readonly places: TopicPlaces;
}

export function registerHub(fastify: FastifyInstance, deps: HubDeps): void {
  let loaded: Hub | undefined;
  const load = async (): Promise<Hub> => {
    const { createHub } = await import('./hub.ts');
    return (loaded ??= createHub({ clock: machineClockOf(deps.clock), now: () => deps.clock.now(), uuid: deps.uuid }));
  };
  const places = deps.findPlaces((place) => loaded?.drop(place));
  const hub: HubInUse = { load, loaded: () => loaded, places };
  fastify.register(async (scope) => {
    if (deps.viewerOrigins.length > 0) {
      const { default: cors } = await import('@fastify/cors');
      await scope.register(cors, { origin: [...deps.viewerOrigins], methods: ['GET', 'POST'], maxAge: 600 });
    }
    const { errorHandler } = scope;
    scope.setErrorHandler((error, request, reply) => {
      if (error instanceof CastRefusal) return sendRefusal(reply, error);
      return errorHandler.call(scope, error as never, request, reply);
    });
    registerCalls(scope, hub, deps);
  });
  registerSockets(fastify, hub);
}

function registerCalls(scope: FastifyInstance, hub: HubInUse, { authenticate, rateLimiter }: HubDeps): void {
  const identify = async (request: FastifyRequest, reply: FastifyReply): Promise<{ token: string; caller: Caller }> => {
    const token = bearerToken(request);
    const caller = token === undefined ? undefined : await authenticate.bearer(token).catch(rethrowOutage);
    // The process that passed it on has counted it.
    if (!hub.places.isPassedOn(request))
      await rateLimiter.count(caller ? caller.client_id : `anonymous ${findSenderAddress(request)}`, reply);
    if (token !== undefined && caller) return { token, caller };
    throw new AppError('UNAUTHORIZED', {
      message: 'The hub needs a valid access token.',
      hint: 'Send the header Authorization: Bearer <access token>, of a login that asked for fhircast scopes.',
    });
  };

  const isAnswered = async (caller: Caller, request: FastifyRequest, reply: FastifyReply): Promise<boolean> => {
    const place = createPlaceKey(topicForCaller(caller));
    if (await hub.places.isHere(place)) return false;
    await hub.places.passOn(place, request, reply);
    return true;
  };

  scope.get(`${hubPath}/.well-known/fhircast-configuration`, async () => (await hub.load()).configuration);
  scope.get<{ Params: { topic: string } }>(`${hubPath}/:topic`, async (request, reply) => {
    const { caller } = await identify(request, reply);
    if (await isAnswered(caller, request, reply)) return reply;
    return reply.header('Cache-Control', 'no-store').send((await hub.load()).current(caller, request.params.topic));
  });
  scope.post(hubPath, { bodyLimit: 1024 * 1024 }, async (request, reply) => {
    const { token, caller } = await identify(request, reply);
    if (await isAnswered(caller, request, reply)) return reply;
    const type = request.headers['content-type'] ?? '';
    if (!type.startsWith('application/x-www-form-urlencoded')) {
      // `application/fhir+json` comes as bytes.
      (await hub.load()).publish(caller, Buffer.isBuffer(request.body) ? parseJson(request.body) : request.body);
      return reply.code(202).send();
    }
    const { subscribe } = await hub.load();
    const endpoint = subscribe(caller, request.body as CastForm, (isAllowed, over) =>
      authenticate.follow(token, caller, isAllowed, over),
    );
    const address = `${request.base.replace(/^http/, 'ws')}${hubPath}/connections/${endpoint}`;
    return reply.code(202).send({ 'hub.channel.endpoint': address });
  });
}

function registerSockets(fastify: FastifyInstance, { loaded, places }: HubInUse): void {
  /** Sockets that are joined to those of other processes. */
  const joined = new Set<Duplex>();
  let sockets: Promise<WebSocketServer> | undefined;
  const load = async (): Promise<WebSocketServer> => {
    const { WebSocketServer: Sockets } = await import('ws');
    return new Sockets({ noServer: true, maxPayload: maxMessageBytes, perMessageDeflate: false });
  };
  fastify.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    const endpoint = request.url?.startsWith(`${hubPath}/connections/`) ? (request.url.split('/').pop() ?? '') : '';
    const hub = loaded();
    if (!hub?.has(endpoint)) {
      const [, place] = /^([\w-]{22})\./.exec(endpoint) ?? [];
      if (place === undefined || places.isPassedOn(request)) return notFound(socket);
      joined.add(socket.once('close', () => joined.delete(socket)));
      return void places.joinSocket(place, request, socket, head).catch(() => notFound(socket));
    }
    sockets ??= load().catch((error: unknown) => {
      // The next connection loads them again.
      sockets = undefined;
      throw error;
    });
    void sockets.then(
      (server) => server.handleUpgrade(request, socket, head, (connection) => hub.connect(endpoint, connection)),
      () => socket.destroy(),
    );
  });
  // The server would wait for its open connections.
  fastify.addHook('preClose', async () => {
    loaded()?.close();
    for (const socket of joined) socket.destroy();
    await places.close();
  });
}

const notFound = (socket: Duplex): void =>
  void socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');

/** No caller for a token that isn't taken; an error where nobody can tell. */
function rethrowOutage(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'UNAUTHORIZED') return undefined;
  throw error;
}

const issueCodes: Readonly<Record<CastRefusal['status'], string>> = {
  400: 'invalid',
  403: 'forbidden',
  404: 'not-found',
  409: 'conflict',
  413: 'too-long',
  415: 'not-supported',
  429: 'throttled',
};

/** Errors have the form that clients of FHIR read. */
function sendRefusal(reply: FastifyReply, { status, message }: CastRefusal): FastifyReply {
  const issue = [{ severity: 'error', code: issueCodes[status], diagnostics: message, details: { text: message } }];
  return reply.code(status).header('Cache-Control', 'no-store').send({ resourceType: 'OperationOutcome', issue });
}
