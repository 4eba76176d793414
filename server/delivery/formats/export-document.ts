/** Makes a document of a report in a thread: pages take long to set. */
import type { ExportFormat } from '../../../src/contract/export.ts';
import type { Report } from '../../../src/reporting/report-head.ts';
import { threadTask } from '../../runtime/workers/thread-task.ts';
import type { Hl7Settings } from './hl7/settings.ts';

interface Export {
  readonly format: ExportFormat;
  readonly report: Report;
  /** The receiver's, if the format is hl7. */
  readonly hl7?: Hl7Settings;
}

/** The document as a file; `undefined` if the document is too long for the format. */
export const exportDocument = threadTask(
  import.meta.url,
  'exportDocument',
  async ({ format, report, hl7 }: Export): Promise<Uint8Array | undefined> => {
    const { writers } = await import('./registry.ts');
    const content = await writers[format](report, hl7);
    return typeof content === 'string' ? new TextEncoder().encode(content) : content;
  },
);
