/** Sends documents by HTTP requests. The operator may set any URL; redirects are not followed. */
import { AppError } from '../../../../../src/contract/errors.ts';
import { exportFormats } from '../../../../../src/contract/export.ts';
import { bcp195 } from '../../../../../src/node/tls/connect.ts';
import type { OutboundMessage, ChannelConfig, OutboundDeps, Sender } from '../../channel.ts';
import { retryAfterRequestFailure } from '../../failures.ts';
import { toSendResult } from '../../sending/http-verdict.ts';
import { readTlsFor } from '../../tls-settings.ts';
import type { HttpOutSettings } from './settings.ts';
import { elementAt } from '../../../../../src/domain/elements.ts';

/** Maximum of bytes read from an answer, of which only the status matters. */
const answerLimit = 64 * 1024;

export async function openRequests(
  { settings }: ChannelConfig<HttpOutSettings>,
  { clock }: OutboundDeps,
): Promise<Sender> {
  const { url, method = 'POST', format = 'fhir', token, timeout_seconds: seconds = 30 } = settings;
  const timeout = seconds * 1000;
  const { Agent, request } = await import('undici');
  const dispatcher = new Agent({
    connect: { timeout, ...bcp195, ...(await readTlsFor({ url }, settings)) },
    headersTimeout: timeout,
    bodyTimeout: timeout,
  });
  const login = { 'user-agent': 'Laudio', ...(token !== undefined && { authorization: `Bearer ${token}` }) };
  const limited = (signal: AbortSignal): AbortSignal => AbortSignal.any([signal, AbortSignal.timeout(timeout)]);
  return {
    address: new URL(url.replaceAll(/[{}]/g, '')).origin,
    formats: [format],
    async test(signal) {
      try {
        const { origin } = new URL(url.replaceAll(/[{}]/g, ''));
        const answer = await request(origin, { dispatcher, method: 'HEAD', signal: limited(signal) });
        await answer.body.dump({ limit: answerLimit });
        return `The other side answers (${answer.statusCode}). Nothing was sent.`;
      } catch (error) {
        throw new AppError('CONFIGURATION', { message: retryAfterRequestFailure(error, url).error.message });
      }
    },
    async send(message, signal) {
      try {
        const answer = await request(fillUrl(url, message), {
          dispatcher,
          method,
          headers: { ...login, ...buildHeaders(message), 'content-type': exportFormats[format] },
          body: elementAt(message.contents, 0),
          signal: limited(signal),
        });
        const wait = answer.headers['retry-after'];
        await answer.body.dump({ limit: answerLimit, signal: limited(signal) }).catch(() => undefined);
        return toSendResult(answer.statusCode, typeof wait === 'string' ? wait : undefined, clock.now());
      } catch (error) {
        return retryAfterRequestFailure(error, url);
      }
    },
    close: () => dispatcher.destroy(),
  };
}

const fillUrl = (url: string, { report: { record } }: OutboundMessage): string =>
  url.replaceAll('{record_id}', record.id).replaceAll('{version}', String(record.version));

/** Metadata for receivers, for formats that only people read. */
const buildHeaders = ({ id, event, report: { record, item } }: OutboundMessage): Record<string, string> => ({
  'idempotency-key': id,
  'laudio-event': event,
  'laudio-record-id': record.id,
  'laudio-record-version': String(record.version),
  'laudio-record-status': record.status,
  ...(item && { 'laudio-worklist-item-id': item.id }),
  // Percent-encoded: headers hold ASCII.
  ...(item?.accession_number && { 'laudio-accession-number': encodeURIComponent(item.accession_number) }),
});
