/**
 * Carries a caller's call to another member of the server, the one that holds a lease, with the caller's own token. Members recognise
 * each other's calls by a mark that they derive from the operator's token, so a call counts once against the caller's limit.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { Duplex } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createClient } from '../../src/client/client.ts';
import type { Client } from '../../src/client/client.ts';
import type { IncomingAnswer, Transport } from '../../src/client/transport.ts';
import type { Method } from '../../src/contract/endpoint.ts';
import { AppError } from '../../src/contract/errors.ts';
import { machineClockOf } from '../../src/domain/clock.ts';
import type { Clock } from '../../src/domain/clock.ts';
import { endToEnd } from '../../src/node/http/end-to-end.ts';
import { createHttpCall } from '../../src/node/http/http-call.ts';
import type { HttpCall } from '../../src/node/http/http-call.ts';
import type { Members } from '../storage/members.ts';
import type { Call } from './call.ts';
import { insideHeader } from './inside.ts';
import { sameSecret } from '../runtime/secrets.ts';

export interface OtherMembers {
  /** SERVER_BUSY if the holder is not known or not reached, or if the call comes from another member. */
  clientFor(lease: string, call: Call): Promise<Client>;
  /**
   * Sends the holder the request as it came, with its cookies and for the address at which the browser asked, and answers it as the holder
   * does. Rejects in the same way.
   */
  passOn(lease: string, request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** Sends the holder a request of this member; `body` is JSON. */
  send(lease: string, request: { readonly path: string; readonly body: string }): Promise<IncomingAnswer>;
  /** Whether another member passed the request on, or sent it. */
  isPassedOn(request: Pick<IncomingMessage, 'headers'>): boolean;
  /** Joins the socket of a request to become a WebSocket to one of the holder. Rejects if the holder is not known or takes none. */
  joinSocket(lease: string, request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>;
  /** The address of the request's sender, also if another member passed it on. */
  findAddress(request: FastifyRequest): string;
  close(): Promise<void>;
}

interface OtherMembersDeps {
  readonly members: Members;
  readonly clock: Clock;
  /** The mark of the members' calls; `undefined`: they don't recognise each other. */
  readonly mark: string | undefined;
}

export const createMemberMark = (operatorToken: string): string =>
  createHash('sha256').update(`member ${operatorToken}`).digest('base64url');

const passedOn = 'x-laudio-passed-on';
/** In ms: a member that is busy or gone. */
const timeout = 30_000;

export function createOtherMembers({ members, clock, mark }: OtherMembersDeps): OtherMembers {
  const machine = machineClockOf(clock);
  let http: HttpCall | undefined;
  const transport: Transport = async (request) => {
    // Members are called directly, whatever proxies the environment names.
    http ??= createHttpCall({ timeout, env: {} });
    try {
      return await http.transport(request);
    } catch (error) {
      if (error instanceof AppError && error.code === 'NETWORK') throw heldByOther();
      throw error;
    }
  };
  const findHolder = async (lease: string): Promise<{ server: string; headers: Readonly<Record<string, string>> }> => {
    const server = await members.findHolderUrl(lease);
    if (server === undefined || mark === undefined) throw heldByOther();
    return { server, headers: { [insideHeader]: mark, [passedOn]: '1' } };
  };
  const isPassedOn = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean => {
    const given = headers[insideHeader];
    return (
      headers[passedOn] !== undefined && mark !== undefined && typeof given === 'string' && sameSecret(given, mark)
    );
  };
  return {
    isPassedOn,
    findAddress: (request) => (isPassedOn(request) ? String(request.headers[passedOn]) : request.ip),
    async passOn(lease, request, reply) {
      if (isPassedOn(request)) throw heldByOther();
      const { server, headers } = await findHolder(lease);
      const leaving = new AbortController();
      reply.raw.once('close', () => leaving.abort());
      const answer = await transport({
        method: request.method as Method,
        url: server + request.url,
        headers: {
          // The transport writes the length of the body.
          ...endToEnd(request.headers, ['content-length']),
          host: new URL(request.base).host,
          ...headers,
          [passedOn]: request.ip,
        },
        ...encodeBody(request),
        signal: leaving.signal,
      });
      void reply.code(answer.status).headers(endToEnd(answer.headers, ['set-cookie']));
      if (answer.cookies?.length) void reply.header('Set-Cookie', answer.cookies);
      await reply.send(Readable.from(answer.body, { objectMode: false }));
    },
    async joinSocket(lease, request, socket, head) {
      const { server, headers } = await findHolder(lease);
      const { url = '/', headers: own } = request;
      await joinUpgraded(server + url, { ...own, ...headers }, socket, head);
    },
    async send(lease, { path, body }) {
      const { server, headers } = await findHolder(lease);
      return transport({
        method: 'POST',
        url: server + path,
        headers: { 'content-type': 'application/json', ...headers },
        body,
      });
    },
    async clientFor(lease, call) {
      const token = /^Bearer +([^ ].*)$/i.exec(call.header('authorization') ?? '')?.[1];
      if (token === undefined || call.header(passedOn) !== undefined) throw heldByOther();
      const { server, headers } = await findHolder(lease);
      return createClient({
        transport,
        server,
        clock: machine,
        random: Math.random,
        uuid: randomUUID,
        token: async () => token,
        retry: { limit: 0 },
        headers,
      });
    },
    close: async () => http?.close(),
  };
}

/** The body as it came, out of what a parser has made of it. */
function encodeBody({ body, headers }: FastifyRequest): { readonly body?: string | Buffer } {
  if (body === undefined) return {};
  if (Buffer.isBuffer(body)) return { body };
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded');
  return { body: isForm ? new URLSearchParams(body as Record<string, string>).toString() : JSON.stringify(body) };
}

/** Sends the request to upgrade, and carries the bytes of both sides once it is granted. */
async function joinUpgraded(
  address: string,
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  socket: Duplex,
  head: Buffer,
): Promise<void> {
  const { request } = await (address.startsWith('https:') ? import('node:https') : import('node:http'));
  const asked = request(address, { headers: headers as OutgoingHttpHeaders, timeout });
  const granted = Promise.withResolvers<void>();
  const refuse = (): void => granted.reject(heldByOther());
  socket.once('close', () => asked.destroy());
  asked.once('error', refuse).once('timeout', () => asked.destroy());
  asked.once('response', (answer) => {
    answer.destroy();
    refuse();
  });
  asked.once('upgrade', (answer, far, first) => {
    const lines = answer.rawHeaders.flatMap((name, at, all) => (at % 2 ? [] : [`${name}: ${all[at + 1]}`]));
    socket.write(['HTTP/1.1 101 Switching Protocols', ...lines, '', ''].join('\r\n'));
    socket.write(first);
    far.write(head);
    for (const [near, other] of [[socket, far] as const, [far, socket] as const]) {
      near.pipe(other);
      near.on('error', () => near.destroy()).once('close', () => other.destroy());
    }
    granted.resolve();
  });
  asked.end();
  await granted.promise;
}

/** The client asks again: its next call may find the holder, or another member that has taken over. */
const heldByOther = (): AppError =>
  new AppError('SERVER_BUSY', { message: 'Another process of the server works on this.', retryAfter: 1 });
