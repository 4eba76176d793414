/** Says that a server is older than this program, where a call of it was refused and that may be why. */
import type { Transport } from '../../src/client/transport.ts';
import { compareVersions } from '../../src/domain/version-order.ts';

/** Statuses with which a server answers a call, a method or a field that it doesn't know. */
const unknownStatuses: ReadonlySet<number> = new Set([400, 404, 405]);

/** Whether something that a call names isn't there, rather than the call. */
const isMissing = (status: number, url: string): boolean => status === 404 && /_[0-9A-Z]{26}(?:[/?]|$)/.test(url);

/** Milliseconds for the server's version: the refusal itself must not wait long for its explanation. */
const patience = 2000;
const answerLimit = 4096;

export function noteOlderServer(transport: Transport, version: string, note: (sentence: string) => void): Transport {
  let isAsked = false;
  return async (request) => {
    const answer = await transport(request);
    if (isAsked || !unknownStatuses.has(answer.status) || isMissing(answer.status, request.url)) return answer;
    isAsked = true;
    const url = new URL('/healthz', request.url).href;
    const other = await transport({ method: 'GET', url, headers: {}, signal: AbortSignal.timeout(patience) })
      .then(async ({ text }) => (JSON.parse(await text(answerLimit)) as { readonly version?: unknown } | null)?.version)
      .catch(() => undefined);
    if (typeof other === 'string' && (compareVersions(other, version) ?? 0) < 0) {
      note(
        `This server is Laudio ${other}, and this program is ${version}: the server may not know all that it was asked.`,
      );
    }
    return answer;
  };
}
