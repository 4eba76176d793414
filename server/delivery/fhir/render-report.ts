/** Renders a report as a resource of this FHIR server, in a thread: its PDF has an address, and is made when it is read. */
import type { Report } from '../../../src/reporting/report-head.ts';
import { threadTask } from '../../runtime/workers/thread-task.ts';

interface Rendering {
  readonly report: Report;
  /** Address of the PDF. */
  readonly pdf: string;
}

export const renderReport = threadTask(
  import.meta.url,
  'renderReport',
  async ({ report, pdf }: Rendering): Promise<string> => {
    const { buildDiagnosticReport } = await import('../formats/fhir.ts');
    return JSON.stringify(buildDiagnosticReport(report, { url: pdf }));
  },
);
