/** Connects the rules of `src/reporting` to the port of a writer. */
import type { Brought } from '../../../src/reporting/versions/edits.ts';
import { instruct } from '../../../src/reporting/instructions/instruct.ts';
import { macrosOfTemplate } from '../../../src/reporting/vocabulary/macros.ts';
import { labelOpening } from '../../../src/reporting/sections/label-opening.ts';
import { writeTyped } from '../../../src/reporting/typed-report.ts';
import { write } from '../../../src/reporting/write.ts';
import type { ComposeResult, ComposeInput, CorrectResult, CorrectInput } from '../writer-data.ts';
import { mergeValues } from './merge-values.ts';
import { describeTechnique } from './technique.ts';

export function compose(input: ComposeInput): ComposeResult {
  const { heard, typed, template, macros, vocabulary, language, exam, proposals } = input;
  const merge = mergeValues(input);
  const known = exam && { known: { technique: describeTechnique(exam, language) } };
  if (typed) return writeTyped(typed, { language, sections: template.sections, merge, ...known });
  const { sections, provenance, sentences, refused } = write({
    heard,
    language,
    sections: template.sections,
    macros: macros ?? macrosOfTemplate(template.macros),
    label: labelOpening,
    ...(vocabulary && { vocabulary }),
    ...(proposals && { proposals }),
    merge,
    ...known,
  });
  return { sections, provenance, sentences, refused };
}

export function correct({ instruction, sections, last, language, macros = [] }: CorrectInput): CorrectResult {
  const { answer, ...done } = instruct(instruction, sections, language, last, macros);
  return {
    sections: done.sections,
    changes: done.changes,
    undoes: done.operations.some(({ kind }) => kind === 'undo'),
    answer: answer && { asks: answer.asks, message: answer.message },
    brought: done.operations.flatMap((operation): Brought[] => {
      if (!('macro' in operation) || !operation.macro) return [];
      const { section, text, macro } = operation;
      return [{ section, text, macro }];
    }),
  };
}
