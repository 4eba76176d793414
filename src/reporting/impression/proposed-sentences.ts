/**
 * Sentences that a language model proposes for the impression: each names the sentences of the findings on which it
 * rests, and is refused where it says more than they do, or something else.
 */
import type { Section } from '../../contract/document.ts';
import type { Language } from '../../contract/shared.ts';
import { normalForm } from '../../domain/normal-form.ts';
import { describesFindings } from '../checks/comparing.ts';
import { findRules } from '../rules.ts';
import type { Rules } from '../rules.ts';
import { splitSentences } from '../words/sentences.ts';
import { tokenise } from '../words/token.ts';
import type { Span } from '../words/token.ts';
import { elementAt } from '../../domain/elements.ts';
import { readStatements } from './statements.ts';
import type { Clause, Part, Statement } from './statements.ts';

/** A sentence of the findings at its place. Its index in a list is its number. */
export interface FindingsSentence extends Span {
  readonly section: string;
  readonly text: string;
}

/** A sentence as a language model proposes it, with the numbers of the sentences on which it rests. */
export interface ProposedSentence {
  readonly text: string;
  readonly basis: readonly number[];
}

export interface CheckedProposals {
  readonly sentences: readonly ProposedSentence[];
  /** The number of sentences that said more than their basis. */
  readonly refused: number;
}

export function listFindings(sections: readonly Section[]): FindingsSentence[] {
  return sections.flatMap((section) => {
    if (!describesFindings(section)) return [];
    return splitText(section.text).map((sentence) => ({ section: section.key, ...sentence }));
  });
}

function splitText(text: string): (Span & { readonly text: string })[] {
  const tokens = tokenise(text);
  return splitSentences(tokens).map(({ from, to }) => {
    const [start, end] = [elementAt(tokens, from).start, elementAt(tokens, to - 1).end];
    return { start, end, text: text.slice(start, end) };
  });
}

/**
 * The proposals that say nothing but what their basis does, each with the sentences that it needs. `present`: the text
 * of the impression, whose sentences are not proposed again.
 */
export function checkProposals(
  proposed: readonly ProposedSentence[],
  findings: readonly FindingsSentence[],
  { language, present }: { readonly language: Language; readonly present: string },
): CheckedProposals {
  const rules = findRules(language);
  const known = findings.map(({ text }) => readStatements(text, rules));
  const seen = new Set(splitText(present).map(({ text }) => toSentence(text)));
  const sentences: ProposedSentence[] = [];
  let refused = 0;
  for (const { text: given, basis } of proposed) {
    const text = toSentence(given);
    if (seen.has(text)) continue;
    seen.add(text);
    const rests = isOneSentence(text) ? findBasis(text, basis, known, rules) : undefined;
    if (rests) sentences.push({ text, basis: rests });
    else refused += 1;
  }
  return { sentences, refused };
}

/** Without the number or the dash of a list, with a capital and a stop. */
function toSentence(given: string): string {
  const text = normalForm(given)
    .trim()
    .replace(/^(?:\d{1,2}[.)]|[-–•*])\s+/u, '');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?!]$/.test(text) ? '' : '.'}`;
}

const maxLength = 500;

/** Fields of templates and control characters are no part of a sentence. */
const isOneSentence = (text: string): boolean =>
  text.length <= maxLength && !/[\p{Cc}[\]{}<>|]/u.test(text) && splitSentences(tokenise(text)).length === 1;

/** The numbers of the sentences that together say what `text` says; `undefined`: they don't. */
function findBasis(
  text: string,
  basis: readonly number[],
  findings: readonly (readonly Statement[])[],
  rules: Rules,
): number[] | undefined {
  const statements = basis.flatMap((number) => (findings[number] ?? []).map((statement) => ({ number, statement })));
  const used = new Set<number>();
  for (const half of readStatements(text, rules)) {
    const rests = coverClauses(
      half,
      statements.filter(({ statement }) => statement.turns === half.turns),
    );
    if (!rests) return undefined;
    for (const number of rests) used.add(number);
  }
  return used.size === 0 ? undefined : [...used].toSorted((a, b) => a - b);
}

interface NumberedStatement {
  readonly number: number;
  readonly statement: Statement;
}

/** Groups of clauses, each said by one statement; the first way to group them counts. */
function coverClauses(
  { clauses }: Statement,
  statements: readonly NumberedStatement[],
): ReadonlySet<number> | undefined {
  const placed = clauses.filter(({ parts }) => parts.some(({ isPlace }) => isPlace));
  // "Left nodule and effusion": the place of one clause would be read as that of the other.
  const isShared = placed.length > 0 && placed.length < clauses.length;
  const coverFrom = (at: number): number[] | undefined => {
    if (at === clauses.length) return [];
    for (let end = clauses.length; end > at; end -= 1) {
      const group = clauses.slice(at, end);
      const isAlone = group.length === clauses.length;
      const found =
        isShared && !isAlone ? undefined : statements.find(({ statement }) => says(statement, group, isAlone));
      const rest = found && coverFrom(end);
      if (rest) return [found.number, ...rest];
    }
    return undefined;
  };
  const numbers = clauses.length === 0 ? undefined : coverFrom(0);
  return numbers && new Set(numbers);
}

/** Whether a statement says what the clauses of a proposal do. Clauses that others go with (not alone) keep all words. */
function says({ clauses }: Statement, group: readonly Clause[], isAlone: boolean): boolean {
  const parts = group.flatMap((clause) => clause.parts);
  const findings = group.flatMap((clause) => clause.findings);
  const isShort = (clause: Clause, at: number): boolean =>
    !sharesPlace(parts, clauses, { from: at, end: at + 1 }) && shortens(clause, parts, findings);
  return (isAlone && clauses.some(isShort)) || keepsAll(clauses, parts);
}

/**
 * Whether a denial would be wider without a place that clauses around `from` to `end` have: "no mass or nodule on the
 * right", "no right effusion or pneumothorax".
 */
function sharesPlace(parts: readonly Part[], clauses: readonly Clause[], { from, end }: Run): boolean {
  const isDenied = (key: string): boolean => key.endsWith(' denied');
  const takeParts = (some: readonly Clause[]): Part[] =>
    some.filter(({ findings }) => findings.every(isDenied)).flatMap((clause) => clause.parts);
  const isShared =
    takeParts(clauses.slice(0, from)).some(({ kind }) => kind === 'side') ||
    takeParts(clauses.slice(end)).some(({ isPlace }) => isPlace);
  return isShared && keysOf(parts).some(isDenied);
}

interface Run {
  readonly from: number;
  readonly end: number;
}

const keysOf = (parts: readonly Part[]): string[] => parts.map(({ key }) => key);
const isEqual = (a: readonly string[], b: readonly string[]): boolean => a.join('\n') === b.join('\n');

/** Whether the parts are those of one clause with a known finding, of which words may be left out. */
function shortens(clause: Clause, parts: readonly Part[], findings: readonly string[]): boolean {
  if (!findings.some((key) => clause.findings.includes(key))) return false;
  const left = keysOf(clause.parts);
  for (const key of keysOf(parts)) {
    const at = left.indexOf(key);
    if (at < 0) return false;
    left.splice(at, 1);
  }
  // Two sides, or two findings: what belongs to which is a matter of order.
  if (isAmbiguous(clause)) return left.length === 0 && isEqual(keysOf(parts), keysOf(clause.parts));
  return !clause.parts.some(({ key, isHeld }) => isHeld && left.includes(key));
}

function isAmbiguous({ parts, findings }: Clause): boolean {
  const kinds = parts.flatMap(({ kind }) => kind ?? []);
  return findings.length > 1 || new Set(kinds).size < kinds.length;
}

/** Whether the parts are all of some clauses in a row: those of a known finding, or the whole statement. */
function keepsAll(clauses: readonly Clause[], parts: readonly Part[]): boolean {
  return clauses.some((_, from) =>
    clauses.slice(from).some((_each, count) => {
      const run = clauses.slice(from, from + count + 1);
      const isWhole = run.length === clauses.length;
      if (!isWhole && !run.some(({ findings }) => findings.length > 0)) return false;
      const own = run.flatMap((clause) => clause.parts);
      if (own.length !== parts.length || sharesPlace(parts, clauses, { from, end: from + run.length })) return false;
      const [first] = run;
      const isFree = run.length === 1 && first !== undefined && !isAmbiguous(first);
      return isFree ? isEqual(keysOf(own).toSorted(), keysOf(parts).toSorted()) : isEqual(keysOf(own), keysOf(parts));
    }),
  );
}
