/** Lung-RADS 2022: one nodule of a screening CT. Sizes are mean diameters. */
import { choice, numberIn, textIn, words } from './score.ts';
import type { Answers, Outcome, Score, Words } from './score.ts';

type Category = '0' | '1' | '2' | '3' | '4A' | '4B' | '4X';

const months = (n: number): Words =>
  words(`TC de baixa dose em ${n} meses`, `low-dose CT in ${n} months`, `TC de baja dosis en ${n} meses`);
const workUp = words(
  'encaminhamento; TC de tórax diagnóstica, PET/TC se o componente sólido for de 8 mm ou mais, ou biópsia',
  'referral; diagnostic chest CT, PET/CT if the solid part is 8 mm or more, or tissue sampling',
  'derivación; TC de tórax diagnóstica, PET/TC si el componente sólido es de 8 mm o más, o biopsia',
);
const outcomes: Readonly<Record<Category, Omit<Outcome, 'category'>>> = {
  '0': {
    meaning: words('incompleto', 'incomplete', 'incompleto'),
    advice: words(
      'comparação com TC anterior ou nova TC; se parecer inflamatório, TC de baixa dose em 1 a 3 meses',
      'comparison with a prior CT or another CT; if inflammatory, low-dose CT in 1 to 3 months',
      'comparación con TC previa o nueva TC; si parece inflamatorio, TC de baja dosis en 1 a 3 meses',
    ),
  },
  '1': { meaning: words('negativo', 'negative', 'negativo'), advice: months(12) },
  '2': { meaning: words('aspecto benigno', 'benign appearance', 'aspecto benigno'), advice: months(12) },
  '3': { meaning: words('provavelmente benigno', 'probably benign', 'probablemente benigno'), advice: months(6) },
  '4A': {
    meaning: words('suspeito', 'suspicious', 'sospechoso'),
    advice: words(
      'TC de baixa dose em 3 meses; PET/TC se o componente sólido for de 8 mm ou mais',
      'low-dose CT in 3 months; PET/CT if the solid part is 8 mm or more',
      'TC de baja dosis en 3 meses; PET/TC si el componente sólido es de 8 mm o más',
    ),
  },
  '4B': { meaning: words('muito suspeito', 'very suspicious', 'muy sospechoso'), advice: workUp },
  '4X': {
    meaning: words(
      'muito suspeito, com sinais adicionais',
      'very suspicious, with additional features',
      'muy sospechoso, con signos adicionales',
    ),
    advice: workUp,
  },
};

type Time = 'baseline' | 'new' | 'growing' | 'slow' | 'stable';

/** The next category of a nodule that did not grow, by its present one. */
const stepped: Readonly<Record<string, Category>> = { '2': '2', '3': '2', '4A': '3', '4B': '4B', benign: '2' };

function solid(size: number, time: Time): Category {
  if (time === 'slow') return '4B';
  if (time === 'growing') return size < 8 ? '4A' : '4B';
  if (time === 'new') return size < 4 ? '2' : size < 6 ? '3' : size < 8 ? '4A' : '4B';
  return size < 6 ? '2' : size < 8 ? '3' : size < 15 ? '4A' : '4B';
}

function partSolid(size: number, solidPart: number, time: Time): Category {
  if (time === 'slow') return '4B';
  if (time === 'growing') return solidPart < 4 ? '4A' : '4B';
  if (size < 6) return time === 'new' ? '3' : '2';
  if (time === 'new') return solidPart < 4 ? '4A' : '4B';
  return solidPart < 6 ? '3' : solidPart < 8 ? '4A' : '4B';
}

/** Stable, and slow growth, leave a nonsolid nodule of any size benign. */
const groundGlass = (size: number, time: Time): Category =>
  size < 30 || time === 'stable' || time === 'slow' ? '2' : '3';

const cysts: Readonly<Record<string, Category>> = {
  growing_cyst: '3',
  thick: '4A',
  multilocular: '4A',
  becomes_multilocular: '4A',
  growing_wall: '4B',
  growing_multilocular: '4B',
  more_loculation: '4B',
};

const sized = ['solid', 'part_solid', 'ground_glass'];
const isSized = ({ type }: Answers): boolean => sized.includes(type as string);
const isStable = ({ type, time }: Answers): boolean => type !== 'ground_glass' && time === 'stable';

function base(answers: Answers): Category | undefined {
  const [type, time, before] = ['type', 'time', 'before'].map((key) => textIn(answers, key));
  const [size, solidPart] = ['size', 'solid_part'].map((key) => numberIn(answers, key));
  switch (type) {
    case 'incomplete':
      return '0';
    case 'none':
    case 'benign':
      return '1';
    case 'juxtapleural':
      return '2';
    case 'airway': {
      const where = textIn(answers, 'airway');
      if (where === undefined) return undefined;
      return where === 'subsegmental' ? '2' : where === 'first' ? '4A' : '4B';
    }
    case 'cyst':
      return cysts[textIn(answers, 'cyst') ?? ''];
    case 'solid':
    case 'part_solid':
    case 'ground_glass':
      break;
    default:
      return undefined;
  }
  if (time === undefined) return undefined;
  if (isStable(answers)) return before === undefined ? undefined : stepped[before];
  if (size === undefined) return undefined;
  if (type === 'ground_glass') return groundGlass(size, time as Time);
  if (type === 'solid') return solid(size, time as Time);
  return solidPart === undefined ? undefined : partSolid(size, solidPart, time as Time);
}

export const lungRads: Score = {
  id: 'lung-rads',
  exams: {
    modalities: ['CT'],
    words: ['baixa dose', 'low dose', 'baja dosis', 'rastrea*', 'screening', 'cribado', 'tamizaje'],
  },
  name: 'Lung-RADS 2022',
  source: 'Christensen J et al. ACR Lung-RADS v2022. J Am Coll Radiol 2024;21:473-488',
  questions: [
    {
      kind: 'one',
      key: 'type',
      label: words('Achado', 'Finding', 'Hallazgo'),
      choices: [
        choice('none', words('nenhum nódulo', 'no nodule', 'ningún nódulo')),
        choice(
          'benign',
          words('calcificação benigna ou gordura', 'benign calcification or fat', 'calcificación benigna o grasa'),
        ),
        choice(
          'juxtapleural',
          words(
            'justapleural, sólido, liso, menor que 10 mm',
            'juxtapleural, solid, smooth, below 10 mm',
            'yuxtapleural, sólido, liso, menor de 10 mm',
          ),
        ),
        choice('solid', words('nódulo sólido', 'solid nodule', 'nódulo sólido')),
        choice('part_solid', words('nódulo parcialmente sólido', 'part-solid nodule', 'nódulo parcialmente sólido')),
        choice('ground_glass', words('nódulo em vidro fosco', 'ground-glass nodule', 'nódulo en vidrio deslustrado')),
        choice('airway', words('nódulo de via aérea', 'airway nodule', 'nódulo de vía aérea')),
        choice('cyst', words('cisto pulmonar atípico', 'atypical pulmonary cyst', 'quiste pulmonar atípico')),
        choice(
          'incomplete',
          words(
            'incompleto, anterior pendente ou inflamatório',
            'incomplete, prior pending, or inflammatory',
            'incompleto, previo pendiente o inflamatorio',
          ),
        ),
      ],
    },
    {
      kind: 'one',
      key: 'time',
      label: words('Evolução', 'Course', 'Evolución'),
      when: isSized,
      choices: [
        choice('baseline', words('primeiro exame', 'baseline', 'primer estudio')),
        choice('new', words('novo', 'new', 'nuevo')),
        choice(
          'growing',
          words(
            'cresceu mais de 1,5 mm em 12 meses',
            'grew more than 1.5 mm in 12 months',
            'creció más de 1,5 mm en 12 meses',
          ),
        ),
        choice(
          'slow',
          words(
            'cresce lentamente em vários exames',
            'grows slowly over several exams',
            'crece lentamente en varios estudios',
          ),
        ),
        choice('stable', words('estável ou menor', 'stable or smaller', 'estable o menor')),
      ],
    },
    {
      kind: 'one',
      key: 'before',
      label: words('Categoria anterior', 'Former category', 'Categoría previa'),
      when: isStable,
      choices: [
        choice('2', words('2', '2', '2')),
        choice('3', words('3, há 6 meses', '3, 6 months ago', '3, hace 6 meses')),
        choice('4A', words('4A, há 3 meses', '4A, 3 months ago', '4A, hace 3 meses')),
        choice('4B', words('4B', '4B', '4B')),
        choice('benign', words('4B, benigno comprovado', '4B, proven benign', '4B, benigno comprobado')),
      ],
    },
    {
      kind: 'number',
      key: 'size',
      label: words('Diâmetro médio', 'Mean diameter', 'Diámetro medio'),
      reads: 'mean',
      max: 300,
      when: (answers) => isSized(answers) && !isStable(answers),
    },
    {
      kind: 'number',
      key: 'solid_part',
      label: words('Componente sólido', 'Solid part', 'Componente sólido'),
      max: 300,
      when: (answers) => answers['type'] === 'part_solid' && !isStable(answers),
    },
    {
      kind: 'one',
      key: 'airway',
      label: words('Via aérea', 'Airway', 'Vía aérea'),
      when: ({ type }) => type === 'airway',
      choices: [
        choice('subsegmental', words('subsegmentar', 'subsegmental', 'subsegmentaria')),
        choice(
          'first',
          words(
            'segmentar ou mais central, primeiro exame',
            'segmental or more central, baseline',
            'segmentaria o más central, primer estudio',
          ),
        ),
        choice(
          'stays',
          words(
            'segmentar ou mais central, estável ou maior',
            'segmental or more central, stable or growing',
            'segmentaria o más central, estable o mayor',
          ),
        ),
      ],
    },
    {
      kind: 'one',
      key: 'cyst',
      label: words('Cisto', 'Cyst', 'Quiste'),
      when: ({ type }) => type === 'cyst',
      choices: [
        choice(
          'growing_cyst',
          words(
            'parede espessa, parte cística maior',
            'thick wall, growing cystic part',
            'pared gruesa, parte quística mayor',
          ),
        ),
        choice('thick', words('parede espessa', 'thick wall', 'pared gruesa')),
        choice(
          'multilocular',
          words('multilocular no primeiro exame', 'multilocular at baseline', 'multilocular en el primer estudio'),
        ),
        choice('becomes_multilocular', words('tornou-se multilocular', 'became multilocular', 'se hizo multilocular')),
        choice(
          'growing_wall',
          words('parede ou nódulo da parede maior', 'growing wall or mural nodule', 'pared o nódulo mural mayor'),
        ),
        choice('growing_multilocular', words('multilocular, maior', 'growing multilocular', 'multilocular, mayor')),
        choice(
          'more_loculation',
          words('mais lóculos ou opacidade nova', 'more loculation or new opacity', 'más lóculos u opacidad nueva'),
        ),
      ],
    },
    {
      kind: 'several',
      key: 'more',
      label: words('Além disso', 'In addition', 'Además'),
      choices: [
        choice(
          'x',
          words(
            'sinais que aumentam a suspeita (4X)',
            'features that raise suspicion (4X)',
            'signos que aumentan la sospecha (4X)',
          ),
        ),
        choice(
          's',
          words('outro achado significativo (S)', 'other significant finding (S)', 'otro hallazgo significativo (S)'),
        ),
      ],
    },
  ],
  assess(answers) {
    const found = base(answers);
    if (found === undefined) return undefined;
    const more = answers['more'];
    const has = (value: string): boolean => Array.isArray(more) && more.includes(value);
    const category: Category = has('x') && ['3', '4A', '4B'].includes(found) ? '4X' : found;
    return { category: `${category}${has('s') ? 'S' : ''}`, ...outcomes[category] };
  },
};
