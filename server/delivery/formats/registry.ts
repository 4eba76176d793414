/** All export formats. A new one needs its file, a line here, and its media type and description in src/contract/export.ts. */
import type { ExportFormat } from '../../../src/contract/export.ts';
import type { Report } from '../../../src/reporting/report-head.ts';
import { dicomPdf } from './dicom/encapsulated-pdf.ts';
import { dicomMeasurements } from './dicom/measurement-report.ts';
import { dicomEnhancedSr, dicomSr } from './dicom/structured-report.ts';
import { fhirReport } from './fhir.ts';
import { hl7Report } from './hl7.ts';
import type { Hl7Settings } from './hl7/settings.ts';
import { htmlReport } from './html.ts';
import { pdfReport } from './pdf.ts';
import { textReport } from './text.ts';

/** Renders a document; `undefined`: it is too long for the format; empty: it has nothing for it. Runs in a thread, in time linear in the text. */
type Writer = (report: Report, hl7?: Hl7Settings) => string | Uint8Array | Promise<string | Uint8Array | undefined>;

export const writers: Readonly<Record<ExportFormat, Writer>> = {
  txt: textReport,
  html: htmlReport,
  pdf: pdfReport,
  fhir: fhirReport,
  hl7: hl7Report,
  'dicom-pdf': dicomPdf,
  'dicom-sr': dicomSr,
  'dicom-enhanced-sr': dicomEnhancedSr,
  'dicom-measurements': dicomMeasurements,
};
