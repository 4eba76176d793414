/**
 * Carries out what somebody says to change a document: as typed operations, tried on a copy, all of them or none. What is not
 * understood, or could mean several things, changes nothing and says so.
 */
import type { Section } from '../../../contract/document.ts';
import type { SectionChange } from '../../../contract/record.ts';
import type { Language } from '../../../contract/shared.ts';
import { markContext } from '../dictation.ts';
import { tables } from '../languages/index.ts';
import { carryOut, startWork } from '../operation.ts';
import { rulesOf } from '../rules.ts';
import { withTemplate } from '../section-names.ts';
import { writeMarks } from '../steps/commands.ts';
import { tokensOf } from '../token.ts';
import { Problem } from './operations.ts';
import type { Asked, InstructionOperation } from './operations.ts';
import { parseInstruction } from './parsing.ts';
import { perform } from './performing.ts';

export interface Instructed {
  /** After the instruction; as given where nothing was changed. */
  readonly sections: Section[];
  /** Empty where nothing was changed; then `answer` says why. */
  readonly changes: SectionChange[];
  readonly operations: readonly InstructionOperation[];
  readonly answer: Answer | null;
  /** The last change is to be taken back, which whoever keeps the versions does. */
  readonly undoes: boolean;
}

export interface Answer {
  readonly reason: Asked;
  /** Whether it is a question: the instruction could mean several things. */
  readonly asks: boolean;
  /** In the language of the document. */
  readonly message: string;
}

/** Longest instruction, in characters: nobody says more, and work stays bounded. */
const longestInstruction = 10_000;

export function instruct(instruction: string, sections: readonly Section[], language: Language): Instructed {
  const unchanged = (problem: Problem): Instructed => ({
    sections: [...sections],
    changes: [],
    operations: [],
    answer: answerOf(problem, language),
    undoes: false,
  });
  if (instruction.length > longestInstruction) return unchanged(new Problem('not_understood'));
  const rules = rulesOf(language);
  const names = withTemplate(rules.sections, sections);
  const text = instruction.normalize('NFC');
  const work = startWork(text, tokensOf(text), new Set());
  carryOut(work, 'commands', writeMarks(work.tokens, markContext(work.tokens, rules, names)));
  const parsed = parseInstruction(work.tokens, { sections, rules, names, heard: work.heard });
  if (parsed instanceof Problem) return unchanged(parsed);
  if (parsed.some(({ kind }) => kind === 'undo')) {
    return parsed.length === 1
      ? { sections: [...sections], changes: [], operations: parsed, answer: null, undoes: true }
      : unchanged(new Problem('not_understood'));
  }
  const after = perform(parsed, sections, { rules, names });
  if (after instanceof Problem) return unchanged(after);
  const changes = changesOf(sections, after);
  if (changes.length === 0) return unchanged(new Problem('nothing'));
  return { sections: after, changes, operations: parsed, answer: null, undoes: false };
}

function changesOf(before: readonly Section[], after: readonly Section[]): SectionChange[] {
  const known = new Map(before.map(({ key, text }) => [key, text.normalize('NFC')]));
  return after.flatMap(({ key, text }): SectionChange[] => {
    const old = known.get(key);
    return old === text ? [] : [{ section: key, before: old ?? null, after: text }];
  });
}

function answerOf({ reason, what, count }: Problem, language: Language): Answer {
  const { answers } = tables[language].instructions;
  const message = (answers[reason] ?? reason).replace('{what}', what).replace('{count}', String(count));
  return { reason, asks: !['not_understood', 'not_found', 'nothing'].includes(reason), message };
}
