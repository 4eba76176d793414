/** DICOM Part 10 files, such as the worklist files of dcmtk and Orthanc (`.wl`), and bare data sets. */
import { fileMessage } from '../../../contract/messages/files.ts';
import type { Message } from '../../../contract/messages/message.ts';
import dicomParser from 'dicom-parser';
import type { DataSet as ParsedDataSet, Element } from 'dicom-parser';
import { AppError } from '../../../contract/errors.ts';
import { hasDicomPrefix } from '../beginning.ts';
import { decompressed, joined, wholeBytes } from '../bytes.ts';
import { decodeNamed } from '../character-sets.ts';
import { ignoredPlaces } from '../mapping.ts';
import type { Reader } from '../reader.ts';
import { withWarnings } from '../reading.ts';
import { asBinaryText } from '../text.ts';
import { dataSetReading, readDataSet } from './attributes.ts';
import type { DataSet } from './attributes.ts';
import { dicomPlaceOf } from './places.ts';

/** Transfer syntaxes (PS3.6 A). */
const implicitLittleEndian = '1.2.840.10008.1.2';
const explicitLittleEndian = '1.2.840.10008.1.2.1';
const deflated = '1.2.840.10008.1.2.1.99';

const pixelData = 'x7fe00010';
const transferSyntax = 'x00020010';
const characterSet = '00080005';

export const readDicomFile: Reader = async function* ({ bytes, limits, times, options, guess }) {
  const file = await wholeBytes(bytes.chunks, limits.dicomFile, fileMessage('dicom_file'));
  const { dataSet, warnings } = await openDicomFile(file, limits.dicomFile);
  const ignored = ignoredPlaces(options.mapping, dicomPlaceOf);
  if (ignored) guess(ignored);
  const reading = readDataSet(dataSet, { item: 1 }, dataSetReading(options, times));
  yield [withWarnings(reading, warnings())];
};

/** The data set of a file. */
export interface DicomFile {
  readonly dataSet: DataSet;
  /** The bytes of an attribute; `undefined` where it is not there. */
  bytes(tag: string): Uint8Array | undefined;
  /** Assumptions about the texts that were read so far. */
  warnings(): Message[];
}

/** Opens a file, with or without its header. VALIDATION_FAILED where it is cut off or damaged. `limit`: bytes once inflated. */
export async function openDicomFile(file: Uint8Array, limit: number): Promise<DicomFile> {
  return wrapFile(await parsed(withPreamble(file), limit));
}

/** Opens a bare data set of a transfer syntax. VALIDATION_FAILED where it is cut off or damaged. */
export const openDataSet = (bytes: Uint8Array, syntax: string): DicomFile =>
  wrapFile(attempt(() => dicomParser.parseDicom(bytes, { TransferSyntaxUID: syntax, untilTag: pixelData })));

function wrapFile(dataSet: ParsedDataSet): DicomFile {
  const ignoredSets = new Set<string>();
  return {
    dataSet: wrapDataSet(dataSet, [], ignoredSets),
    bytes(tag) {
      const attribute = dataSet.elements[`x${tag.toLowerCase()}`];
      return attribute && readBytes(dataSet, attribute);
    },
    warnings: () => [...ignoredSets].map((set) => fileMessage('dicom_utf8', { set })),
  };
}

const readBytes = ({ byteArray }: ParsedDataSet, { dataOffset, length }: Element): Uint8Array =>
  byteArray.subarray(dataOffset, dataOffset + length);

/** PS3.10 7.1; adds a missing preamble or prefix to a file; a bare data set stays bare. */
function withPreamble(file: Uint8Array): Uint8Array {
  if (file[0] === 2 && file[1] === 0) return joined([new Uint8Array(128), prefix, file], 132 + file.length);
  const startsWithPrefix = prefix.every((byte, at) => file[at] === byte);
  return startsWithPrefix ? joined([new Uint8Array(128), file], 128 + file.length) : file;
}
const prefix = Uint8Array.from('DICM', (character) => character.charCodeAt(0));

/** VALIDATION_FAILED where the file is cut off or damaged. */
async function parsed(file: Uint8Array, limit: number): Promise<ParsedDataSet> {
  const beginning = { bytes: file, text: '' };
  let content = file;
  let syntax = /^[A-Z]{2}$/.test(String.fromCharCode(file[4] ?? 0, file[5] ?? 0))
    ? explicitLittleEndian
    : implicitLittleEndian;
  if (hasDicomPrefix(beginning)) {
    const header = attempt(() => dicomParser.readPart10Header(file));
    syntax = attempt(() => readText(header, transferSyntax)) || implicitLittleEndian;
    if (syntax === deflated) {
      content = await inflated(file.subarray(endOf(header)), limit);
      syntax = explicitLittleEndian;
    }
  }
  // With a prefix, the parser takes the syntax from the file; the option is for content without.
  const dataSet = attempt(() => dicomParser.parseDicom(content, { TransferSyntaxUID: syntax, untilTag: pixelData }));
  const past = Object.values(dataSet.elements).find(
    ({ tag, dataOffset, length }) => tag !== pixelData && dataOffset + length > content.length,
  );
  if (past || dataSet.warnings.length > 0) throw damaged(past?.dataOffset);
  return dataSet;
}

function attempt<Result>(parse: () => Result): Result {
  try {
    return parse();
  } catch {
    throw damaged(undefined);
  }
}

const damaged = (offset: number | undefined): AppError =>
  new AppError('VALIDATION_FAILED', {
    message: offset === undefined ? fileMessage('dicom_damaged') : fileMessage('dicom_damaged_at', { at: offset }),
    hint: fileMessage('get_dicom'),
  });

const readText = (dataSet: ParsedDataSet, tag: string): string => (dataSet.string(tag) ?? '').trim();

const endOf = ({ elements }: ParsedDataSet): number =>
  Math.max(...Object.values(elements).map(({ dataOffset, length }) => dataOffset + length));

/** PS3.5 A.5: the data set is a raw deflate stream, at times with a byte to make it even. */
async function inflated(bytes: Uint8Array, limit: number): Promise<Uint8Array> {
  const once = async function* (): AsyncGenerator<Uint8Array> {
    yield bytes;
  };
  return wholeBytes(
    decompressed(once(), 'deflate-raw', () => damaged(undefined)),
    limit,
    fileMessage('unpacked_dicom'),
  );
}

/** Value representations whose text is one value, backslashes included (PS3.5 6.2). */
const unsplit = new Set(['LT', 'ST', 'UT', 'UR']);
/** Those that the character set holds for; the others are ASCII. */
const binaryNumbers = new Set(['US', 'UL', 'SS', 'SL', 'FL', 'FD', 'OB', 'OW', 'UN', 'AT', 'SQ']);

/**
 * `inherited`: the character sets of the data set around, which hold for its items (PS3.5 6.1.2.3). `ignoredSets` collects
 * those that are named although texts are in UTF-8.
 */
function wrapDataSet(dataSet: ParsedDataSet, inherited: readonly string[], ignoredSets: Set<string>): DataSet {
  const element = (tag: string): Element | undefined => dataSet.elements[`x${tag.toLowerCase()}`];
  const own = element(characterSet);
  const sets = own ? asBinaryText(readBytes(dataSet, own)).split('\\').map(trimmed) : inherited;
  return {
    values(tag) {
      const attribute = element(tag);
      if (!attribute || attribute.items || (attribute.vr !== undefined && binaryNumbers.has(attribute.vr)))
        return undefined;
      const { text: padded, isUtf8 } = decodeNamed(readBytes(dataSet, attribute), sets);
      if (isUtf8) {
        ignoredSets.add(sets.find((set) => set !== '') ?? '');
      }
      const text = trimmed(padded);
      if (text === '') return [];
      return attribute.vr !== undefined && unsplit.has(attribute.vr) ? [text] : text.split('\\').map(trimmed);
    },
    items: (tag) =>
      element(tag)?.items?.flatMap(({ dataSet: inner }) => (inner ? [wrapDataSet(inner, sets, ignoredSets)] : [])) ??
      [],
    tags: () => new Set(Object.keys(dataSet.elements).map((tag) => tag.slice(1).toUpperCase())),
  };
}

/** Padding is a space, of UIDs a NUL (PS3.5 6.2, 9.1). */
const trimmed = (text: string): string => text.replace(/(?<![\0\s])[\0\s]+$/, '').trimStart();
