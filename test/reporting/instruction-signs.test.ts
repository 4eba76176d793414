/** An instruction keeps the signs and marks of what it says, and finds a number with its sign alone. */
import { describe, expect, test } from 'vitest';
import type { Language } from '../../src/contract/shared.ts';
import { instruct } from '../../src/reporting/instructions/instruct.ts';
import { findChangedCue } from '../../src/reporting/instructions/last-check.ts';

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
      // A unit that stands there already comes once, or the question is which is meant.
      ['Nodule of -10 HU.', 'change minus ten to ten hounsfield units', 'Nodule of 10 HU.'],
      ['Nodule of minus 10 Hounsfield units.', 'change minus ten to ten hounsfield units', 'Nodule of 10 HU.'],
      ['Nodule of -10 H.U.', 'change minus ten to ten hounsfield units', null],
      ['Nodule of -10 (HU).', 'change minus ten to ten hounsfield units', null],
      ['Nodule of -10 HUs.', 'change minus ten to ten hounsfield units', null],
      ['Volume of 5 mL.', 'change 5 to 6 milliliters', 'Volume of 6 mL.'],
      ['Clear.', 'could you add 5 mm stone to the findings?', 'Clear. 5 mm stone.'],
    ],
  ],
  [
    'pt-BR',
    [
      ['Nódulo de 10 UH.', 'troque 10 UH por -10 UH', 'Nódulo de -10 UH.'],
      ['Nódulo de -10 UH.', 'troque 10 UH por 20 UH', null],
      ['Nódulo de 5 mm.', 'troque 5 mm por ,5 cm', 'Nódulo de 0,5 cm.'],
      ['Nódulo de -10 UH.', 'troque menos dez por dez unidades hounsfield', 'Nódulo de 10 UH.'],
      ['Nódulo de -10 U.H.', 'troque menos dez por dez unidades hounsfield', null],
      ['Nódulo de 5 mm.', 'troque 5 por 6 milímetros', 'Nódulo de 6 mm.'],
      ['Limpo.', 'adicione ?fratura nos achados', 'Limpo. ?Fratura.'],
    ],
  ],
  [
    'es-ES',
    [
      ['Nódulo de 10 UH.', 'cambie 10 UH por -10 UH', 'Nódulo de -10 UH.'],
      ['Nódulo de -10 UH.', 'cambie 10 UH por 20 UH', null],
      ['Nódulo de -10 UH.', 'cambie menos diez por diez unidades hounsfield', 'Nódulo de 10 UH.'],
      ['Nódulo de -10 (UH).', 'cambie menos diez por diez unidades hounsfield', null],
      ['Nódulo de 5 mm.', 'cambie 5 por 6 milímetros', 'Nódulo de 6 mm.'],
      ['Normal.', 'agregue miomas, el mayor de 12 mm en los hallazgos', 'Normal. Miomas, el mayor de 12 mm.'],
    ],
  ],
])('%s', (language, rows) => {
  test.each(rows)('%s ⇒ %s', (text, instruction, wanted) => {
    expect(after(instruction, text, language)).toBe(wanted);
  });
});

test.each<[instruction: string, before: string, after: string, what: string | undefined]>([
  ['change 10 to -12 HU', 'Nodule of 10 HU.', 'Nodule of 12 HU.', '-12'],
  ['change 10 to 12 HU', 'Nodule of 10 HU.', 'Nodule of -12 HU.', '12 HU'],
  ['change 10 to .5 HU', 'Nodule of 10 HU.', 'Nodule of 5 HU.', '.5'],
  ['change 10 to 12 HU', '?Nodule of 10 HU.', 'Nodule of 12 HU.', '12 HU'],
  ['change 10 to 12 HU', 'No nodule of 10 HU.', 'Nodule of 12 HU.', '12 HU'],
  ['change 10 to 12 HU', 'Nodule of 10 HU.', 'Nodule of 12 HU HU.', '12 HU'],
  ['change 10 to 12 HU', 'Nodule of 10 HU.', 'Nodule of 12 HU.', undefined],
])('the last check: %s, which made %j to %j', (instruction, before, after, what) => {
  const operation = {
    kind: 'replace',
    sections: [],
    what: { words: ['10'], said: '10' },
    by: '12 HU',
    all: false,
  } as const;
  expect(findChangedCue(instruction, [operation], [{ section: 'findings', before, after }], 'en-US')).toBe(what);
});
