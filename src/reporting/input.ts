/** The inputs from which a report is written. */
import type { Language } from '../contract/shared.ts';
import type { HeardText } from '../domain/heard-text.ts';
import type { Macro } from './vocabulary/macros.ts';
import { sectionKind } from './sections/section-kinds.ts';
import type { MergeValues } from './templates/merge-fields.ts';
import type { Vocabulary } from './vocabulary/vocabulary.ts';

export interface ReportSection {
  readonly key: string;
  readonly title: string;
  /** Other names of the section. */
  readonly names?: readonly string[];
  /** The text of the section if nobody dictates it. */
  readonly text?: string;
  readonly required?: boolean;
}

/** A language model's proposal for a sentence (proposals.ts). */
export interface Proposal {
  /** Number of the sentence. */
  readonly sentence: number;
  /** Key of the section of the template to which it belongs. */
  readonly section?: string;
  /** The sentence in other words. */
  readonly text?: string;
}

export interface WriteInput {
  readonly heard: HeardText;
  readonly language: Language;
  readonly sections: readonly ReportSection[];
  readonly macros?: readonly Macro[];
  readonly vocabulary?: Vocabulary;
  /** Texts from the exam, by section, for sections that nobody dictated. */
  readonly known?: Readonly<Record<string, string>>;
  /** Values of the merge fields in the sections' texts. */
  readonly merge?: MergeValues;
  /** Key of the section that takes words without a section name. */
  readonly caret?: string;
  /** Assigns sections to sentences without a section name, by their number; the others stay. */
  readonly label?: (unnamed: readonly string[]) => ReadonlyMap<number, string>;
  /** Proposals of a language model, by the sentences that the same dictation has without any (`[]`). */
  readonly proposals?: readonly Proposal[];
  /** Ids of undone operations. */
  readonly without?: readonly string[];
}

/**
 * The section of the template that takes what was said under `key`; otherwise the key itself, for an additional
 * section.
 */
export function sectionFor(key: string, sections: readonly ReportSection[]): string {
  const has = (wanted: string | undefined): boolean => sections.some((section) => section.key === wanted);
  const instead = sectionKind(key)?.instead;
  return !has(key) && instead !== undefined && has(instead) ? instead : key;
}

/**
 * The section of what was said without a section name: at the caret, otherwise the findings, otherwise the first
 * section.
 */
export function openingKey({ caret, sections }: Pick<WriteInput, 'caret' | 'sections'>): string {
  if (caret !== undefined) return caret;
  const main = sectionFor('findings', sections);
  return sections.some(({ key }) => key === main) ? main : (sections[0]?.key ?? 'findings');
}
