/**
 * Applies faults to a call: before it is handled, and to its answer. Combines the header `X-Laudio-Simulate` with the rules of
 * the server.
 */
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isEventStream } from '../../../src/contract/endpoint.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { faultMs } from '../../../src/contract/fault-effects.ts';
import type { FaultEffects } from '../../../src/contract/fault-effects.ts';
import { machineClockOf } from '../../../src/domain/clock.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import type { Caller } from '../../http/call.ts';
import type { CallFaults, Strike } from '../../http/call-faults.ts';
import { unauthorized } from '../../http/authenticator.ts';
import { limitHeaders, tooManyRequests } from '../../http/plugins/rate-limit.ts';
import { claimedClient } from './claimed-client.ts';
import type { FaultSource } from './faults.ts';
import { isStruckByFaults } from './path-pattern.ts';
import { simulateHeader, parseSimulation } from './simulate.ts';
import { applyBodyFault } from './body-fault.ts';
import { replaceAnswer } from './replaced-answer.ts';
import { neverAborted } from './faults.ts';
import { textBefore } from '../../../src/domain/text-before.ts';

export interface FaultExecutorDeps {
  readonly clock: Clock;
  readonly faults: FaultSource;
  /** Revokes the authorization of an access token. */
  readonly revoke: (grantId: string) => Promise<void>;
  /** Requests per minute and client; 0: no limit. */
  readonly rateLimit: number;
  /** Aborted when the server stops, which ends all waits. */
  readonly stopping: AbortSignal;
}

/** The limit in a simulated 429 if the server has none. */
const defaultLimit = 100;

const pathOf = ({ url }: FastifyRequest): string => textBefore(url, '?');

/** Refreshed tokens share a grant; a machine login has a grant per token, so its client id is used. */
const holderOf = (caller: Caller | undefined): string | undefined =>
  caller?.user === null ? caller.client_id : caller?.grant_id;

/** The header in Node's spelling. */
const simulation = simulateHeader.toLowerCase();

/** Effects that a test client requests by the header. */
function readSimulation({ caller, headers }: FastifyRequest): FaultEffects | undefined {
  const header = headers[simulation];
  return caller?.test_mode && typeof header === 'string' ? parseSimulation(header) : undefined;
}

export function createFaultExecutor({ clock, faults, revoke, rateLimit, stopping }: FaultExecutorDeps): CallFaults {
  /** Uses the machine's time, which also governs waiting clients, whatever time the server simulates. */
  const waitWhile =
    ({ raw }: FastifyReply, { signal }: Strike) =>
    (ms: number): Promise<void> =>
      new Promise((resolve) => {
        const signals = [signal, stopping];
        const end = (): void => {
          cancel();
          raw.removeListener('close', end);
          for (const each of signals) each.removeEventListener('abort', end);
          resolve();
        };
        const machine = machineClockOf(clock);
        const cancel = ms > 0 ? machine.schedule(machine.now() + ms, end) : () => {};
        raw.once('close', end);
        for (const each of signals) each.addEventListener('abort', end);
        if (ms <= 0 || raw.destroyed || signals.some(({ aborted }) => aborted)) end();
      });

  const refuse = async (strike: Strike, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { token, status, content, retry_after: seconds = 1 } = strike.effects;
    if (token === 'revoked' && request.caller) await revoke(request.caller.grant_id);
    if (token !== undefined) throw unauthorized(token);
    if (strike.overQuota) throw strike.overQuota;
    // The hook at the end of the call replaces the empty body, and the headers.
    if (status !== undefined && content !== undefined) return void reply.code(status).send('');
    switch (status) {
      case undefined:
        return;
      case 403:
        throw new AppError('FORBIDDEN');
      case 404:
        throw new AppError('NOT_FOUND');
      case 429: {
        const limit = rateLimit || defaultLimit;
        reply.headers(limitHeaders({ limit, remaining: 0, reset: Math.max(1, seconds) }));
        throw tooManyRequests(limit, seconds);
      }
      case 500:
        throw new AppError('INTERNAL_ERROR');
      case 503:
        throw new AppError('SERVER_BUSY', { retryAfter: seconds });
      case 502:
      case 504:
        reply.code(status).type('text/html').send(proxyPage(status));
    }
  };

  const mayMeet: CallFaults['mayMeet'] = (endpoint, { headers }) =>
    (!faults.isEmpty || headers[simulation] !== undefined) && isStruckByFaults(endpoint);

  return {
    mayMeet,

    async meet(endpoint, request, reply, token) {
      const strike = await faults.call({
        endpoint,
        path: pathOf(request),
        client_id: claimedClient(request),
        request_id: request.id,
        token,
        holder: holderOf(request.caller),
        reply,
        simulated: readSimulation(request),
      });
      if (!strike) return;
      request.strike = strike;
      const { latency, cut } = strike.effects;
      if (latency !== undefined) await waitWhile(reply, strike)(faultMs(latency));
      if (cut === 'before' || reply.raw.destroyed) return closeConnection(reply);
      return refuse(strike, request, reply);
    },

    answer(endpoint, strike, reply, payload) {
      const { cut, body } = strike.effects;
      if (cut === 'after') {
        if (payload instanceof Readable) payload.destroy();
        closeConnection(reply);
        return undefined;
      }
      const replaced = replaceAnswer(strike.effects, reply, payload);
      if (body === undefined) return { payload: replaced };
      const wait = waitWhile(reply, strike);
      const struck = { effect: body, reply, wait, isEventStream: isEventStream(endpoint) && replaced === payload };
      return { payload: applyBodyFault(replaced, struck) };
    },

    job(endpoint, request) {
      if (!mayMeet(endpoint, request)) return undefined;
      const call = { endpoint, path: pathOf(request), client_id: request.caller?.client_id, request_id: request.id };
      const struck = faults.job(call, readSimulation(request));
      if (!struck) return undefined;
      const { strike } = request;
      request.strike = strike ? { ...strike, names: `${strike.names}, ${struck.name}` } : createJobStrike(struck.name);
      return struck.becomes;
    },
  };
}

/** A strike on a job that leaves its call alone. */
const createJobStrike = (names: string): Strike => ({ names, effects: {}, overQuota: undefined, signal: neverAborted });

/** Closes the connection without an answer. */
function closeConnection(reply: FastifyReply): void {
  reply.hijack();
  reply.raw.destroy();
}

/** The page of a proxy whose server does not answer. */
const proxyPage = (status: 502 | 504): string => {
  const title = status === 502 ? '502 Bad Gateway' : '504 Gateway Time-out';
  return `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n</body>\r\n</html>\r\n`;
};
