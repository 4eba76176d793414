/** Sends one webhook request to a checked address. Follows no redirect; reads the answer up to a limit and discards it. */
import type { LookupFunction } from 'node:net';
import { isIP } from 'node:net';
import type { Agent, buildConnector } from 'undici';
import { AppError } from '../../../src/contract/errors.ts';
import type { Targets } from './target.ts';
import type { WebhookFault } from '../deps.ts';
import { elementAt } from '../../../src/domain/elements.ts';
import { findEntry } from '../../../src/domain/find-entry.ts';

export interface SenderOptions {
  readonly targets: Targets;
  /** Monotonic time in ms, for durations. */
  readonly elapsed: () => number;
  /** Timeout for the whole exchange, in ms of real time instead of the service's clock: it protects a socket. */
  readonly timeoutMs: number;
  /** Timeout for the body of an answer after its status has arrived, in ms of real time. */
  readonly restMs: number;
}

export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The outcome of a webhook request. */
export interface Outcome {
  /** `null`: no answer came; `error` has the reason. */
  readonly http_status: number | null;
  readonly error: string | null;
  readonly duration_ms: number;
  readonly retry_after: string | null;
}

export interface Sender {
  /** Sends the request, or simulates a fault. Never rejects: a failure is an outcome. */
  send(request: WebhookRequest, signal: AbortSignal, fault?: WebhookFault): Promise<Outcome>;
  /** Closes the open connections. */
  close(): Promise<void>;
}

/** Maximum of bytes read from an answer: enough for an ordinary one to end properly. */
const answerLimit = 64 * 1024;

const reasons: Readonly<Record<string, string>> = {
  TimeoutError: 'There was no answer in time.',
  AbortError: 'The attempt was aborted.',
  UND_ERR_CONNECT_TIMEOUT: 'There was no answer in time.',
  UND_ERR_SOCKET: 'The connection broke.',
  ECONNRESET: 'The connection broke.',
  ECONNREFUSED: 'The connection was refused.',
};

/** Why the request failed, without address or content, because the text is stored and shown. */
function describeFailure(error: unknown): string {
  if (error instanceof AppError) return error.message;
  const { code, name } = error as { code?: unknown; name?: unknown };
  for (const key of [code, name]) {
    const reason = typeof key === 'string' ? findEntry(reasons, key) : undefined;
    if (reason !== undefined) return reason;
  }
  return typeof code === 'string' && /^[A-Z0-9_]+$/.test(code) ? `The request failed: ${code}.` : 'The request failed.';
}

/** Resolves every lookup to the checked addresses, so that no other address is used (DNS rebinding). */
const createPinnedLookup =
  (addresses: readonly string[]): LookupFunction =>
  (_hostname, options, callback) => {
    const resolved = addresses.map((address) => ({ address, family: isIP(address) }));
    if (options.all) callback(null, resolved);
    else callback(null, elementAt(resolved, 0).address, elementAt(resolved, 0).family);
  };

/** A connector that connects only to addresses that `targets` permits. */
const createGuardedConnector =
  (targets: Targets, build: typeof buildConnector, timeout: number): buildConnector.connector =>
  (options, callback) => {
    targets.addresses(options).then(
      // TLS sessions are not resumed: a session would outlive the check of its address.
      (addresses) =>
        build({ timeout, allowH2: false, maxCachedSessions: 0, lookup: createPinnedLookup(addresses) })(
          options,
          callback,
        ),
      (error: Error) => callback(error, null),
    );
  };

/** Status of a simulated receiver. Rejects like a request to a receiver that is down or silent. */
async function simulateStatus({ effect, signal }: WebhookFault, limited: AbortSignal): Promise<number> {
  if (/^\d+$/.test(effect)) return Number(effect);
  if (effect === 'timeout') await waitForAbort(AbortSignal.any([limited, signal]));
  // If the fault is removed meanwhile, the silent receiver refuses this attempt and accepts the next.
  throw effect === 'timeout' && limited.aborted ? limited.reason : { code: 'ECONNREFUSED' };
}

const waitForAbort = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

export function createSender({ targets, elapsed, timeoutMs, restMs }: SenderOptions): Sender {
  let agent: Promise<Agent> | undefined;
  // undici is slow to load, and most runs send nothing.
  const open = async (): Promise<Agent> => {
    const { Agent, buildConnector } = await import('undici');
    // No keep-alive (pipelining 0): every attempt makes a connection, whose address is checked.
    return new Agent({ connect: createGuardedConnector(targets, buildConnector, timeoutMs), pipelining: 0 });
  };

  return {
    async send({ url, headers, body }, signal, fault) {
      const started = elapsed();
      const ended = (http_status: number | null, error: string | null, retry_after: string | null = null): Outcome => ({
        http_status,
        error,
        duration_ms: Math.round(elapsed() - started),
        retry_after,
      });
      const limited = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
      try {
        if (fault) return ended(await simulateStatus(fault, limited), null);
        const { origin, pathname, search } = targets.parse(url);
        const dispatcher = await (agent ??= open());
        const answer = await dispatcher.request({
          origin,
          path: pathname + search,
          method: 'POST',
          headers,
          body,
          signal: limited,
        });
        // The status alone decides the outcome, so a slow body is not awaited.
        const patient = AbortSignal.any([limited, AbortSignal.timeout(restMs)]);
        await answer.body.dump({ limit: answerLimit, signal: patient }).catch(() => undefined);
        const wait = answer.headers['retry-after'];
        return ended(answer.statusCode, null, typeof wait === 'string' ? wait : null);
      } catch (error) {
        return ended(null, describeFailure(error));
      }
    },
    async close() {
      const last = agent;
      agent = undefined;
      await (await last)?.destroy();
    },
  };
}
