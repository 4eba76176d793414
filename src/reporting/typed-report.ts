/** A typed report: its sections stay as they are, and nothing in them is a command. */
import type { Section } from '../contract/document.ts';
import type { Language } from '../contract/shared.ts';
import { normalForm } from '../domain/normal-form.ts';
import { isTestPatientName } from '../domain/test-data.ts';
import { assemble, inOrder } from './document.ts';
import type { Report } from './document.ts';
import { traceEdit } from './versions/edits.ts';
import type { Brought } from './versions/edits.ts';
import { sectionFor } from './input.ts';
import type { ReportSection, WriteInput } from './input.ts';
import { startWork } from './operation.ts';
import { sectionTitle } from './sections/section-titles.ts';
import { readReport } from './parse-report.ts';
import { valueAt } from '../domain/elements.ts';

/** The typed part of a request to generate a record. */
export interface TypedReport {
  readonly text?: string;
  /** Whether `text` was typed. */
  readonly verbatim?: boolean;
  readonly sections?: readonly Section[];
}

/** All the words of the request; `undefined`: it has sound. */
export const wordsOfRequest = ({ text, sections }: TypedReport): string | undefined =>
  sections?.map((section) => section.text).join('\n') ?? text;

/** The typed sections; `undefined`: the words were dictated. */
export function typedSections(
  { text, verbatim, sections }: TypedReport,
  of: { readonly language: Language; readonly template: readonly ReportSection[] },
): readonly Section[] | undefined {
  if (sections || verbatim !== true || text === undefined) return sections;
  // A test client begins with the patient's name, on a separate line or in a separate sentence.
  const [, name, rest] = /^\s*([^.\n]{1,100})(?:\.[ \t]*|(?=\n))\n*([\s\S]*)$/.exec(normalForm(text)) ?? [];
  if (name === undefined || rest === undefined || !isTestPatientName(name))
    return readReport(text, { ...of, isTyped: true }).sections;
  const patient = { key: 'patient', title: sectionTitle(of.language, 'patient'), text: `${name}.` };
  return [patient, ...readReport(rest, { ...of, isTyped: true }).sections];
}

/** Writes the report of the sections, with texts of the template and the exam for those that nobody typed. */
export function writeTyped(
  typed: { readonly sections: readonly Section[]; readonly by: string; readonly brought?: readonly Brought[] },
  input: Pick<WriteInput, 'language' | 'sections' | 'known' | 'merge'>,
): Pick<Report, 'sections' | 'provenance'> {
  const own = new Map<string, Section>();
  for (const { key, title, text } of typed.sections.filter((section) => section.text.trim() !== '')) {
    const name = sectionFor(key, input.sections);
    const known = own.get(name);
    own.set(name, { key: name, title: known?.title ?? title, text: known ? `${known.text}\n${text}` : text });
  }
  const standard = assemble(startWork('', [], new Set()), { ...input, heard: { text: '' } }, new Map());
  const all = new Map([...standard.sections.map((section) => [section.key, section] as const), ...own]);
  const sections = inOrder(new Set(all.keys()), input.sections).map((key): Section => {
    const title = input.sections.find((section) => section.key === key)?.title ?? valueAt(all, key).title;
    return { ...valueAt(all, key), title };
  });
  const { words, ...rest } = standard.provenance;
  const before = {
    sections: standard.sections.filter(({ key }) => !own.has(key)),
    provenance: { ...rest, words: words.filter(({ section }) => !own.has(section)) },
  };
  const brought = (typed.brought ?? []).map((each) => ({ ...each, section: sectionFor(each.section, input.sections) }));
  return { sections, provenance: traceEdit(before, sections, { by: typed.by, transcript: '', brought }) };
}
