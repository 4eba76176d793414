/** Words that were heard against words that were said. */
import * as fc from '../support/properties.ts';
import { describe, expect, it, test } from 'vitest';
import { languages } from '../../src/contract/shared.ts';
import { alignWords } from '../../src/reporting/checks/edit-distance.ts';
import { hearingErrors, totalErrors, wordErrorRate } from '../../src/reporting/hearing-errors.ts';

const none = { insertions: 0, deletions: 0, substitutions: 0 };

describe('the same words', () => {
  it.each([
    ['pt-BR', 'Nódulo de seis milímetros, no lobo superior direito.', 'nodulo de 6 mm no lobo superior direito'],
    ['pt-BR', 'Sem derrame pleural vírgula coração normal ponto', 'Sem derrame pleural, coração normal.'],
    ['pt-BR', 'hum, ahn, fígado normal', 'Fígado normal'],
    ['en-US', 'Nodule of six millimeters, uh, in the right lobe.', 'nodule of 6 mm in the right lobe'],
    ['en-US', 'No pleural effusion period new line Heart normal', 'No pleural effusion. Heart normal'],
    ['es-ES', 'Nódulo de seis milímetros en el lóbulo derecho.', 'nodulo de 6 mm en el lobulo derecho'],
  ] as const)('in %s: %s', (language, said, heard) => {
    expect(hearingErrors(said, heard, language)).toMatchObject(none);
    expect(hearingErrors(heard, said, language)).toMatchObject(none);
  });
});

describe('errors are counted by what they change', () => {
  const of = (said: string, heard: string) => hearingErrors(said, heard, 'pt-BR', ['segmento apical']);
  it('numbers and units', () => {
    expect(of('nódulo de 6 mm', 'nódulo de 16 mm').numbers).toEqual({ said: 2, errors: 1 });
    expect(of('nódulo de 6 mm', 'nódulo de 6 cm').numbers).toEqual({ said: 2, errors: 1 });
    expect(of('nódulo', 'nódulo de 3 mm').numbers).toEqual({ said: 0, errors: 2 });
  });
  it('sides', () => {
    expect(of('pulmão direito', 'pulmão esquerdo').sides).toEqual({ said: 1, errors: 1 });
    expect(of('pulmão direito', 'pulmão direita')).toMatchObject({ substitutions: 1, sides: { said: 1, errors: 0 } });
  });
  it('negations', () => {
    expect(of('sem derrame', 'com derrame').negations).toEqual({ said: 1, errors: 1 });
    expect(of('derrame', 'sem derrame').negations).toEqual({ said: 0, errors: 1 });
  });
  it('terms: findings, and one’s own, each whole', () => {
    expect(of('derrame pleural no segmento apical', 'derrame pleural no segmento apical').terms).toEqual({
      said: 2,
      errors: 0,
    });
    expect(of('derrame pleural no segmento apical', 'derrame plural no segmento apical').terms).toEqual({
      said: 2,
      errors: 1,
    });
  });
  it('as insertions, deletions and substitutions', () => {
    expect(of('fígado normal hoje cedo', 'o fígado anormal hoje')).toMatchObject({
      words: 4,
      insertions: 1,
      deletions: 1,
      substitutions: 1,
    });
  });
});

test('a rate is of all words together, and of none where nothing was said', () => {
  const [long, short] = [
    hearingErrors('a b c d e f g h i', 'a b c d e f g h i', 'en-US'),
    hearingErrors('x', 'y', 'en-US'),
  ];
  expect(wordErrorRate(totalErrors([long, short]))).toBeCloseTo(1 / (long.words + short.words));
  expect(wordErrorRate(hearingErrors('', 'made up', 'en-US'))).toBeNull();
  expect(wordErrorRate(totalErrors([]))).toBeNull();
});

const word = fc.constantFrom(...'abcdef');
const words = fc.array(word, { maxLength: 14 });

/** The definition itself. */
function distance(a: readonly string[], b: readonly string[]): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) => Array.from({ length: b.length + 1 }, (__, j) => i + j));
  for (let i = 1; i <= a.length; i += 1) {
    for (let j = 1; j <= b.length; j += 1) {
      rows[i]![j] = Math.min(
        rows[i - 1]![j]! + 1,
        rows[i]![j - 1]! + 1,
        rows[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1),
      );
    }
  }
  return rows[a.length]![b.length]!;
}
const cost = (a: readonly string[], b: readonly string[]) =>
  alignWords(a, b).filter(({ from, to }) => from === undefined || to === undefined || a[from] !== b[to]).length;

test('an alignment has every word of both in order, and is the shortest there is', () => {
  fc.assert(
    fc.property(words, words, (a, b) => {
      const aligned = alignWords(a, b);
      expect(aligned.flatMap(({ from }) => from ?? [])).toEqual(a.map((_, at) => at));
      expect(aligned.flatMap(({ to }) => to ?? [])).toEqual(b.map((_, at) => at));
      expect(cost(a, b)).toBe(distance(a, b));
    }),
  );
});

test('long texts are aligned in halves, and as shortly', () => {
  fc.assert(
    fc.property(
      fc.array(word, { minLength: 600, maxLength: 700 }),
      fc.array(fc.tuple(fc.nat(599), word), { maxLength: 30 }),
      (a, changes) => {
        const b = [...a];
        for (const [at, other] of changes) b.splice(at, at % 2, other);
        expect(cost(a, b)).toBe(distance(a, b));
      },
    ),
    { numRuns: 3 },
  );
});

test('any text is read, and is without errors against itself', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.constantFrom(...languages), (text, language) => {
      const { words: count, ...rest } = hearingErrors(text, text, language);
      expect(rest).toMatchObject(none);
      expect(hearingErrors(text, '', language)).toMatchObject({ words: count, deletions: count });
    }),
  );
});
