/** A system that receives documents over HTTP, in any format, and reports them. */
import { answerHttp, failing, receivingFaults } from './http-peer.ts';
import type { Simulator } from './simulator.ts';
import { tlsOptions } from './tls.ts';

export const httpReceiver: Simulator = {
  options: ['listen', 'count', ...tlsOptions],
  faults: receivingFaults,
  run(context, { count, faults, ...words }) {
    let taken = 0;
    return answerHttp(
      context,
      { ...words, path: '/' },
      ({ method, headers, body }) => {
        if (method !== 'POST' && method !== 'PUT') return { status: 204 };
        const header = (name: string): string => decodeURIComponent(String(headers[name] ?? ''));
        const more = [header('laudio-accession-number'), header('laudio-record-status'), `${body.length} bytes`];
        const event = {
          what: [method, String(headers['content-type'] ?? '').split(';')[0]].filter(Boolean).join(' '),
          more: more.filter(Boolean).join(' '),
        };
        return { ...(failing(faults, taken++) ?? { status: 201 }), event };
      },
      (events) => events.length === count,
    );
  },
};
