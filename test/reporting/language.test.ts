/** Which language a text is written in. */
import { expect, it } from 'vitest';
import { detectLanguage } from '../../src/reporting/words/language.ts';

it.each([
  ['Nódulo de 6 mm no lobo superior direito, sem derrame pleural.', 'pt-BR'],
  ['nodule in the right upper lobe period no pleural effusion period', 'en-US'],
  ['No hay derrame pleural. Nódulo de 6 mm en el lóbulo superior derecho.', 'es-ES'],
  ['There is no fracture.', 'en-US'],
  ['TC de tórax sem contraste', 'pt-BR'],
  ['Radiografía de tórax: hallazgos normales', 'es-ES'],
  ['Test Patient. Chest CT without contrast. Findings: no effusion.', 'en-US'],
  ['L4-L5', undefined],
  ['', undefined],
] as const)('%s', (text, language) => expect(detectLanguage(text)).toBe(language));
