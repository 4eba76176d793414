/**
 * Writes data sets (PS3.5 7): queries, and answers to other systems. The readers of worklist files read incoming ones.
 */

export const implicitLittleEndian = '1.2.840.10008.1.2';
export const explicitLittleEndian = '1.2.840.10008.1.2.1';
/** Every system accepts the implicit syntax (PS3.5 10.1); the explicit one holds more, and is proposed first. */
export const offeredSyntaxes = [explicitLittleEndian, implicitLittleEndian] as const;
export type Syntax = (typeof offeredSyntaxes)[number];

/**
 * An attribute: its tag as eight capital hexadecimal digits, its value representation, and its value; an empty value
 * requests it.
 */
export type Attribute =
  | readonly [tag: string, vr: TextVr, value?: string]
  | readonly [tag: string, vr: 'US' | 'UL', value: number]
  | readonly [tag: string, vr: 'OB', value: Uint8Array]
  | readonly [tag: string, vr: 'SQ', items: readonly (readonly Attribute[])[]];
type TextVr =
  | 'AE'
  | 'AS'
  | 'CS'
  | 'DA'
  | 'DS'
  | 'IS'
  | 'LO'
  | 'LT'
  | 'PN'
  | 'SH'
  | 'ST'
  | 'TM'
  | 'DT'
  | 'UC'
  | 'UI'
  | 'UT';

/** How texts become bytes: as ISO_IR 192 or ISO_IR 100 (PS3.3 C.12.1.1.2). */
export type TextEncoding = 'utf8' | 'latin1';

/** Value representations with a four-byte length in explicit syntaxes (PS3.5 7.1.2). */
const long = new Set(['OB', 'SQ', 'UC', 'UT']);

/** The attributes in the order of their tags; texts in that encoding, which (0008,0005) declares if one is not ASCII. */
export function writeDataSet(
  attributes: readonly Attribute[],
  syntax: Syntax,
  encoding: TextEncoding = 'utf8',
): Buffer {
  const sorted = attributes.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Buffer.concat(sorted.map((attribute) => writeAttribute(attribute, syntax, encoding)));
}

function writeAttribute(attribute: Attribute, syntax: Syntax, encoding: TextEncoding): Buffer {
  const [tag, vr] = attribute;
  const value = encodeValue(attribute, syntax, encoding);
  const isExplicit = syntax === explicitLittleEndian;
  const head = Buffer.alloc(isExplicit && long.has(vr) ? 12 : 8);
  head.writeUInt16LE(Number.parseInt(tag.slice(0, 4), 16));
  head.writeUInt16LE(Number.parseInt(tag.slice(4), 16), 2);
  if (isExplicit) head.write(vr, 4, 'latin1');
  if (isExplicit && !long.has(vr)) head.writeUInt16LE(value.length, 6);
  else head.writeUInt32LE(value.length, head.length - 4);
  return Buffer.concat([head, value]);
}

function encodeValue(attribute: Attribute, syntax: Syntax, encoding: TextEncoding): Buffer {
  const [, vr, value = ''] = attribute;
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(vr === 'US' ? 2 : 4);
    bytes.writeUIntLE(value, 0, bytes.length);
    return bytes;
  }
  if (typeof value === 'string') return padded(Buffer.from(value, encoding), vr === 'UI' ? 0 : 0x20);
  if (value instanceof Uint8Array) return padded(Buffer.from(value), 0);
  return Buffer.concat(
    value.map((item) => {
      const content = writeDataSet(item, syntax, encoding);
      const head = Buffer.from([0xfe, 0xff, 0x00, 0xe0, 0, 0, 0, 0]);
      head.writeUInt32LE(content.length, 4);
      return Buffer.concat([head, content]);
    }),
  );
}

/** Every value has an even number of bytes (PS3.5 7.1.1). */
const padded = (bytes: Buffer, padding: number): Buffer =>
  bytes.length % 2 === 0 ? bytes : Buffer.concat([bytes, Buffer.from([padding])]);

/** A data set that `writeDataSet` wrote in the explicit syntax, in any of the syntaxes. */
export function rewriteDataSet(dataSet: Buffer, syntax: Syntax): Buffer {
  if (syntax === explicitLittleEndian) return dataSet;
  const parts: Buffer[] = [];
  for (let at = 0; at < dataSet.length;) {
    const vr = dataSet.toString('latin1', at + 4, at + 6);
    const start = at + (long.has(vr) ? 12 : 8);
    const end = start + (long.has(vr) ? dataSet.readUInt32LE(at + 8) : dataSet.readUInt16LE(at + 6));
    const value = dataSet.subarray(start, end);
    parts.push(...withLength(dataSet.subarray(at, at + 4), vr === 'SQ' ? rewriteItems(value, syntax) : value));
    at = end;
  }
  return Buffer.concat(parts);
}

function rewriteItems(items: Buffer, syntax: Syntax): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < items.length;) {
    const end = at + 8 + items.readUInt32LE(at + 4);
    parts.push(...withLength(items.subarray(at, at + 4), rewriteDataSet(items.subarray(at + 8, end), syntax)));
    at = end;
  }
  return Buffer.concat(parts);
}

/** A tag, the length of the value in four bytes, and the value: an item, or an element of the implicit syntax. */
function withLength(tag: Buffer, value: Buffer): [Buffer, Buffer, Buffer] {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(value.length);
  return [tag, length, value];
}

/** The bytes of a data set as a file (PS3.10 7.1), for readers of files. */
export function asFile(dataSet: Uint8Array, syntax: string): Buffer {
  const meta = writeDataSet([['00020010', 'UI', syntax]], explicitLittleEndian);
  const length = writeDataSet([['00020000', 'UL', meta.length]], explicitLittleEndian);
  return Buffer.concat([Buffer.alloc(128), Buffer.from('DICM'), length, meta, dataSet]);
}
