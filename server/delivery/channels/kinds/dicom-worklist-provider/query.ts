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
  readonly times: Range;
  /** Empty: any. */
  readonly station: string;
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
  const ofStep = (tag: string): string => sent?.values(tag)?.[0]?.trim() ?? '';
  const patterns = Object.entries(keys).flatMap(([name, tag]) => {
    const key = name === 'modality' ? ofStep(tag) : (dataSet.values(tag)?.[0]?.trim() ?? '');
    return key === '' || /^\*+$/.test(key) ? [] : [[name as KeyName, foldText(key)] as const];
  });
  return {
    charset: dataSet.values('00080005')?.find((each) => each !== '') ?? '',
    days: toRange(ofStep('00400002')),
    times: toRange(ofStep('00400003')),
    station: ofStep('00400001').replace(/^\*+$/, ''),
    matches: (values) => patterns.every(([name, pattern]) => matchesWildcards(foldText(values[name]), pattern)),
    wants(tag, isOfStep) {
      const among = isOfStep ? stepTags : tags;
      // A sequence without attributes asks for all of them (PS3.4 C.2.2.2.6).
      return among.size === 0 || among.has(tag);
    },
  };
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
function toRange(text: string): Range {
  const [from = '', to = from] = text.replace(/[.:](?=\d\d)/g, '').split('-');
  return { from: from.trim(), to: to.trim() };
}
