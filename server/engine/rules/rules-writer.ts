/**
 * Writes documents by the rules of src/domain/dictation, for everybody. The same input, template and language give the
 * same document, byte for byte: no clock and no chance.
 */
import { arrange } from '../../../src/domain/dictation/document.ts';
import { correctSections } from '../../../src/domain/dictation/correction.ts';
import type { Writer } from '../writer.ts';
import { techniqueOf } from './technique.ts';

export function createRulesWriter(): Writer {
  return {
    name: 'rules',
    compose: async ({ text, template, language, exam }, signal) => {
      signal.throwIfAborted();
      const filled: Record<string, string> = exam ? { technique: techniqueOf(exam, language) } : {};
      return { sections: arrange(text, { template, language, filled }) };
    },
    correct: async ({ instruction, sections, language }, signal) => {
      signal.throwIfAborted();
      return correctSections(instruction, sections, language);
    },
  };
}
