/** Critical results of a report, from version to version, and the lines that document their communication. */
import type { Communication, CriticalResult } from '../contract/critical.ts';
import type { MedicalRecord, Section } from '../contract/document.ts';
import type { Language } from '../contract/shared.ts';
import { formatInstant } from '../domain/local-dates.ts';
import type { Finding } from './checks/finding.ts';

type Document = Pick<MedicalRecord, 'sections' | 'language' | 'critical_results'>;

const isCritical = ({ kind }: Pick<Finding, 'kind'>): boolean => kind === 'critical_not_communicated';
const isOpen = ({ status }: Pick<CriticalResult, 'status'>): boolean => status === 'open';

/** The critical results that wait for their communication. */
export const openResults = ({ critical_results: all = [] }: Pick<MedicalRecord, 'critical_results'>) =>
  all.filter(isOpen);

/** The findings without communicated critical ones. */
export function withoutCommunicated<F extends Pick<Finding, 'id' | 'kind'>>(
  found: readonly F[],
  { critical_results: results = [] }: Pick<MedicalRecord, 'critical_results'>,
): F[] {
  const communicated = new Set(results.filter(({ status }) => status === 'told').map(({ id }) => id));
  return found.filter((each) => !isCritical(each) || !communicated.has(each.id));
}

/**
 * The critical results of a version: those before, and those that its check found. An open one that the check no longer
 * finds is dropped, unless a person marked it: its words are gone, or the text itself documents the communication.
 */
export function nextResults(
  before: readonly CriticalResult[],
  found: readonly Finding[],
  { sections }: Pick<Document, 'sections'>,
  at: string,
): CriticalResult[] {
  const critical = found.filter(isCritical);
  const kept = before.filter(
    ({ id, status, marked_by }) => status !== 'open' || marked_by !== null || critical.some((each) => each.id === id),
  );
  const added = critical.filter(({ id }) => !before.some((each) => each.id === id));
  return [...kept, ...added.map((finding) => newResult(finding, sections, at))];
}

/** A result with no more words than the contract allows; phrases of the tables are shorter. */
function newResult({ id, section, start, end }: Finding, sections: readonly Section[], at: string): CriticalResult {
  const text = sections.find(({ key }) => key === section)?.text ?? '';
  const words = text.slice(start, end).replace(/\s+/g, ' ').slice(0, 200);
  return { id, section, words, marked_by: null, since: at, status: 'open', communication: null, dismissal: null };
}

const phrases = {
  'pt-BR': {
    title: 'Comunicação de resultado crítico',
    told: 'comunicado a',
    ways: { phone: 'por telefone', in_person: 'pessoalmente', message: 'por mensagem' },
    at: 'em',
    by: 'por',
    readBack: 'lido de volta e confirmado',
  },
  'en-US': {
    title: 'Communication of critical result',
    told: 'communicated to',
    ways: { phone: 'by telephone', in_person: 'in person', message: 'by message' },
    at: 'on',
    by: 'by',
    readBack: 'read back and confirmed',
  },
  'es-ES': {
    title: 'Comunicación de resultado crítico',
    told: 'comunicado a',
    ways: { phone: 'por teléfono', in_person: 'en persona', message: 'por mensaje' },
    at: 'el',
    by: 'por',
    readBack: 'releído y confirmado',
  },
} as const satisfies Record<Language, unknown>;

const sentenceCase = (text: string): string => text.slice(0, 1).toLocaleUpperCase() + text.slice(1);

/** `Pneumotórax: comunicado a Dr. Nunes (plantão) por telefone em 02/03/2026, 08:30 GMT-3, por Dra. Prado; lido de volta e confirmado.` */
export function communicationLine(
  words: string,
  { to, role, way, at, by, read_back: isReadBack }: Communication,
  language: Language,
  timeZone?: string,
): string {
  const phrase = phrases[language];
  const person = role === undefined ? to : `${to} (${role})`;
  const when = `${phrase.at} ${formatInstant(at, language, timeZone)}`;
  const end = isReadBack ? `; ${phrase.readBack}` : '';
  return `${sentenceCase(words)}: ${phrase.told} ${person} ${phrase.ways[way]} ${when}, ${phrase.by} ${by}${end}.`;
}

/** The communications of the critical results, in order of time; with the words of each. */
export const communicationsOf = ({ critical_results: all = [] }: Pick<MedicalRecord, 'critical_results'>) =>
  all
    .flatMap(({ words, communication }) => (communication ? [{ words, communication }] : []))
    .toSorted((a, b) => Date.parse(a.communication.at) - Date.parse(b.communication.at));

/** The sections below the report about communicated critical results; empty before. */
export function communicationSections(document: Document, timeZone?: string): Section[] {
  const { language } = document;
  const lines = communicationsOf(document).map(({ words, communication }) =>
    communicationLine(words, communication, language, timeZone),
  );
  return lines.length > 0 ? [{ key: 'communication', title: phrases[language].title, text: lines.join('\n') }] : [];
}
