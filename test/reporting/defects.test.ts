/** Defects that physicians met, each with the rule behind it. */
import { describe, expect, it } from 'vitest';
import { instruct } from '../../src/reporting/instructions/instruct.ts';
import { write } from '../../src/reporting/write.ts';
import { sections, written } from './written.ts';

describe('a sentence that begins with the name of a section', () => {
  it.each([
    ['Impression: Left breast mass. Findings suspicious for malignancy.', 'en-US'],
    ['impression colon left breast mass period findings suspicious for malignancy period', 'en-US'],
  ] as const)('stays in the impression: %s', (heard, language) =>
    expect(written(heard, language)).toBe('[impression] Left breast mass. Findings suspicious for malignancy.'),
  );
  it.each([
    [
      'impressão massa na mama ponto achados inespecíficos no fígado ponto',
      'pt-BR',
      '[impression] Massa na mama. Achados inespecíficos no fígado.',
    ],
    [
      'impressão massa ponto análise dinâmica ponto descrição acima ponto',
      'pt-BR',
      '[impression] Massa. Análise dinâmica. Descrição acima.',
    ],
    [
      'impresión masa punto hallazgos en relación con neoplasia punto',
      'es-ES',
      '[impression] Masa. Hallazgos en relación con neoplasia.',
    ],
  ] as const)('%s', (heard, language, text) => expect(written(heard, language)).toBe(text));
});

describe('a full stop after a word that could be an article or a noun', () => {
  it.each([
    ['no segmento um ponto impressão dois pontos nódulo ponto', 'pt-BR', 'No segmento I. [impression] Nódulo.'],
    ['birads quatro a ponto impressão benigno ponto', 'pt-BR', 'BI-RADS 4A. [impression] Benigno.'],
    [
      'velocidade de dez centímetros por segundo ponto impressão normal ponto',
      'pt-BR',
      'Velocidade de 10 cm/s. [impression] Normal.',
    ],
    [
      'sem alterações desde o último estudo ponto impressão normal ponto',
      'pt-BR',
      'Sem alterações desde o último estudo. [impression] Normal.',
    ],
    ['nodule in segment one period impression stable period', 'en-US', 'Nodule in segment I. [impression] Stable.'],
    [
      'unchanged from the prior study period impression stable period',
      'en-US',
      'Unchanged from the prior study. [impression] Stable.',
    ],
    ['follow up in one year period impression stable period', 'en-US', 'Follow up in one year. [impression] Stable.'],
    ['hepatitis a period impression cirrhosis period', 'en-US', 'Hepatitis A. [impression] Cirrhosis.'],
    [
      'quiste en el segmento uno punto impresión quiste punto',
      'es-ES',
      'Quiste en el segmento I. [impression] Quiste.',
    ],
    [
      'sin cambios respecto del estudio previo punto impresión estable punto',
      'es-ES',
      'Sin cambios respecto del estudio previo. [impression] Estable.',
    ],
  ] as const)('%s', (heard, language, text) => expect(written(heard, language)).toBe(text));
});

it('reads the English "no" as a denial, and the Portuguese one as a place', () => {
  expect(written('no pleural effusion period no pneumothorax period', 'en-US')).toBe(
    'No pleural effusion. No pneumothorax.',
  );
  expect(written('nódulo no lobo direito ponto no lobo esquerdo ponto', 'pt-BR')).toBe(
    'Nódulo no lobo direito. No lobo esquerdo.',
  );
});

it.each([
  ['segmentos quatro vírgula cinco vírgula seis e oito', 'pt-BR', 'Segmentos IV, V, VI e VIII.'],
  ['segmentos quatro vírgula cinco', 'pt-BR', 'Segmentos IV, V.'],
  ['quatro vírgula cinco vírgula seis e oito', 'pt-BR', 'Quatro, cinco, seis e oito.'],
  ['medindo quatro vírgula cinco centímetros', 'pt-BR', 'Medindo 4,5 cm.'],
  ['segmentos cuatro coma cinco coma seis y ocho', 'es-ES', 'Segmentos IV, V, VI y VIII.'],
] as const)('distinguishes a list from a decimal: %s', (heard, language, text) =>
  expect(written(heard, language)).toBe(text),
);

const page = (findings: string, impression: string) => [
  { key: 'findings', title: 'Findings', text: findings },
  { key: 'impression', title: 'Impression', text: impression },
];

it('never writes the words of an instruction into the report', () => {
  const { sections: made } = instruct(
    'replace right with left in the findings and impression',
    page('Right lung nodule.', 'Right nodule.'),
    'en-US',
  );
  expect(made.map(({ text }) => text)).toEqual(['Left lung nodule.', 'Left nodule.']);
});

it('asks before a denial becomes a finding', () => {
  const { changes, answer } = instruct('remove no', page('No pleural effusion.', ''), 'en-US');
  expect(changes).toEqual([]);
  expect(answer).toMatchObject({ asks: true, reason: 'negation' });
});

it.each([
  [
    'lungs are clear period heart is enlarged period scratch that no effusion period impression normal period',
    'en-US',
    'Lungs are clear. No effusion. [impression] Normal.',
  ],
  ['pulmões limpos ponto coração aumentado apagar isso sem derrame ponto', 'pt-BR', 'Pulmões limpos. Sem derrame.'],
  ['pulmões limpos ponto coração aumentado ponto apagar isso apagar isso sem derrame ponto', 'pt-BR', 'Sem derrame.'],
  [
    'pulmones limpios punto corazón aumentado punto borrar eso sin derrame punto',
    'es-ES',
    'Pulmones limpios. Sin derrame.',
  ],
] as const)('removes the last sentence wherever it is: %s', (heard, language, text) =>
  expect(written(heard, language)).toBe(text),
);

it('accounts for words that were taken back by the command that took them back', () => {
  const text = 'nódulo direito digo esquerdo ponto';
  const { provenance } = write({ heard: { text }, language: 'pt-BR', sections });
  const fates = provenance.heard.map(({ start, end, fate }) => [text.slice(start, end), fate]);
  expect(fates).toEqual([
    ['nódulo', 'written'],
    ['direito', 'taken_back'],
    ['digo', 'command'],
    ['esquerdo', 'written'],
    ['ponto', 'command'],
  ]);
});

it('shows a technique that nobody said as known from the exam', () => {
  const known = { technique: 'Exame por tomografia computadorizada.' };
  const { provenance } = write({ heard: { text: 'pulmões limpos' }, language: 'pt-BR', sections, known });
  expect(provenance.words.find(({ section }) => section === 'technique')).toMatchObject({
    origin: 'exam',
    heard: null,
  });
});
