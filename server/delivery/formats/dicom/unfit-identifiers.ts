/**
 * Identifiers that DICOM cannot hold as they are. Without them an archive files an object under no order or patient, and cut ones are
 * those of others, so that such a document does not go as DICOM.
 */
import type { WorklistItem } from '../../../../src/contract/worklist.ts';
import type { Report } from '../../../../src/reporting/report-head.ts';
import { splitByOrder, readText } from '../order-data.ts';
import { fits } from './values.ts';

export interface UnfitIdentifier {
  /** Its name in the exam. */
  readonly field: string;
  /** Says why, and how the document can be sent. The value itself is left out. */
  readonly message: string;
}

/** Bytes by field of the exam. */
const limits = {
  accession_number: 16,
  patient_id: 64,
  'metadata.patient_id_issuer': 64,
  'metadata.placer_order_number': 64,
  'metadata.filler_order_number': 64,
} as const;

/** The first of the exam and its orders; `undefined`: all fit. */
export function findUnfitIdentifier({ item }: Report): UnfitIdentifier | undefined {
  for (const order of splitByOrder(item)) {
    for (const [field, length] of Object.entries(limits)) {
      const value = order && readIdentifier(order, field as keyof typeof limits);
      if (!fits(value ?? '', length)) return { field, message: explain(field, length) };
    }
  }
  return undefined;
}

const readIdentifier = (order: WorklistItem, field: keyof typeof limits): string | null =>
  field === 'accession_number' || field === 'patient_id'
    ? order[field]
    : readText(order, field.slice('metadata.'.length));

const explain = (field: string, length: number): string =>
  `${field} must have at most ${length} bytes and no backslash to go into a DICOM object; send the document by HL7, FHIR or as a file, or let the RIS send another one`;
