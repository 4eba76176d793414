/** Recognises a file by its beginning. */
import type { Message, Param } from '../../contract/messages/message.ts';
import { fileMessage } from '../../contract/messages/files.ts';

/** The beginning of a file: its bytes, and its text without byte order mark. */
export interface Beginning {
  readonly bytes: Uint8Array;
  readonly text: string;
}

const startsWith = (bytes: Uint8Array, signature: string, at = 0): boolean =>
  [...signature].every((character, index) => bytes[at + index] === character.charCodeAt(0));

/** DICOM PS3.10 7.1: a preamble of 128 bytes, then `DICM`; some programs leave out the preamble. */
export const hasDicomPrefix = ({ bytes }: Beginning): boolean =>
  startsWith(bytes, 'DICM', 128) || startsWith(bytes, 'DICM');

/** A data set without any header: it begins with an element of group 0002 or 0008, little endian (PS3.5 7.1). */
export function isBareDataSet({ bytes }: Beginning): boolean {
  if ((bytes[0] !== 2 && bytes[0] !== 8) || bytes[1] !== 0 || bytes.length < 8) return false;
  const isExplicit = /^[A-Z]{2}$/.test(String.fromCharCode(...bytes.subarray(4, 6)));
  return isExplicit || (bytes[6] === 0 && bytes[7] === 0);
}

/** A zip archive whose first parts are those of an Office Open XML workbook (ECMA-376). */
export const isWorkbook = ({ bytes, text }: Beginning): boolean =>
  startsWith(bytes, 'PK\x03\x04') && /\bxl\/(?:workbook|worksheets|_rels|styles|theme|sharedStrings)/.test(text);

/** HL7 v2: a message, or the header of a file or batch, framed by MLLP or not. */
export const isHl7 = ({ text }: Beginning): boolean => /^[\s\v\0]*(?:MSH|FHS|BHS)[^\w\s]/.test(text);

export const isJson = ({ text }: Beginning): boolean => /^\s*[{[]/.test(text);

/** An object a line. Pretty-printed JSON has no object at the start of its second line, unless in a list. */
export function isObjectALine({ text }: Beginning): boolean {
  const [first, second] = text.split(/[\r\n]+/, 50).filter((line) => line.trim() !== '');
  return first !== undefined && /^\s*\{.*[^\s{[,:]\s*$/.test(first) && second?.startsWith('{') === true;
}

/** The names directly inside the first object of JSON text, as far as the text goes. */
export function firstNames({ text }: Beginning): string[] {
  const names: string[] = [];
  let depth = /^\s*\[/.test(text) ? -1 : 0;
  // A string with the colon that makes it a name, or a bracket. One that does not end is taken whole, and once.
  for (const [token, name, colon] of text.matchAll(/"((?:[^"\\]|\\.)*)(?:"(\s*:)?)?|[{}[\]]/g)) {
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    else if (depth === 1 && colon !== undefined && name !== undefined) names.push(name);
    if (depth === 0 && names.length > 0) break;
  }
  return names;
}

interface Stranger {
  readonly what: Param;
  /** Its first bytes. */
  readonly signature: string;
  /** A text that its beginning holds, too. */
  readonly mark?: string;
  readonly hint: Message;
}

const zip = 'PK\x03\x04';
const compressed = { what: fileMessage('compressed'), hint: fileMessage('unpack') };
const dicomText = { what: fileMessage('dicom_text'), hint: fileMessage('dump2dcm') };

/** Files that people send in place of a worklist, and what to do. */
const strangers: readonly Stranger[] = [
  {
    what: fileMessage('open_document'),
    signature: zip,
    mark: 'vnd.oasis.opendocument',
    hint: fileMessage('save_xlsx_or_csv'),
  },
  { what: fileMessage('zip'), signature: zip, hint: fileMessage('unpack_or_csv') },
  { what: fileMessage('old_excel'), signature: '\xd0\xcf\x11\xe0', hint: fileMessage('save_unlocked') },
  { what: fileMessage('pdf'), signature: '%PDF', hint: fileMessage('export_instead') },
  { what: 'XML', signature: '<', hint: fileMessage('fhir_instead') },
  { ...compressed, signature: 'BZh' },
  { ...compressed, signature: '\xfd7zXZ' },
  { ...compressed, signature: '\x28\xb5\x2f\xfd' },
  { what: fileMessage('sound'), signature: 'RIFF', hint: fileMessage('to_generate') },
  { ...dicomText, signature: '# Dicom-' },
  { ...dicomText, signature: '(0002,' },
  { ...dicomText, signature: '(0008,' },
];

/** The kind of a file that is no worklist, if it is recognised. */
export const strangerIn = ({ bytes, text }: Beginning): Stranger | undefined =>
  strangers.find(({ signature, mark = '' }) => startsWith(bytes, signature) && text.includes(mark));
