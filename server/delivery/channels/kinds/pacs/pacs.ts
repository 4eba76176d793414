/** Questions to a PACS, in either protocol. */
import type { DataSet } from '../../../../../src/files/worklist/dicom/attributes.ts';

/** The studies of an accession number, or those of a patient in a range of days, `YYYYMMDD`. */
export type StudyQuery =
  | { readonly accession: string }
  | { readonly patient: string; readonly from: string; readonly to: string };

/** An object of a study. */
export interface ObjectName {
  readonly study: string;
  readonly series: string;
  readonly instance: string;
  readonly sopClass: string;
}

/** A conversation with the PACS; a broken one is begun again by the next question. */
export interface PacsConversation {
  /** Studies as the PACS answers them; stopping early ends the query. */
  findStudies(query: StudyQuery): AsyncIterable<DataSet>;
  /** The objects of a study that may be reports. */
  findReports(study: string): Promise<readonly ObjectName[]>;
  /** The object as a file; `undefined`: the PACS does not give it, or it is too large. Rejects if the PACS gives none. */
  read(name: ObjectName): Promise<Uint8Array | undefined>;
  close(): Promise<void>;
}

export interface Pacs {
  /** For people. */
  readonly address: string;
  converse(signal: AbortSignal): PacsConversation;
  test(signal: AbortSignal): Promise<string>;
  close(): Promise<void>;
}

/** Attributes of studies that questions name or want back. */
export const studyTags = {
  date: '00080020',
  time: '00080030',
  accession: '00080050',
  modalities: '00080061',
  description: '00081030',
  patientName: '00100010',
  patientId: '00100020',
  patientIdIssuer: '00100021',
  birthDate: '00100030',
  study: '0020000D',
} as const;

/** Series of a study that are looked at, and the maximum of its reports. */
export const maxSeries = 500;
export const maxObjects = 50;
/** A PACS may answer anything, and its UIDs become parts of addresses. */
export const isUid = (text: string): boolean => text.length <= 64 && /^\d+(?:\.\d+)*$/.test(text);

/** Modalities of series in which reports are: structured reports, and documents under any of these. */
const reportModalities = new Set(['SR', 'DOC', 'OT']);
/** Whether a series of that modality may hold reports; a PACS that doesn't state it may. */
export const mayHoldReports = (modality: string): boolean => modality === '' || reportModalities.has(modality);

export const readValue = (dataSet: DataSet, tag: string): string => dataSet.values(tag)?.[0]?.trim() ?? '';
