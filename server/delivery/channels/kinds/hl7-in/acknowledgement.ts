/**
 * Acknowledgements (HL7 v2.5.1 2.9, 2.14.5, 2.14.8), in the sender's separators, character set and version: echoed parts of the
 * message are copied byte for byte, so all texts here have one character per byte.
 */
import type { MessageError } from '../../../../../src/contract/channel-message.ts';
import { isoTime } from '../../../../../src/domain/clock.ts';
import { findEntry } from '../../../../../src/domain/find-entry.ts';
import { joinSentences } from '../../../../../src/domain/join-sentences.ts';
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
  message: joinSentences([message, hint]),
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

/** Maximum length of MSA-3 before version 2.5. */
const maxText = 80;

/** The conditions of table 0155 for an acknowledgement. */
const conditions: Readonly<Record<string, (code: Code) => boolean>> = {
  AL: () => true,
  NE: () => false,
  ER: (code) => code !== 'AA',
  SU: (code) => code === 'AA',
};

const acceptCodes = { AA: 'CA', AE: 'CE', AR: 'CR' } as const;

/**
 * MSA-1 as the sender asks for it in MSH-15 and MSH-16 (2.9.3); `undefined`: it wants no acknowledgement. An application
 * acknowledgement also accepts the message: two answers to one message would confuse most senders.
 */
function findCode({ field }: Header, code: Code): Code | 'CA' | 'CE' | 'CR' | undefined {
  const readWish = (number: number): string => field(number).trim().toUpperCase();
  const accept = readWish(15);
  const application = readWish(16);
  const isOriginalMode = accept === '' && application === '';
  const meets = (condition: string): boolean => condition !== '' && (findEntry(conditions, condition)?.(code) ?? true);
  if (isOriginalMode || meets(application)) return code;
  return meets(accept) ? acceptCodes[code] : undefined;
}

/**
 * `header` is that of the acknowledged message, or of the first one of a batch. `undefined`: the sender wants no acknowledgement of
 * that outcome.
 */
export function writeAck(
  header: Header,
  { code, faults = [] }: AcknowledgementContent,
  { id, answered, now }: AcknowledgementIds,
): string | undefined {
  const { separator, encoding, field } = header;
  const due = findCode(header, code);
  if (due === undefined) return undefined;
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
    formatTime(now),
    '',
    event === '' ? 'ACK' : ['ACK', event, ...(isBefore(version, 2.4) ? [] : ['ACK'])].join(component),
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
  const isOld = isBefore(version, 2.5);
  const text = isOld && faults[0] ? shorten(maxText, faults[0].message, header) : '';
  const errors = faults.slice(0, maxFaults).map(({ place, number, message }) => ({
    location: locate(place),
    coded: [String(number), plain(titles[number] ?? ''), 'HL70357'],
    message: plain(message),
  }));
  // A text that is cut here is whole in MSA-6, the error condition, which version 2.1 lacks.
  const [first] = errors;
  const isWhole = !isOld || first === undefined || text === first.message || isBefore(version, 2.2);
  const condition = isWhole ? '' : [first.coded[0], first.message, first.coded[2]].join(component);
  const segments = [msh, segment('MSA', due, answered, text, '', '', condition)];
  if (!isOld) {
    for (const { location, coded, message } of errors) {
      const where = location && writeLocation(location).join(component);
      segments.push(segment('ERR', '', where ?? '', coded.join(component), 'E', '', '', '', message));
    }
  } else if (errors.length > 0) {
    // ELD, which repeats: segment, its number, field, and the code in subcomponents (v2.4 2.16.5.1).
    const [, repetition = '~', , subcomponent = '&'] = encoding;
    const each = errors.map(({ location, coded }) =>
      [location?.segment ?? '', location ? '1' : '', location?.field ?? '', coded.join(subcomponent)].join(component),
    );
    segments.push(segment('ERR', [...new Set(each)].join(repetition)));
  }
  return `${segments.join('\r')}\r`;
}

interface Location {
  readonly segment: string;
  readonly field: string | undefined;
  readonly part: string | undefined;
}

function locate(place: string | undefined): Location | undefined {
  const [, segment, field, part] = /^([A-Z][A-Z\d]{2})(?:-(\d+)(?:\.(\d+))?)?/.exec(place ?? '') ?? [];
  return segment === undefined ? undefined : { segment, field, part };
}

/** ERL: segment, its number, field, repetition, component (2.A.28). */
const writeLocation = ({ segment, field, part }: Location): string[] => [
  segment,
  '1',
  ...(field === undefined ? [] : [field]),
  ...(part === undefined ? [] : ['1', part]),
];

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

/** As many whole sentences as fit; of a longer first one, whole words. */
function shorten(length: number, text: string, header: Header): string {
  if (escapeText(text, header).length <= length) return escapeText(text, header);
  // A sentence may end at the last place.
  const end = escapeAtMost(length + 1, text, header).lastIndexOf('. ');
  if (end > 0) return escapeAtMost(end + 1, text, header);
  const words = escapeAtMost(length - ellipsis.length, text, header);
  const space = words.lastIndexOf(' ');
  return `${space > 0 ? words.slice(0, space) : words}${ellipsis}`;
}
const ellipsis = '...';

/** As many whole characters as fit, so that no escape sequence is cut. */
function escapeAtMost(length: number, text: string, header: Header): string {
  let escaped = '';
  for (const character of text) {
    const next = escapeText(character, header);
    if (escaped.length + next.length > length) break;
    escaped += next;
  }
  return escaped;
}

/** In UTC: `20260302113000.000+0000`. */
const formatTime = (now: number): string => `${isoTime(now).slice(0, -1).replace(/[-:T]/g, '')}+0000`;
