/** CT/MRI LI-RADS v2018: size, arterial enhancement and major features; ancillary features move by one, never up to LR-5. */
import { choice, listIn, numberIn, textIn, words } from './score.ts';
import type { Answers, Outcome, Score } from './score.ts';

const surveillance = words(
  'retorno ao rastreamento em 6 meses',
  'return to surveillance in 6 months',
  'volver al cribado en 6 meses',
);
const board = words(
  'discussão multidisciplinar; pode incluir biópsia',
  'multidisciplinary discussion; may include biopsy',
  'discusión multidisciplinaria; puede incluir biopsia',
);

const categories: Readonly<Record<string, Omit<Outcome, 'category'>>> = {
  'LR-NC': {
    meaning: words('não categorizável', 'not categorizable', 'no categorizable'),
    advice: words(
      'repetir ou outro exame de imagem em até 3 meses',
      'repeat or alternative diagnostic imaging within 3 months',
      'repetir u otro estudio de imagen en hasta 3 meses',
    ),
  },
  'LR-1': {
    meaning: words('definitivamente benigno', 'definitely benign', 'definitivamente benigno'),
    advice: surveillance,
  },
  'LR-2': { meaning: words('provavelmente benigno', 'probably benign', 'probablemente benigno'), advice: surveillance },
  'LR-3': {
    meaning: words(
      'probabilidade intermediária de malignidade',
      'intermediate probability of malignancy',
      'probabilidad intermedia de malignidad',
    ),
    advice: words(
      'repetir ou outro exame de imagem em 3 a 6 meses',
      'repeat or alternative diagnostic imaging in 3 to 6 months',
      'repetir u otro estudio de imagen en 3 a 6 meses',
    ),
  },
  'LR-4': { meaning: words('provável CHC', 'probably HCC', 'probable CHC'), advice: board },
  'LR-5': {
    meaning: words('CHC definido', 'definitely HCC', 'CHC definitivo'),
    advice: words(
      'discussão multidisciplinar para tratamento',
      'multidisciplinary discussion of treatment',
      'discusión multidisciplinaria del tratamiento',
    ),
  },
  'LR-M': {
    meaning: words(
      'provável ou definitivamente maligno, não específico de CHC',
      'probably or definitely malignant, not HCC specific',
      'probable o definitivamente maligno, no específico de CHC',
    ),
    advice: board,
  },
  'LR-TIV': {
    meaning: words('tumor na veia', 'tumor in vein', 'tumor en vena'),
    advice: board,
  },
};

/**
 * Counts additional major features. 10 to 19 mm with one of them: a capsule alone makes LR-4, washout or growth LR-5.
 */
function byTable(size: number, hasEnhancement: boolean, features: readonly string[]): 3 | 4 | 5 {
  const count = features.length;
  if (!hasEnhancement) return size < 20 ? (count >= 2 ? 4 : 3) : count >= 1 ? 4 : 3;
  if (size < 10) return count >= 1 ? 4 : 3;
  if (size < 20) return count === 0 ? 3 : count === 1 && features[0] === 'capsule' ? 4 : 5;
  return count === 0 ? 4 : 5;
}

/** Ancillary features of both kinds, or none, change nothing. */
function adjusted(level: number, ancillary: string): number {
  if (ancillary === 'malignant') return level >= 4 ? level : level + 1;
  return ancillary === 'benign' ? Math.max(1, level - 1) : level;
}

function outcomeFor(category: string): Outcome | undefined {
  const found = categories[category];
  return found && { category, ...found };
}

const isObservation = ({ kind }: Answers): boolean => kind === 'observation';

export const liRads: Score = {
  id: 'li-rads',
  exams: { modalities: ['CT', 'MR'], regions: ['abdomen'], words: ['liver', 'hepat*', 'figado', 'higado'] },
  name: 'LI-RADS v2018',
  source: 'Chernyak V et al. LI-RADS Version 2018. Radiology 2018;289:816-830',
  questions: [
    {
      kind: 'one',
      key: 'kind',
      label: words('Observação', 'Observation', 'Observación'),
      choices: [
        choice(
          'observation',
          words(
            'nenhuma das demais: pela tabela',
            'none of the others: by the table',
            'ninguna de las demás: por la tabla',
          ),
        ),
        choice('LR-TIV', words('tumor na veia', 'tumor in vein', 'tumor en vena')),
        choice('LR-1', words('definitivamente benigna', 'definitely benign', 'definitivamente benigna')),
        choice('LR-2', words('provavelmente benigna', 'probably benign', 'probablemente benigna')),
        choice(
          'LR-M',
          words(
            'maligna, não específica de CHC (em alvo)',
            'malignant, not HCC specific (targetoid)',
            'maligna, no específica de CHC (en diana)',
          ),
        ),
        choice(
          'LR-NC',
          words('não categorizável (técnica)', 'not categorizable (technique)', 'no categorizable (técnica)'),
        ),
      ],
    },
    {
      kind: 'number',
      key: 'size',
      label: words('Tamanho', 'Size', 'Tamaño'),
      max: 300,
      reads: 'greatest',
      when: isObservation,
    },
    {
      kind: 'one',
      key: 'enhancement',
      label: words(
        'Hiperrealce arterial (não em anel)',
        'Arterial hyperenhancement (nonrim)',
        'Hiperrealce arterial (no en anillo)',
      ),
      when: isObservation,
      choices: [choice('no', words('não', 'no', 'no')), choice('yes', words('sim', 'yes', 'sí'))],
    },
    {
      kind: 'several',
      key: 'features',
      label: words('Outros critérios maiores', 'Additional major features', 'Otros criterios mayores'),
      when: isObservation,
      choices: [
        choice('washout', words('washout não periférico', 'nonperipheral washout', 'lavado no periférico')),
        choice('capsule', words('cápsula com realce', 'enhancing capsule', 'cápsula con realce')),
        choice(
          'growth',
          words(
            'crescimento de 50% ou mais em até 6 meses',
            'growth of 50% or more within 6 months',
            'crecimiento de 50% o más en hasta 6 meses',
          ),
        ),
      ],
    },
    {
      kind: 'one',
      key: 'ancillary',
      label: words('Achados auxiliares', 'Ancillary features', 'Hallazgos auxiliares'),
      when: isObservation,
      choices: [
        choice('none', words('nenhum, ou de ambos os tipos', 'none, or of both kinds', 'ninguno, o de ambos tipos')),
        choice('malignant', words('a favor de malignidade', 'favoring malignancy', 'a favor de malignidad')),
        choice('benign', words('a favor de benignidade', 'favoring benignity', 'a favor de benignidad')),
      ],
    },
  ],
  assess(answers) {
    const [kind, enhancement, ancillary] = ['kind', 'enhancement', 'ancillary'].map((key) => textIn(answers, key));
    if (kind === undefined) return undefined;
    if (kind !== 'observation') return outcomeFor(kind);
    const size = numberIn(answers, 'size');
    if (size === undefined || enhancement === undefined || ancillary === undefined) return undefined;
    const level = adjusted(byTable(size, enhancement === 'yes', listIn(answers, 'features')), ancillary);
    return outcomeFor(`LR-${level}`);
  },
};
