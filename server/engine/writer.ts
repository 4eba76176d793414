/**
 * The port behind which text becomes a document, and an instruction a changed one. A writer keeps nothing and logs nothing
 * of what it is given. A call it cannot serve rejects with AppError ENGINE_UNAVAILABLE; a call that is no longer wanted is
 * told by `signal`.
 */
import type { Section } from '../../src/contract/document.ts';
import type { SectionChange } from '../../src/contract/record.ts';
import type { Language } from '../../src/contract/shared.ts';
import type { Heard } from '../../src/domain/heard.ts';
import type { ReportTemplate } from '../../src/domain/templates/template.ts';
import type { Answer } from '../../src/domain/report/instructions/instruct.ts';
import type { Provenance } from '../../src/domain/report/provenance.ts';
import type { Engine } from './engine.ts';
import type { ExamContext } from './exam-context.ts';

/** What a writer is given of who asks. */
interface OnAccount {
  /** Whose it is, where some have to wait for others: those with one account wait for each other. */
  readonly account?: string;
}

export interface ComposeInput extends OnAccount {
  /** What was said, or sent as text; a writer may use what is known of single words. */
  readonly heard: Heard;
  readonly template: ReportTemplate;
  readonly language: Language;
  readonly exam: ExamContext | null;
}

export interface CorrectInput extends OnAccount {
  readonly instruction: string;
  readonly sections: readonly Section[];
  /** As they were before their last change, which an instruction may take back; `null` where there was none. */
  readonly former: readonly Section[] | null;
  readonly language: Language;
}

export interface Composed {
  readonly sections: Section[];
  /** Its places are in the normal form (NFC) of what was heard. */
  readonly provenance: Provenance;
}

export interface Corrected {
  readonly sections: Section[];
  readonly changes: SectionChange[];
  /** Why nothing was changed, or what is asked first; `null` where something was. */
  readonly answer: Pick<Answer, 'asks' | 'message'> | null;
}

export interface Writer extends Engine {
  /** The provenance accounts for every word heard once: it is in the sections, or was a command, or was taken back. */
  compose(input: ComposeInput, signal: AbortSignal): Promise<Composed>;
  /** `changes` is empty, and `sections` as given, where the instruction was not understood or changes nothing. */
  correct(input: CorrectInput, signal: AbortSignal): Promise<Corrected>;
}
