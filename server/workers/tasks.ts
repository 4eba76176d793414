/** What is done in threads (workers.ts). Each loads what it needs when it is first asked for. */
import type { ExportFormat } from '../../src/contract/record.ts';
import type { Report } from '../../src/domain/report-head.ts';

/** The document as a file; `undefined` where it is too long for that format. */
export async function exportDocument({
  format,
  report,
}: {
  format: ExportFormat;
  report: Report;
}): Promise<Uint8Array | undefined> {
  const { writers } = await import('../delivery/registry.ts');
  const content = await writers[format](report);
  return typeof content === 'string' ? new TextEncoder().encode(content) : content;
}
