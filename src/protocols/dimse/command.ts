/** Command sets (PS3.7 6.3, E.1): the request of one side, and the answer. */
import { malformed } from './pdu.ts';
import { implicitLittleEndian, writeDataSet } from './data-set.ts';
import type { Attribute } from './data-set.ts';
import { withoutPadding } from './uid.ts';

export const commands = {
  storeRequest: 0x0001,
  storeAnswer: 0x8001,
  getRequest: 0x0010,
  getAnswer: 0x8010,
  findRequest: 0x0020,
  findAnswer: 0x8020,
  moveRequest: 0x0021,
  moveAnswer: 0x8021,
  cancelRequest: 0x0fff,
  echoRequest: 0x0030,
  echoAnswer: 0x8030,
  setRequest: 0x0120,
  setAnswer: 0x8120,
  createRequest: 0x0140,
  createAnswer: 0x8140,
} as const;

/** Whether the bit of an answer is set. */
export const answerTo = (request: number): number => request | 0x8000;

/** The fields of a command that Laudio reads or writes; all but `field` are optional. */
export interface Command {
  readonly field: number;
  readonly messageId?: number;
  readonly respondedTo?: number;
  readonly affectedClass?: string;
  readonly requestedClass?: string;
  readonly affectedInstance?: string;
  readonly requestedInstance?: string;
  readonly priority?: number;
  /** Title of the system that receives the objects of a C-MOVE. */
  readonly destination?: string;
  /** Objects of a C-GET or C-MOVE that were sent, failed, or sent with a warning; the last answer counts. */
  readonly completed?: number;
  readonly failed?: number;
  readonly warned?: number;
  readonly status?: number;
  readonly comment?: string;
  /** The error, by the tables of the service. */
  readonly errorId?: number;
  readonly hasData?: boolean;
}

/** (0000,0800): this value says that no data set follows. */
const noData = 0x0101;

const fields = {
  affectedClass: ['00000002', 'UI'],
  requestedClass: ['00000003', 'UI'],
  field: ['00000100', 'US'],
  messageId: ['00000110', 'US'],
  respondedTo: ['00000120', 'US'],
  destination: ['00000600', 'AE'],
  priority: ['00000700', 'US'],
  status: ['00000900', 'US'],
  comment: ['00000902', 'LO'],
  errorId: ['00000903', 'US'],
  affectedInstance: ['00001000', 'UI'],
  requestedInstance: ['00001001', 'UI'],
  completed: ['00001021', 'US'],
  failed: ['00001022', 'US'],
  warned: ['00001023', 'US'],
} as const satisfies Partial<Record<keyof Command, readonly [string, string]>>;

/** A command is always in the implicit syntax, whatever its data set has (PS3.7 6.3.1). */
export function writeCommand({ hasData = false, ...command }: Command): Buffer {
  const attributes: Attribute[] = [['00000800', 'US', hasData ? 0 : noData]];
  for (const [name, value] of Object.entries(command)) {
    const [tag, vr] = fields[name as keyof typeof fields];
    if (value !== undefined) attributes.push([tag, vr, value] as Attribute);
  }
  const body = writeDataSet(attributes, implicitLittleEndian);
  return Buffer.concat([writeDataSet([['00000000', 'UL', body.length]], implicitLittleEndian), body]);
}

const names = new Map<string, { readonly name: string; readonly vr: string }>(
  Object.entries(fields).map(([name, [tag, vr]]) => [tag, { name, vr }]),
);

export function readCommand(bytes: Buffer): Command {
  const command: Record<string, unknown> = { field: 0, hasData: false };
  for (let at = 0; at + 8 <= bytes.length;) {
    const tag = `${hex(bytes.readUInt16LE(at))}${hex(bytes.readUInt16LE(at + 2))}`;
    const length = bytes.readUInt32LE(at + 4);
    const value = bytes.subarray(at + 8, at + 8 + length);
    if (value.length < length) throw malformed();
    const known = names.get(tag);
    if (tag === '00000800' && length === 2) command['hasData'] = value.readUInt16LE() !== noData;
    else if (known?.vr === 'US' && length === 2) command[known.name] = value.readUInt16LE();
    else if (known && known.vr !== 'US') command[known.name] = withoutPadding(value.toString('latin1'));
    at += 8 + length;
  }
  return command as unknown as Command;
}

/** The hexadecimal form of a two-byte number in the tables of DICOM. */
export const hex = (number: number): string => number.toString(16).toUpperCase().padStart(4, '0');
