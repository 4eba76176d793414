/** What the cases are put to: the rules that write, check and correct documents, as the server calls them. */
import type { Section } from '../../src/contract/document.ts';
import type { Language } from '../../src/contract/shared.ts';
import { instruct } from '../../src/reporting/instructions/instruct.ts';
import { prepareChecks } from '../../src/reporting/checks/check.ts';
import { findRules } from '../../src/reporting/rules.ts';
import { traceEdit } from '../../src/reporting/versions/edits.ts';
import type { Provenance } from '../../src/reporting/versions/provenance.ts';
import { write as writeReport } from '../../src/reporting/write.ts';
import type { ReportSection } from '../../src/reporting/input.ts';
import type { CheckCase, DictationCase, InstructionCase } from './cases.ts';

/** A finding as the scores need it: its kind, how grave it is, and the words of the document that it touches. */
export interface Found {
  readonly kind: string;
  readonly severity: 'warning' | 'question' | 'info';
  readonly section: string | null;
  readonly text: string;
}

export interface Written {
  readonly sections: readonly Section[];
  /** Words of what was heard that the service asks about. */
  readonly asks: readonly string[];
}

export interface Corrected {
  readonly sections: readonly Section[];
  readonly asks: boolean;
}

const defaultSections = ['indication', 'technique', 'comparison', 'findings', 'impression'];

const titleOf = (key: string, language: Language): string => findRules(language).titles[key] ?? key;

const templateOf = (
  { template, written }: Pick<DictationCase, 'template'> & { readonly written?: unknown },
  language: Language,
): ReportSection[] =>
  (template ?? (written === undefined ? defaultSections : ['findings'])).map((each) => {
    const section = typeof each === 'string' ? { key: each } : each;
    return { title: titleOf(section.key, language), ...section };
  });

const sectionsOf = (texts: Readonly<Record<string, string>>, language: Language): Section[] =>
  Object.entries(texts).map(([key, text]) => ({ key, title: titleOf(key, language), text }));

export function write(of: DictationCase, language: Language): Written {
  const { heard, macros = [] } = of;
  const input = { heard: { text: heard }, language, sections: templateOf(of, language), macros };
  const { sections, questions } = writeReport(input);
  return { sections, asks: questions.map(({ words }) => words) };
}

export function check(of: CheckCase, language: Language): readonly Found[] {
  return findIn(of, language, () => undefined);
}

/** What is asked when somebody types the document over the one that was written from `heard`. */
export function checkEdit(of: CheckCase & { readonly heard: string }, language: Language): readonly Found[] {
  return findIn(of, language, (template, sections) => {
    const before = writeReport({ heard: { text: of.heard }, language, sections: template });
    return traceEdit(before, sections, { by: 'Dr. Vale', transcript: of.heard });
  });
}

function findIn(
  of: CheckCase,
  language: Language,
  trace: (template: ReportSection[], sections: readonly Section[]) => Provenance | undefined,
): readonly Found[] {
  const { sections: texts, heard, exam = null } = of;
  const sections = sectionsOf(texts, language);
  const template = templateOf({ ...of, template: of.template ?? Object.keys(texts) }, language);
  const found = prepareChecks({ language, template, heard: heard === undefined ? null : { text: heard }, exam })(
    sections,
    trace(template, sections),
  );
  return found.map(({ kind, severity, section, start, end }) => ({
    kind,
    severity,
    section,
    text: texts[section]?.slice(start, end) ?? '',
  }));
}

export function correct(of: InstructionCase, language: Language): Corrected {
  const { sections, answer } = instruct(of.instruction, sectionsOf(of.sections, language), language);
  return { sections, asks: answer?.asks === true };
}
