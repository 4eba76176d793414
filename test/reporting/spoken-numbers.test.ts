/** Values as physicians say them and recognisers write them: the report has the value, or a person is asked. */
import { describe, expect, it } from 'vitest';
import { languages } from '../../src/contract/shared.ts';
import type { Language } from '../../src/contract/shared.ts';
import { prepareChecks } from '../../src/reporting/checks/check.ts';
import { write } from '../../src/reporting/write.ts';
import * as fc from '../support/properties.ts';
import { spoken, spokenDecimal } from './spoken.ts';
import { sections } from './written.ts';

/** A way to write a value. `isSure`: it can be nothing else. */
interface Form {
  readonly heard: string;
  readonly isSure: boolean;
}

interface Value {
  readonly written: string;
  readonly forms: readonly Form[];
}

interface Words {
  readonly and: string;
  readonly sign: string;
  readonly mark: string;
  readonly half: string;
  readonly by: string;
  readonly to: string;
  readonly lead: string;
  readonly cm: string;
  readonly mm: string;
  readonly thousand: string;
  readonly month: string;
  readonly exam: string;
  readonly level: string;
  readonly rest: string;
}

const words: Readonly<Record<Language, Words>> = {
  'pt-BR': {
    and: 'e',
    sign: 'vírgula',
    mark: ',',
    half: 'e meio',
    by: 'por',
    to: 'a',
    lead: 'Lesão de',
    cm: 'centímetros',
    mm: 'milímetros',
    thousand: 'mil',
    month: 'março de',
    exam: 'Comparado a exame de',
    level: 'Protrusão em',
    rest: 'no lobo direito',
  },
  'en-US': {
    and: 'and',
    sign: 'point',
    mark: '.',
    half: 'and a half',
    by: 'by',
    to: 'to',
    lead: 'Lesion measuring',
    cm: 'centimeters',
    mm: 'millimeters',
    thousand: 'thousand',
    month: 'March',
    exam: 'Compared with exam from',
    level: 'Protrusion at',
    rest: 'in the right lobe',
  },
  'es-ES': {
    and: 'y',
    sign: 'coma',
    mark: ',',
    half: 'y medio',
    by: 'por',
    to: 'a',
    lead: 'Lesión de',
    cm: 'centímetros',
    mm: 'milímetros',
    thousand: 'mil',
    month: 'marzo de',
    exam: 'Comparado con estudio de',
    level: 'Protrusión en',
    rest: 'en el lóbulo derecho',
  },
};

const sure = (...heard: string[]): Form[] => heard.map((each) => ({ heard: each, isSure: true }));
const unsure = (...heard: string[]): Form[] => heard.map((each) => ({ heard: each, isSure: false }));

/** 3 to 199. */
function formsOfWhole(value: number, language: Language): Form[] {
  const { and } = words[language];
  const [tens, unit] = [value - (value % 10), value % 10];
  const split = value > 20 && value < 100 && unit > 0;
  const [hundred, rest] = [value - (value % 100), value % 100];
  const joint = language === 'en-US' ? ' ' : ` ${and} `;
  return [
    ...sure(spoken(value, language), String(value)),
    ...(split
      ? unsure(
          `${tens}${joint}${unit}`,
          `${spoken(tens, language)}${joint}${unit}`,
          `${tens}${joint}${spoken(unit, language)}`,
          `${tens} ${unit}`,
          `${tens}-${unit}`,
        )
      : []),
    ...(value > 100 && rest > 0
      ? unsure(
          `${hundred} ${rest}`,
          `${spoken(hundred, language)} ${rest}`,
          language === 'es-ES' ? '' : `${hundred} ${and} ${rest}`,
        )
      : []),
  ].filter(({ heard }) => heard !== '');
}

/** 0.1 to 20.99, with one or two decimals. */
function formsOfDecimal(whole: number, places: string, language: Language): Form[] {
  const { sign, half, and } = words[language];
  const [said = '', rest = ''] = spokenDecimal(whole, places, language).split(` ${sign} `);
  return [
    ...sure(
      `${said} ${sign} ${rest}`,
      `${whole} ${sign} ${places}`,
      `${said} ${sign} ${places}`,
      `${whole} ${sign} ${rest}`,
      `${whole},${places}`,
      `${whole}.${places}`,
      ...(places === '5' && whole > 0 ? [`${spoken(whole, language)} ${half}`, `${whole} ${half}`] : []),
    ),
    ...unsure(`${whole}, ${places}`, `${whole}. ${places}`, `${whole} ${places}`, `${whole} , ${places}`),
    ...(language === 'en-US' ? [] : unsure(`${whole} ${language === 'pt-BR' ? 'ponto' : 'punto'} ${places}`)),
    ...(places === '5' && whole > 0 ? unsure(`${whole} ${and} ${half.split(' ').slice(1).join(' ')}`) : []),
  ];
}

const wholeValue = (language: Language): fc.Arbitrary<Value> =>
  fc.integer({ min: 3, max: 199 }).map((value) => ({ written: String(value), forms: formsOfWhole(value, language) }));

const decimalValue = (language: Language): fc.Arbitrary<Value> =>
  fc.tuple(fc.nat(20), fc.stringMatching(/^[0-9]?[1-9]$/)).map(([whole, places]) => ({
    written: `${whole}${words[language].mark}${places}`,
    forms: formsOfDecimal(whole, places, language),
  }));

const said = ({ written, forms }: Value): fc.Arbitrary<Form & { written: string }> =>
  fc.constantFrom(...forms).map((form) => ({ ...form, written }));

const number = (language: Language): fc.Arbitrary<Form & { written: string }> =>
  fc.oneof(wholeValue(language), decimalValue(language)).chain(said);

/** A sentence as it is heard, and as the report has it if nobody is asked. */
interface Sentence {
  readonly heard: string;
  readonly written: string;
  readonly isSure: boolean;
}

function measure(language: Language): fc.Arbitrary<Sentence> {
  const { lead, mm, rest } = words[language];
  return fc
    .tuple(number(language), fc.constantFrom(mm, 'mm'), fc.constantFrom('', ` ${rest}`))
    .map(([{ heard, written, isSure }, unit, end]) => ({
      heard: `${lead} ${heard} ${unit}${end}`,
      written: `${lead} ${written} mm${end}.`,
      isSure,
    }));
}

/** Below a hundred: "três por cento e vinte" may be a percentage. */
const factor = (language: Language): fc.Arbitrary<Form & { written: string }> =>
  number(language).filter(({ written }) => Number.parseInt(written, 10) < 100);

/** Two or three factors, with one unit or one each. */
function size(language: Language): fc.Arbitrary<Sentence> {
  const { lead, cm, by } = words[language];
  const joint = fc.constantFrom(` ${by} `, ' x ', ' × ', `, ${by} `, ` ${by}, `);
  return fc
    .tuple(fc.array(factor(language), { minLength: 2, maxLength: 3 }), joint, fc.constantFrom(cm, 'cm'), fc.boolean())
    .map(([factors, between, unit, isShared]) => ({
      heard: `${lead} ${factors.map(({ heard }) => (isShared ? heard : `${heard} ${unit}`)).join(between)}${isShared ? ` ${unit}` : ''}`,
      written: `${lead} ${factors.map(({ written }) => written).join(' x ')} cm.`,
      isSure: factors.every(({ isSure }) => isSure) && between.trim() === by,
    }));
}

function range(language: Language): fc.Arbitrary<Sentence> {
  const { lead, cm, to } = words[language];
  return fc.tuple(decimalValue(language).chain(said), decimalValue(language).chain(said)).map(([from, end]) => ({
    heard: `${lead} ${from.heard} ${to} ${end.heard} ${cm}`,
    written: `${lead} ${from.written} ${to} ${end.written} cm.`,
    isSure: from.isSure && end.isSure,
  }));
}

/** Three sizes that share a unit, with commas or without. */
function list(language: Language): fc.Arbitrary<Sentence> {
  const { lead, mm, and } = words[language];
  return fc
    .tuple(fc.uniqueArray(fc.integer({ min: 2, max: 9 }), { minLength: 3, maxLength: 3 }), fc.boolean(), fc.boolean())
    .map(([values, isInWords, hasComma]) => {
      const [first, second, third] = values.map((value) => (isInWords ? spoken(value, language) : String(value)));
      return {
        heard: `${lead} ${first}${hasComma ? ',' : ''} ${second} ${and} ${third} ${mm}`,
        written: `${lead} ${values[0]}, ${values[1]} ${and} ${values[2]} mm.`,
        isSure: hasComma,
      };
    });
}

/** The years 2010 to 2039 after their month, or alone. */
function year(language: Language): fc.Arbitrary<Sentence> {
  const { exam, month, thousand, and } = words[language];
  return fc.tuple(fc.integer({ min: 10, max: 39 }), fc.boolean()).chain(([rest, hasMonth]) => {
    const [two, last] = [spoken(2, language), spoken(rest, language)];
    const joint = { 'pt-BR': ' e ', 'en-US': ' ', 'es-ES': ' ' }[language];
    const inParts = [`20 ${rest}`, `2000${joint}${rest}`, `2000 ${and} ${rest}`, `2000 ${rest}`];
    const group = language === 'en-US' ? `2,0${rest}` : `2.0${rest}`;
    const halves = [`2 ${thousand}${joint}${rest}`, `${two} ${thousand}${joint}${rest}`, `2000${joint}${last}`];
    const forms = [
      ...sure(`20${rest}`, `${two} ${thousand}${joint}${last}`, ...(language === 'en-US' ? [`twenty ${last}`] : [])),
      ...(hasMonth ? sure(...inParts, group) : unsure(...inParts)),
      ...unsure(...halves),
    ];
    const lead = hasMonth ? `${exam} ${month}` : exam;
    return said({ written: '', forms }).map(({ heard, isSure }) => ({
      heard: `${lead} ${heard}`,
      written: `${lead} 20${rest}.`,
      isSure,
    }));
  });
}

/** Two vertebrae of a disc. */
function level(language: Language): fc.Arbitrary<Sentence> {
  const discs = [
    ['C', 5, 'C', 6],
    ['C', 7, 'T', 1],
    ['T', 12, 'L', 1],
    ['L', 3, 'L', 4],
    ['L', 4, 'L', 5],
    ['L', 5, 'S', 1],
  ] as const;
  return fc.constantFrom(...discs).chain(([a, n, b, m]) =>
    said({
      written: `${a}${n}-${b}${m}`,
      forms: sure(
        `${a}${n} ${b}${m}`,
        `${a} ${n} ${b} ${m}`,
        `${a}${n}${b}${m}`,
        `${a}${n}-${b}${m}`,
        `${a}${n}${b}${m}`.toLowerCase(),
        `${a} ${spoken(n, language)} ${b} ${spoken(m, language)}`,
        ...(a === b ? [`${a} ${n} ${m}`, `${a}${n} ${m}`] : []),
      ),
    }).map(({ heard, written, isSure }) => ({
      heard: `${words[language].level} ${heard}`,
      written: `${words[language].level} ${written}.`,
      isSure,
    })),
  );
}

/** Findings about the form of the words: the size itself may be implausible. */
const asks = (heard: string, language: Language): { text: string; isAsked: boolean } => {
  const report = write({ heard: { text: heard }, language, sections });
  const check = prepareChecks({ language, template: sections, heard: { text: heard } });
  const found = check(report.sections, report.provenance);
  const text = report.sections.find(({ key }) => key === 'findings')?.text ?? '';
  return { text, isAsked: found.some(({ kind }) => kind === 'unclear' || kind === 'number_changed') };
};

describe.each(languages)('numbers in %s', (language) => {
  const kinds = { measure, size, range, list, year, level };
  it.each(Object.entries(kinds))('have their value, or are asked about: %s', (_, sentence) =>
    fc.assert(
      fc.property(sentence(language), ({ heard, written, isSure }) => {
        const { text, isAsked } = asks(heard, language);
        if (isSure || !isAsked) expect(text).toBe(written);
        if (isSure) expect(isAsked).toBe(false);
      }),
      { numRuns: 40 },
    ),
  );
});

it.each<[Language, string, string]>([
  ['pt-BR', 'Volume de 1,200 mL.', '1,200'],
  ['en-US', 'Volume of 1.200 mL.', '1.200'],
  ['pt-BR', 'Exame de 2000 e 5.', '2000 e 5'],
  ['es-ES', 'Estudio de 20 25.', '20 25'],
  ['pt-BR', 'T-score de -2, 5.', '2, 5'],
  ['en-US', 'SUV 2. 5.', '2. 5'],
  ['pt-BR', 'Idade de vinte e 5 semanas.', '20 e 5'],
  ['pt-BR', 'Nódulos de doze vírgula quinze e vinte milímetros.', 'doze vírgula quinze e vinte'],
  ['en-US', 'Nodule measuring two 5 mm in the lobe.', 'two 5'],
])('%s: “%s” asks about “%s”', (language, heard, asked) => {
  const report = write({ heard: { text: heard }, language, sections });
  const check = prepareChecks({ language, template: sections, heard: { text: heard } });
  const found = check(report.sections, report.provenance).filter(({ kind }) => kind === 'unclear');
  const text = report.sections.find(({ key }) => key === 'findings')?.text ?? '';
  expect(found.map(({ start, end }) => text.slice(start, end))).toEqual([asked]);
});

it.each<[Language, string]>([
  ['en-US', 'BI-RADS 2. 5 mm cyst.'],
  ['en-US', 'Image 23 of series 4, 5 mm nodule.'],
  ['en-US', 'Three 5 mm stones, one 5 mm nodule.'],
  ['en-US', '1. 5 mm nodule. 2. 8 mm cyst.'],
  ['en-US', 'Compared with March 20, 2025, 5 mm nodule. In 2024. 5 mm cyst.'],
  ['pt-BR', 'Segmento 8, 5 mm. Às 14h30, 5 mm. Em 2025, 5 mm.'],
  ['pt-BR', 'Nódulos de 3, 4, 5 e 6 mm. Nódulos de 10 e 5 mm.'],
  ['pt-BR', 'Exames de 10 de março de 2000 e 25 de abril de 2001.'],
  ['es-ES', 'Quistes de 200 y 50 mL.'],
])('%s: “%s” asks nothing', (language, heard) => expect(asks(heard, language).isAsked).toBe(false));
