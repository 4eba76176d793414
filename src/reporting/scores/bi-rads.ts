/** ACR BI-RADS: the reader chooses the category; its meaning and management come from the atlas. */
import { choice, textIn, words } from './score.ts';
import type { Outcome, Score } from './score.ts';

/** In the order of the atlas, which is not that of keys: an object puts 5 and 6 before 4A. */
const categories: readonly Outcome[] = [
  {
    category: '0',
    meaning: words('avaliação incompleta', 'incomplete assessment', 'evaluación incompleta'),
    advice: words(
      'avaliação adicional por imagem ou comparação com exames anteriores',
      'additional imaging or comparison with prior examinations',
      'estudio adicional por imagen o comparación con estudios previos',
    ),
  },
  {
    category: '1',
    meaning: words('negativo', 'negative', 'negativo'),
    advice: words('rastreamento habitual', 'routine screening', 'cribado habitual'),
  },
  {
    category: '2',
    meaning: words('achados benignos', 'benign findings', 'hallazgos benignos'),
    advice: words('rastreamento habitual', 'routine screening', 'cribado habitual'),
  },
  {
    category: '3',
    meaning: words('provavelmente benigno (até 2%)', 'probably benign (up to 2%)', 'probablemente benigno (hasta 2%)'),
    advice: words('controle em 6 meses', 'short-interval follow-up at 6 months', 'control a los 6 meses'),
  },
  {
    category: '4A',
    meaning: words(
      'baixa suspeita de malignidade (mais de 2 a 10%)',
      'low suspicion for malignancy (more than 2 to 10%)',
      'baja sospecha de malignidad (más de 2 a 10%)',
    ),
    advice: words('diagnóstico histológico', 'tissue diagnosis', 'diagnóstico histológico'),
  },
  {
    category: '4B',
    meaning: words(
      'suspeita moderada de malignidade (mais de 10 a 50%)',
      'moderate suspicion for malignancy (more than 10 to 50%)',
      'sospecha moderada de malignidad (más de 10 a 50%)',
    ),
    advice: words('diagnóstico histológico', 'tissue diagnosis', 'diagnóstico histológico'),
  },
  {
    category: '4C',
    meaning: words(
      'alta suspeita de malignidade (mais de 50 a menos de 95%)',
      'high suspicion for malignancy (more than 50 to less than 95%)',
      'alta sospecha de malignidad (más de 50 a menos de 95%)',
    ),
    advice: words('diagnóstico histológico', 'tissue diagnosis', 'diagnóstico histológico'),
  },
  {
    category: '5',
    meaning: words(
      'altamente sugestivo de malignidade (95% ou mais)',
      'highly suggestive of malignancy (95% or more)',
      'altamente sugestivo de malignidad (95% o más)',
    ),
    advice: words('diagnóstico histológico', 'tissue diagnosis', 'diagnóstico histológico'),
  },
  {
    category: '6',
    meaning: words('malignidade comprovada', 'known malignancy', 'malignidad comprobada'),
    advice: words(
      'excisão cirúrgica quando clinicamente apropriada',
      'surgical excision when clinically appropriate',
      'escisión quirúrgica cuando sea clínicamente apropiada',
    ),
  },
];

export const biRads: Score = {
  id: 'bi-rads',
  exams: { modalities: ['MG', 'US', 'MR'], regions: ['breast'], words: ['mamo*', 'mammo*', 'tomos*'] },
  name: 'BI-RADS',
  source: "D'Orsi CJ et al. ACR BI-RADS Atlas, 5th edition. American College of Radiology, 2013",
  questions: [
    {
      kind: 'one',
      key: 'category',
      label: words('Categoria', 'Category', 'Categoría'),
      choices: categories.map(({ category: value, meaning }) =>
        choice(
          value,
          words(`${value}: ${meaning['pt-BR']}`, `${value}: ${meaning['en-US']}`, `${value}: ${meaning['es-ES']}`),
        ),
      ),
    },
  ],
  assess(answers) {
    const chosen = textIn(answers, 'category');
    return categories.find(({ category }) => category === chosen);
  },
};
