import { expect, it } from 'vitest';
import { languageOf } from '../../../src/domain/dictation/language-vote.ts';

it.each([
  ['pt-BR', 'Pulmões limpos, sem derrame pleural.'],
  ['pt-BR', 'TC de tórax sem contraste'],
  ['en-US', 'The lungs are clear, without effusion.'],
  ['en-US', 'Test Patient. Chest CT without contrast. Findings: no effusion.'],
  ['es-ES', 'Pulmones limpios, sin derrame pleural.'],
  ['es-ES', 'Radiografía de tórax: hallazgos normales'],
])('the language of a text is %s', (language, text) => {
  expect(languageOf(text)).toBe(language);
});

it.each(['', '12345', 'XYZ', 'ECG'])('is not guessed from %j', (text) => {
  expect(languageOf(text)).toBeUndefined();
});
