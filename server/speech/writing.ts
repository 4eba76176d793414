/** The input and output of a writer: plain data, which threads can copy. */
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

/** Who requested the work. */
interface OnAccount {
  /** Requests with the same account wait for each other when the writer is busy. */
  readonly account?: string;
}

export interface ComposeInput extends OnAccount {
  /** The dictated text, empty where the report was typed; a writer may use the recogniser's data on single words. */
  readonly heard: HeardText;
  /** The sections of a report that somebody typed, which stand in the document as they are. */
  readonly typed?: { readonly sections: readonly Section[]; readonly by: string };
  readonly template: Template;
  readonly language: Language;
  readonly exam: ExamContext | null;
  /** The macros that can be called; default: those of the template. */
  readonly macros?: readonly Macro[];
  readonly vocabulary?: Vocabulary;
  /** Proposals from a writer that builds on this writer. An empty list asks for `sentences`, to which proposals can be made. */
  readonly proposals?: readonly Proposal[];
}

export interface CorrectInput extends OnAccount {
  readonly instruction: string;
  readonly sections: readonly Section[];
  /** The last instruction that is not undone; `null`: no instruction changed the sections. */
  readonly last: LastInstruction | null;
  readonly language: Language;
  /** The macros that can be called; default: none. */
  readonly macros?: readonly Macro[];
}

export interface Composed {
  readonly sections: Section[];
  /** Places in the text count in the normal form (NFC) of the heard text. */
  readonly provenance: Provenance;
  /** Present if the input had `proposals`. Absent: no writer can build on this one. */
  readonly sentences?: readonly WrittenSentence[];
  /** The reason for each refused proposal. */
  readonly refused?: readonly Refusal[];
}

export interface Corrected {
  readonly sections: Section[];
  readonly changes: SectionChange[];
  /** Whether the instruction undid the last one. */
  readonly undoes: boolean;
  /** Why nothing changed, or the question to the user; `null` if the instruction changed something. */
  readonly answer: Pick<Answer, 'asks' | 'message'> | null;
  /** The texts of the macros that were called. */
  readonly brought?: readonly Brought[];
}
