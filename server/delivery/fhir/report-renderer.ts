/** Renders reports as this FHIR server shows them, with its Patients and the addresses of their PDFs. */
import type { FhirVersion } from '../../../src/contract/fhir-types.ts';
import { elementAt } from '../../../src/domain/elements.ts';
import type { DeliveryDeps } from '../deps.ts';
import { buildReport } from '../formats/export-record.ts';
import type { ReportDeps } from '../formats/export-record.ts';
import { reportStatus, statusCodes } from '../formats/report.ts';
import { createPatientFinder, toFhirId } from './find-reports.ts';
import type { ReportRecord } from './find-reports.ts';
import { renderReports } from './render-reports.ts';

export interface RenderOptions {
  /** Origin of this server. */
  readonly base_url: string;
  readonly space: string;
  /** Who takes a turn of the workers. */
  readonly client_id: string;
  readonly signal: AbortSignal;
  readonly version: FhirVersion;
  /** Reports of another FHIR status are left out. */
  readonly status?: string | undefined;
}

export interface RenderedReport {
  readonly id: string;
  /** JSON of the DiagnosticReport. */
  readonly text: string;
}

export async function renderIssued(
  deps: Pick<DeliveryDeps, 'workers'> & ReportDeps,
  records: readonly ReportRecord[],
  { base_url: base, space, client_id: client, signal, version, status }: RenderOptions,
): Promise<readonly RenderedReport[]> {
  const findPatientId = createPatientFinder(deps.store, space);
  const built = await Promise.all(records.map((record) => buildReport(deps, record)));
  const shown = built.filter((report) => status === undefined || statusCodes[reportStatus(report)].fhir === status);
  if (shown.length === 0) return [];
  const renderings = shown.map(async (report) => {
    const patient = report.item ? await findPatientId(report.item) : undefined;
    const known = { server: `${base}/fhir`, requests: [], ...(patient !== undefined && { patient }) };
    return { report: { ...report, known }, pdf: `${base}/fhir/Binary/${toFhirId(report.record.id)}`, version };
  });
  const input = await Promise.all(renderings);
  const texts = await deps.workers.run(renderReports, input, { client, signal });
  return input.map(({ report }, at) => ({ id: report.record.id, text: elementAt(texts, at) }));
}
