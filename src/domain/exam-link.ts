/**
 * Links with which another program (a PACS, a RIS, a viewer) shows an exam by its own numbers: the part after `exam` in
 * `laudio://exam?accession=SL-1` and in the page's `#/exam?accession=SL-1`. The page imports this module.
 */
import type { WorklistItem } from '../contract/worklist-item.ts';
import { numbersOfOrders } from './order-numbers.ts';

/** The names that a link may have, each with a value of at most 128 characters. */
export const linkNames = ['accession', 'accession_issuer', 'study_uid', 'patient_id', 'issuer'] as const;
export type ExamLink = { readonly [N in (typeof linkNames)[number]]?: string };

const maxValue = 128;

/** Reads `accession=SL-1&patient_id=42`. `undefined`: it names no exam, or has a value that no number has. */
export function parseExamLink(query: string): ExamLink | undefined {
  const params = readQuery(query);
  const named = linkNames.flatMap((name) => {
    const value = params.get(name)?.trim();
    return value === undefined || value === '' ? [] : [[name, value] as const];
  });
  const link: ExamLink = Object.fromEntries(named);
  const isWhole = named.every(([, value]) => value.length <= maxValue && !/\p{Cc}/u.test(value));
  return isWhole && (link.accession ?? link.study_uid ?? link.patient_id) !== undefined ? link : undefined;
}

/** The values of a query, each name's first. A value that is badly encoded is left out. */
function readQuery(query: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const part of query.split('&')) {
    const [name = '', ...rest] = part.split('=');
    try {
      if (!values.has(name)) values.set(name, decodeURIComponent(rest.join('=').replaceAll('+', ' ')));
    } catch {
      // No number is written like that.
    }
  }
  return values;
}

export const formatExamLink = (link: ExamLink): string =>
  Object.entries(link)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');

export type LinkedExams =
  | { readonly kind: 'one'; readonly item: WorklistItem }
  /** Several have these numbers. */
  | { readonly kind: 'several'; readonly items: readonly WorklistItem[] }
  | { readonly kind: 'none' }
  /** The exam is there, but of another patient than the link says. */
  | { readonly kind: 'other_patient' };

/** The exams that a link means. Of one patient's alone, those that wait for a report come before all. */
export function findLinkedExams(items: Iterable<WorklistItem>, link: ExamLink): LinkedExams {
  const all = Array.from(items);
  const numbered =
    link.accession === undefined && link.study_uid === undefined ? all : all.filter((item) => hasNumbers(item, link));
  const found = numbered.filter((item) => isPatient(item, link));
  if (found.length === 0) return { kind: numbered.length > 0 && numbered !== all ? 'other_patient' : 'none' };
  const isOnePatient = new Set(found.map(nameOwner)).size === 1;
  const waiting = found.filter(({ status }) => isOnePatient && (status === 'new' || status === 'in_progress'));
  const [first, ...others] = waiting.length === 1 ? waiting : found;
  return first && others.length === 0 ? { kind: 'one', item: first } : { kind: 'several', items: found };
}

/** Two hospitals may give one number to two patients. */
const nameOwner = ({ patient_id: id, metadata }: WorklistItem): string =>
  JSON.stringify([id, metadata?.['patient_id_issuer'] ?? null]);

function hasNumbers(item: WorklistItem, { accession, accession_issuer: issuer, study_uid: study }: ExamLink): boolean {
  if (study !== undefined && item.study_uid !== null && item.study_uid !== study) return false;
  if (accession === undefined) return item.study_uid === study;
  const numbers = [item.accession_number, ...numbersOfOrders(item.metadata)];
  return numbers.includes(accession) && (issuer === undefined || (item.accession_issuer ?? issuer) === issuer);
}

function isPatient({ patient_id: id, metadata }: WorklistItem, { patient_id: wanted, issuer }: ExamLink): boolean {
  if (wanted === undefined) return true;
  const named = metadata?.['patient_id_issuer'];
  return id === wanted && (issuer === undefined || typeof named !== 'string' || named === issuer);
}
