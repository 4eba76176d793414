/**
 * Sends one webhook request to a checked address. Follows no redirect; reads the answer up to a limit and discards it.
 */
import type { LookupFunction } from 'node:net';
import { isIP } from 'node:net';
import type { Agent, buildConnector } from 'undici';
import { AppError } from '../../../src/contract/errors.ts';
import type { Targets } from './target.ts';
import type { WebhookFault } from './webhook-faults.ts';
import { elementAt } from '../../../src/domain/elements.ts';

export interface SenderOptions {
  readonly targets: Targets;
  /** ms since some moment of this run, by which attempts are measured. */
  readonly elapsed: () => number;
  /**
   * Time limit for the whole exchange, in ms of real time and not of the service's clock, since the limit guards a
   * socket.
   */
  readonly timeoutMs: number;
  /** Time limit for the rest of an answer whose status has arrived, in ms of real time. */
  readonly restMs: number;
}

export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The outcome of a webhook request. */
export interface Outcome {
  /** `null` where no answer came; then `error` says why. */
  readonly http_status: number | null;
  readonly error: string | null;
  readonly duration_ms: number;
  readonly retry_after: string | null;
}

export interface Sender {
  /** Sends the request, or under a fault nothing. Never rejects: a failure is an outcome. */
  send(request: WebhookRequest, signal: AbortSignal, fault?: WebhookFault): Promise<Outcome>;
  /** Closes the open connections. */
  close(): Promise<void>;
}

/** Bytes of an answer that are read: enough for an ordinary answer to end properly. */
const answerLimit = 64 * 1024;

const reasons: Readonly<Record<string, string>> = {
  TimeoutError: 'There was no answer in time.',
  AbortError: 'The attempt was broken off.',
  UND_ERR_CONNECT_TIMEOUT: 'There was no answer in time.',
  UND_ERR_SOCKET: 'The connection broke.',
  ECONNRESET: 'The connection broke.',
  ECONNREFUSED: 'The connection was refused.',
};

/** Why the request failed, without address or content: the sentence is stored and shown. */
function reasonOf(error: unknown): string {
  if (error instanceof AppError) return error.message;
  const { code, name } = error as { code?: unknown; name?: unknown };
  const known = [code, name].find((key): key is string => typeof key === 'string' && Object.hasOwn(reasons, key));
  if (known !== undefined) return reasons[known]!;
  return typeof code === 'string' && /^[A-Z0-9_]+$/.test(code) ? `The request failed: ${code}.` : 'The request failed.';
}

/**
 * Answers every lookup with the addresses that were checked, so that no other address is connected to (DNS rebinding).
 */
const pinned =
  (addresses: readonly string[]): LookupFunction =>
  (_hostname, options, callback) => {
    const resolved = addresses.map((address) => ({ address, family: isIP(address) }));
    if (options.all) callback(null, resolved);
    else callback(null, elementAt(resolved, 0).address, elementAt(resolved, 0).family);
  };

/** A connector that connects only to addresses that `targets` permits. */
const guarded =
  (targets: Targets, build: typeof buildConnector, timeout: number): buildConnector.connector =>
  (options, callback) => {
    targets.addresses(options).then(
      // TLS sessions are not resumed: a session would outlive the check of its address.
      (addresses) =>
        build({ timeout, allowH2: false, maxCachedSessions: 0, lookup: pinned(addresses) })(options, callback),
      (error: Error) => callback(error, null),
    );
  };

/** The status that a receiver under a fault answers with. Rejects as a request does to a receiver that is down, or silent. */
async function struckStatus({ effect, signal }: WebhookFault, limited: AbortSignal): Promise<number> {
  if (/^\d+$/.test(effect)) return Number(effect);
  if (effect === 'timeout') await aborted(AbortSignal.any([limited, signal]));
  // A receiver whose fault was removed while it was silent refuses this attempt, and takes the next.
  throw effect === 'timeout' && limited.aborted ? limited.reason : { code: 'ECONNREFUSED' };
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

export function createSender({ targets, elapsed, timeoutMs, restMs }: SenderOptions): Sender {
  let agent: Promise<Agent> | undefined;
  // undici is slow to load, and most runs send nothing.
  const open = async (): Promise<Agent> => {
    const { Agent, buildConnector } = await import('undici');
    // Without keep-alive (pipelining 0), so that every attempt makes a connection and its address is checked.
    return new Agent({ connect: guarded(targets, buildConnector, timeoutMs), pipelining: 0 });
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
        if (fault) return ended(await struckStatus(fault, limited), null);
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
        // The status alone decides the outcome, so a body that trickles in is not waited for.
        const patient = AbortSignal.any([limited, AbortSignal.timeout(restMs)]);
        await answer.body.dump({ limit: answerLimit, signal: patient }).catch(() => undefined);
        const wait = answer.headers['retry-after'];
        return ended(answer.statusCode, null, typeof wait === 'string' ? wait : null);
      } catch (error) {
        return ended(null, reasonOf(error));
      }
    },
    async close() {
      const last = agent;
      agent = undefined;
      await (await last)?.destroy();
    },
  };
}
