/** Scores: every branch of the published tables, written down as answers and what has to come of them. */
import * as fc from '../support/properties.ts';
import { describe, expect, it, test } from 'vitest';
import { languages } from '../../src/contract/shared.ts';
import type { Language } from '../../src/contract/shared.ts';
import { chooseScore, fillAnswers } from '../../src/reporting/scores/fill-score.ts';
import { said } from '../../src/reporting/scores/said.ts';
import { scores } from '../../src/reporting/scores/index.ts';
import { computeGrowth, meanDiameter, measurementLine, computeVolume } from '../../src/reporting/scores/measurement.ts';
import { applicableQuestions, assess, applicableAnswers, buildScoreLine } from '../../src/reporting/scores/score.ts';
import type { Answers, Score } from '../../src/reporting/scores/score.ts';

const score = (id: string): Score => scores.find((each) => each.id === id)!;
const categoryOf = (id: string, answers: Answers): string | undefined => assess(score(id), answers)?.category;
const adviceOf = (id: string, answers: Answers): string | undefined => assess(score(id), answers)?.advice['en-US'];

describe('ACR TI-RADS', () => {
  const nodule = (composition: string, echogenicity: string, shape: string, margin: string, ...foci: string[]) => ({
    composition,
    echogenicity,
    shape,
    margin,
    foci,
    size: 4,
  });
  it.each([
    [nodule('cystic', 'anechoic', 'wider', 'smooth'), 'TR1', 0],
    [nodule('spongiform', 'very_hypoechoic', 'taller', 'extension', 'punctate'), 'TR1', 0],
    [nodule('mixed', 'anechoic', 'wider', 'ill_defined', 'comet_tail'), 'TR2', 1],
    [nodule('mixed', 'isoechoic', 'wider', 'smooth'), 'TR2', 2],
    [nodule('solid', 'isoechoic', 'wider', 'smooth'), 'TR3', 3],
    [nodule('solid', 'hypoechoic', 'wider', 'smooth'), 'TR4', 4],
    [nodule('solid', 'isoechoic', 'wider', 'smooth', 'rim'), 'TR4', 5],
    [nodule('solid', 'isoechoic', 'taller', 'smooth'), 'TR4', 6],
    [nodule('solid', 'very_hypoechoic', 'wider', 'lobulated'), 'TR5', 7],
    [nodule('solid', 'very_hypoechoic', 'taller', 'extension', 'macrocalcification', 'rim', 'punctate'), 'TR5', 17],
  ])('%j', (answers, category, points) => {
    expect(assess(score('ti-rads'), answers)).toMatchObject({ category, points });
  });

  const sized: Readonly<Record<string, Answers>> = {
    TR1: nodule('cystic', 'anechoic', 'wider', 'smooth'),
    TR2: nodule('mixed', 'isoechoic', 'wider', 'smooth'),
    TR3: nodule('solid', 'isoechoic', 'wider', 'smooth'),
    TR4: nodule('solid', 'hypoechoic', 'wider', 'smooth'),
    TR5: nodule('solid', 'very_hypoechoic', 'wider', 'lobulated'),
  };
  const no = 'no aspiration or follow-up recommended';
  const biopsy = 'fine-needle aspiration recommended';
  it.each([
    ['TR1', 60, no],
    ['TR2', 60, no],
    ['TR3', 14.9, no],
    ['TR3', 15, 'ultrasound follow-up at 1, 3 and 5 years'],
    ['TR3', 24.9, 'ultrasound follow-up at 1, 3 and 5 years'],
    ['TR3', 25, biopsy],
    ['TR4', 9.9, no],
    ['TR4', 10, 'ultrasound follow-up at 1, 2, 3 and 5 years'],
    ['TR4', 15, biopsy],
    ['TR5', 4.9, no],
    ['TR5', 5, 'ultrasound follow-up every year for up to 5 years'],
    ['TR5', 10, biopsy],
  ])('%s of %d mm: %s', (level, size, advice) => {
    expect(adviceOf('ti-rads', { ...sized[level], size })).toBe(advice);
    expect(categoryOf('ti-rads', { ...sized[level], size })).toBe(level);
  });
});

test.each(['0', '1', '2', '3', '4A', '4B', '4C', '5', '6'])('BI-RADS %s has a meaning and advice', (category) => {
  expect(categoryOf('bi-rads', { category })).toBe(category);
});
test('BI-RADS recommends as the atlas does', () => {
  expect(adviceOf('bi-rads', { category: '3' })).toBe('short-interval follow-up at 6 months');
  for (const category of ['4A', '4B', '4C', '5']) expect(adviceOf('bi-rads', { category })).toBe('tissue diagnosis');
  for (const category of ['1', '2']) expect(adviceOf('bi-rads', { category })).toBe('routine screening');
  expect(categoryOf('bi-rads', { category: '4D' })).toBeUndefined();
});

describe('PI-RADS v2.1', () => {
  it.each([
    ['1', 'negative', '1'],
    ['2', 'positive', '2'],
    ['3', 'negative', '3'],
    ['3', 'positive', '4'],
    ['4', 'negative', '4'],
    ['5', 'positive', '5'],
  ])('peripheral zone, diffusion %s, enhancement %s: %s', (dwi, dce, category) => {
    expect(categoryOf('pi-rads', { zone: 'peripheral', dwi, dce })).toBe(category);
  });
  it.each([
    ['1', ['1', '1', '1', '1', '1']],
    ['2', ['2', '2', '2', '3', '3']],
    ['3', ['3', '3', '3', '3', '4']],
    ['4', ['4', '4', '4', '4', '4']],
    ['5', ['5', '5', '5', '5', '5']],
  ])('transition zone, T2 %s, diffusion 1 to 5: %j', (t2, wanted) => {
    const found = ['1', '2', '3', '4', '5'].map((dwi) => categoryOf('pi-rads', { zone: 'transition', t2, dwi }));
    expect(found).toEqual(wanted);
  });
});

describe('LI-RADS v2018', () => {
  const features = {
    none: [],
    capsule: ['capsule'],
    washout: ['washout'],
    growth: ['growth'],
    two: ['capsule', 'washout'],
  };
  it.each([
    ['no', 9, 'LR-3 LR-3 LR-3 LR-3 LR-4'],
    ['no', 19.9, 'LR-3 LR-3 LR-3 LR-3 LR-4'],
    ['no', 20, 'LR-3 LR-4 LR-4 LR-4 LR-4'],
    ['yes', 9.9, 'LR-3 LR-4 LR-4 LR-4 LR-4'],
    ['yes', 10, 'LR-3 LR-4 LR-5 LR-5 LR-5'],
    ['yes', 19.9, 'LR-3 LR-4 LR-5 LR-5 LR-5'],
    ['yes', 20, 'LR-4 LR-5 LR-5 LR-5 LR-5'],
  ])('hyperenhancement %s, %d mm: %s', (enhancement, size, wanted) => {
    const found = Object.values(features).map((each) =>
      categoryOf('li-rads', { kind: 'observation', size, enhancement, features: each, ancillary: 'none' }),
    );
    expect(found.join(' ')).toBe(wanted);
  });
  it.each([
    ['LR-3', { size: 12, enhancement: 'yes', features: [] }, 'LR-4', 'LR-2'],
    ['LR-4', { size: 12, enhancement: 'yes', features: ['capsule'] }, 'LR-4', 'LR-3'],
    ['LR-5', { size: 12, enhancement: 'yes', features: ['washout'] }, 'LR-5', 'LR-4'],
  ])('ancillary features move %s by one, never up to LR-5', (category, rest, up, down) => {
    const by = (ancillary: string) => categoryOf('li-rads', { kind: 'observation', ...rest, ancillary });
    expect([by('none'), by('malignant'), by('benign')]).toEqual([category, up, down]);
  });
  it.each(['LR-1', 'LR-2', 'LR-M', 'LR-TIV', 'LR-NC'])('%s is written as chosen', (kind) => {
    expect(categoryOf('li-rads', { kind, size: 30, enhancement: 'yes', ancillary: 'benign' })).toBe(kind);
  });
});

describe('Lung-RADS 2022', () => {
  it.each([
    [{ type: 'incomplete' }, '0'],
    [{ type: 'none' }, '1'],
    [{ type: 'benign' }, '1'],
    [{ type: 'juxtapleural' }, '2'],
    [{ type: 'solid', time: 'baseline', size: 5.9 }, '2'],
    [{ type: 'solid', time: 'baseline', size: 6 }, '3'],
    [{ type: 'solid', time: 'baseline', size: 7.9 }, '3'],
    [{ type: 'solid', time: 'baseline', size: 8 }, '4A'],
    [{ type: 'solid', time: 'baseline', size: 14.9 }, '4A'],
    [{ type: 'solid', time: 'baseline', size: 15 }, '4B'],
    [{ type: 'solid', time: 'new', size: 3.9 }, '2'],
    [{ type: 'solid', time: 'new', size: 4 }, '3'],
    [{ type: 'solid', time: 'new', size: 6 }, '4A'],
    [{ type: 'solid', time: 'new', size: 8 }, '4B'],
    [{ type: 'solid', time: 'growing', size: 7.9 }, '4A'],
    [{ type: 'solid', time: 'growing', size: 8 }, '4B'],
    [{ type: 'solid', time: 'slow', size: 5 }, '4B'],
    [{ type: 'solid', time: 'stable', before: '2' }, '2'],
    [{ type: 'solid', time: 'stable', before: '3' }, '2'],
    [{ type: 'solid', time: 'stable', before: '4A' }, '3'],
    [{ type: 'solid', time: 'stable', before: '4B' }, '4B'],
    [{ type: 'solid', time: 'stable', before: 'benign' }, '2'],
    [{ type: 'part_solid', time: 'baseline', size: 5.9, solid_part: 2 }, '2'],
    [{ type: 'part_solid', time: 'baseline', size: 6, solid_part: 5.9 }, '3'],
    [{ type: 'part_solid', time: 'baseline', size: 12, solid_part: 6 }, '4A'],
    [{ type: 'part_solid', time: 'baseline', size: 12, solid_part: 8 }, '4B'],
    [{ type: 'part_solid', time: 'new', size: 5.9, solid_part: 2 }, '3'],
    [{ type: 'part_solid', time: 'new', size: 6, solid_part: 3.9 }, '4A'],
    [{ type: 'part_solid', time: 'new', size: 6, solid_part: 4 }, '4B'],
    [{ type: 'part_solid', time: 'growing', size: 9, solid_part: 3.9 }, '4A'],
    [{ type: 'part_solid', time: 'growing', size: 9, solid_part: 4 }, '4B'],
    [{ type: 'part_solid', time: 'slow', size: 9, solid_part: 2 }, '4B'],
    [{ type: 'part_solid', time: 'stable', before: '4A' }, '3'],
    [{ type: 'ground_glass', time: 'baseline', size: 29.9 }, '2'],
    [{ type: 'ground_glass', time: 'baseline', size: 30 }, '3'],
    [{ type: 'ground_glass', time: 'new', size: 30 }, '3'],
    [{ type: 'ground_glass', time: 'growing', size: 29 }, '2'],
    [{ type: 'ground_glass', time: 'slow', size: 40 }, '2'],
    [{ type: 'ground_glass', time: 'stable', size: 40 }, '2'],
    [{ type: 'airway', airway: 'subsegmental' }, '2'],
    [{ type: 'airway', airway: 'first' }, '4A'],
    [{ type: 'airway', airway: 'stays' }, '4B'],
    [{ type: 'cyst', cyst: 'growing_cyst' }, '3'],
    [{ type: 'cyst', cyst: 'thick' }, '4A'],
    [{ type: 'cyst', cyst: 'multilocular' }, '4A'],
    [{ type: 'cyst', cyst: 'becomes_multilocular' }, '4A'],
    [{ type: 'cyst', cyst: 'growing_wall' }, '4B'],
    [{ type: 'cyst', cyst: 'growing_multilocular' }, '4B'],
    [{ type: 'cyst', cyst: 'more_loculation' }, '4B'],
    [{ type: 'solid', time: 'baseline', size: 6, more: ['x'] }, '4X'],
    [{ type: 'solid', time: 'baseline', size: 5, more: ['x'] }, '2'],
    [{ type: 'none', more: ['s'] }, '1S'],
    [{ type: 'solid', time: 'baseline', size: 15, more: ['s', 'x'] }, '4XS'],
  ] as [Answers, string][])('%j: %s', (answers, category) => {
    expect(categoryOf('lung-rads', answers)).toBe(category);
  });
  it.each([
    ['2', 'low-dose CT in 12 months'],
    ['3', 'low-dose CT in 6 months'],
    ['4A', 'low-dose CT in 3 months; PET/CT if the solid part is 8 mm or more'],
  ])('%s: %s', (category, advice) => {
    const size = { '2': 5, '3': 6, '4A': 8 }[category]!;
    expect(adviceOf('lung-rads', { type: 'solid', time: 'baseline', size })).toBe(advice);
  });
});

describe('Fleischner 2017', () => {
  const no = 'no routine follow-up';
  const optional = 'optional CT at 12 months';
  it.each([
    ['single', 'low', 5.4, no],
    ['single', 'high', 5, optional],
    ['single', 'low', 5.5, 'CT at 6 to 12 months; then consider CT at 18 to 24 months'],
    ['single', 'high', 8.4, 'CT at 6 to 12 months; then CT at 18 to 24 months'],
    ['single', 'low', 8.5, 'consider CT at 3 months, PET/CT or tissue sampling'],
    ['single', 'high', 20, 'consider CT at 3 months, PET/CT or tissue sampling'],
    ['multiple', 'low', 4, no],
    ['multiple', 'high', 4, optional],
    ['multiple', 'low', 6, 'CT at 3 to 6 months; then consider CT at 18 to 24 months'],
    ['multiple', 'high', 7, 'CT at 3 to 6 months; then CT at 18 to 24 months'],
    ['multiple', 'low', 9, 'CT at 3 to 6 months; then consider CT at 18 to 24 months'],
    ['multiple', 'high', 9, 'CT at 3 to 6 months; then CT at 18 to 24 months'],
  ])('solid, %s, %s risk, %d mm: %s', (number, risk, size, advice) => {
    expect(adviceOf('fleischner', { type: 'solid', number, risk, size })).toBe(advice);
  });
  const glass = 'CT at 6 to 12 months to confirm persistence; then every 2 years until 5 years';
  it.each([
    [{ type: 'ground_glass', number: 'single', size: 5 }, no],
    [{ type: 'ground_glass', number: 'single', size: 6 }, glass],
    [
      { type: 'ground_glass', number: 'multiple', size: 5 },
      'CT at 3 to 6 months; if stable, consider CT at 2 and 4 years',
    ],
    [{ type: 'ground_glass', number: 'multiple', size: 6 }, 'CT at 3 to 6 months; then by the most suspicious nodule'],
    [{ type: 'part_solid', number: 'single', size: 5, solid_part: 2 }, no],
    [
      { type: 'part_solid', number: 'single', size: 9, solid_part: 5 },
      'CT at 3 to 6 months to confirm persistence; if unchanged, CT every year for 5 years',
    ],
    [
      { type: 'part_solid', number: 'single', size: 9, solid_part: 6 },
      'CT at 3 to 6 months to confirm persistence; if persistent, consider PET/CT, biopsy or resection',
    ],
    [
      { type: 'part_solid', number: 'multiple', size: 5 },
      'CT at 3 to 6 months; if stable, consider CT at 2 and 4 years',
    ],
    [{ type: 'part_solid', number: 'multiple', size: 9 }, 'CT at 3 to 6 months; then by the most suspicious nodule'],
  ] as [Answers, string][])('%j: %s', (answers, advice) => expect(adviceOf('fleischner', answers)).toBe(advice));

  it('writes what it was about', () => {
    const answers = { type: 'solid', number: 'single', risk: 'low', size: 7 };
    expect(buildScoreLine(score('fleischner'), answers, 'en-US')).toBe(
      'Fleischner 2017: single solid nodule, 7 mm, low risk. CT at 6 to 12 months; then consider CT at 18 to 24 months.',
    );
    expect(buildScoreLine(score('fleischner'), answers, 'pt-BR')).toMatch(
      /^Fleischner 2017: nódulo único sólido, 7 mm, baixo risco\. TC em/,
    );
  });
});

/** Any answers to the questions that are asked, all of them given. */
const answersTo = (of: Score): fc.Arbitrary<Answers> =>
  fc
    .record(
      Object.fromEntries(
        of.questions.map((question) => [
          question.key,
          question.kind === 'number'
            ? fc.double({ min: 0, max: question.max, noNaN: true })
            : question.kind === 'one'
              ? fc.constantFrom(...question.choices.map(({ value }) => value))
              : fc.subarray(question.choices.map(({ value }) => value)),
        ]),
      ),
    )
    .map((answers) => answers as Answers);

describe.each(scores)('$name', (of) => {
  it('has an outcome for all answers, with words in every language, and the same whatever was answered to what is not asked', () => {
    fc.assert(
      fc.property(answersTo(of), (answers) => {
        const outcome = assess(of, answers)!;
        expect(outcome).toBeDefined();
        for (const language of languages) {
          expect(outcome.meaning[language]).not.toBe('');
          expect(outcome.advice[language]).not.toBe('');
          expect(buildScoreLine(of, answers, language)).toMatch(/\.$/);
          expect(buildScoreLine(of, answers, language)).not.toMatch(/undefined|NaN|\.\./);
        }
        expect(assess(of, applicableAnswers(of, answers))).toEqual(outcome);
        expect(applicableQuestions(of, answers).length).toBeGreaterThan(0);
      }),
    );
  });
  it('has none without answers', () => expect(assess(of, {})).toBeUndefined());
});

describe('measurements', () => {
  it('a sphere of 10 mm holds 0.52 mL; two axes hold no volume', () => {
    expect(computeVolume({ axes: [10, 10, 10] })).toBeCloseTo(0.5236, 4);
    expect(computeVolume({ axes: [10, 10] })).toBeUndefined();
    expect(meanDiameter({ axes: [12, 8] })).toBe(10);
  });
  it('twice the volume in 100 days doubles in 100 days, by three axes and by two', () => {
    const doubled = 10 * 2 ** (1 / 3);
    const grown = computeGrowth({ axes: [doubled, doubled, doubled] }, { axes: [10, 10, 10], days: 100 });
    expect(grown).toMatchObject({ of: 'volume', ratio: expect.closeTo(1), doublingDays: expect.closeTo(100) });
    const wide = computeGrowth({ axes: [doubled, doubled] }, { axes: [10, 10], days: 100 });
    expect(wide).toMatchObject({ of: 'diameter', doublingDays: expect.closeTo(100) });
  });
  it('shrinking or stable findings do not double', () => {
    for (const axis of [9, 10])
      expect(
        computeGrowth({ axes: [axis, axis, axis] }, { axes: [10, 10, 10], days: 90 }).doublingDays,
      ).toBeUndefined();
  });
  it('is written in the language of the report', () => {
    const now = { axes: [12, 9, 8.5] };
    const prior = { axes: [10, 8, 7], days: 180 };
    expect(measurementLine(now, undefined, 'pt-BR')).toBe('12 x 9 x 8,5 mm (volume 0,48 mL).');
    expect(measurementLine({ axes: [12, 9] }, undefined, 'en-US')).toBe('12 x 9 mm (mean diameter 10.5 mm).');
    expect(measurementLine(now, prior, 'en-US')).toBe(
      '12 x 9 x 8.5 mm (volume 0.48 mL); previously 10 x 8 x 7 mm, volume up by 64% in 180 days, doubling time 252 days.',
    );
    expect(measurementLine(prior, { ...now, days: 0 }, 'es-ES')).toMatch(
      /antes 12 x 9 x 8,5 mm, reducción de volumen de 39%\.$/,
    );
    expect(measurementLine(now, { ...now, days: 30 }, 'pt-BR')).toMatch(/sem mudança em 30 dias\.$/);
  });
});

describe('the score of an exam, with the answers that its report has', () => {
  test.each([
    ['US', 'US de tireoide com Doppler', 'ti-rads'],
    ['MG', 'Mamografia digital bilateral', 'bi-rads'],
    ['US', 'Ecografía mamaria', 'bi-rads'],
    ['MG', 'Tomossíntese', 'bi-rads'],
    ['MG', 'Tomosíntesis digital', 'bi-rads'],
    ['MG', 'Tomosynthesis', 'bi-rads'],
    ['MR', 'RM de próstata multiparamétrica', 'pi-rads'],
    ['CT', 'TC de tórax de baixa dose (rastreamento)', 'lung-rads'],
    ['CT', 'CT chest without contrast', 'fleischner'],
    ['MR', 'RM de hígado con contraste', 'li-rads'],
    ['CR', 'Left wrist radiograph', undefined],
  ])('%s %s', (modality, exam_description, id) => {
    expect(chooseScore({ modality, exam_description }, scores)).toBe(id);
  });

  test('is chosen by words of which none says what another says already', () => {
    for (const { exams } of scores) {
      const open = (exams.words ?? []).filter((each) => each.endsWith('*')).map((each) => each.slice(0, -1));
      const covered = (exams.words ?? []).filter((each) =>
        open.some((stem) => each.startsWith(stem) && each !== `${stem}*`),
      );
      expect(covered).toEqual([]);
    }
  });

  const read = (id: string, language: Language, text: string, at?: number): Answers =>
    fillAnswers(score(id), {
      sections: [{ key: 'findings', title: 'Findings', text }],
      language,
      ...(at !== undefined && { caret: { section: 'findings', start: at } }),
    });
  const nodules =
    'Right lobe 45 x 15 mm: solid hypoechoic nodule of 12 x 8 mm, wider than tall, smooth margins, with microcalcifications.\nLeft lobe: spongiform nodule of 0.9 cm.';
  test.each([
    [
      read('ti-rads', 'en-US', nodules, 10),
      {
        composition: 'solid',
        echogenicity: 'hypoechoic',
        shape: 'wider',
        margin: 'smooth',
        foci: ['punctate'],
        size: 12,
      },
    ],
    [
      read('ti-rads', 'pt-BR', 'Nódulo cístico anecoico de 9 mm, margens regulares.'),
      { composition: 'cystic', echogenicity: 'anechoic', margin: 'smooth', size: 9 },
    ],
    [
      read('li-rads', 'pt-BR', 'Nódulo de 22 mm com hiper-realce arterial e washout.'),
      { enhancement: 'yes', features: ['washout'], size: 22 },
    ],
    [read('ti-rads', 'en-US', nodules, nodules.length), { composition: 'spongiform', size: 9 }],
    // Two nodules: what differs stays open.
    [
      read('ti-rads', 'en-US', nodules),
      { echogenicity: 'hypoechoic', shape: 'wider', margin: 'smooth', foci: ['punctate'] },
    ],
    [
      read(
        'ti-rads',
        'pt-BR',
        'Nódulo muito hipoecoico, sólido, mais alto que largo, medindo 1,2 cm, sem macrocalcificações.',
      ),
      { composition: 'solid', echogenicity: 'very_hypoechoic', shape: 'taller', size: 12 },
    ],
    [
      read('fleischner', 'es-ES', 'Nódulo único parcialmente sólido de 8 x 6 mm (antes 4 mm).'),
      { type: 'part_solid', number: 'single', size: 7 },
    ],
    [read('bi-rads', 'pt-BR', 'Conclusão: BI-RADS 4A.'), { category: '4A' }],
    [read('ti-rads', 'en-US', 'Thyroid of normal size.'), {}],
  ])('fills in %j', (answers, expected) => expect(answers).toEqual(expected));

  test('categories are offered in their order', () => {
    const [question] = score('bi-rads').questions;
    expect(question!.kind === 'one' && question!.choices.map(({ value }) => value)).toEqual([
      '0',
      '1',
      '2',
      '3',
      '4A',
      '4B',
      '4C',
      '5',
      '6',
    ]);
  });

  test('every answer with phrases is an answer of its score', () => {
    for (const [id, questions] of Object.entries(said))
      for (const [key, values] of Object.entries(questions)) {
        const question = score(id).questions.find((each) => each.key === key)!;
        expect(question.kind).not.toBe('number');
        const known = question.kind === 'number' ? [] : question.choices.map(({ value }) => value);
        expect(known, `${id} ${key}`).toEqual(expect.arrayContaining(Object.keys(values)));
      }
  });
});
