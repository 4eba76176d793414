/** Signs, decimal marks, question marks, units and denials mean in the document what was said, or the words stay as they were said. */
import * as fc from '../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { languages } from '../../src/contract/shared.ts';
import type { Language } from '../../src/contract/shared.ts';
import { prepareChecks } from '../../src/reporting/checks/check.ts';
import { findChanges } from '../../src/reporting/last-check.ts';
import { write } from '../../src/reporting/write.ts';
import { runs, dictation } from './generated.ts';
import { spoken, spokenDecimal } from './spoken.ts';
import { sections } from './written.ts';

/** A cue as it is said or typed, and what may be written for it. */
interface Form {
  readonly said: string;
  readonly written: RegExp;
}

const words: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  'en-US': {
    minus: 'minus',
    point: 'point',
    query: 'question mark',
    no: 'no',
    mean: 'I mean',
    million: 'million',
    hu: 'hounsfield units',
    mm: 'millimeters',
    cm: 'centimeters',
    less: 'less than',
    more: 'greater than',
    pm: 'plus or minus',
    noun: 'fracture',
    right: 'right',
    left: 'left',
    organ: 'kidney',
    HU: 'HU',
  },
  'pt-BR': {
    minus: 'menos',
    point: 'vírgula',
    query: 'interrogação',
    no: 'não',
    mean: 'quero dizer',
    million: 'milhões',
    hu: 'unidades hounsfield',
    mm: 'milímetros',
    cm: 'centímetros',
    less: 'menor que',
    more: 'maior que',
    pm: 'mais ou menos',
    noun: 'fratura',
    right: 'direito',
    left: 'esquerdo',
    organ: 'rim',
    HU: 'UH',
  },
  'es-ES': {
    minus: 'menos',
    point: 'coma',
    query: 'signo de interrogación',
    no: 'no',
    mean: 'quiero decir',
    million: 'millones',
    hu: 'unidades hounsfield',
    mm: 'milímetros',
    cm: 'centímetros',
    less: 'menor de',
    more: 'mayor de',
    pm: 'más menos',
    noun: 'fractura',
    right: 'derecho',
    left: 'izquierdo',
    organ: 'riñón',
    HU: 'UH',
  },
};

const form = (language: Language): fc.Arbitrary<Form> => {
  const of = words[language];
  const sign = language === 'en-US' ? '.' : ',';
  return fc
    .record({ n: fc.integer({ min: 2, max: 60 }), d: fc.integer({ min: 1, max: 9 }), which: fc.nat(15) })
    .map(({ n, d, which }): Form => {
      const number = spoken(n, language);
      const forms: Form[] = [
        { said: `-${n} ${of['HU']}`, written: new RegExp(`-${n} ${of['HU']}`) },
        { said: `${of['minus']} ${number} ${of['hu']}`, written: new RegExp(`-${n} ${of['HU']}`) },
        { said: `<${n} mm`, written: new RegExp(`< ?${n} mm`) },
        { said: `±${n} mm`, written: new RegExp(`± ?${n} mm`) },
        { said: `+${n} mm`, written: new RegExp(`\\+${n} mm`) },
        { said: `${of['less']} ${number} ${of['mm']}`, written: new RegExp(`< ${n} mm`) },
        { said: `${of['more']} ${number} ${of['mm']}`, written: new RegExp(`> ${n} mm`) },
        { said: `${of['pm']} ${number} ${of['mm']}`, written: new RegExp(`± ${n} mm`) },
        { said: `${sign}${d} cm`, written: new RegExp(`(?<!\\p{N})0?${sign}${d} cm`, 'u') },
        { said: `.${d} cm`, written: new RegExp(`(?<!\\p{N})0?[.,]${d} cm`, 'u') },
        { said: `${spokenDecimal(n, String(d), language)} ${of['cm']}`, written: new RegExp(`${n}${sign}${d} cm`) },
        {
          said: `${of['point']} ${spoken(d, language)} ${of['cm']}`,
          written: new RegExp(`(?:(?<!\\p{N})0${sign}|, )${d} cm`, 'u'),
        },
        {
          said: `${spokenDecimal(n, String(d), language)} ${of['million']}`,
          written: new RegExp(`${n}${sign}${d} ${of['million']}`),
        },
        { said: `?${of['noun']}`, written: new RegExp(`\\?${of['noun']}`, 'i') },
        { said: `${of['query']} ${of['noun']}`, written: new RegExp(`\\? ?${of['noun']}`, 'i') },
        {
          said: `${of['right']} ${of['no']} ${of['mean']} ${of['left']} ${of['organ']}`,
          written: new RegExp(`(?<!${of['no']} )${of['left']} ${of['organ']}`, 'i'),
        },
      ];
      return forms[which]!;
    });
};

const stops = { 'en-US': 'period', 'pt-BR': 'ponto', 'es-ES': 'punto' } as const;
const lines = { 'en-US': 'new line', 'pt-BR': 'nova linha', 'es-ES': 'nueva línea' } as const;
const names = {
  'en-US': ['findings', 'Impression:', 'impression colon', 'Findings -'],
  'pt-BR': ['achados', 'Impressão:', 'impressão dois pontos', 'Achados -'],
  'es-ES': ['hallazgos', 'Conclusión:', 'conclusión dos puntos', 'Hallazgos -'],
} as const;

/** What stands before the cue. */
const lead = (language: Language): fc.Arbitrary<string> =>
  fc.constantFrom(
    '',
    'xyz ',
    'Xyz. ',
    'Xyz; ',
    'xyz (',
    'xyz, ',
    'Xyz:\n',
    '- ',
    `xyz ${stops[language]} `,
    `xyz ${lines[language]} `,
    ...names[language].map((name) => `${name} `),
  );

const asked = (text: string, language: Language) => {
  const { sections: made, provenance } = write({ heard: { text }, language, sections });
  const findings = prepareChecks({ language, template: sections, heard: { text } })(made, provenance);
  const all = made.map((section) => section.text).join('\n');
  return { made, provenance, all, isAsked: findings.some(({ kind }) => kind === 'unclear') };
};

describe.each(languages)('%s', (language) => {
  it('writes a cue with its value wherever it is, or leaves the words and asks', () =>
    fc.assert(
      fc.property(
        lead(language),
        form(language),
        fc.constantFrom('', ' xyz', ', xyz', '. Xyz.'),
        (before, cue, after) => {
          const { all, isAsked } = asked(before + cue.said + after, language);
          if (cue.written.test(all)) return;
          expect(all.toLowerCase()).toContain(cue.said.toLowerCase());
          expect(isAsked).toBe(true);
        },
      ),
      { numRuns: runs * 8 },
    ));

  it('finds whatever is changed in what was written, at its place', () => {
    /** Each stands for as many characters, so that the words keep their places. */
    const faults: readonly (readonly [RegExp, (found: string) => string])[] = [
      [/(?<=^|[\s(])[-+±<>](?= ?\d)/u, () => '·'],
      [/(?<=^|[\s(])<(?= ?\d)/u, () => '>'],
      [/(?<=\d)[.,](?=\d{1,2}(?!\d))/u, () => '7'],
      [/\?/u, () => '.'],
      [/(?<=\d )(?:mm|cm|HU|UH)(?!\p{L})/u, (unit) => (unit === 'mm' ? 'cm' : 'mm')],
      [/(?<=^|\s)(?:no|não)(?= )/iu, (word) => 'x'.repeat(word.length)],
    ];
    fc.assert(
      fc.property(fc.array(form(language), { minLength: 1, maxLength: 6 }), fc.nat(), (forms, seed) => {
        const { no, noun } = words[language];
        const text = forms.map(({ said }) => `xyz ${said} xyz. Xyz ${no} ${noun}.`).join(' ');
        const { made, provenance } = asked(text, language);
        expect(findChanges({ sections: made, provenance }, text, language)).toEqual([]);
        const section = made.find(({ key }) => key === 'findings')!;
        const possible = faults.flatMap(([pattern, instead]) =>
          Array.from(section.text.matchAll(new RegExp(pattern, 'gu')), (found) => ({ found, instead })),
        );
        const { found, instead } = possible[seed % possible.length]!;
        const faulty =
          section.text.slice(0, found.index) + instead(found[0]) + section.text.slice(found.index + found[0].length);
        const changed = made.map((each) => (each === section ? { ...each, text: faulty } : each));
        expect(findChanges({ sections: changed, provenance }, text, language), faulty).not.toEqual([]);
      }),
      { numRuns: runs * 4 },
    );
  });

  it('finds nothing in any dictation as it is written', () =>
    fc.assert(
      fc.property(dictation(language), (given) => {
        const text = given.normalize('NFC');
        const { made, provenance } = asked(text, language);
        expect(findChanges({ sections: made, provenance }, text, language)).toEqual([]);
      }),
      { numRuns: runs },
    ));

  it('takes no word of a vocabulary that loses a cue', () =>
    fc.assert(
      fc.property(
        form(language).filter(({ said }) => !said.startsWith('?')),
        ({ said }) => {
          const { no, noun } = words[language];
          for (const phrase of [said, `${no} ${noun}`]) {
            const text = `Xyz xyz ${phrase} xyz.`;
            const vocabulary = { terms: [{ write: 'Qwert', for: [phrase] }], isHeard: true };
            const { sections: made } = write({ heard: { text }, language, sections, vocabulary });
            expect(made.find(({ key }) => key === 'findings')!.text).not.toContain('Qwert');
          }
        },
      ),
      { numRuns: runs },
    ));
});
