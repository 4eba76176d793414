/** Reads the reports of a file, whatever its format: the door to this folder. What it gives are inputs of the import of priors. */
import { fileMessage } from '../../contract/messages/files.ts';
import { AppError } from '../../contract/errors.ts';
import { hasDicomPrefix, isHl7, isJson, isObjectALine, firstNames, strangerIn } from '../worklist/beginning.ts';
import type { Beginning } from '../worklist/beginning.ts';
import { formats as worklistFormats } from '../worklist/formats.ts';
import type { Format } from '../worklist/formats.ts';
import { readRecognised } from '../worklist/recognised-file.ts';
import type { FileFormats, RecognisedFile } from '../worklist/recognised-file.ts';
import type { ReadOptions } from '../worklist/reading.ts';

export const priorFormats = ['hl7', 'dicom', 'fhir', 'ndjson', 'json', 'text'] as const;
export type PriorFormat = (typeof priorFormats)[number];
export type PriorFile = RecognisedFile<PriorFormat>;

/**
 * Begins to read a file, as `readWorklist` does. A file of plain text is one report without anything that says whose it is: the
 * caller adds that.
 */
export const readPriors = (
  source: AsyncIterable<Uint8Array>,
  options: Omit<ReadOptions, 'format'> & { readonly format?: PriorFormat } = {},
): Promise<PriorFile> => readRecognised(source, options, priorFiles);

const because = (holds: boolean, why: string): string | undefined => (holds ? why : undefined);

/** Without a byte that no text has. */
const isText = (beginning: Beginning): boolean =>
  strangerIn(beginning) === undefined && !/[\0\ufffd]/.test(beginning.text);

export const priorFormatTable: Readonly<Record<PriorFormat, Format>> = {
  hl7: {
    title: 'HL7 v2 results (ORU^R01)',
    isForeign: true,
    recognise: (beginning) => because(isHl7(beginning), 'It begins with an HL7 header segment.'),
    load: async () => (await import('./hl7.ts')).readResults,
  },
  dicom: {
    title: 'DICOM structured reports and encapsulated PDFs',
    isForeign: true,
    recognise: (beginning) => because(hasDicomPrefix(beginning), 'It begins with the prefix DICM.'),
    load: async () => (await import('./dicom.ts')).readDicomReport,
  },
  fhir: {
    title: 'FHIR R4 DiagnosticReports',
    isForeign: true,
    recognise: (beginning) =>
      because(isJson(beginning) && firstNames(beginning).includes('resourceType'), 'Its JSON has a resourceType.'),
    load: async () => (await import('./fhir.ts')).readReports,
  },
  ndjson: {
    ...worklistFormats.ndjson,
    title: 'NDJSON, one report a line',
    recognise: (beginning) => because(isObjectALine(beginning), 'Its lines are JSON objects.'),
    load: async () => (await import('../worklist/ndjson.ts')).readOwnNdjson,
  },
  json: {
    ...worklistFormats.json,
    title: 'JSON: one report, an array, or {"items": […]}',
    load: async () => (await import('../worklist/json.ts')).readOwnJson,
  },
  text: {
    title: 'plain text',
    isForeign: false,
    recognise: (beginning) => because(isText(beginning), 'It is text.'),
    load: async () => (await import('./text.ts')).readText,
  },
};

const priorFiles: FileFormats<PriorFormat> = {
  names: priorFormats,
  formats: priorFormatTable,
  refuse(beginning) {
    const stranger = strangerIn(beginning);
    return new AppError('UNSUPPORTED_MEDIA_TYPE', {
      message: stranger ? fileMessage('no_report', { what: stranger.what }) : fileMessage('unknown_report'),
      hint: fileMessage('report_formats'),
    });
  },
};
