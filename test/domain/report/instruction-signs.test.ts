/** An instruction keeps the signs and marks of what it says, and finds a number with its sign alone. */
import { describe, expect, test } from 'vitest';
import type { Language } from '../../../src/contract/shared.ts';
import { instruct } from '../../../src/domain/report/instructions/instruct.ts';

const after = (instruction: string, text: string, language: Language): string | null => {
  const sections = [{ key: 'findings', title: 'Findings', text }];
  const { changes } = instruct(instruction, sections, language);
  return changes[0]?.after ?? null;
};

describe.each<[Language, [text: string, instruction: string, after: string | null][]]>([
  [
    'en-US',
    [
      ['Nodule of 10 HU.', 'change 10 HU to -10 HU', 'Nodule of -10 HU.'],
      ['Nodule of 10 HU.', 'replace 10 HU with minus ten hounsfield units', 'Nodule of -10 HU.'],
      ['Nodule of -10 HU.', 'change -10 HU to 10 HU', 'Nodule of 10 HU.'],
      ['Nodule of -10 HU.', 'change 10 HU to 20 HU', null],
      ['Nodule of -10 HU.', 'replace 10 with 12', null],
      ['Nodule of 5 mm.', 'change 5 mm to .5 cm', 'Nodule of 0.5 cm.'],
      ['Clear.', 'add ".5 cm stone" to the findings', 'Clear. 0.5 cm stone.'],
      ['Clear.', 'add to findings: -5 HU lesion', 'Clear. -5 HU lesion.'],
      ['Clear.', 'add ?fracture to the findings', 'Clear. ?Fracture.'],
      ['Clear.', 'add question mark fracture to the findings', 'Clear. ? Fracture.'],
      ['Clear.', 'replace the findings with -2.5 T-score', '-2.5 T-score.'],
      ['Cyst < 5 mm.', 'change less than 5 mm to greater than 5 mm', 'Cyst > 5 mm.'],
    ],
  ],
  [
    'pt-BR',
    [
      ['Nódulo de 10 UH.', 'troque 10 UH por -10 UH', 'Nódulo de -10 UH.'],
      ['Nódulo de -10 UH.', 'troque 10 UH por 20 UH', null],
      ['Nódulo de 5 mm.', 'troque 5 mm por ,5 cm', 'Nódulo de 0,5 cm.'],
      ['Limpo.', 'adicione ?fratura nos achados', 'Limpo. ?Fratura.'],
    ],
  ],
  [
    'es-ES',
    [
      ['Nódulo de 10 UH.', 'cambie 10 UH por -10 UH', 'Nódulo de -10 UH.'],
      ['Nódulo de -10 UH.', 'cambie 10 UH por 20 UH', null],
      ['Normal.', 'agregue miomas, el mayor de 12 mm en los hallazgos', 'Normal. Miomas, el mayor de 12 mm.'],
    ],
  ],
])('%s', (language, rows) => {
  test.each(rows)('%s ⇒ %s', (text, instruction, wanted) => {
    expect(after(instruction, text, language)).toBe(wanted);
  });
});
