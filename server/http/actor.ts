/** Who acts by a call, and what the trail calls it. */
import type { FastifyRequest } from 'fastify';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import { contract } from '../../src/contract/index.ts';
import { findSenderAddress } from './client-address.ts';
import { ownIdOrNull } from './own-ids.ts';
import type { Actor } from '../storage/actor.ts';

/** The name of each call: `records.update`. */
const names = new Map<Endpoint, string>(
  Object.entries(contract).flatMap(([group, { endpoints }]) =>
    Object.entries(endpoints as Record<string, Endpoint>).map(([name, each]) => [each, `${group}.${name}`] as const),
  ),
);

export function findActor(request: FastifyRequest, endpoint: Endpoint): Actor {
  const { caller } = request;
  return {
    by: endpoint.access === 'admin' ? 'operator' : !caller ? 'service' : caller.user ? 'person' : 'client',
    user_id: caller?.user?.id ?? request.operator ?? null,
    client_id: caller?.client_id ?? null,
    action: names.get(endpoint) ?? 'service',
    request_id: ownIdOrNull(request.id),
    address: findSenderAddress(request),
  };
}
