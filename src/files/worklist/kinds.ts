/** How texts of DICOM and HL7 v2 become the values of the contract (DICOM PS3.5 6.2, HL7 v2.5.1 2.A). */
import { findEntry } from '../../domain/find-entry.ts';
import { isIsoDate, normaliseIsoDateTime } from '../../domain/iso-time.ts';
import { modalityCodes } from '../../contract/modalities.ts';
import { isModalityTold, modalityOf, sexOf } from './coded-words.ts';
import type { ReadOptions } from './reading.ts';
import type { OffsetAt } from './zone.ts';

export interface Times {
  readonly offsetAt: OffsetAt;
  /** `±ZZXX` of the data set or message, for its times without one. */
  readonly offset?: string | undefined;
  /** Hears where each value was found. */
  readonly onFound?: ReadOptions['onFound'];
}

/** The value of a text; `note` names the message about the reader's assumption. */
export interface ConvertedValue {
  readonly value: unknown;
  readonly note?: 'several_modalities' | 'no_time_of_day';
}

interface Kind {
  /** Whether the text says enough to be a value; absent: always. */
  readonly says?: (text: string) => boolean;
  /** Name of the message that says what the text has to be, as in "it is not …". */
  readonly expected:
    | 'a_text'
    | 'a_uid'
    | 'a_sex'
    | 'a_date'
    | 'an_instant'
    | 'an_age'
    | 'a_count'
    | 'a_modality'
    | 'a_priority';
  /** `undefined` where the text is not that. */
  readonly convert: (text: string, times: Times) => ConvertedValue | undefined;
}

const is = <Value>(value: Value | undefined): ConvertedValue | undefined =>
  value === undefined ? undefined : { value };

/** The sexes of DICOM (0010,0040), HL7 table 0001 and FHIR, by the contract's terms. */
const sexes: Readonly<Record<string, string>> = {
  M: 'M',
  MALE: 'M',
  F: 'F',
  FEMALE: 'F',
  O: 'O',
  OTHER: 'O',
  A: 'O',
  N: 'O',
  U: 'U',
  UNKNOWN: 'U',
};

/** HL7 tables 0027 and 0485 and FHIR request-priority, by the terms of DICOM (0040,1003). */
const priorities: Readonly<Record<string, string>> = {
  S: 'STAT',
  STAT: 'STAT',
  A: 'HIGH',
  ASAP: 'HIGH',
  P: 'HIGH',
  C: 'HIGH',
  URGENT: 'HIGH',
  HIGH: 'HIGH',
  R: 'ROUTINE',
  ROUTINE: 'ROUTINE',
  T: 'MEDIUM',
  MEDIUM: 'MEDIUM',
  LOW: 'LOW',
};

export type KindName = 'text' | 'uid' | 'sex' | 'date' | 'instant' | 'age' | 'count' | 'modality' | 'priority';

/** Keys are fields; every other field is a text. */
const ofField: Readonly<Record<string, KindName>> = {
  study_uid: 'uid',
  patient_sex: 'sex',
  patient_birth_date: 'date',
  patient_age: 'age',
  exam_datetime: 'instant',
  modality: 'modality',
  series_count: 'count',
  images_count: 'count',
  'metadata.priority': 'priority',
};
export const kindOfField = (field: string): KindName => findEntry(ofField, field) ?? 'text';

export const kinds: Readonly<Record<KindName, Kind>> = {
  text: { expected: 'a_text', convert: (text) => ({ value: text }) },
  /** DICOM PS3.5 9.1, in FHIR as a URN (RFC 3061). */
  uid: {
    expected: 'a_uid',
    convert: (text) => {
      const uid = text.replace(/^urn:oid:/i, '');
      return is(uid.length <= 64 && /^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*))*$/.test(uid) ? uid : undefined);
    },
  },
  sex: { expected: 'a_sex', convert: (text) => is(findEntry(sexes, text.toUpperCase()) ?? sexOf(text)) },
  date: { expected: 'a_date', convert: (text) => is(isoDate(text)) },
  instant: { expected: 'an_instant', convert: isoDateTime },
  /** DICOM PS3.5 6.2, VR AS; anything else is kept, since the contract leaves it free. */
  age: { expected: 'an_age', convert: (text) => is(text.length <= 16 ? text : undefined) },
  count: { expected: 'a_count', convert: (text) => is(/^\d{1,9}$/.test(text) ? Number(text) : undefined) },
  modality: {
    says: isModalityTold,
    expected: 'a_modality',
    convert: modality,
  },
  priority: { expected: 'a_priority', convert: (text) => ({ value: priorities[text.toUpperCase()] ?? text }) },
};

/** Modalities that accompany the images of another, or say nothing about one. */
export const accompanying: ReadonlySet<unknown> = new Set(['SR', 'KO', 'PR', 'DOC', 'SEG', 'REG', 'AU', 'OT']);

/** One modality, or the first of several, as a study of several series has them. */
function modality(text: string): ConvertedValue {
  const value = modalityOf(text).toUpperCase();
  const several = text.split(/[,;/\\+&|]/).map((part) => modalityOf(part.trim()).toUpperCase());
  if (modalityCodes.includes(value) || several.length === 1 || !several.every((one) => modalityCodes.includes(one)))
    return { value };
  return {
    value: several.find((one) => !accompanying.has(one)) ?? several[0],
    note: 'several_modalities',
  };
}

/** `YYYYMMDD`, the legacy `YYYY.MM.DD`, or with a time after it; a real day. */
export function isoDate(text: string): string | undefined {
  const [, year, , month, day] = /^(\d{4})([.-]?)(\d{2})\2(\d{2})/.exec(text) ?? [];
  const date = `${year}-${month}-${day}`;
  return isIsoDate(date) ? date : undefined;
}

/** `YYYYMMDD[HH[MM[SS[.F]]]][±ZZXX]`; dots and colons of legacy writing are gone already. */
const compact = /^(\d{4})(\d{2})(\d{2})(?:(\d{2})(?:(\d{2})(?:(\d{2})(?:[.,](\d{1,6})\d*)?)?)?)?\s*([+-]\d{4})?$/;

/** A date of ISO 8601, with or without time and offset. */
const extended = /^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?)\s*([Zz]|[+-]\d{2}:?\d{2})?)?$/;

/** ISO 8601 with an explicit offset: its own, that of the data set or message, or that of the place. */
function isoDateTime(text: string, { offsetAt, offset }: Times): ConvertedValue | undefined {
  const [iso, date, time, zone] = extended.exec(text) ?? [];
  if (iso !== undefined) {
    if (zone?.toUpperCase() === 'Z') return is(normaliseIsoDateTime(iso));
    const value = withOffset(`${date}T${time ?? '00:00'}`, zone ?? offset, offsetAt);
    return value === undefined ? undefined : time === undefined ? { value, note: 'no_time_of_day' } : { value };
  }
  const match = compact.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour, minute = '00', second = '00', fraction, ownOffset] = match;
  // A leap second (PS3.5 6.2, VR TM) has no place in ISO 8601 as most programs read it.
  const seconds = second === '60' ? '59' : second;
  const local = `${year}-${month}-${day}T${hour ?? '00'}:${minute}:${seconds}${fraction ? `.${fraction}` : ''}`;
  const value = withOffset(local, ownOffset ?? offset, offsetAt);
  if (value === undefined) return undefined;
  return hour === undefined ? { value, note: 'no_time_of_day' } : { value };
}

/** `undefined` where the local time does not exist in the calendar, or the offset is none. */
export function withOffset(local: string, offset: string | undefined, offsetAt: OffsetAt): string | undefined {
  const normal = normaliseIsoDateTime(local);
  if (normal === undefined) return undefined;
  if (offset === undefined) return normal + offsetAt(Date.parse(`${normal}Z`));
  const [, hours, minutes] = /^([+-]\d{2}):?(\d{2})$/.exec(offset) ?? [];
  return hours === undefined ? undefined : normaliseIsoDateTime(`${normal}${hours}:${minutes}`);
}

/** A date and a time of day of DICOM or HL7, legacy writing included, as one text of the kind `instant`. */
export const joinDateTime = (date: string, time: string | undefined): string =>
  date.replace(/^(\d{4})\.(\d{2})\.(\d{2})$/, '$1$2$3') +
  (time ?? '').replace(/^(\d{2}):(\d{2})(?::(\d{2}.*))?$/, '$1$2$3');
