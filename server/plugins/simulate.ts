/**
 * Simulations for QA, for test clients only: the header `X-Laudio-Simulate` makes one call slow, failing or cut off.
 */
import type { FastifyReply } from 'fastify';
import { AppError, validationFailed } from '../../src/contract/errors.ts';
import { simulations } from '../../src/contract/headers.ts';
import type { RequestHeader } from '../../src/contract/headers.ts';
import { machineOf } from '../../src/domain/clock.ts';
import type { Clock } from '../../src/domain/clock.ts';
import type { Documents } from '../store/collections.ts';

export const simulateHeader = 'X-Laudio-Simulate' satisfies RequestHeader;

export interface Simulation {
  /** Milliseconds to wait before the call is handled. */
  readonly latency?: number;
  readonly status?: 429 | 500 | 503;
  readonly token?: 'expired';
  /** The connection is cut after the request is taken. */
  readonly drop?: true;
  /** The job that this call creates fails, or takes so many milliseconds. */
  readonly job?: NonNullable<Documents['jobs']['simulate']>;
}

/** The longest simulated delay, in ms. */
export const longestSimulatedMs = 10 * 60 * 1000;

/** Directives and their simulations; the header separates several directives by commas. */
const directives: readonly { pattern: RegExp; read: (value: string) => Simulation }[] = [
  { pattern: /^latency=(\d{1,6})$/, read: (ms) => ({ latency: Math.min(Number(ms), longestSimulatedMs) }) },
  { pattern: /^status=(429|500|503)$/, read: (status) => ({ status: Number(status) as 429 }) },
  { pattern: /^job=(fail)$/, read: () => ({ job: { fail: true } }) },
  { pattern: /^job=slow:(\d{1,6})$/, read: (ms) => ({ job: { slowMs: Math.min(Number(ms), longestSimulatedMs) } }) },
  { pattern: /^token=(expired)$/, read: () => ({ token: 'expired' }) },
  { pattern: /^(drop)$/, read: () => ({ drop: true }) },
];

/** Reads the header; an absent header simulates nothing. VALIDATION_FAILED for an unknown directive. */
export function simulationOf(header: string | undefined): Simulation {
  let simulation: Simulation = {};
  for (const word of header === undefined ? [] : header.split(',').map((part) => part.trim())) {
    const directive = directives.find(({ pattern }) => pattern.test(word));
    if (!directive) {
      throw validationFailed([
        {
          field: simulateHeader,
          message: `${simulateHeader} takes ${Object.keys(simulations).join(', ')}`,
          code: 'INVALID_VALUE',
        },
      ]);
    }
    simulation = { ...simulation, ...directive.read(directive.pattern.exec(word)![1]!) };
  }
  return simulation;
}

/** Applies the part of the simulation that precedes the call: waits, or throws the simulated error. */
export async function simulateBefore(simulation: Simulation, clock: Clock): Promise<void> {
  if (simulation.latency !== undefined) {
    // Felt by whoever calls, whose patience goes by the machine's clock.
    const machine = machineOf(clock);
    const until = machine.now() + simulation.latency;
    await new Promise<void>((resolve) => void machine.schedule(until, resolve));
  }
  if (simulation.token === 'expired') {
    throw new AppError('UNAUTHORIZED', {
      message: 'The access token has expired.',
      hint: 'Simulated. Refresh the token.',
    });
  }
  switch (simulation.status) {
    case 429:
      throw new AppError('RATE_LIMIT_EXCEEDED', {
        details: { limit: 100, window: '1 minute', retry_after: 1 },
        retryAfter: 1,
      });
    case 500:
      throw new AppError('INTERNAL_ERROR');
    case 503:
      throw new AppError('SERVER_BUSY', { retryAfter: 1 });
  }
}

/** Cuts the connection instead of answering. */
export function drop(reply: FastifyReply): void {
  reply.hijack();
  reply.raw.destroy();
}
