/** The call of a request as its handler sees it. The call ends when the connection of the request closes. */
import type { Scope } from '../../src/contract/scopes.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Answer, Call, Caller, Upload } from './call.ts';
import type { CallFaults, JobFault } from './call-faults.ts';
import type { Authenticator } from './authenticator.ts';
import { findActor } from './actor.ts';
import { findSenderAddress } from './client-address.ts';
import { findEndpoint } from './plugins/errors.ts';
import type { Attempt } from './plugins/idempotency.ts';
import { serviceActor } from '../storage/actor.ts';
import type { Actor } from '../storage/actor.ts';
import type { Store, Transaction } from '../storage/store.ts';

/** The services of the server that a call needs. */
export interface CallSurroundings {
  readonly store: Store;
  readonly authenticate: Authenticator;
  /** Aborted when the server stops, to end streams that have no end. */
  readonly stopping: AbortSignal;
  readonly faults: CallFaults;
}

/** A class with getters, since every request makes a call, and few handlers use its signal or address. */
export class RequestCall implements Call {
  readonly request_id: string;
  readonly base_url: string;
  readonly caller: Caller;
  readonly upload: Upload | undefined;
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;
  readonly #around: CallSurroundings;
  readonly #attempt: Attempt | undefined;
  #controller: AbortController | undefined;
  #whileAllowed: AbortController | undefined;

  constructor(request: FastifyRequest, reply: FastifyReply, around: CallSurroundings, attempt?: Attempt) {
    this.request_id = request.id;
    this.base_url = request.base;
    // Only endpoints with `access: bearer` are given a caller, and only they ask for it.
    this.caller = request.caller as Caller;
    this.upload = request.upload;
    this.#request = request;
    this.#reply = reply;
    this.#around = around;
    this.#attempt = attempt;
  }

  get address(): string {
    return findSenderAddress(this.#request);
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      const created = (this.#controller = new AbortController());
      const { raw } = this.#reply;
      const { stopping } = this.#around;
      raw.once('close', () => created.abort());
      stopping.addEventListener('abort', () => created.abort(), { once: true, signal: created.signal });
      if (stopping.aborted || raw.destroyed) created.abort();
    }
    return this.#controller.signal;
  }

  readonly actor = (): Actor => {
    const endpoint = findEndpoint(this.#request);
    return endpoint ? findActor(this.#request, endpoint) : serviceActor('service');
  };

  readonly jobFault = (): JobFault | undefined => {
    const endpoint = findEndpoint(this.#request);
    return endpoint && this.#around.faults.job(endpoint, this.#request);
  };

  readonly header = (name: string): string | undefined => getHeader(this.#request, name);

  get whileAllowed(): AbortSignal {
    if (!this.#whileAllowed) {
      const created = (this.#whileAllowed = new AbortController());
      const { signal, caller } = this;
      const { scope } = findEndpoint(this.#request) ?? {};
      const token = bearerToken(this.#request) ?? '';
      const isAllowed = (scopes: readonly Scope[]): boolean => scope === undefined || scopes.includes(scope);
      const stop = this.#around.authenticate.follow(token, caller, isAllowed, () => created.abort());
      const end = (): void => {
        stop();
        created.abort();
      };
      signal.addEventListener('abort', end, { once: true });
      if (signal.aborted) end();
    }
    return this.#whileAllowed.signal;
  }

  readonly commit = <A extends Answer>(work: (tx: Transaction) => Promise<A>): Promise<A> => {
    const request = this.#request;
    const attempt = this.#attempt;
    return this.#around.store.transact(async (tx) => {
      const { caller } = request;
      if (caller) await this.#around.authenticate.checkStillAllowed(tx, caller, findEndpoint(request)?.scope);
      const answer = await work(tx);
      if (attempt) await attempt.remember(tx, answer);
      return answer;
    }, this.actor);
  };
}

export const getHeader = (request: FastifyRequest, name: string): string | undefined => {
  const value = request.headers[name.toLowerCase()];
  return Array.isArray(value) ? value[0] : value;
};

/** RFC 6750 2.1. */
export function bearerToken(request: FastifyRequest): string | undefined {
  const { authorization = '' } = request.headers;
  if (authorization !== lastBearer.authorization) {
    const token = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(authorization)?.[1];
    lastBearer = { authorization, token };
  }
  return lastBearer.token;
}

/** Requests of one client mostly follow each other. A string that is looked up again has its hash already. */
let lastBearer: { readonly authorization: string; readonly token: string | undefined } = {
  authorization: '',
  token: undefined,
};
