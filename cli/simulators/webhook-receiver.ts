/** A program that is notified: by webhooks, or by a FHIR Subscription. */
import { answerHttp, failing, receivingFaults } from './http-peer.ts';
import type { PeerResponse } from './http-peer.ts';
import { resourceIn } from './fhir-resources.ts';
import type { FhirResource } from './fhir-resources.ts';
import type { Simulator } from './simulator.ts';
import { tlsOptions } from './tls.ts';

export const webhookReceiver: Simulator = {
  options: ['listen', 'count', ...tlsOptions],
  faults: { ...receivingFaults, gone: '410: nothing is to be sent any more' },
  run(context, { count, faults, ...words }) {
    let taken = 0;
    return answerHttp(
      context,
      { ...words, path: '/hook' },
      ({ method, body }) => {
        if (method !== 'POST') return { status: 405 };
        const fault: PeerResponse | undefined = faults.has('gone') ? { status: 410 } : failing(faults, taken++);
        return { ...(fault ?? { status: 204 }), event: describeNotification(body) };
      },
      (events) => events.length === count,
    );
  },
};

/** The type of what came, and ids in it. */
function describeNotification(body: Buffer): { readonly what: string; readonly more: string } {
  const notification = resourceIn(body);
  if (!notification) {
    const { type, data } = JSON.parse(body.toString()) as { type?: unknown; data?: Readonly<Record<string, unknown>> };
    return { what: String(type), more: String(data?.['record_id'] ?? '') };
  }
  const [status, ...events] = (notification['entry'] ?? []) as { resource?: FhirResource; fullUrl?: unknown }[];
  const parameters = (status?.resource?.['parameter'] ?? []) as { name?: unknown; valueCode?: unknown }[];
  const type = parameters.find(({ name }) => name === 'type')?.valueCode ?? status?.resource?.['type'];
  return { what: String(type), more: events.map(({ fullUrl }) => String(fullUrl).split('/').at(-1)).join(' ') };
}
