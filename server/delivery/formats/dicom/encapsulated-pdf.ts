/** The document as a DICOM Encapsulated PDF (PS3.3 A.45.1), for archives that store it with the images. */
import type { Report } from '../../../../src/reporting/report-head.ts';
import { pdfReport } from '../pdf.ts';
import { dicomFile, reportConcept } from './modules.ts';
import { isVerified } from './verification.ts';
import { longString } from './values.ts';

export async function dicomPdf(report: Report): Promise<Uint8Array | undefined> {
  const pdf = await pdfReport(report);
  return (
    pdf &&
    dicomFile(report, 'pdf', [
      ['0008002A', 'DT', ''],
      // Workstation.
      ['00080064', 'CS', 'WSD'],
      // It contains the identity of the patient.
      ['00280301', 'CS', 'YES'],
      ['0040A043', 'SQ', [reportConcept]],
      ['0040A493', 'CS', isVerified(report) ? 'VERIFIED' : 'UNVERIFIED'],
      ['00420010', 'ST', longString(report.record.title)],
      ['00420011', 'OB', pdf],
      ['00420012', 'LO', 'application/pdf'],
      ['00420015', 'UL', pdf.length],
    ])
  );
}
