/** A FHIR server that receives reports: by conditional updates, or in transactions (R4, 3.1.0.4.3 and 3.1.0.11). */
import { answerHttp, failing, receivingFaults } from './http-peer.ts';
import type { PeerResponse, PeerRequest } from './http-peer.ts';
import { capabilities, outcome, resourceIn } from './fhir-resources.ts';
import type { FhirResource } from './fhir-resources.ts';
import type { Simulator } from './simulator.ts';
import { tlsOptions } from './tls.ts';
import { elementAt } from '../../src/domain/elements.ts';

interface Entry {
  readonly resource?: FhirResource;
  readonly request?: { readonly method?: unknown; readonly url?: unknown };
}

export const fhirReceiver: Simulator = {
  options: ['listen', 'count', ...tlsOptions],
  faults: receivingFaults,
  run(context, { count, faults, ...words }) {
    /** Versions, keyed by the search of the conditional update. */
    const versions = new Map<string, number>();
    let taken = 0;

    /** The entry of a `transaction-response`. */
    const store = (condition: string) => {
      const version = (versions.get(condition) ?? 0) + 1;
      versions.set(condition, version);
      return { status: version === 1 ? 201 : 200, etag: `W/"${version}"` };
    };

    function takeOne({ method, url, body }: PeerRequest): PeerResponse {
      const resource = resourceIn(body);
      if (!resource)
        return { status: 400, body: outcome('That is no FHIR resource.'), event: { what: method, more: '' } };
      const isTransaction = method === 'POST' && resource['type'] === 'transaction';
      const entries: readonly Entry[] = isTransaction
        ? ((resource['entry'] ?? []) as Entry[])
        : [{ resource, request: { method, url: `${url.pathname.split('/').at(-1)}${url.search}` } }];
      const reports = entries.flatMap(({ resource: each }) =>
        each?.resourceType === 'DiagnosticReport' ? [each] : [],
      );
      const event = {
        what: isTransaction ? 'POST transaction' : `${method} ${resource.resourceType}`,
        more: reports.map(tellReport).join(', '),
      };
      const fault = failing(faults, taken++);
      if (fault) return { ...fault, event };
      const stored = entries.map(({ request }) => store(String(request?.url)));
      if (!isTransaction) {
        return {
          status: elementAt(stored, 0).status,
          headers: { etag: elementAt(stored, 0).etag },
          body: resource,
          event,
        };
      }
      const entry = stored.map(({ status, etag }) => ({ response: { status: String(status), etag } }));
      return { status: 200, body: { resourceType: 'Bundle', type: 'transaction-response', entry }, event };
    }

    return answerHttp(
      context,
      { ...words, path: '/fhir' },
      (asked) => {
        if (asked.method === 'PUT' || asked.method === 'POST') return takeOne(asked);
        if (asked.url.pathname.endsWith('/metadata')) return { status: 200, body: capabilities };
        return { status: 404, body: outcome('The simulator keeps no reports.') };
      },
      (events) => events.length === count,
    );
  },
};

/** The accession number and the status, by which a RIS finds the exam. */
function tellReport({ identifier, status }: FhirResource): string {
  const identifiers = Array.isArray(identifier) ? (identifier as { value?: unknown; type?: unknown }[]) : [];
  const accession = identifiers.find(({ type }) => JSON.stringify(type)?.includes('"ACSN"'))?.value;
  return [accession, status].filter((each) => typeof each === 'string').join(' ');
}
