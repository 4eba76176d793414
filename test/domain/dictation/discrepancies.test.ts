import { expect, test } from 'vitest';
import { discrepancies } from '../../../src/domain/dictation/discrepancies.ts';

const findings = (text: string) => [{ key: 'findings', title: 'Findings', text }];

test.each([
  [
    'a side that was not said',
    'Nódulo no lobo superior direito.',
    'nódulo no lobo superior esquerdo',
    [['side', 'direito']],
  ],
  ['another number', 'Nodule of 8 mm.', 'nodule of 6 mm', [['number', '8']]],
  ['a negation that was not said', 'Sem derrame pleural.', 'derrame pleural', [['negation', 'Sem']]],
  ['the same number, written otherwise', 'Quiste de 3,50 cm.', 'quiste de 3.5 cm', []],
  ['the same words', 'Sem derrame à direita, 4 mm.', 'sem derrame à direita 4 mm', []],
  ['both sides, both said', 'Right 4 mm, left 5 mm.', 'right 4 mm left 5 mm', []],
] as const)('%s', (_, text, transcript, expected) => {
  expect(discrepancies(findings(text), transcript).map(({ kind, word }) => [kind, word])).toEqual(expected);
});

test('a second negation is one too many when one was said', () => {
  const found = discrepancies(findings('No effusion. No nodule.'), 'no effusion, nodule');
  expect(found).toEqual([{ section: 'findings', kind: 'negation', word: 'No' }]);
});

test('nothing is compared without a transcript, and not what the service filled in', () => {
  expect(discrepancies(findings('8 mm à direita'), null)).toEqual([]);
  expect(discrepancies([{ key: 'technique', title: 'Technique', text: 'Slices of 1 mm' }], 'findings normal')).toEqual(
    [],
  );
});
