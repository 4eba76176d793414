/** How Laudio recognises each format by the beginning of a file, and what reads it. */
import type { FormatName } from '../../domain/worklist-formats.ts';
import { firstNames, hasDicomPrefix, isBareDataSet, isHl7, isJson, isObjectALine, isWorkbook } from './beginning.ts';
import type { Beginning } from './beginning.ts';
import { looksLikeCsv } from './csv/header-line.ts';
import { isFhirXml } from './fhir/paths.ts';
import type { Reader } from './reader.ts';
import type { ReadOptions } from './reading.ts';

export interface Format {
  readonly title: string;
  /** Whether the format has other fields than the contract, which the reader translates. */
  readonly isForeign: boolean;
  /** Why the beginning of a file shows this format, as a sentence; `undefined` where the file has another. */
  readonly recognise: (beginning: Beginning, options: ReadOptions) => string | undefined;
  /** Loads the reader when a file has the format, so that other files do not wait for it. */
  readonly load: () => Promise<Reader>;
}

const because = (holds: boolean, why: string): string | undefined => (holds ? why : undefined);

/** A tag of the DICOM JSON model (PS3.18 F.2.2). */
const isTag = (name: string): boolean => /^[0-9A-F]{8}$/i.test(name);

/** A bundle whose names are sorted has its type behind its entries, which may be beyond the beginning. */
function hasResourceType(beginning: Beginning): boolean {
  const names = firstNames(beginning);
  return names.includes('resourceType') || (names.includes('entry') && /"resourceType"\s*:/.test(beginning.text));
}

export const formats: Readonly<Record<FormatName, Format>> = {
  hl7: {
    title: 'HL7 v2 messages (ORM, OMI, OMG, OML, SIU)',
    isForeign: true,
    recognise: (beginning) => because(isHl7(beginning), 'It begins with an HL7 header segment.'),
    load: async () => (await import('./hl7/hl7.ts')).readHl7,
  },
  dicom: {
    title: 'a DICOM file',
    isForeign: true,
    recognise: (beginning) =>
      because(hasDicomPrefix(beginning), 'It has the DICM prefix.') ??
      because(isBareDataSet(beginning), 'It begins with a DICOM data element.'),
    load: async () => (await import('./dicom/dicom-file.ts')).readDicomFile,
  },
  fhir: {
    title: 'FHIR resources',
    isForeign: true,
    recognise: (beginning) =>
      because(isJson(beginning) && hasResourceType(beginning), 'Its JSON has a resourceType.') ??
      because(isFhirXml(beginning.text), 'Its XML is of the namespace of FHIR.'),
    load: async () => (await import('./fhir/fhir.ts')).readFhir,
  },
  'dicom-json': {
    title: 'DICOM JSON',
    isForeign: true,
    recognise: (beginning) =>
      because(isJson(beginning) && isTag(firstNames(beginning)[0] ?? ''), 'Its JSON is made of DICOM tags.'),
    load: async () => (await import('./dicom/dicom-json.ts')).readDicomJson,
  },
  ndjson: {
    title: 'NDJSON, one item a line',
    isForeign: false,
    recognise: (beginning) => because(isObjectALine(beginning), 'Its lines are JSON objects.'),
    load: async () => (await import('./ndjson.ts')).readNdjson,
  },
  json: {
    title: 'JSON: one item, an array, or {"items": […]}',
    isForeign: false,
    recognise: (beginning) => because(isJson(beginning), 'It begins like JSON.'),
    load: async () => (await import('./json.ts')).readJson,
  },
  xlsx: {
    title: 'an Excel workbook',
    isForeign: true,
    recognise: (beginning) => because(isWorkbook(beginning), 'It is a zip archive with the parts of a workbook.'),
    load: async () => (await import('./xlsx/xlsx.ts')).readXlsx,
  },
  csv: {
    title: 'CSV or TSV with a header',
    isForeign: true,
    recognise: (beginning, options) => because(looksLikeCsv(beginning, options), 'Its first line names columns.'),
    load: async () => (await import('./csv/csv.ts')).readCsv,
  },
};
