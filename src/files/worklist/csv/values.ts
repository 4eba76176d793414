/** The values of tables, in the words of the contract. */
import type { Message } from '../../../contract/messages/message.ts';
import { fileMessage } from '../../../contract/messages/files.ts';
import { parseAge, modalityOf, priorityOf, parseSex } from '../coded-words.ts';
import { remembering } from '../remembering.ts';
import type { Lookup } from '../draft.ts';
import { isoDate } from '../kinds.ts';
import type { DateOrder } from '../reading.ts';
import type { OffsetAt } from '../zone.ts';
import { clockIn, withZone } from './clocks.ts';
import { dateFrom, hasShortYear, isSerial } from './dates.ts';

/** Choices that a table leaves open, made once for all rows. */
export interface Conventions {
  readonly order: DateOrder;
  readonly decimal: ',' | '.';
  /** Men are H, women M. */
  readonly hombre: boolean;
  /** Identifiers whose numbers are written with `.0` behind them. */
  readonly fractional: ReadonlySet<string>;
}

/** Words that databases and spreadsheets write for an empty value. */
const emptyWords: ReadonlySet<string> = new Set(
  'NULL null (null) None NaN nan N/A n/a N/D n/d #N/A #REF! #VALUE! #NAME? - -- ---'.split(' '),
);

/** Spreadsheets keep leading zeros by writing `="00123"` or `=("00123")`. */
export function plainValue(value: string): string {
  const text = value.trim();
  if (emptyWords.has(text)) return '';
  if (!text.startsWith('=')) return text;
  const [, inner] = /^=\s*(?:\(\s*)?"(.*)"\s*\)?$/s.exec(text) ?? [];
  return inner === undefined ? text : inner.replaceAll('""', '"').trim();
}

interface Row {
  /** The current row's value, an empty text where the row has none. */
  readonly valueOf: (field: string) => string;
  /** The time of the exam has a separate column, in addition to any time after the date. */
  readonly isJoined: boolean;
  /** The parts of the name do. */
  readonly isNameJoined: boolean;
  readonly conventions: Conventions;
  readonly offsetAt: OffsetAt;
  /** Refuses the row, because the value could be mistaken for another. */
  readonly refuse: (field: string, what: 'sheet_date' | 'sheet_number', hint: Message) => void;
}

const midnight = '00:00:00';
const isUtc = /^(?:Z|[+-]00:00)$/;
/** A day, and a time behind it. */
const moment = /^(\S+?)(?:,? +|T)(\d.*)$/s;

/** A column's value, in the words of the contract where the reader understands it. */
export function lookupIn({ valueOf, isJoined, isNameJoined, conventions, offsetAt, refuse }: Row): Lookup {
  const { order, decimal, hombre, fractional } = conventions;
  const dateOf = remembering((text) => dateFrom(text, order) ?? { date: text, rest: '' });
  const clockOf = remembering(clockIn);
  /** The other column's clock, also behind the day that databases write before each time. */
  const besideClock = (): string => {
    const text = isJoined ? valueOf('exam_time') : '';
    if (text === '' || clockOf(text)) return text;
    const [, , behind = ''] = moment.exec(text) ?? [];
    return behind !== '' && clockOf(behind) ? behind : text;
  };
  /**
   * The clock behind a date, or that of the other column: databases write midnight behind each date without a time, that of UTC
   * where they name a zone. Any other zone is that of the place.
   */
  const clockBeside = (own: string): string => {
    const beside = besideClock();
    if (beside === '' || own === '') return own || beside;
    const { time, offsets: [zone] = [] } = clockOf(own) ?? {};
    const other = time === midnight ? clockOf(beside) : undefined;
    if (!other) return own;
    return zone === undefined || other.offsets.length > 0 || isUtc.test(zone) ? beside : `${beside} ${zone}`;
  };
  const exam = (text: string): string => {
    if (isSerial(text)) {
      refuse('exam_datetime', 'sheet_date', fileMessage('format_date'));
    }
    // Days repeat and times of day do, so that each is understood once; what is neither is left for the kind to judge.
    const [, day = text, behind = ''] = moment.exec(text) ?? [];
    const isSplit = behind !== '' && clockOf(behind) !== undefined;
    const { date, rest } = dateOf(isSplit ? day : text);
    const clock = clockBeside(isSplit ? behind : rest);
    const isWhole = date.length > '2026-03-02'.length;
    if (clock === '' || isWhole) return date;
    const known = clockOf(clock);
    const whole = isoDate(date) ?? date;
    return known ? withZone(whole, known, offsetAt) : `${whole}T${clock}`;
  };
  const identifier = (field: string) => {
    const asIs = unshortened(field);
    return fractional.has(field) ? (text: string) => asIs(text.replace(/^(\d+)\.0$/, '$1')) : asIs;
  };
  const unshortened = (field: string) => (text: string) => {
    if (/^\d[.,]\d+E\+\d+$/i.test(text)) {
      refuse(field, 'sheet_number', fileMessage('format_text'));
    }
    return text;
  };
  const count = remembering((text) => {
    const [whole = '', part = ''] = text.split(decimal);
    const digits = whole.replace(decimal === ',' ? /\./g : /,/g, '').replace(/\s/g, '');
    return /^0*$/.test(part) ? digits : text;
  });
  const ways: Readonly<Record<string, (text: string) => string>> = {
    exam_datetime: exam,
    patient_birth_date: remembering((text) =>
      hasShortYear(text) || isSerial(text) ? text : (dateFrom(text, order)?.date ?? text),
    ),
    accession_number: identifier('accession_number'),
    patient_id: identifier('patient_id'),
    modality: remembering(modalityOf),
    patient_sex: remembering((text) => parseSex(text, { hombre })),
    patient_age: remembering(parseAge),
    'metadata.priority': remembering(priorityOf),
    series_count: count,
    images_count: count,
    ...(isNameJoined && {
      patient_name: (first: string) => {
        const family = [first, valueOf('patient_second_family_name')].filter((part) => part !== '').join(' ');
        return [family, valueOf('patient_given_name')].filter((part) => part !== '').join('^');
      },
    }),
  };
  return (field) => {
    const text = valueOf(field);
    const way = text === '' ? undefined : ways[field];
    return way ? way(text) : text;
  };
}
