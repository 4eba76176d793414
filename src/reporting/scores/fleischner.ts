/** Fleischner Society 2017: incidental nodules from 35 years on, without cancer or immunosuppression. Sizes in whole mm. */
import { choice, numberIn, textIn, words } from './score.ts';
import type { Answers, Outcome, Score, Words } from './score.ts';

type Size = 'small' | 'middle' | 'large';

const none = words('sem seguimento de rotina', 'no routine follow-up', 'sin seguimiento de rutina');
const optional = words('TC opcional em 12 meses', 'optional CT at 12 months', 'TC opcional a los 12 meses');

/** Solid nodules: number, size, risk → recommendation. */
const solid: Readonly<Record<string, Readonly<Record<Size, Readonly<Record<string, Words>>>>>> = {
  single: {
    small: { low: none, high: optional },
    middle: {
      low: words(
        'TC em 6 a 12 meses; depois considerar TC em 18 a 24 meses',
        'CT at 6 to 12 months; then consider CT at 18 to 24 months',
        'TC a los 6 a 12 meses; luego considerar TC a los 18 a 24 meses',
      ),
      high: words(
        'TC em 6 a 12 meses; depois TC em 18 a 24 meses',
        'CT at 6 to 12 months; then CT at 18 to 24 months',
        'TC a los 6 a 12 meses; luego TC a los 18 a 24 meses',
      ),
    },
    large: {
      low: words(
        'considerar TC em 3 meses, PET/TC ou biópsia',
        'consider CT at 3 months, PET/CT or tissue sampling',
        'considerar TC a los 3 meses, PET/TC o biopsia',
      ),
      high: words(
        'considerar TC em 3 meses, PET/TC ou biópsia',
        'consider CT at 3 months, PET/CT or tissue sampling',
        'considerar TC a los 3 meses, PET/TC o biopsia',
      ),
    },
  },
  multiple: {
    small: { low: none, high: optional },
    middle: {
      low: words(
        'TC em 3 a 6 meses; depois considerar TC em 18 a 24 meses',
        'CT at 3 to 6 months; then consider CT at 18 to 24 months',
        'TC a los 3 a 6 meses; luego considerar TC a los 18 a 24 meses',
      ),
      high: words(
        'TC em 3 a 6 meses; depois TC em 18 a 24 meses',
        'CT at 3 to 6 months; then CT at 18 to 24 months',
        'TC a los 3 a 6 meses; luego TC a los 18 a 24 meses',
      ),
    },
    large: {
      low: words(
        'TC em 3 a 6 meses; depois considerar TC em 18 a 24 meses',
        'CT at 3 to 6 months; then consider CT at 18 to 24 months',
        'TC a los 3 a 6 meses; luego considerar TC a los 18 a 24 meses',
      ),
      high: words(
        'TC em 3 a 6 meses; depois TC em 18 a 24 meses',
        'CT at 3 to 6 months; then CT at 18 to 24 months',
        'TC a los 3 a 6 meses; luego TC a los 18 a 24 meses',
      ),
    },
  },
};

const several = {
  small: words(
    'TC em 3 a 6 meses; se estável, considerar TC em 2 e 4 anos',
    'CT at 3 to 6 months; if stable, consider CT at 2 and 4 years',
    'TC a los 3 a 6 meses; si es estable, considerar TC a los 2 y 4 años',
  ),
  other: words(
    'TC em 3 a 6 meses; depois conforme o nódulo mais suspeito',
    'CT at 3 to 6 months; then by the most suspicious nodule',
    'TC a los 3 a 6 meses; luego según el nódulo más sospechoso',
  ),
};
const groundGlass = words(
  'TC em 6 a 12 meses para confirmar persistência; depois a cada 2 anos até 5 anos',
  'CT at 6 to 12 months to confirm persistence; then every 2 years until 5 years',
  'TC a los 6 a 12 meses para confirmar persistencia; luego cada 2 años hasta 5 años',
);
const partSolid = {
  small: words(
    'TC em 3 a 6 meses para confirmar persistência; se inalterado, TC anual por 5 anos',
    'CT at 3 to 6 months to confirm persistence; if unchanged, CT every year for 5 years',
    'TC a los 3 a 6 meses para confirmar persistencia; si no cambia, TC anual durante 5 años',
  ),
  suspicious: words(
    'TC em 3 a 6 meses para confirmar persistência; se persistir, considerar PET/TC, biópsia ou ressecção',
    'CT at 3 to 6 months to confirm persistence; if persistent, consider PET/CT, biopsy or resection',
    'TC a los 3 a 6 meses para confirmar persistencia; si persiste, considerar PET/TC, biopsia o resección',
  ),
};

const types: Readonly<Record<string, Words>> = {
  solid: words('sólido', 'solid', 'sólido'),
  ground_glass: words('em vidro fosco', 'ground-glass', 'en vidrio deslustrado'),
  part_solid: words('parcialmente sólido', 'part-solid', 'parcialmente sólido'),
};
const numbers: Readonly<Record<string, Words>> = {
  single: words('nódulo único', 'single nodule', 'nódulo único'),
  multiple: words('nódulos múltiplos', 'multiple nodules', 'nódulos múltiples'),
};
const risks: Readonly<Record<string, Words>> = {
  low: words('baixo risco', 'low risk', 'bajo riesgo'),
  high: words('alto risco', 'high risk', 'alto riesgo'),
};

const entryFor = <T>(table: Readonly<Record<string, T>> | undefined, key: string | undefined): T | undefined =>
  key === undefined ? undefined : table?.[key];

const sizeOf = (mm: number): Size => (mm < 6 ? 'small' : mm <= 8 ? 'middle' : 'large');

/** `undefined`: the risk, which advice on solid nodules needs, is not known. */
function adviceFor(
  { type, number, risk }: Readonly<Record<'type' | 'number' | 'risk', string | undefined>>,
  mm: number,
  solidPart: number,
): Words | undefined {
  const size = sizeOf(mm);
  if (type === 'solid') return entryFor(entryFor(solid, number)?.[size], risk);
  if (number === 'multiple') return size === 'small' ? several.small : several.other;
  if (size === 'small') return none;
  if (type === 'ground_glass') return groundGlass;
  return solidPart < 6 ? partSolid.small : partSolid.suspicious;
}

const choicesOf = (table: Readonly<Record<string, Words>>) =>
  Object.entries(table).map(([value, label]) => choice(value, label));

const hasSolidPart = (answers: Answers): boolean => answers['type'] === 'part_solid' && answers['number'] === 'single';

export const fleischner: Score = {
  id: 'fleischner',
  exams: { modalities: ['CT'], regions: ['chest'] },
  name: 'Fleischner 2017',
  source: 'MacMahon H et al. Guidelines for Management of Incidental Pulmonary Nodules. Radiology 2017;284:228-243',
  questions: [
    { kind: 'one', key: 'type', label: words('Tipo', 'Type', 'Tipo'), choices: choicesOf(types) },
    { kind: 'one', key: 'number', label: words('Número', 'Number', 'Número'), choices: choicesOf(numbers) },
    {
      kind: 'number',
      key: 'size',
      label: words('Tamanho (média dos eixos)', 'Size (mean of the axes)', 'Tamaño (media de los ejes)'),
      reads: 'mean',
      max: 300,
    },
    {
      kind: 'number',
      key: 'solid_part',
      label: words('Componente sólido', 'Solid part', 'Componente sólido'),
      max: 300,
      when: hasSolidPart,
    },
    {
      kind: 'one',
      key: 'risk',
      label: words('Risco', 'Risk', 'Riesgo'),
      when: ({ type }) => type === 'solid',
      choices: choicesOf(risks),
    },
  ],
  assess(answers): Outcome | undefined {
    const [type, number, risk] = [textIn(answers, 'type'), textIn(answers, 'number'), textIn(answers, 'risk')];
    const [size, solidPart] = [numberIn(answers, 'size'), numberIn(answers, 'solid_part')];
    const [many, kind] = [entryFor(numbers, number), entryFor(types, type)];
    if (!many || !kind || size === undefined) return undefined;
    if (hasSolidPart(answers) && solidPart === undefined) return undefined;
    const mm = Math.round(size);
    const advice = adviceFor({ type, number, risk }, mm, Math.round(solidPart ?? 0));
    const danger = type === 'solid' ? entryFor(risks, risk) : undefined;
    const meaningIn = (language: keyof Words): string => {
      const [noun, quality] = [many[language], kind[language]];
      const named = language === 'en-US' ? noun.replace(' nodule', ` ${quality} nodule`) : `${noun} ${quality}`;
      return [named, `${mm} mm`, ...(danger ? [danger[language]] : [])].join(', ');
    };
    return (
      advice && {
        category: '',
        meaning: words(meaningIn('pt-BR'), meaningIn('en-US'), meaningIn('es-ES')),
        advice,
      }
    );
  },
};
