/** Steps that dictations of exams seldom need: escapes, macros, spelling, sections, pauses, undoing. */
import { describe, expect, it } from 'vitest';
import { fieldsIn } from '../../src/reporting/vocabulary/macros.ts';
import { labelOpening } from '../../src/reporting/sections/label-opening.ts';
import { write } from '../../src/reporting/write.ts';
import { sections, written } from './written.ts';

describe('macros', () => {
  const macros = [
    { name: 'tórax normal', text: 'Pulmões limpos.\nSem derrame em [lado: direito|esquerdo].' },
    { name: 'conclusão normal', text: 'Exame normal.', section: 'impression' },
  ];
  const text = 'Pulmões limpos.\nSem derrame em [lado: direito|esquerdo].';
  it.each([
    ['tórax normal', text],
    ['Tórax normal.', text],
    ['achados dois pontos tórax normal ponto', text],
    ['inserir tórax normal ponto coração normal ponto', `${text} Coração normal.`],
    [
      'coração normal ponto tórax normal ponto conclusão normal ponto',
      `Coração normal. ${text} [impression] Exame normal.`,
    ],
    ['o tórax normal da paciente ponto', 'O tórax normal da paciente.'],
  ])('%s', (heard, wanted) => expect(written(heard, 'pt-BR', { macros })).toBe(wanted));

  it('bring words whose origin is shown, and the call is a command', () => {
    const { provenance } = write({ heard: { text: 'tórax normal ponto' }, language: 'pt-BR', sections, macros });
    expect(provenance.words.map(({ origin }) => origin)).toEqual(['macro']);
    expect(provenance.heard.map(({ fate }) => fate)).toEqual(['command']);
  });
});

describe('open fields', () => {
  it.each([
    ['lado [lado: direito|esquerdo]', [{ name: 'lado', choices: ['direito', 'esquerdo'], unit: null }]],
    ['mede [__ mm]', [{ name: null, choices: [], unit: 'mm' }]],
    ['mede [tamanho: ___]', [{ name: 'tamanho', choices: [], unit: null }]],
    ['[a|b] e [__]', [{ choices: ['a', 'b'] }, { choices: [] }]],
    ['nota [1] e [ver acima] e [', []],
    ['[[[a|b]]]', [{ choices: ['a', 'b'] }]],
  ])('%s', (text, fields) => expect(fieldsIn(text)).toMatchObject(fields));
});

describe('spelling', () => {
  it.each([
    ['paciente soletrando esse i ele vê a ponto', 'pt-BR', 'Paciente Silva.'],
    ['doutor sylva soletrando esse, i, ele, vê, a ponto', 'pt-BR', 'Doutor Silva.'],
    ['soletrando s de sapo i ele vê a fim da soletração ponto exame normal', 'pt-BR', 'Silva. Exame normal.'],
    ['soletrando sierra índia lima victor alfa ponto', 'pt-BR', 'Silva.'],
    ['soletrando erre o esse a til ponto', 'pt-BR', 'Rosã.'],
    ['spelled s m i t h period', 'en-US', 'Smith.'],
    ['doctor smyth spelled s m i t h period normal period', 'en-US', 'Doctor Smith. Normal.'],
    ['spell b as in boy o double b y period', 'en-US', 'Bobby.'],
    ['deletreando ge a erre ce i a punto', 'es-ES', 'Garcia.'],
    ['soletrando ponto', 'pt-BR', 'Soletrando.'],
  ] as const)('%s: %s', (heard, language, text) => expect(written(heard, language)).toBe(text));
});

describe('self-corrections', () => {
  it.each([
    [
      'nódulo no lobo superior direito digo no lobo superior esquerdo medindo seis milímetros',
      'pt-BR',
      'Nódulo no lobo superior esquerdo medindo 6 mm.',
    ],
    [
      'nódulo no lobo direito medindo seis milímetros, digo, esquerdo, sem calcificações.',
      'pt-BR',
      'Nódulo no lobo esquerdo medindo 6 mm, sem calcificações.',
    ],
    ['medindo seis digo oito milímetros', 'pt-BR', 'Medindo 8 mm.'],
    ['medindo seis milímetros digo oito', 'pt-BR', 'Medindo 8 mm.'],
    ['dois litros, digo, quatro e meio', 'pt-BR', '4,5 L.'],
    [
      'medindo três vírgula dois por um vírgula oito digo um vírgula nove centímetros',
      'pt-BR',
      'Medindo 3,2 x 1,9 cm.',
    ],
    ['birads quatro a digo quatro b', 'pt-BR', 'BI-RADS 4B.'],
    ['segmento sete aliás oito', 'pt-BR', 'Segmento VIII.'],
    ['em ele quatro ele cinco digo ele cinco esse um', 'pt-BR', 'Em L5-S1.'],
    ['com realce ou melhor sem realce', 'pt-BR', 'Sem realce.'],
    ['à direita, não, esquerda', 'pt-BR', 'À esquerda.'],
    [
      'nodule in the right lobe I mean left lobe measuring six millimeters',
      'en-US',
      'Nodule in the left lobe measuring 6 mm.',
    ],
    ['there is an effusion I mean there is no effusion', 'en-US', 'There is no effusion.'],
    ['nodule on the right, no, left.', 'en-US', 'Nodule on the left.'],
    ['six millimeters make that eight millimeters', 'en-US', '8 mm.'],
    ['two grams, I mean, three a day', 'en-US', '3 g a day.'],
    ['2 g, I mean, three a day', 'en-US', '3 g a day.'],
    ['one point five tesla, I mean, three, four sequences', 'en-US', '3 T, four sequences.'],
    ['two liters I mean one four lesions', 'en-US', '1 L four lesions.'],
    ['2 by 5 cm, I mean, 2 by 3', 'en-US', '2 x 3 cm.'],
    ['nodule of 2 cm, I mean, nodule of three', 'en-US', 'Nodule of 3 cm.'],
    ['mild correction moderate stenosis', 'en-US', 'Moderate stenosis.'],
    ['attenuation correction was applied', 'en-US', 'Attenuation correction was applied.'],
    ['nódulo derecho mejor dicho izquierdo', 'es-ES', 'Nódulo izquierdo.'],
    ['de seis milímetros perdón ocho milímetros', 'es-ES', 'De 8 mm.'],
    ['dos gramos, digo, tres a la semana', 'es-ES', '3 g a la semana.'],
  ] as const)('%s', (heard, language, text) => expect(written(heard, language)).toBe(text));

  it.each([
    ['são dois vírgula um à direita, digo, três', 'pt-BR'],
    ['estenose de onze por cento e vinte milímetros, digo, cinco', 'pt-BR'],
    ['nódulo de uno con cinco centímetros, digo, seis', 'es-ES'],
  ] as const)('takes back no part of a number that may be read in two ways: %s', (text, language) => {
    const { sections: made, questions } = write({ heard: { text }, language, sections });
    expect(made.find(({ key }) => key === 'findings')?.text.toLowerCase()).toBe(`${text}.`);
    expect(questions.map(({ rule }) => rule)).toEqual(['number', 'correction']);
  });

  it('keeps both and asks where there is no like', () => {
    const heard = { text: 'nódulo digo cisto no rim' };
    const { sections: made, questions } = write({ heard, language: 'pt-BR', sections });
    expect(made.find(({ key }) => key === 'findings')?.text).toBe('Nódulo digo cisto no rim.');
    expect(questions).toEqual([
      {
        rule: 'correction',
        source: { start: 7, end: 11 },
        target: { section: 'findings', start: 7, end: 11 },
        words: 'digo',
      },
    ]);
  });
});

describe('"de" before a number', () => {
  it.each([
    ['a nivel de dos a tres centímetros del ángulo', 'A nivel de 2 a 3 cm del ángulo.'],
    ['a nivel de 2 a 3 cm del ángulo', 'A nivel de 2 a 3 cm del ángulo.'],
    ['nivel de seis por tres centímetros', 'Nivel de 6 x 3 cm.'],
    ['a nivel de tres nódulos', 'A nivel de tres nódulos.'],
    ['vértebras de cuatro a de seis', 'Vértebras D4 a D6.'],
    ['vértebra de tres con fractura', 'Vértebra D3 con fractura.'],
  ])('%s', (heard, text) => expect(written(heard, 'es-ES')).toBe(text));
});

it.each(['Pressure of 120/80 mmHg.', 'Nodules of 3/4 mm and 3 / 5 mm.', 'Nodules of 3-5 mm.'])(
  'leaves figures with their unit as they are: %s',
  (text) => expect(written(text, 'en-US')).toBe(text),
);

describe('"por cento e vinte", "por ciento veinte"', () => {
  it.each([
    ['massa medindo oitenta por cento e vinte milímetros', 'pt-BR', 'Massa medindo 80 x 120 mm.'],
    ['medindo cento e dez por cento e vinte por cento e trinta milímetros', 'pt-BR', 'Medindo 110 x 120 x 130 mm.'],
    ['medindo oito vírgula dois por cento e vinte vírgula cinco centímetros', 'pt-BR', 'Medindo 8,2 x 120,5 cm.'],
    ['pressão arterial de cento e oitenta por cento e dez', 'pt-BR', 'Pressão arterial de 180/110.'],
    ['mede 8 por cento e noventa e seis vírgula zero cinco metros', 'pt-BR', 'Mede 8 x 196,05 m.'],
    ['redução de oitenta por cento e dois nódulos', 'pt-BR', 'Redução de 80% e dois nódulos.'],
    ['de cinquenta por cento e sessenta por cento', 'pt-BR', 'De 50% e 60%.'],
    ['estenose de oitenta por cento e sinais de oclusão', 'pt-BR', 'Estenose de 80% e sinais de oclusão.'],
    ['masa de ochenta por ciento veinte milímetros', 'es-ES', 'Masa de 80 x 120 mm.'],
    ['estenosis del ochenta por ciento y veinte milímetros', 'es-ES', 'Estenosis del 80% y 20 mm.'],
    ['estenosis del setenta por ciento dos nódulos', 'es-ES', 'Estenosis del 70% dos nódulos.'],
  ] as const)('%s', (heard, language, text) => expect(written(heard, language)).toBe(text));

  it.each([
    ['estenose de oitenta por cento e vinte', ' milímetros', 'pt-BR'],
    ['área de sete vírgula cinco por cento e quarenta e dois vírgula vinte e cinco', ' centímetros', 'pt-BR'],
    ['área de 12 por ciento cincuenta y uno coma dos', '', 'es-ES'],
  ] as const)('stays in words, and asks, where it may be either: %s', (number, unit, language) => {
    const text = `${number}${unit}`;
    const { sections: made, questions } = write({ heard: { text }, language, sections });
    expect(made.find(({ key }) => key === 'findings')?.text.toLowerCase()).toBe(`${text}.`);
    expect(questions).toMatchObject([{ rule: 'number', words: number.replace(/^.*? de /, '') }]);
  });
});

describe('a word that takes back and could be a noun', () => {
  it.each([
    ['nódulo sólido, correção, pequena calcificação ponto', 'pt-BR', ['correção']],
    ['six millimeter nodule period correction left lobe period', 'en-US', ['correction']],
    ['nódulo sólido, corrección, derrame pleural punto', 'es-ES', ['corrección']],
    ['status pós correção de hérnia ponto', 'pt-BR', []],
    ['surgical correction of scoliosis period', 'en-US', []],
    ['corrección quirúrgica de la hernia punto', 'es-ES', []],
  ] as const)('%s: %s', (text, language, asked) => {
    const { questions } = write({ heard: { text }, language, sections });
    expect(questions.map(({ words }) => words)).toEqual(asked);
  });
});

describe('sections', () => {
  it.each([
    ['achados limpos ponto próximo campo normal ponto', 'pt-BR', 'Limpos. [impression] Normal.'],
    ['ir para impressão exame normal', 'pt-BR', '[impression] Exame normal.'],
    ['o termo literal achados ponto', 'pt-BR', 'O termo achados.'],
    ['limpos ponto literal achados de imagem ponto', 'pt-BR', 'Limpos. Achados de imagem.'],
    ['## Findings\nclear\n## Impression\nnormal', 'en-US', 'Clear. [impression] Normal.'],
    ['Findings - clear. Impression - normal.', 'en-US', 'Clear. [impression] Normal.'],
    ['clear, impression: normal', 'en-US', 'Clear. [impression] Normal.'],
    ['FINDINGS clear. IMPRESSION normal.', 'en-US', 'Clear. [impression] Normal.'],
    ['Plano muscular íntegro.', 'pt-BR', 'Plano muscular íntegro.'],
    ['The plan for biopsy.', 'en-US', 'The plan for biopsy.'],
    ['Basilar impression: mild.', 'en-US', 'Basilar impression: mild.'],
    [
      'impression normal period recommendation colon biopsy period',
      'en-US',
      '[impression] Normal. [recommendations] Biopsy.',
    ],
    ['impressão normal ponto achados dois pontos limpos ponto', 'pt-BR', 'Limpos. [impression] Normal.'],
  ] as const)('%s', (heard, language, text) => expect(written(heard, language)).toBe(text));

  it('takes a pause after a name for the end of a name', () => {
    const text = 'limpos. Achados de pneumonia.';
    const words = [
      { start: 0, end: 7, from: 0, to: 1 },
      { start: 8, end: 15, from: 1.2, to: 2 },
      { start: 16, end: 18, from: 3, to: 3.2 },
    ];
    const rest = { language: 'pt-BR', sections, caret: 'technique' } as const;
    const texts = (heard: Parameters<typeof write>[0]['heard']) =>
      write({ heard, ...rest }).sections.flatMap(({ key, text: said }) => (said === '' ? [] : [`${key}: ${said}`]));
    expect(texts({ text })).toEqual(['technique: Limpos. Achados de pneumonia.']);
    expect(texts({ text, words })).toEqual(['technique: Limpos.', 'findings: De pneumonia.']);
  });

  it('puts what was said first where the caret is, else with the findings, else where a label puts it', () => {
    const heard = { text: 'TC de tórax sem contraste. Pulmões limpos.' };
    const where = (rest: object) =>
      write({ heard, language: 'pt-BR', sections, ...rest })
        .sections.filter(({ text }) => text !== '')
        .map(({ key }) => key);
    expect(where({})).toEqual(['findings']);
    expect(where({ caret: 'impression' })).toEqual(['impression']);
    expect(where({ label: labelOpening })).toEqual(['technique', 'findings']);
  });

  it.each([
    ['Paciente de 40 anos com cefaleia há 3 dias.', true],
    ['Dor lombar há 3 meses.', true],
    ['45-year-old with cough.', true],
    ['Mujer de 50 años, tos desde hace dos semanas.', true],
    ['Derivação ventricular posicionada há um mês com ventrículos colapsados.', false],
    ['Nódulo estável há 2 anos.', false],
    ['Prótesis total de cadera derecha desde hace 6 años sin signos de aflojamiento.', false],
    ['Shunt placed 2 months ago with collapsed ventricles.', false],
  ])('a time makes an indication of a complaint, and of no finding: %s', (sentence, isIndication) =>
    expect(labelOpening([sentence]).get(0) === 'indication').toBe(isIndication),
  );

  it('takes the titles and names of the template for names', () => {
    const own = [
      { key: 'liver', title: 'Fígado', names: ['glândula hepática'] },
      { key: 'spleen', title: 'Baço' },
    ];
    const texts = (text: string) =>
      write({ heard: { text }, language: 'pt-BR', sections: own }).sections.map((each) => [each.key, each.text]);
    expect(texts('fígado dois pontos normal ponto baço dois pontos normal ponto')).toEqual([
      ['liver', 'Normal.'],
      ['spleen', 'Normal.'],
    ]);
    expect(texts('glândula hepática aumentada ponto')).toEqual([['liver', 'Aumentada.']]);
  });
});

describe('operations', () => {
  it('name the spoken text, its present place and its original', () => {
    const { provenance } = write({ heard: { text: 'nódulo de seis milímetros ponto' }, language: 'pt-BR', sections });
    expect(provenance.operations).toEqual([
      {
        id: 'commands..@26-31',
        step: 'commands',
        rule: '.',
        source: { start: 26, end: 31 },
        target: null,
        before: 'ponto',
        after: '.',
      },
      {
        id: 'numbers.unit@10-25',
        step: 'numbers',
        rule: 'unit',
        source: { start: 10, end: 25 },
        target: { section: 'findings', start: 10, end: 14 },
        before: 'seis milímetros',
        after: '6 mm',
      },
    ]);
  });

  it('can be undone one by one', () => {
    expect(written('nódulo de seis milímetros ponto', 'pt-BR', { without: ['numbers.unit@10-25'] })).toBe(
      'Nódulo de seis milímetros.',
    );
  });
});
