/** The query of a modality (PS3.4 K.6.1.2): which exams it wants, and which attributes of them. */
import type { DataSet } from '../../../../../src/files/worklist/dicom/attributes.ts';
import { foldText } from '../../../../../src/domain/search-text.ts';

/** A range of days or times, in digits; an empty end is open. */
interface Range {
  readonly from: string;
  readonly to: string;
}

export interface ModalityQuery {
  readonly charset: string;
  readonly days: Range;
  /** Whether the query's times include a local time on one of its days. */
  includes(day: string, time: string): boolean;
  /** The title that the modality asks for; empty: none, or several by wildcards. */
  readonly station: string;
  isStation(title: string): boolean;
  /** Whether the query wants an exam with these values. */
  matches(values: Readonly<Record<KeyName, string>>): boolean;
  /** Whether the query names the attribute, in the scheduled step or outside of it. */
  wants(tag: string, isOfStep: boolean): boolean;
}

const step = '00400100';

/** Keys that are compared, by their tags; `*` and `?` are wildcards. */
const keys = {
  accession: '00080050',
  patientName: '00100010',
  patientId: '00100020',
  study: '0020000D',
  procedure: '00401001',
  modality: '00080060',
} as const;
type KeyName = keyof typeof keys;

export function readQuery(dataSet: DataSet): ModalityQuery {
  const [sent] = dataSet.items(step);
  const [tags, stepTags] = [dataSet.tags(), sent?.tags() ?? new Set()];
  const ofStep = (tag: string): string[] => trimmed(sent?.values(tag));
  const patterns = Object.entries(keys).flatMap(([name, tag]) => {
    const listed = name === 'modality' ? ofStep(tag) : trimmed(dataSet.values(tag));
    return listed.length === 0 ? [] : [[name as KeyName, matchAny(listed)] as const];
  });
  const titles = ofStep('00400001');
  const [days, times] = [toRange(ofStep('00400002')), toRange(ofStep('00400003'), timeDigits)];
  return {
    charset: dataSet.values('00080005')?.find((each) => each !== '') ?? '',
    days,
    includes: (day, time) => isWithin(day, time, days, times),
    station: titles.find((title) => !/[*?]/.test(title)) ?? '',
    isStation: matchAny(titles),
    matches: (values) => patterns.every(([name, isMatch]) => isMatch(values[name])),
    wants(tag, isOfStep) {
      const among = isOfStep ? stepTags : tags;
      // A sequence without attributes asks for all of them (PS3.4 C.2.2.2.6).
      return among.size === 0 || among.has(tag);
    },
  };
}

const trimmed = (values: readonly string[] | undefined): string[] =>
  values?.map((value) => value.trim()).filter((value) => value !== '') ?? [];

/** No keys: anything. The standard has lists for UIDs (PS3.4 C.2.2.2.2); modalities also send lists of other keys. */
function matchAny(listed: readonly string[]): (text: string) => boolean {
  const patterns = listed.map(foldText);
  return (text) => patterns.length === 0 || patterns.some((pattern) => matchesWildcards(foldText(text), pattern));
}

/**
 * PS3.4 C.2.2.2.4, for folded texts: case and accents don't matter, as PS3.4 C.2.2.2.1 allows for names. After a mismatch only the last
 * `*` takes one more character: what an earlier one could take, the last one can take too, so many stars cost no more than one.
 */
function matchesWildcards(text: string, pattern: string): boolean {
  let [at, star, resumedAt] = [0, -1, 0];
  let key = 0;
  while (at < text.length) {
    if (pattern[key] === '*') {
      star = key++;
      resumedAt = at;
    } else if (pattern[key] === '?' || pattern[key] === text[at]) {
      key++;
      at++;
    } else if (star >= 0) {
      key = star + 1;
      at = ++resumedAt;
    } else return false;
  }
  while (pattern[key] === '*') key++;
  return key === pattern.length;
}

/** PS3.4 C.2.2.2.5. */
function toRange([text = '']: readonly string[], digits = Infinity): Range {
  const [from = '', to = from] = text
    .replace(/[.:](?=\d\d)/g, '')
    .split('-')
    .map((end) => end.trim().slice(0, digits));
  return { from, to };
}
/** Times in answers have no fractions of a second. */
const timeDigits = 'HHMMSS'.length;

/** The times of several days begin on the first and end on the last (PS3.4 K.6.1.2.2); those of one day, or of none, hold for any day. */
function isWithin(day: string, time: string, days: Range, times: Range): boolean {
  const [isFirst, isLast] = days.from === days.to ? [true, true] : [day === days.from, day === days.to];
  if (isFirst && time < times.from.padEnd(timeDigits, '0')) return false;
  return !isLast || times.to === '' || time <= times.to.padEnd(timeDigits, '9');
}
