import { exportFormats } from '../../../src/contract/export.ts';
import type { ExportFormat } from '../../../src/contract/export.ts';
import { choice, defineCommand, required } from '../../command.ts';
import { outputOption, save } from '../../shell/output-file.ts';

const formats = Object.keys(exportFormats) as ExportFormat[];
/** Formats that a terminal can't show. */
const binary: ReadonlySet<ExportFormat> = new Set([
  'pdf',
  'dicom-pdf',
  'dicom-sr',
  'dicom-enhanced-sr',
  'dicom-measurements',
]);

export const command = defineCommand({
  arguments: { id: required('Id of the record (rec_…)') },
  options: { format: choice(formats, 'Format; default: txt', { short: 'f' }), ...outputOption },
  examples: [['laudio record export rec_… --format pdf -o report.pdf', 'save it as PDF']],
  async run(context, { id, format = 'txt', output }) {
    const { records } = await context.client();
    const { body } = await records.export({ params: { id }, query: { format } }, { signal: context.signal });
    return save(context, body, output, binary.has(format));
  },
});
