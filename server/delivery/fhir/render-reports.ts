/** Renders reports as resources of this FHIR server, in a thread: a PDF has an address, and is made when it is read. */
import type { Report } from '../../../src/reporting/report-head.ts';
import type { FhirVersion } from '../../../src/contract/fhir-types.ts';
import { threadTask } from '../../runtime/workers/thread-task.ts';
import { inVersion } from './in-version.ts';

interface Rendering {
  readonly report: Report;
  /** Address of the PDF. */
  readonly pdf: string;
  readonly version: FhirVersion;
}

/** A page is one task, since a client may have only a few that wait. */
export const renderReports = threadTask(
  import.meta.url,
  'renderReports',
  async (renderings: readonly Rendering[]): Promise<readonly string[]> => {
    const { buildDiagnosticReport } = await import('../formats/fhir.ts');
    return renderings.map(({ report, pdf, version }) =>
      JSON.stringify(inVersion(buildDiagnosticReport(report, { url: pdf }), version)),
    );
  },
);
