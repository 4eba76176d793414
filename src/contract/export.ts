/** The formats in which a medical record is exported. */
import { literal, named, object, string } from './schema.ts';

/** Format → media type. */
export const exportFormats = {
  txt: 'text/plain; charset=utf-8',
  html: 'text/html; charset=utf-8',
  pdf: 'application/pdf',
  fhir: 'application/fhir+json; charset=utf-8',
  hl7: 'application/hl7-v2; charset=utf-8',
  'dicom-pdf': 'application/dicom',
  'dicom-sr': 'application/dicom',
  'dicom-enhanced-sr': 'application/dicom',
  'dicom-measurements': 'application/dicom',
} as const;
export type ExportFormat = keyof typeof exportFormats;
export const exportFormatMeanings: Readonly<Record<ExportFormat, string>> = {
  txt: 'plain text',
  html: 'a web page to read and print',
  pdf: 'PDF, A4',
  fhir: 'a FHIR R4 DiagnosticReport in JSON',
  hl7: 'an HL7 v2.5.1 ORU^R01 message',
  'dicom-pdf': 'the PDF as a DICOM file (Encapsulated PDF)',
  'dicom-sr': 'a DICOM structured report (Basic Text SR)',
  'dicom-enhanced-sr': 'a DICOM structured report with its measurements as values (Enhanced SR)',
  'dicom-measurements': 'its measurements alone as a DICOM measurement report (TID 1500, Enhanced SR)',
};
export const exportFormatNames = Object.keys(exportFormats) as ExportFormat[];

/** The members that every export has; R4 defines the others. */
export const FhirReport = named(
  'FhirDiagnosticReport',
  object(
    {
      resourceType: literal('DiagnosticReport', { description: 'Always `DiagnosticReport`.' }),
      id: string({ description: 'Id of the record, in characters that FHIR allows.' }),
      status: string({ description: 'State of the report, in the words of FHIR.', examples: ['final'] }),
    },
    {},
    { additionalProperties: true },
  ),
  'A FHIR R4 DiagnosticReport, with the patient contained, and the report as text and PDF in `presentedForm`.',
);
