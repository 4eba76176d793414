/** Passes a received webhook on to another receiver, body and headers unchanged: `laudio webhook listen --forward-to`. */
import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../../contract/errors.ts';
import type { EventType } from '../../contract/events.ts';
import { endToEnd } from './end-to-end.ts';
import { createHttpCall } from './http-call.ts';

/** The outcome of a forwarded request. */
export interface ForwardResult {
  /** Status of the receiver's answer. `null`: there was no answer. */
  readonly http_status: number | null;
  /** The reason if there was no answer; otherwise `null`. */
  readonly error: string | null;
  readonly duration_ms: number;
  /** The header of that name in the answer. */
  readonly retry_after?: string;
}

export interface WebhookForwarder {
  /**
   * Sends the request once; `undefined` if no receiver wants that type. `signal` is aborted when nobody waits for the answer
   * any longer. Never rejects.
   */
  forward(
    type: EventType,
    request: { readonly headers: IncomingHttpHeaders; readonly body: Buffer },
    signal: AbortSignal,
  ): Promise<ForwardResult | undefined>;
  close(): Promise<void>;
}

/** The sender gives up long before, which aborts the request. */
const maxWaitMs = 5 * 60_000;

async function drop(body: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of body);
}

/** Follows no redirects: a webhook's sender doesn't either. `choose` names the receiver of a type, `env` the proxies. */
export function createWebhookForwarder(
  choose: (type: EventType) => string | undefined,
  env: NodeJS.ProcessEnv,
): WebhookForwarder {
  const { transport, close } = createHttpCall({ timeout: maxWaitMs, env });
  const answerTo = async (url: string, headers: IncomingHttpHeaders, body: Buffer, signal: AbortSignal) => {
    try {
      const answer = await transport({
        method: 'POST',
        url,
        headers: endToEnd(headers, ['content-length']),
        body,
        signal,
      });
      // The rest of the answer means nothing to a webhook's sender; the signal ends an endless rest.
      drop(answer.body).catch(() => undefined);
      const { 'retry-after': retryAfter } = answer.headers;
      return {
        http_status: answer.status,
        error: null,
        ...(retryAfter !== undefined && { retry_after: retryAfter }),
      };
    } catch (error) {
      if (signal.aborted) return { http_status: null, error: 'It did not answer while the sender waited.' };
      return { http_status: null, error: error instanceof AppError ? error.message : 'It could not be reached.' };
    }
  };
  return {
    async forward(type, { headers, body }, signal) {
      const url = choose(type);
      if (url === undefined) return undefined;
      const start = performance.now();
      const answer = await answerTo(url, headers, body, signal);
      return { ...answer, duration_ms: Math.round(performance.now() - start) };
    },
    close,
  };
}
