/** Renders a report as a document, in a thread: page layout takes long. */
import type { ExportFormat } from '../../../src/contract/export.ts';
import type { Report } from '../../../src/reporting/report-head.ts';
import { threadTask } from '../../runtime/workers/thread-task.ts';
import type { Hl7Settings } from './hl7/settings.ts';

interface Export {
  readonly format: ExportFormat;
  readonly report: Report;
  /** The receiver's settings, for format hl7. */
  readonly hl7?: Hl7Settings;
}

/** The document as a file; `undefined`: it is too long for the format; empty: it has nothing for it. */
export const exportDocument = threadTask(
  import.meta.url,
  'exportDocument',
  async ({ format, report, hl7 }: Export): Promise<Uint8Array | undefined> => {
    const { writers } = await import('./registry.ts');
    const content = await writers[format](report, hl7);
    return typeof content === 'string' ? new TextEncoder().encode(content) : content;
  },
);
