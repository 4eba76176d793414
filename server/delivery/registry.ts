/** Every export format there is. A further one is a file, a line here and its media type in the contract. */
import type { RawOutput } from '../../src/contract/endpoint.ts';
import { exportFormats } from '../../src/contract/record.ts';
import type { ExportFormat } from '../../src/contract/record.ts';
import { toRecord } from '../records/stored-record.ts';
import type { StoredRecord } from '../records/stored-record.ts';
import type { Reader } from '../store/store.ts';
import { fhirReport } from './fhir.ts';
import { hl7Report } from './hl7.ts';
import { htmlReport, htmlPolicy } from './html.ts';
import { pdfReport } from './pdf.ts';
import type { Report } from './report.ts';
import { textReport } from './text.ts';

type Writer = (report: Report) => string | Promise<string | Uint8Array>;

export const writers = {
  txt: textReport,
  html: htmlReport,
  pdf: pdfReport,
  fhir: async (report) => JSON.stringify(await fhirReport(report), null, 2),
  hl7: hl7Report,
} as const satisfies Record<ExportFormat, Writer>;

/** Endings of file names, where they are not the name of the format. */
const endings: Partial<Record<ExportFormat, string>> = { fhir: 'json' };

/** The record as a file. Its name holds nothing but ids. */
export async function exportRecord(reader: Reader, record: StoredRecord, format: ExportFormat): Promise<RawOutput> {
  const write: Writer = writers[format];
  const body = await write(await reportOf(reader, record));
  return {
    status: 200,
    headers: {
      'Content-Type': exportFormats[format],
      'Content-Disposition': `attachment; filename="${record.id}.${endings[format] ?? format}"`,
      ...(format === 'html' && { 'Content-Security-Policy': htmlPolicy }),
    },
    body,
  };
}

async function reportOf(reader: Reader, record: StoredRecord): Promise<Report> {
  const item = record.worklist_item_id === null ? undefined : await reader.get('items', record.worklist_item_id);
  const [signed] = await reader.find('versions', {
    is: { signature: record.id },
    limit: 1,
  });
  return {
    record: toRecord(record),
    item: item?.space === record.space ? item : null,
    signer: signed?.who ?? null,
  };
}
