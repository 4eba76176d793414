/** The calls of the FHIR server: reports that were signed, their patients and PDFs. */
import type { Handlers } from '../../src/contract/endpoint.ts';
import type { fhir } from '../../src/contract/fhir.ts';
import { elementAt } from '../../src/domain/elements.ts';
import type { DeliveryDeps } from '../delivery/deps.ts';
import { buildCapabilities } from '../delivery/fhir/capabilities.ts';
import { findReports, fromReference, readExam, readIssued, toFhirId } from '../delivery/fhir/find-reports.ts';
import type { ReportRecord } from '../delivery/fhir/find-reports.ts';
import { readSearch, searchParameters } from '../delivery/fhir/read-search.ts';
import { renderIssued } from '../delivery/fhir/report-renderer.ts';
import { exportDocument } from '../delivery/formats/export-document.ts';
import { buildReport, tooLong } from '../delivery/formats/export-record.ts';
import type { ReportDeps } from '../delivery/formats/export-record.ts';
import { buildPatient } from '../delivery/formats/fhir.ts';
import type { Call } from '../http/call.ts';
import { fhirAnswer } from '../delivery/fhir/answer.ts';
import { findAccepted } from '../delivery/fhir/versions.ts';
import { defaultVersion, fhirVersions } from '../../src/contract/fhir-types.ts';
import type { FhirVersion } from '../../src/contract/fhir-types.ts';
import { subscriptionRoutes, topicRoutes } from './fhir-subscriptions.ts';
import type { SubscriptionRouteDeps } from './fhir-subscriptions.ts';
import { pageAmong, readPage } from '../http/paging.ts';
import type { Reader } from '../storage/store.ts';

type FhirDeps = Pick<DeliveryDeps, 'workers'> & ReportDeps & SubscriptionRouteDeps;

export function fhirRoutes(deps: FhirDeps & { readonly version: string }): Handlers<typeof fhir, Call> {
  const { store, workers, version } = deps;

  const render = (records: readonly ReportRecord[], call: Call, status?: string) => {
    const { base_url, signal } = call;
    const { space, client_id } = call.caller;
    return renderIssued(deps, records, { base_url, space, client_id, signal, version: wantedVersion(call), status });
  };

  return {
    async capabilities(_input, call) {
      const wanted = wantedVersion(call);
      return fhirAnswer(buildCapabilities(call.base_url, wanted, version), { version: wanted });
    },

    versions: async () =>
      fhirAnswer({
        resourceType: 'Parameters',
        parameter: [
          ...fhirVersions.map((each) => ({ name: 'version', valueCode: each })),
          { name: 'default', valueCode: defaultVersion },
        ],
      }),

    async search({ query: sent }, call) {
      const query = readSearch(sent);
      const { space } = call.caller;
      const { _count: limit = 20, cursor, status } = query;
      const page = { limit, ...(cursor !== undefined && { cursor }) };
      const found = await findReports(store, space, query);
      const { items: records, next_cursor: next } = found
        ? pageAmong(found, `fhir\n${space}`, page, (record) => record)
        : await readIssuedPage(store, space, page);
      const shown = await render(records, call, status);
      const { base_url: base } = call;
      const address = (at: string | undefined): string => {
        const search = new URLSearchParams();
        for (const [name, value] of Object.entries({ ...query, cursor: at }))
          if (value !== undefined && searchParameters.has(name)) search.set(name, String(value));
        return `${base}/fhir/DiagnosticReport?${search}`;
      };
      const entries = shown.map(
        ({ id, text }) =>
          `{"fullUrl":${JSON.stringify(`${base}/fhir/DiagnosticReport/${toFhirId(id)}`)},"resource":${text},"search":{"mode":"match"}}`,
      );
      const head = {
        resourceType: 'Bundle',
        type: 'searchset',
        ...(found && status === undefined && { total: found.length }),
        link: [
          { relation: 'self', url: address(cursor) },
          ...(next === null ? [] : [{ relation: 'next', url: address(next) }]),
        ],
      };
      const withoutEnd = JSON.stringify(head).slice(0, -1);
      return fhirAnswer(`${withoutEnd}${entries.length > 0 ? `,"entry":[${entries.join(',')}]` : ''}}`, {
        shows: shown.map(({ id }) => id),
        version: wantedVersion(call),
      });
    },

    async report({ params }, call) {
      const record = await readIssued(store, call.caller.space, params.id);
      const { text } = elementAt(await render([record], call), 0);
      return fhirAnswer(text, { shows: [record.id], version: wantedVersion(call) });
    },

    async patient({ params }, call) {
      const item = await readExam(store, call.caller.space, params.id);
      const patient = buildPatient(item, toFhirId(fromReference(params.id)));
      return fhirAnswer(patient, { shows: [item.id], version: wantedVersion(call) });
    },

    async binary({ params }, call) {
      const { caller, signal } = call;
      const record = await readIssued(store, caller.space, params.id);
      const report = await buildReport(deps, record);
      const pdf = await workers.run(exportDocument, { format: 'pdf', report }, { client: caller.client_id, signal });
      if (!pdf) throw tooLong();
      const data = Buffer.from(pdf).toString('base64');
      return fhirAnswer(
        { resourceType: 'Binary', id: toFhirId(record.id), contentType: 'application/pdf', data },
        { shows: [record.id], version: wantedVersion(call) },
      );
    },

    ...subscriptionRoutes(deps),
    ...topicRoutes,
  };
}

/** The version that the client wants to read. */
const wantedVersion = (call: Call): FhirVersion => findAccepted(call.header('accept')) ?? defaultVersion;

/** A page of all reports of the space; drafts shorten it. */
async function readIssuedPage(
  reader: Reader,
  space: string,
  page: { readonly limit: number; readonly cursor?: string },
): Promise<{ readonly items: readonly ReportRecord[]; readonly next_cursor: string | null }> {
  const { items, next_cursor } = await readPage(reader, 'records', space, { is: { space } }, page, (record) =>
    record.status === 'draft' ? undefined : record,
  );
  return { items: items.filter((each) => each !== undefined), next_cursor };
}
