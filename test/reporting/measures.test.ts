/** What a measure is of, and the measures that nothing of the kind can have. */
import * as fc from '../support/properties.ts';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { languages } from '../../src/contract/shared.ts';
import type { Language } from '../../src/contract/shared.ts';
import { prepareChecks } from '../../src/reporting/checks/check.ts';

/** The measures of a text that are implausible. */
const implausible = (language: Language, text: string): string[] =>
  prepareChecks({ language, template: [] })([{ key: 'findings', title: '', text }])
    .filter(({ kind }) => kind === 'unit_implausible')
    .map(({ start, end }) => text.slice(start, end));

const rows = JSON.parse(readFileSync(new URL('measures.json', import.meta.url), 'utf8')) as [
  Language,
  text: string,
  isImplausible: boolean,
][];
it.each(rows)('%s: %s', (language, text, isImplausible) =>
  expect(implausible(language, text)).toHaveLength(isImplausible ? 1 : 0),
);

interface Words {
  /** Organs, each of which is larger than `small` and smaller than `large`. */
  readonly organs: readonly string[];
  /** What is found in them, with and without a name that the checks know. */
  readonly things: readonly string[];
  /** Sentences in which the measure `M` is that of a thing `T` in an organ `O`. */
  readonly ofThing: readonly string[];
  /** Sentences in which it is that of the organ. */
  readonly ofOrgan: readonly string[];
}

const words: Record<Language, Words> = {
  'pt-BR': {
    organs: ['rim direito', 'fígado', 'baço', 'rim esquerdo'],
    things: ['cisto', 'cálculo', 'divertículo', 'angiomiolipoma', 'líquido', 'componente', 'hemangioma'],
    ofThing: [
      'O com T de M.',
      'O com T simples medindo M no terço médio.',
      'T no O, medindo M.',
      'T do O com M.',
      'O de dimensões normais, apresentando T de M.',
      'O normal, que contém T que mede M.',
      'O: T de M.',
      'O com 11 cm, contendo T de M.',
      'Nota-se T junto ao O, de M.',
    ],
    ofOrgan: [
      'O medindo M.',
      'O com M.',
      'O de M.',
      'O mede aproximadamente M.',
      'Dimensões do O: M.',
      'O com eixo longitudinal de M.',
    ],
  },
  'en-US': {
    organs: ['right kidney', 'liver', 'spleen', 'left kidney'],
    things: ['cyst', 'stone', 'diverticulum', 'angiomyolipoma', 'calcified granuloma', 'hypodensity', 'hemangioma'],
    ofThing: [
      'The O has a M T.',
      'The O contains a M simple T.',
      'The O demonstrates a T measuring M.',
      'There is a M T in the O.',
      'T of the O measuring M.',
      'The O, which is normal in size, shows a M nonobstructing T.',
      'The O measures 11 cm and has a M T.',
      'O: M T.',
      'M T adjacent to the O.',
    ],
    ofOrgan: [
      'The O measures M.',
      'O M.',
      'The O is M in length.',
      'The O has a length of M.',
      'The O, measuring M, is homogeneous.',
    ],
  },
  'es-ES': {
    organs: ['riñón derecho', 'hígado', 'bazo', 'riñón izquierdo'],
    things: ['quiste', 'cálculo', 'divertículo', 'angiomiolipoma', 'líquido', 'componente', 'hemangioma'],
    ofThing: [
      'O con T de M.',
      'El O presenta un T de M.',
      'El O tiene un T que mide M.',
      'T en el O, de M.',
      'T del O de M.',
      'O de tamaño normal, con T simple de M.',
      'O de 11 cm, con un T de M.',
      'O: T de M.',
      'Se observa un T junto al O, de M.',
    ],
    ofOrgan: ['O de M.', 'El O mide M.', 'O con M.', 'El O tiene un eje longitudinal de M.', 'Dimensiones del O: M.'],
  },
};

/** 1 to 9 mm, as a size, a range or two dimensions. */
const small = (language: Language): fc.Arbitrary<string> =>
  fc.tuple(fc.integer({ min: 1, max: 8 }), fc.constantFrom('one', 'size', 'range')).map(([value, form]) => {
    const to = language === 'en-US' ? 'to' : 'a';
    return form === 'one'
      ? `${value} mm`
      : form === 'size'
        ? `${value} x ${value + 1} mm`
        : `${value} ${to} ${value + 1} mm`;
  });

const sentence = (language: Language, forms: 'ofThing' | 'ofOrgan'): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom(...words[language][forms]),
      fc.constantFrom(...words[language].organs),
      fc.constantFrom(...words[language].things),
      small(language),
    )
    .map(([form, organ, thing, measure]) => {
      const text = form.replace('O', organ).replace(/\bT\b/, thing).replace('M', measure);
      return text.charAt(0).toUpperCase() + text.slice(1);
    });

describe.each(languages)('in %s', (language) => {
  it('a finding in an organ may be small', () =>
    fc.assert(
      fc.property(sentence(language, 'ofThing'), (text) => implausible(language, text).length === 0),
      { numRuns: 100 },
    ));
  it('the organ may not', () =>
    fc.assert(
      fc.property(sentence(language, 'ofOrgan'), (text) => implausible(language, text).length === 1),
      { numRuns: 100 },
    ));
});

it('a long text of sides and measures is compared with another in time', () => {
  const text = 'right 5 mm cyst left 6 mm cyst. Right kidney 5 mm. '.repeat(700);
  const check = prepareChecks({ language: 'en-US', template: [] });
  expect(check(['findings', 'impression'].map((key) => ({ key, title: key, text }))).length).toBeGreaterThan(0);
});
