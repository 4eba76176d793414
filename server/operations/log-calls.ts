/** Logs each call: its name in the contract and its result; of the request only its id. */
import { findSenderAddress } from '../http/client-address.ts';
import type { EndedCall } from '../http/watched-calls.ts';
import type { Log } from '../runtime/log.ts';

const levelOf = (status: number | undefined) =>
  status === undefined ? 'warn' : status >= 500 ? 'error' : ('info' as const);

/** A failure of the server is an error, a closed connection a warning. */
export const logCalls =
  (log: Log, { logAddresses = false }: { readonly logAddresses?: boolean | undefined } = {}) =>
  ({ request, endpoint, status, elapsed }: EndedCall): void =>
    log({
      level: levelOf(status),
      event: 'call',
      request_id: request.id,
      method: request.method,
      route: endpoint?.path ?? request.routeOptions?.url ?? 'other',
      status: status ?? null,
      duration_ms: Math.round(10 * elapsed) / 10,
      client_id: request.caller?.client_id ?? null,
      ...(logAddresses && { address: findSenderAddress(request) }),
      ...(request.refusal !== undefined && { code: request.refusal }),
    });
