/**
 * The formats of worklist files, in the order of recognition: a file has the first format that recognises it. The page
 * shows these titles and offers files with these endings; src/files/worklist/formats.ts recognises and reads each format.
 */
export const worklistFormats = {
  hl7: { title: 'HL7', endings: ['hl7', 'mllp'] },
  dicom: { title: 'DICOM', endings: ['wl', 'dcm'] },
  fhir: { title: 'FHIR', endings: ['json', 'ndjson'] },
  'dicom-json': { title: 'DICOM JSON', endings: ['json'] },
  ndjson: { title: 'NDJSON', endings: ['ndjson', 'jsonl'] },
  json: { title: 'JSON', endings: ['json'] },
  xlsx: { title: 'Excel', endings: ['xlsx'] },
  csv: { title: 'CSV', endings: ['csv', 'tsv', 'txt'] },
} as const;

export type FormatName = keyof typeof worklistFormats;
export const formatNames = Object.keys(worklistFormats) as FormatName[];
