/**
 * Carries out spoken instructions that change a report: as typed operations, tried on a copy, all or none. An
 * instruction that is not understood, or is ambiguous, changes nothing and says so.
 */
import type { Section } from '../../contract/document.ts';
import type { SectionChange } from '../../contract/record.ts';
import type { Language } from '../../contract/shared.ts';
import { markContext } from '../dictation.ts';
import { tables } from '../languages/index.ts';
import { indexMacros } from '../vocabulary/macros.ts';
import type { Macro } from '../vocabulary/macros.ts';
import { carryOut, startWork } from '../operation.ts';
import { findRules } from '../rules.ts';
import { withTemplate } from '../sections/section-names.ts';
import { writeMarks } from '../steps/commands.ts';
import { leaveOutHesitations } from '../steps/hesitations.ts';
import { spell } from '../steps/spelling.ts';
import { tokenise } from '../words/token.ts';
import { findChangedCue } from './last-check.ts';
import { Problem } from './operations.ts';
import type { ProblemReason, InstructionOperation } from './operations.ts';
import { parseInstruction } from './parsing.ts';
import { perform } from './performing.ts';
import { normalForm } from '../../domain/normal-form.ts';
import { mergeReports } from '../versions/report-merge.ts';

export interface InstructionResult {
  /** After the instruction; as given if nothing changed. */
  readonly sections: Section[];
  /** Empty if nothing changed; then `answer` says why. */
  readonly changes: SectionChange[];
  readonly operations: readonly InstructionOperation[];
  readonly answer: Answer | null;
}

export interface Answer {
  readonly reason: ProblemReason;
  /** Whether it is a question: the instruction was not fully understood, or is ambiguous. */
  readonly asks: boolean;
  /** In the language of the report. */
  readonly message: string;
}

/** Longest instruction, in characters: nobody says more, and the work stays bounded. */
const maxInstruction = 10_000;

/** The last instruction that changed the report, and is not undone. */
export interface LastInstruction {
  readonly before: readonly Section[];
  readonly after: readonly Section[];
}

/** `last` can be undone; `null`: no instruction changed the report. `macros` can be called. */
export function instruct(
  instruction: string,
  sections: readonly Section[],
  language: Language,
  last: LastInstruction | null = null,
  macros: readonly Macro[] = [],
): InstructionResult {
  const unchanged = (problem: Problem): InstructionResult => ({
    sections: [...sections],
    changes: [],
    operations: [],
    answer: buildAnswer(problem, language),
  });
  if (instruction.length > maxInstruction) return unchanged(new Problem('not_understood'));
  const rules = findRules(language);
  const names = withTemplate(rules.sections, sections);
  const text = normalForm(instruction);
  const work = startWork(text, tokenise(text), new Set());
  carryOut(work, 'commands', leaveOutHesitations(work.tokens, rules.marks.hesitations));
  carryOut(work, 'commands', writeMarks(work.tokens, markContext(work.tokens, rules, names)));
  carryOut(work, 'spelling', spell(work.tokens, rules.spelling));
  const parsed = parseInstruction(work.tokens, {
    sections,
    rules,
    names,
    heard: work.heard,
    macros: indexMacros(macros, rules.macros, rules.numbers.grammar.words),
  });
  if (parsed instanceof Problem) return unchanged(parsed);
  const isUndo = parsed.some(({ kind }) => kind === 'undo');
  if (isUndo && parsed.length > 1) return unchanged(new Problem('not_understood'));
  const done = isUndo ? withoutLast(sections, last) : perform(parsed, sections, { rules, names });
  if (done instanceof Problem) return unchanged(done);
  const after = untouchedAsGiven(sections, done);
  const changes = findChanges(sections, after);
  if (changes.length === 0) return unchanged(new Problem('nothing'));
  const changed = findChangedCue(text, parsed, changes, language, sections);
  if (changed !== undefined) return unchanged(new Problem('unclear', changed));
  return { sections: after, changes, operations: parsed, answer: null };
}

/** The report without the last instruction; later edits in other sections stay. */
function withoutLast(sections: readonly Section[], last: LastInstruction | null): Section[] | Problem {
  if (!last) return new Problem('nothing_to_undo');
  const untitled = (each: readonly Section[]) => ({ title: '', sections: each });
  const { words, clashes } = mergeReports(untitled(last.after), untitled(sections), untitled(last.before));
  return clashes.length > 0 ? new Problem('edited_since') : [...words.sections];
}

/** A text that differs only by its normal form was not changed. */
function untouchedAsGiven(before: readonly Section[], after: readonly Section[]): Section[] {
  const given = new Map(before.map((section) => [section.key, section]));
  return after.map((section) => {
    const same = given.get(section.key);
    return same?.title === section.title && normalForm(same.text) === section.text ? same : section;
  });
}

export function findChanges(before: readonly Section[], after: readonly Section[]): SectionChange[] {
  const textsOf = (sections: readonly Section[]) => new Map(sections.map(({ key, text }) => [key, text]));
  const [old, now] = [textsOf(before), textsOf(after)];
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((section): SectionChange[] => {
    const change = { section, before: old.get(section) ?? null, after: now.get(section) ?? null };
    return change.before === change.after ? [] : [change];
  });
}

function buildAnswer({ reason, what, count }: Problem, language: Language): Answer {
  const { answers } = tables[language].instructions;
  const message = (answers[reason] ?? reason).replace('{what}', what).replace('{count}', String(count));
  return { reason, asks: !['not_found', 'nothing'].includes(reason), message };
}
