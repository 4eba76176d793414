/**
 * Acknowledgements (HL7 v2.5.1 2.9.2, 2.14.5, 2.14.8), in the sender's separators and character set: echoed parts of the message
 * are copied byte for byte, so all texts here have one character per byte.
 */
import type { MessageError } from '../../../../../src/contract/channel.ts';
import type { Header } from '../../../../../src/files/worklist/hl7/frame.ts';

export type Code = 'AA' | 'AE' | 'AR';

/** A fault: its location such as `PID-3.1`, its code in table 0357, and a text for people. */
export interface Fault {
  readonly place?: string | undefined;
  readonly number: number;
  readonly message: string;
}

/** Content of an acknowledgement. */
export interface AcknowledgementContent {
  readonly code: Code;
  /** For a batch, the faults of all messages. */
  readonly faults?: readonly Fault[];
}

/** Codes of table 0357 by Laudio's error codes. */
const numbers: Readonly<Record<string, number>> = {
  UNREADABLE: 100,
  EMPTY: 100,
  FIELD_REQUIRED: 101,
  INVALID_TYPE: 102,
  INVALID_FORMAT: 102,
  TOO_LONG: 102,
  INVALID_VALUE: 103,
  INVALID_MODALITY: 103,
  TEST_DATA_REQUIRED: 103,
  PATIENT_MISMATCH: 205,
  IDENTIFIER_CONFLICT: 205,
};
const titles: Readonly<Record<number, string>> = {
  100: 'Segment sequence error',
  101: 'Required field missing',
  102: 'Data type error',
  103: 'Table value not found',
  200: 'Unsupported message type',
  201: 'Unsupported event code',
  202: 'Unsupported processing id',
  203: 'Unsupported version id',
  205: 'Duplicate key identifier',
  207: 'Application internal error',
};

/** The fault of a refused message. */
export const toFault = ({ code, place, message, hint }: MessageError): Fault => ({
  place,
  number: numbers[code] ?? 207,
  message: hint === undefined ? message : `${message} ${hint}`,
});

/** Ids and time of an acknowledgement. */
export interface AcknowledgementIds {
  /** MSH-10 of the acknowledgement. */
  readonly id: string;
  /** The acknowledged id: MSH-10 of the message, or BHS-11 of a batch. */
  readonly answered: string;
  /** In ms since 1970. */
  readonly now: number;
}

/** Maximum of faults in an acknowledgement: senders keep the first lines. */
const maxFaults = 20;

/** `header` is that of the acknowledged message, or of the first one of a batch. */
export function writeAck(
  header: Header,
  { code, faults = [] }: AcknowledgementContent,
  { id, answered, now }: AcknowledgementIds,
): string {
  const { separator, encoding, field } = header;
  const [component = '^'] = encoding;
  const event = field(9).split(component)[1] ?? '';
  const version = field(12).split(component)[0] ?? '';
  const plain = (text: string): string => escapeText(text, header);
  const segment = (...fields: string[]): string => {
    const last = fields.findLastIndex((each) => each !== '');
    return fields.slice(0, last + 1).join(separator);
  };
  const msh = segment(
    `MSH${separator}${encoding}`,
    field(5),
    field(6),
    field(3),
    field(4),
    timeOf(now),
    '',
    ['ACK', event, ...(isBefore(version, 2.4) ? [] : ['ACK'])].filter((part) => part !== '').join(component),
    plain(id),
    field(11) || 'P',
    field(12) || '2.5.1',
    '',
    '',
    '',
    '',
    '',
    field(18),
  );
  const [first] = faults;
  const text = first && isBefore(version, 2.5) ? plain(first.message).slice(0, 80) : '';
  const segments = [msh, segment('MSA', code, answered, text)];
  for (const { place, number, message } of faults.slice(0, maxFaults)) {
    const coded = [String(number), plain(titles[number] ?? ''), 'HL70357'].join(component);
    segments.push(segment('ERR', '', formatLocation(place, component), coded, 'E', '', '', '', plain(message)));
  }
  return `${segments.join('\r')}\r`;
}

/** ERL: segment, its number, field, repetition, component (2.A.28). */
function formatLocation(place: string | undefined, component: string): string {
  const [, segment, field, part] = /^([A-Z][A-Z\d]{2})(?:-(\d+)(?:\.(\d+))?)?/.exec(place ?? '') ?? [];
  if (segment === undefined) return '';
  const parts = [segment, '1', ...(field === undefined ? [] : [field]), ...(part === undefined ? [] : ['1', part])];
  return parts.join(component);
}

const isBefore = (version: string, other: number): boolean => Number.parseFloat(version) < other;

/** Escapes Laudio's own texts, in ASCII, which every character set includes. */
function escapeText(text: string, { separator, encoding }: Header): string {
  if (/^\w*$/.test(text)) return text;
  const [component, repetition, escape = '\\', subcomponent] = encoding;
  const sequences = new Map([
    [escape, 'E'],
    [separator, 'F'],
    [component, 'S'],
    [repetition, 'R'],
    [subcomponent, 'T'],
  ]);
  const ascii = text.replace(/[’‘]/g, "'").replace(/[“”]/g, '"').normalize('NFD').replace(/\p{M}/gu, '');
  return Array.from(ascii, (message) => {
    const sequence = sequences.get(message);
    if (sequence !== undefined) return `${escape}${sequence}${escape}`;
    return /[ -~]/.test(message) ? message : ' ';
  }).join('');
}

/** In UTC: `20260302113000.000+0000`. */
const timeOf = (now: number): string => `${new Date(now).toISOString().replace(/[-:TZ]/g, '')}+0000`;
