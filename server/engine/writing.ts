/** What a writer is given and what it makes: plain data, which can be copied from thread to thread. */
import type { Section } from '../../src/contract/document.ts';
import type { SectionChange } from '../../src/contract/record.ts';
import type { Language } from '../../src/contract/shared.ts';
import type { Heard } from '../../src/domain/heard.ts';
import type { Answer } from '../../src/domain/report/instructions/instruct.ts';
import type { Proposal } from '../../src/domain/report/input.ts';
import type { Refusal, WrittenSentence } from '../../src/domain/report/proposals.ts';
import type { Provenance } from '../../src/domain/report/provenance.ts';
import type { ReportTemplate } from '../../src/domain/templates/template.ts';
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
  /** From a writer that builds on this one; with none (`[]`) it is told the `sentences` that there are proposals for. */
  readonly proposals?: readonly Proposal[];
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
  /** Where `proposals` were given. Absent: none can build on this writer. */
  readonly sentences?: readonly WrittenSentence[];
  /** Why proposals were refused, one each. */
  readonly refused?: readonly Refusal[];
}

export interface Corrected {
  readonly sections: Section[];
  readonly changes: SectionChange[];
  /** Why nothing was changed, or what is asked first; `null` where something was. */
  readonly answer: Pick<Answer, 'asks' | 'message'> | null;
}
