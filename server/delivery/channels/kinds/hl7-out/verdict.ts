/** Maps an acknowledgement to the outcome of a message (HL7 v2.5.1 2.9). Stores only its codes: its texts may name a patient. */
import type { MessageError } from '../../../../../src/contract/channel-message.ts';
import type { SendResult } from '../../channel.ts';

/** An acknowledgement; its texts have one character per byte. */
export interface Acknowledgement {
  /** MSA-1. */
  readonly code: string;
  /** MSA-2: id of the acknowledged message. */
  readonly of: string;
  /** Read from ERR-2 and ERR-3; in older versions from ERR-1. */
  readonly errors: readonly { readonly place?: string; readonly number?: string }[];
}

/** `undefined`: the bytes are no acknowledgement. */
export function parseAcknowledgement(bytes: Buffer): Acknowledgement | undefined {
  const segments = bytes.toString('latin1').split(/[\r\n]+/);
  const separator = segments[0]?.[3];
  if (!segments[0]?.startsWith('MSH') || separator === undefined) return undefined;
  const component = segments[0][4] ?? '^';
  const rows = segments.map((segment) => segment.split(separator));
  const msa = rows.find(([name]) => name === 'MSA');
  if (!msa) return undefined;
  const errors = rows.filter(([name]) => name === 'ERR').flatMap((row) => readErrors(row, component));
  return { code: (msa[1] ?? '').trim().toUpperCase(), of: (msa[2] ?? '').trim(), errors };
}

function readErrors([, eld = '', location = '', code = '']: readonly string[], component: string) {
  if (location === '' && code === '') {
    if (eld === '') return [];
    // ELD, up to version 2.4: segment, its number, field, code with its subcomponents.
    const [segment, at, field, number = ''] = eld.split(component);
    return [readLocation([segment, at, field], number.split('&')[0])];
  }
  return [readLocation(location.split(component), code.split(component)[0])];
}

/** Segments of a result, which an error may refer to. */
const places = new Set(['MSH', 'MSA', 'PID', 'PV1', 'ORC', 'OBR', 'TQ1', 'OBX', 'NTE']);

/** Keeps segments and numbers of the standard, and no free text. */
function readLocation([segment = '', , field = '']: readonly (string | undefined)[], number = '') {
  const place = places.has(segment) ? `${segment}${/^\d{1,3}$/.test(field) ? `-${field}` : ''}` : undefined;
  return {
    ...(place !== undefined && { place }),
    ...(/^\d{1,3}$/.test(number.trim()) && { number: number.trim() }),
  };
}

const accepted = new Set(['AA', 'CA']);
const failed = new Set(['AE', 'CE', 'AR', 'CR']);
/** Application internal error, of table 0357. */
const passing = '207';

export function toSendResult({ code, errors }: Acknowledgement): SendResult {
  if (accepted.has(code)) return { state: 'delivered' };
  if (!failed.has(code)) {
    const message = 'The acknowledgement has none of the codes AA, AE, AR, CA, CE and CR.';
    return { state: 'refused', error: { code: 'UNKNOWN_ANSWER', place: 'MSA-1', message } };
  }
  const [first] = errors;
  const numbers = errors.flatMap(({ number }) => number ?? []);
  const isRejected = code === 'AR' || code === 'CR';
  const error: MessageError = {
    code,
    message: `The other side answered ${[code, ...numbers].join(', ')}.`,
    ...(first?.place !== undefined && { place: first.place }),
  };
  if (isRejected && numbers.includes(passing)) return { state: 'again', error };
  return { state: 'refused', error: { ...error, hint: 'Its log says why. Fix the cause there or here, and retry.' } };
}
