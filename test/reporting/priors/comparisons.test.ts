import * as fc from '../../support/properties.ts';
import { describe, expect, test } from 'vitest';
import {
  findComparisons,
  comparisonWords,
  isCompared,
  measurementsIn,
  sentencesOf,
  withComparison,
  withSentence,
} from '../../../src/reporting/priors/comparisons.ts';

const part = (text: string) => ({ key: null, text });
const pairs = (present: string, prior: string) =>
  findComparisons([part(present)], [part(prior)]).map((each) => `${each.present.text} | ${each.prior.text}`);

describe('a measurement is offered next to that of the same structure', () => {
  test.each([
    [
      'Nódulo de 6 mm no lobo superior direito.',
      'Nódulo sólido de 4 mm no lobo superior direito. Linfonodo paratraqueal com 0,9 cm.',
      ['6 mm | 4 mm'],
    ],
    ['Right upper lobe nodule measuring 6 mm.', 'There is a 4 mm nodule in the right upper lobe.', ['6 mm | 4 mm']],
    [
      'Nódulo de 6 mm en el lóbulo superior derecho.',
      'Nódulo de 4,5 mm en lóbulo superior derecho; ganglio de 9 mm.',
      ['6 mm | 4,5 mm'],
    ],
    ['Nódulo tireoidiano de 1,4 x 0,9 cm.', 'Nódulo tireoidiano com 1,2 × 0,8 cm.', ['1,4 x 0,9 cm | 1,2 × 0,8 cm']],
    // The prior says it twice, as reports do.
    ['Nódulo de 6 mm.', 'Nódulo de 4 mm.\nNódulo pulmonar: 4 mm.', ['6 mm | 4 mm']],
  ])('%s', (present, prior, expected) => expect(pairs(present, prior)).toEqual(expected));

  test.each([
    ['another side', 'Nódulo de 6 mm no lobo direito.', 'Nódulo de 4 mm no lobo esquerdo.'],
    ['another thing', 'Nódulo de 6 mm.', 'Cisto de 4 mm.'],
    ['two that would do', 'Nódulo de 6 mm.', 'Nódulo de 4 mm e outro. Nódulo de 9 mm.'],
    ['no unit', 'Nódulo de 6 mm.', 'Nódulo na série 4.'],
    ['a dose, which is no length', 'Nódulo de 6 mm.', 'Nódulo após 4 mmol.'],
  ])('but not with %s', (_case, present, prior) => expect(pairs(present, prior)).toEqual([]));
});

test('its words are those of the language, in its decimal sign', () => {
  expect(comparisonWords('pt-BR', { text: '4.5 mm' })).toBe('antes 4,5 mm');
  expect(comparisonWords('en-US', { text: '4,5 mm' })).toBe('previously 4.5 mm');
  expect(comparisonWords('es-ES', { text: '4 mm' })).toBe('antes 4 mm');
});

test('it follows the measurement, once', () => {
  const text = 'Nódulo de 6 mm no lobo.';
  const [measurement] = measurementsIn([part(text)]);
  expect(isCompared(text, measurement!)).toBe(false);
  const compared = withComparison(text, measurement!, 'antes 4 mm');
  expect(compared).toBe('Nódulo de 6 mm (antes 4 mm) no lobo.');
  expect(measurementsIn([part(compared)]).map((each) => isCompared(compared, each))).toEqual([true, true]);
});

test('sentences of a prior come at the caret with the white space that they need', () => {
  expect(sentencesOf('Um nódulo de 0.4 cm. Dois.\nTrês\n\n- quatro')).toEqual([
    'Um nódulo de 0.4 cm.',
    'Dois.',
    'Três',
    '- quatro',
  ]);
  expect(withSentence('Um.', 3, 'Dois.')).toEqual({ text: 'Um. Dois.', caret: 9 });
  expect(withSentence('Um. Três.', 4, 'Dois.')).toEqual({ text: 'Um. Dois. Três.', caret: 9 });
  expect(withSentence('', 0, 'Um.').text).toBe('Um.');
});

test('of any text, whatever it holds', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.nat(), (one, other, at) => {
      findComparisons([part(`${one} 6 mm`)], [part(other)]);
      for (const sentence of sentencesOf(other)) expect(other).toContain(sentence);
      const caret = at % (one.length + 1);
      const { text } = withSentence(one, caret, 'x');
      expect(text.startsWith(one.slice(0, caret)) && text.endsWith(one.slice(caret))).toBe(true);
    }),
  );
});
