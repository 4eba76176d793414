/** The port by which calls meet faults: tests of clients make calls go wrong. server/qa/faults implements it. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import type { AppError } from '../../src/contract/errors.ts';
import type { FaultEffects } from '../../src/contract/fault-effects.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The effects of faults on the call; set when the call arrives. */
    strike: Strike | undefined;
  }
}

/** The effects of faults on one call. */
export interface Strike {
  /** The names of the faults; of a simulation, the header. */
  readonly names: string;
  /** The effects that happen. */
  readonly effects: FaultEffects;
  /** Refuses the call by a quota. */
  readonly overQuota: AppError | undefined;
  /** Aborted when one of the faults is removed: what waits then goes on. */
  readonly signal: AbortSignal;
}

/** The effect of a fault on a job, as the stored job keeps it. */
export type JobFault = { fail: true; code?: string } | { slowMs: number } | { stuck: string };

export interface CallFaults {
  /** Whether the call can be struck at all; most servers have no faults, and most calls no header. */
  mayMeet(endpoint: Endpoint, request: FastifyRequest): boolean;
  /** Waits, refuses the call by throwing, or answers it: then the reply is sent. `token`: the access token of the call. */
  meet(endpoint: Endpoint, request: FastifyRequest, reply: FastifyReply, token: string | undefined): Promise<void>;
  /** The payload to send instead; `undefined`: the connection was cut, and there is no answer. */
  answer(endpoint: Endpoint, strike: Strike, reply: FastifyReply, payload: unknown): { payload: unknown } | undefined;
  /** The effect on the job that the call makes. */
  job(endpoint: Endpoint, request: FastifyRequest): JobFault | undefined;
}
