/**
 * The engine of test mode. It writes documents for real, from the text given, by the rules of src/domain/dictation. It
 * does not recognise speech, and says so: what it "hears" is a test dictation chosen by the audio's content. The same
 * input, template and language give the same document, byte for byte: no clock and no chance.
 */
import { arrange } from '../../../src/domain/dictation/document.ts';
import { correctSections } from '../../../src/domain/dictation/correction.ts';
import { languageOf } from '../../../src/domain/dictation/language-vote.ts';
import type { Engine } from '../engine.ts';
import { dictationFor, instructionFor } from './transcript.ts';
import { techniqueOf } from './technique.ts';
import { simulatedTemplate, templateIds, titleOf } from './templates.ts';

export function createSimulatedEngine(): Engine {
  return {
    name: 'simulated',
    transcribe: async (input, signal) => {
      signal.throwIfAborted();
      return { text: input.purpose === 'instruction' ? instructionFor(input) : dictationFor(input) };
    },
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
    template: simulatedTemplate,
    templates: (language) => templateIds.flatMap((id) => simulatedTemplate(id, language) ?? []),
    languageOf,
  };
}
