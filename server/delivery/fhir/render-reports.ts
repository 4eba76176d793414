/** Renders reports as resources of this FHIR server, in a thread: a PDF has an address, and is made when it is read. */
import type { Report } from '../../../src/reporting/report-head.ts';
import { threadTask } from '../../runtime/workers/thread-task.ts';

interface Rendering {
  readonly report: Report;
  /** Address of the PDF. */
  readonly pdf: string;
}

/** A page is one task, since a client may have only a few that wait. */
export const renderReports = threadTask(
  import.meta.url,
  'renderReports',
  async (renderings: readonly Rendering[]): Promise<readonly string[]> => {
    const { buildDiagnosticReport } = await import('../formats/fhir.ts');
    return renderings.map(({ report, pdf }) => JSON.stringify(buildDiagnosticReport(report, { url: pdf })));
  },
);
