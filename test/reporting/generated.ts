/** Dictations put together at random from what the languages' tables know, and from anything. */
import * as fc from '../support/properties.ts';
import type { Language } from '../../src/contract/shared.ts';
import { tables } from '../../src/reporting/languages/index.ts';
import { phraseList, wordList } from '../../src/domain/fold.ts';
import type { Vocabulary } from '../../src/reporting/vocabulary/vocabulary.ts';
import { spoken, spokenDecimal } from './spoken.ts';

/** How many dictations a property is tried on in each language. */
export const runs = 25;

const clinical: Readonly<Record<Language, readonly string[]>> = {
  'pt-BR': [
    'nódulo no lobo superior direito',
    'sem derrame pleural',
    'não há fratura',
    'pulmões limpos',
    'dor no ponto de McBurney',
    'cisto no rim esquerdo',
    'barra posterior',
    'fase a',
    'estudo',
    'por segundo',
    'impressão de massa',
    'achados compatíveis com pneumonia',
    'paciente em coma',
    'Dr. Silva',
    'L4-L5',
    'T2',
    'e',
    'um',
    'a',
  ],
  'en-US': [
    'nodule in the right upper lobe',
    'no pleural effusion',
    'there is no fracture',
    'the lungs are clear',
    'over a period of two weeks',
    'the colon is normal',
    'left renal cyst',
    'study',
    'one',
    'year',
    'findings suspicious for malignancy',
    'impression of the dens',
    'comma shaped lesion',
    'Dr. Smith',
    'L4-L5',
    'T2',
    'and',
    'a',
  ],
  'es-ES': [
    'nódulo en el lóbulo superior derecho',
    'sin derrame pleural',
    'no hay fractura',
    'pulmones limpios',
    'dolor en el punto de McBurney',
    'quiste en el riñón izquierdo',
    'paciente en coma profundo',
    'estudio',
    'por segundo',
    'hallazgos compatibles con neumonía',
    'Dr. García',
    'L4-L5',
    'T2',
    'y',
    'uno',
    'a',
  ],
};

const units: Readonly<Record<Language, readonly (readonly [said: string, written: string])[]>> = {
  'pt-BR': [
    ['milímetros', 'mm'],
    ['centímetros', 'cm'],
    ['mililitros', 'mL'],
    ['centímetros por segundo', 'cm/s'],
    ['unidades hounsfield', 'UH'],
    ['gramas', 'g'],
  ],
  'en-US': [
    ['millimeters', 'mm'],
    ['centimeters', 'cm'],
    ['milliliters', 'mL'],
    ['centimeters per second', 'cm/s'],
    ['hounsfield units', 'HU'],
    ['grams', 'g'],
  ],
  'es-ES': [
    ['milímetros', 'mm'],
    ['centímetros', 'cm'],
    ['mililitros', 'mL'],
    ['centímetros por segundo', 'cm/s'],
    ['unidades hounsfield', 'UH'],
    ['gramos', 'g'],
  ],
};

/** A measure as it is said and as it is written. */
export const measure = (language: Language): fc.Arbitrary<{ said: string; written: string }> =>
  fc
    .record({
      whole: fc.integer({ min: 2, max: 999 }),
      decimals: fc.option(fc.constantFrom('1', '2', '5', '8', '05', '25', '75')),
      unit: fc.constantFrom(...units[language]),
      second: fc.option(fc.integer({ min: 2, max: 250 })),
    })
    .map(({ whole, decimals, unit: [said, symbol], second }) => {
      const sign = language === 'en-US' ? '.' : ',';
      const by = language === 'en-US' ? 'by' : 'por';
      const first = decimals === null ? spoken(whole, language) : spokenDecimal(whole, decimals, language);
      const figure = decimals === null ? String(whole) : `${whole}${sign}${decimals}`;
      return second === null
        ? { said: `${first} ${said}`, written: `${figure} ${symbol}` }
        : { said: `${first} ${by} ${spoken(second, language)} ${said}`, written: `${figure} x ${second} ${symbol}` };
    });

const piece = (language: Language): fc.Arbitrary<string> => {
  const { marks, sections, corrections, numbers, terms } = tables[language];
  const names = Object.values(sections.names).flatMap((list) => phraseList(list).map((name) => name.replace(/:$/, '')));
  return fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...clinical[language]) },
    { weight: 4, arbitrary: fc.constantFrom(...marks.marks.flatMap(({ phrases }) => phraseList(phrases))) },
    { weight: 2, arbitrary: fc.constantFrom(...names) },
    { weight: 2, arbitrary: measure(language).map(({ said }) => said) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(...phraseList(`${corrections.markers}, ${corrections.weak}, ${corrections.scratch}`)),
    },
    { weight: 1, arbitrary: fc.constantFrom(...corrections.kinds.flatMap(wordList)) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(...wordList(`${numbers.small} ${numbers.tens} ${numbers.decimal.spoken}`)),
    },
    { weight: 1, arbitrary: fc.constantFrom(...terms.classes.flatMap(({ phrases }) => phraseList(phrases))) },
    { weight: 1, arbitrary: fc.constantFrom(...Object.values(terms.letters).flatMap(wordList)) },
    { weight: 1, arbitrary: fc.constantFrom('literal', '.', ', ', ':', '\n', '6 mm', '3,5', '10/03/2026', '(', ')') },
    { weight: 1, arbitrary: fc.stringMatching(/^[a-zãéñç]{1,9}$/) },
  );
};

/** Any dictation of a language, or any text at all. */
export const dictation = (language: Language): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 5, arbitrary: fc.array(piece(language), { maxLength: 30 }).map((pieces) => pieces.join(' ')) },
    { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 120 }) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 120 }) },
  );

/** Any vocabulary, or none: of the language's own words, of words one sound away from them, and of any words at all. */
export const vocabulary = (language: Language): fc.Arbitrary<Vocabulary | undefined> => {
  const words = fc.oneof(
    piece(language),
    fc.array(piece(language), { minLength: 1, maxLength: 3 }).map((pieces) => pieces.join(' ')),
    fc.constantFrom(...clinical[language]).map((text) => text.replace(/[aeio](?=\S+$)/, 'u')),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
  );
  const term = fc.record({ write: words, for: fc.array(words, { maxLength: 3 }) });
  return fc.option(fc.record({ terms: fc.array(term, { maxLength: 12 }), isHeard: fc.boolean() }), {
    nil: undefined,
    freq: 3,
  });
};
