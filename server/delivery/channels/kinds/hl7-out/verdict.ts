/** What an acknowledgement means for the message (HL7 v2.5.1 2.9). Of what it says, only codes are kept: its text may name a patient. */
import type { MessageError } from '../../../../../src/contract/channel.ts';
import type { Delivered } from '../../channel.ts';

/** An acknowledgement, of which each character is a byte. */
export interface Acknowledgement {
  /** MSA-1. */
  readonly code: string;
  /** MSA-2: the message that it acknowledges. */
  readonly of: string;
  /** What is wrong: ERR-2 and ERR-3, or those of ERR-1 of older versions. */
  readonly errors: readonly { readonly place?: string; readonly number?: string }[];
}

/** `undefined` where the bytes are no acknowledgement. */
export function acknowledgementIn(bytes: Buffer): Acknowledgement | undefined {
  const segments = bytes.toString('latin1').split(/[\r\n]+/);
  const separator = segments[0]?.[3];
  if (!segments[0]?.startsWith('MSH') || separator === undefined) return undefined;
  const component = segments[0][4] ?? '^';
  const rows = segments.map((segment) => segment.split(separator));
  const msa = rows.find(([name]) => name === 'MSA');
  if (!msa) return undefined;
  const errors = rows.filter(([name]) => name === 'ERR').flatMap((row) => errorsIn(row, component));
  return { code: (msa[1] ?? '').trim().toUpperCase(), of: (msa[2] ?? '').trim(), errors };
}

function errorsIn([, former = '', location = '', code = '']: readonly string[], component: string) {
  if (location === '' && code === '') {
    if (former === '') return [];
    // ELD of versions up to 2.4: segment, its number, field, code with its subcomponents.
    const [segment, at, field, number = ''] = former.split(component);
    return [errorOf([segment, at, field], number.split('&')[0])];
  }
  return [errorOf(location.split(component), code.split(component)[0])];
}

/** The segments of a result, where a place is told. */
const places = new Set(['MSH', 'MSA', 'PID', 'PV1', 'ORC', 'OBR', 'TQ1', 'OBX', 'NTE']);

/** Segments and numbers of the standard, and nothing that somebody wrote. */
function errorOf([segment = '', , field = '']: readonly (string | undefined)[], number = '') {
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

export function verdictOf({ code, errors }: Acknowledgement): Delivered {
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
  return { state: 'refused', error: { ...error, hint: 'Its log says why. Mend it there or here, and retry.' } };
}
