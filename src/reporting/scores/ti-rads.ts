/** ACR TI-RADS: points of five features of a thyroid nodule, and the size from which biopsy or follow-up is recommended. */
import { choice, listIn, numberIn, textIn, words } from './score.ts';
import type { Score, Words } from './score.ts';
import { elementAt } from '../../domain/elements.ts';

const points: Readonly<Record<string, number>> = {
  cystic: 0,
  spongiform: 0,
  mixed: 1,
  solid: 2,
  anechoic: 0,
  isoechoic: 1,
  hypoechoic: 2,
  very_hypoechoic: 3,
  wider: 0,
  taller: 3,
  smooth: 0,
  ill_defined: 0,
  lobulated: 2,
  extension: 3,
  comet_tail: 0,
  macrocalcification: 1,
  rim: 2,
  punctate: 3,
};

interface Level {
  readonly level: 1 | 2 | 3 | 4 | 5;
  readonly meaning: Words;
  /** Sizes in mm from which fine-needle aspiration, and follow-up, is recommended. */
  readonly biopsy?: number;
  readonly follow?: { readonly from: number; readonly when: Words };
}

const levels: readonly Level[] = [
  { level: 1, meaning: words('benigno', 'benign', 'benigno') },
  { level: 2, meaning: words('não suspeito', 'not suspicious', 'no sospechoso') },
  {
    level: 3,
    meaning: words('levemente suspeito', 'mildly suspicious', 'levemente sospechoso'),
    biopsy: 25,
    follow: { from: 15, when: words('em 1, 3 e 5 anos', 'at 1, 3 and 5 years', 'al año, a los 3 y a los 5 años') },
  },
  {
    level: 4,
    meaning: words('moderadamente suspeito', 'moderately suspicious', 'moderadamente sospechoso'),
    biopsy: 15,
    follow: {
      from: 10,
      when: words('em 1, 2, 3 e 5 anos', 'at 1, 2, 3 and 5 years', 'al año, a los 2, 3 y 5 años'),
    },
  },
  {
    level: 5,
    meaning: words('altamente suspeito', 'highly suspicious', 'altamente sospechoso'),
    biopsy: 10,
    follow: { from: 5, when: words('anual por até 5 anos', 'every year for up to 5 years', 'anual hasta 5 años') },
  },
];

/** One point, which the publication does not list, is closest to two; neither is aspirated. */
const levelOf = (sum: number): Level =>
  elementAt(levels, sum === 0 ? 0 : sum <= 2 ? 1 : sum === 3 ? 2 : sum <= 6 ? 3 : 4);

const isSpongiform = (answers: Parameters<Score['assess']>[0]): boolean => answers['composition'] === 'spongiform';
const other = (answers: Parameters<Score['assess']>[0]): boolean => !isSpongiform(answers);

export const tiRads: Score = {
  id: 'ti-rads',
  exams: { modalities: ['US'], regions: ['thyroid'] },
  name: 'ACR TI-RADS',
  source: 'Tessler FN et al. ACR TI-RADS: White Paper of the ACR TI-RADS Committee. J Am Coll Radiol 2017;14:587-595',
  questions: [
    {
      kind: 'one',
      key: 'composition',
      label: words('Composição', 'Composition', 'Composición'),
      choices: [
        choice(
          'cystic',
          words(
            'cístico ou quase todo cístico',
            'cystic or almost completely cystic',
            'quístico o casi totalmente quístico',
          ),
        ),
        choice('spongiform', words('espongiforme', 'spongiform', 'espongiforme')),
        choice('mixed', words('misto cístico e sólido', 'mixed cystic and solid', 'mixto quístico y sólido')),
        choice(
          'solid',
          words('sólido ou quase todo sólido', 'solid or almost completely solid', 'sólido o casi sólido'),
        ),
      ],
    },
    {
      kind: 'one',
      key: 'echogenicity',
      label: words('Ecogenicidade', 'Echogenicity', 'Ecogenicidad'),
      when: other,
      choices: [
        choice('anechoic', words('anecoico', 'anechoic', 'anecoico')),
        choice('isoechoic', words('hiper ou isoecoico', 'hyper- or isoechoic', 'hiper o isoecoico')),
        choice('hypoechoic', words('hipoecoico', 'hypoechoic', 'hipoecoico')),
        choice('very_hypoechoic', words('muito hipoecoico', 'very hypoechoic', 'muy hipoecoico')),
      ],
    },
    {
      kind: 'one',
      key: 'shape',
      label: words('Forma', 'Shape', 'Forma'),
      when: other,
      choices: [
        choice('wider', words('mais largo que alto', 'wider than tall', 'más ancho que alto')),
        choice('taller', words('mais alto que largo', 'taller than wide', 'más alto que ancho')),
      ],
    },
    {
      kind: 'one',
      key: 'margin',
      label: words('Margem', 'Margin', 'Margen'),
      when: other,
      choices: [
        choice('smooth', words('lisa', 'smooth', 'lisa')),
        choice('ill_defined', words('mal definida', 'ill-defined', 'mal definida')),
        choice('lobulated', words('lobulada ou irregular', 'lobulated or irregular', 'lobulada o irregular')),
        choice('extension', words('extensão extratireoidiana', 'extrathyroidal extension', 'extensión extratiroidea')),
      ],
    },
    {
      kind: 'several',
      key: 'foci',
      label: words('Focos ecogênicos', 'Echogenic foci', 'Focos ecogénicos'),
      when: other,
      choices: [
        choice('comet_tail', words('cauda de cometa grande', 'large comet-tail', 'cola de cometa grande')),
        choice('macrocalcification', words('macrocalcificações', 'macrocalcifications', 'macrocalcificaciones')),
        choice(
          'rim',
          words('calcificações periféricas', 'peripheral (rim) calcifications', 'calcificaciones periféricas'),
        ),
        choice('punctate', words('focos puntiformes', 'punctate foci', 'focos puntiformes')),
      ],
    },
    {
      kind: 'number',
      key: 'size',
      label: words('Maior diâmetro', 'Greatest diameter', 'Diámetro mayor'),
      max: 200,
      reads: 'greatest',
    },
  ],
  assess(answers) {
    const size = numberIn(answers, 'size');
    const composition = textIn(answers, 'composition');
    if (size === undefined || composition === undefined) return undefined;
    const others = ['echogenicity', 'shape', 'margin'].flatMap((key) => textIn(answers, key) ?? []);
    if (other(answers) && others.length < 3) return undefined;
    // A spongiform nodule gets no additional points.
    const counted = isSpongiform(answers) ? [] : [composition, ...others, ...listIn(answers, 'foci')];
    const sum = counted.reduce((total, value) => total + (points[value] ?? 0), 0);
    const { level, meaning, biopsy = Infinity, follow } = levelOf(sum);
    const advice =
      size >= biopsy
        ? words('indicada punção aspirativa', 'fine-needle aspiration recommended', 'indicada punción aspirativa')
        : follow && size >= follow.from
          ? words(
              `acompanhamento por ultrassonografia ${follow.when['pt-BR']}`,
              `ultrasound follow-up ${follow.when['en-US']}`,
              `seguimiento por ecografía ${follow.when['es-ES']}`,
            )
          : words(
              'sem indicação de punção ou acompanhamento',
              'no aspiration or follow-up recommended',
              'sin indicación de punción ni seguimiento',
            );
    return { category: `TR${level}`, points: sum, meaning, advice };
  },
};
