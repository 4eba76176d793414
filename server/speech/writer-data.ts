/** Input and output of a writer: plain data that threads can copy. */
import type { Section } from '../../src/contract/document.ts';
import type { SectionChange } from '../../src/contract/record.ts';
import type { Language } from '../../src/contract/shared.ts';
import type { HeardText } from '../../src/domain/heard-text.ts';
import type { Brought } from '../../src/reporting/versions/edits.ts';
import type { Answer, LastInstruction } from '../../src/reporting/instructions/instruct.ts';
import type { Macro } from '../../src/reporting/vocabulary/macros.ts';
import type { Vocabulary } from '../../src/reporting/vocabulary/vocabulary.ts';
import type { Proposal } from '../../src/reporting/input.ts';
import type { Refusal, WrittenSentence } from '../../src/reporting/proposals.ts';
import type { Provenance } from '../../src/reporting/versions/provenance.ts';
import type { Template } from '../../src/contract/template.ts';
import type { ExamContext } from './exam-context.ts';

/** On whose behalf the work is done. */
interface AccountInput {
  /** Requests with the same account queue behind each other if the writer is busy. */
  readonly account?: string;
}

export interface OrderFacts {
  /** Why the exam was requested. */
  readonly indication?: string;
  /** The newest prior of the same region. */
  readonly comparison?: { readonly id: string; readonly exam_datetime: string; readonly exam_description: string };
}

export interface ComposeInput extends AccountInput {
  /** The dictated text, empty if the report was typed; with the recogniser's data on single words. */
  readonly heard: HeardText;
  /** Typed sections, which are kept verbatim; `brought`: words in them that came from elsewhere. */
  readonly typed?: {
    readonly sections: readonly Section[];
    readonly by: string;
    readonly brought?: readonly Brought[];
  };
  readonly template: Template;
  readonly language: Language;
  readonly exam: ExamContext | null;
  /** Facts of the order and of the prior to compare with, if the template's texts have fields for them. */
  readonly order?: OrderFacts;
  /** Macros that can be called; by default those of the template. */
  readonly macros?: readonly Macro[];
  readonly vocabulary?: Vocabulary;
  /** Proposals by a writer on top of this one. An empty list requests `sentences`, for which proposals can be made. */
  readonly proposals?: readonly Proposal[];
}

export interface CorrectInput extends AccountInput {
  readonly instruction: string;
  readonly sections: readonly Section[];
  /** The last instruction that is not undone, or `null`. */
  readonly last: LastInstruction | null;
  readonly language: Language;
  /** Macros that can be called; by default none. */
  readonly macros?: readonly Macro[];
}

export interface ImpressionInput extends AccountInput {
  /** The sentences of the findings. A proposal names those on which it rests by their places in this list. */
  readonly findings: readonly string[];
  readonly language: Language;
}

export interface ComposeResult {
  readonly sections: Section[];
  /** Positions refer to the normal form (NFC) of the heard text. */
  readonly provenance: Provenance;
  /** Present if the input had `proposals`. Absent if no writer can build on this one. */
  readonly sentences?: readonly WrittenSentence[];
  /** The reason for each refused proposal. */
  readonly refused?: readonly Refusal[];
}

export interface CorrectResult {
  readonly sections: Section[];
  readonly changes: SectionChange[];
  /** Whether the instruction undid the last one. */
  readonly undoes: boolean;
  /** Why nothing changed, or a question for the user; `null` if something changed. */
  readonly answer: Pick<Answer, 'asks' | 'message'> | null;
  /** The texts of the macros that were called. */
  readonly brought?: readonly Brought[];
}
