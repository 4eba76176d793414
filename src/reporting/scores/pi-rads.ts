/** PI-RADS v2.1: the dominant sequence of the zone, and what changes its score. */
import { choice, textIn, words } from './score.ts';
import type { Score, Words } from './score.ts';
import { elementAt } from '../../domain/elements.ts';

const scale = ['1', '2', '3', '4', '5'].map((value) => choice(value, words(value, value, value)));
const clinical = words(
  'câncer clinicamente significativo',
  'clinically significant cancer',
  'cáncer clínicamente significativo',
);
const likely = (pt: string, en: string, es: string): Words =>
  words(`${clinical['pt-BR']} ${pt}`, `${clinical['en-US']} ${en}`, `${clinical['es-ES']} ${es}`);
const meanings: readonly Words[] = [
  likely('altamente improvável', 'highly unlikely', 'altamente improbable'),
  likely('improvável', 'unlikely', 'improbable'),
  likely('de presença duvidosa', 'equivocal', 'de presencia dudosa'),
  likely('provável', 'likely', 'probable'),
  likely('altamente provável', 'highly likely', 'altamente probable'),
];
const noBiopsy = words(
  'biópsia não sugerida pelo escore',
  'biopsy not suggested by the score',
  'biopsia no sugerida por la puntuación',
);
const byContext = words(
  'biópsia conforme o contexto clínico',
  'biopsy depending on the clinical context',
  'biopsia según el contexto clínico',
);
const biopsy = words('considerar biópsia', 'biopsy should be considered', 'considerar biopsia');
const advice: readonly Words[] = [noBiopsy, noBiopsy, byContext, biopsy, biopsy];

/** Peripheral zone: diffusion decides, and early enhancement makes a 4 of a 3. */
const peripheral = (dwi: number, isEnhancing: boolean): number => (dwi === 3 && isEnhancing ? 4 : dwi);

/** Transition zone: T2 decides; diffusion makes a 3 of a 2 from 4 on, and a 4 of a 3 at 5. */
function transition(t2: number, dwi: number): number {
  if (t2 === 2) return dwi >= 4 ? 3 : 2;
  if (t2 === 3) return dwi === 5 ? 4 : 3;
  return t2;
}

export const piRads: Score = {
  id: 'pi-rads',
  exams: { modalities: ['MR'], regions: ['prostate'] },
  name: 'PI-RADS v2.1',
  source: 'Turkbey B et al. Prostate Imaging Reporting and Data System Version 2.1. Eur Urol 2019;76:340-351',
  questions: [
    {
      kind: 'one',
      key: 'zone',
      label: words('Zona', 'Zone', 'Zona'),
      choices: [
        choice('peripheral', words('periférica', 'peripheral', 'periférica')),
        choice('transition', words('de transição', 'transition', 'de transición')),
      ],
    },
    {
      kind: 'one',
      key: 't2',
      label: words('T2', 'T2', 'T2'),
      choices: scale,
      when: ({ zone }) => zone === 'transition',
    },
    { kind: 'one', key: 'dwi', label: words('Difusão', 'Diffusion', 'Difusión'), choices: scale },
    {
      kind: 'one',
      key: 'dce',
      label: words('Realce precoce (DCE)', 'Early enhancement (DCE)', 'Realce precoz (DCE)'),
      when: ({ zone, dwi }) => zone === 'peripheral' && dwi === '3',
      choices: [
        choice('negative', words('negativo ou não realizado', 'negative or not done', 'negativo o no realizado')),
        choice('positive', words('positivo', 'positive', 'positivo')),
      ],
    },
  ],
  assess(answers) {
    const [zone, t2, dwi, dce] = ['zone', 't2', 'dwi', 'dce'].map((key) => textIn(answers, key));
    if (zone === undefined || dwi === undefined) return undefined;
    if (zone === 'transition' && t2 === undefined) return undefined;
    if (zone === 'peripheral' && dwi === '3' && dce === undefined) return undefined;
    const category =
      zone === 'peripheral' ? peripheral(Number(dwi), dce === 'positive') : transition(Number(t2), Number(dwi));
    return {
      category: String(category),
      meaning: elementAt(meanings, category - 1),
      advice: elementAt(advice, category - 1),
    };
  },
};
