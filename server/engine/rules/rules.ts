/** The rules of `src/domain/dictation`, at the port of a writer: what is made of a text, at once and always the same. */
import { correctSections } from '../../../src/domain/dictation/correction.ts';
import { arrange } from '../../../src/domain/dictation/document.ts';
import type { Composed, ComposeInput, Corrected, CorrectInput } from '../writer.ts';
import { techniqueOf } from './technique.ts';

export function compose({ heard, template, language, exam }: ComposeInput): Composed {
  const filled: Record<string, string> = exam ? { technique: techniqueOf(exam, language) } : {};
  return { sections: arrange(heard.text, { template, language, filled }) };
}

export const correct = ({ instruction, sections, language }: CorrectInput): Corrected =>
  correctSections(instruction, sections, language);
