/**
 * Writes documents by the rules of src/domain/dictation, for everybody. The same input, template and language give the
 * same document, byte for byte: no clock and no chance.
 */
import { arrange } from '../../../src/domain/dictation/document.ts';
import { correctSections } from '../../../src/domain/dictation/correction.ts';
import { languageOf } from '../../../src/domain/dictation/language-vote.ts';
import type { Writer } from '../writer.ts';
import { techniqueOf } from './technique.ts';
import { templateIds, templateOf, titleOf } from './templates.ts';

export function createRulesWriter(): Writer {
  return {
    name: 'rules',
    compose: async ({ text, template, language, exam }, signal) => {
      signal.throwIfAborted();
      const filled: Record<string, string> = exam ? { technique: techniqueOf(exam, language) } : {};
      const sections = arrange(text, { template, language, filled });
      return { title: titleOf(template, language, exam?.exam_description), sections };
    },
    correct: async ({ instruction, sections, language }, signal) => {
      signal.throwIfAborted();
      return correctSections(instruction, sections, language);
    },
    template: templateOf,
    templates: (language) => templateIds.flatMap((id) => templateOf(id, language) ?? []),
    languageOf,
  };
}
