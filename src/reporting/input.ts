/** What a document is written from. */
import type { Language } from '../contract/shared.ts';
import type { Heard } from '../domain/heard.ts';
import type { Macro } from './vocabulary/macros.ts';
import { sectionKind } from './sections/section-kinds.ts';
import type { Vocabulary } from './vocabulary/vocabulary.ts';

export interface ReportSection {
  readonly key: string;
  readonly title: string;
  /** Other names by which it is called. */
  readonly names?: readonly string[];
  /** What stands there where nobody said anything. */
  readonly text?: string;
  readonly required?: boolean;
}

/** What a language model proposes for a sentence (proposals.ts). */
export interface Proposal {
  /** Number of the sentence. */
  readonly sentence: number;
  /** Key of the section of the template where it belongs. */
  readonly section?: string;
  /** The sentence in other words. */
  readonly text?: string;
}

export interface WriteInput {
  readonly heard: Heard;
  readonly language: Language;
  readonly sections: readonly ReportSection[];
  readonly macros?: readonly Macro[];
  readonly vocabulary?: Vocabulary;
  /** Texts that the exam tells, by section; they stand where nothing was said. */
  readonly known?: Readonly<Record<string, string>>;
  /** Key of the section where the words stand that were said under no name. */
  readonly caret?: string;
  /** Keys of the sections where sentences belong that were said under no name, by their number; without one they stay. */
  readonly label?: (unnamed: readonly string[]) => ReadonlyMap<number, string>;
  /** What a language model proposes, by the sentences that the same dictation has with none (`[]`). */
  readonly proposals?: readonly Proposal[];
  /** Ids of operations that somebody undid. */
  readonly without?: readonly string[];
}

/** The section of the template that takes what was said under `key`; else the key itself, for a section of its own. */
export function sectionFor(key: string, sections: readonly ReportSection[]): string {
  const has = (wanted: string | undefined): boolean => sections.some((section) => section.key === wanted);
  const instead = sectionKind(key)?.instead;
  return !has(key) && instead !== undefined && has(instead) ? instead : key;
}

/** Where what was said under no name stands: at the caret, else with the findings, else in the first section. */
export function openingKey({ caret, sections }: Pick<WriteInput, 'caret' | 'sections'>): string {
  if (caret !== undefined) return caret;
  const main = sectionFor('findings', sections);
  return sections.some(({ key }) => key === main) ? main : (sections[0]?.key ?? 'findings');
}
