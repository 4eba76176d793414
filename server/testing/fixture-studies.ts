/** The studies of fixtures: procedures as a RIS orders them, and reports as radiologists dictate them. */
import type { WorklistItemInput } from '../../src/contract/worklist.ts';

/** The languages of fixtures. */
export const fixtureLanguages = ['en-US', 'pt-BR'] as const;
export type FixtureLanguage = (typeof fixtureLanguages)[number];

/** A procedure's words in one language. */
interface StudyWords {
  readonly description: string;
  readonly indication: string;
  /** One of them is the findings of a report, with its impression. */
  readonly reports: readonly (readonly [findings: string, impression: string])[];
}

export interface FixtureStudy {
  readonly modality: NonNullable<WorklistItemInput['modality']>;
  readonly procedure: string;
  readonly room: string;
  /** Smallest and largest number. */
  readonly series: readonly [number, number];
  readonly images: readonly [number, number];
  /** Sex of all patients of the procedure. Default: either. */
  readonly sex?: 'F' | 'M';
  /** Smallest and largest age in years. */
  readonly age: readonly [number, number];
  readonly words: Readonly<Record<FixtureLanguage, StudyWords>>;
}

export const fixtureStudies: readonly FixtureStudy[] = [
  {
    modality: 'CT',
    procedure: 'CT-CHEST',
    room: 'CT 1',
    series: [2, 6],
    images: [180, 620],
    age: [19, 91],
    words: {
      'en-US': {
        description: 'CT chest without contrast',
        indication: 'Cough for three weeks.',
        reports: [
          ['Lungs are clear. No pleural effusion. No enlarged lymph nodes.', 'Normal chest CT.'],
          ['Solid nodule of 6 mm in the right upper lobe. No pleural effusion.', 'Pulmonary nodule of 6 mm.'],
        ],
      },
      'pt-BR': {
        description: 'TC de tórax sem contraste',
        indication: 'Tosse há três semanas.',
        reports: [
          ['Pulmões sem consolidações. Ausência de derrame pleural.', 'Tomografia de tórax normal.'],
          ['Nódulo sólido de 6 mm no lobo superior direito. Ausência de derrame pleural.', 'Nódulo pulmonar de 6 mm.'],
        ],
      },
    },
  },
  {
    modality: 'CT',
    procedure: 'CT-HEAD',
    room: 'CT 2',
    series: [2, 4],
    images: [90, 240],
    age: [18, 94],
    words: {
      'en-US': {
        description: 'CT head without contrast',
        indication: 'Fall from standing height, headache.',
        reports: [
          ['No hemorrhage. No midline shift. Ventricles are of normal size.', 'No acute intracranial abnormality.'],
          ['Left frontal subgaleal hematoma. No fracture. No intracranial hemorrhage.', 'Subgaleal hematoma.'],
        ],
      },
      'pt-BR': {
        description: 'TC de crânio sem contraste',
        indication: 'Queda da própria altura, cefaleia.',
        reports: [
          ['Ausência de hemorragia. Linha média centrada. Ventrículos de dimensões normais.', 'Sem alterações agudas.'],
          ['Hematoma subgaleal frontal esquerdo. Ausência de fraturas.', 'Hematoma subgaleal.'],
        ],
      },
    },
  },
  {
    modality: 'CR',
    procedure: 'XR-CHEST',
    room: 'X-ray 1',
    series: [1, 2],
    images: [1, 2],
    age: [1, 96],
    words: {
      'en-US': {
        description: 'Chest radiograph PA and lateral',
        indication: 'Fever and cough.',
        reports: [
          ['Lungs are clear. Cardiac silhouette is of normal size.', 'Normal chest radiograph.'],
          ['Consolidation in the left lower lobe. Small left pleural effusion.', 'Left lower lobe pneumonia.'],
        ],
      },
      'pt-BR': {
        description: 'Radiografia de tórax PA e perfil',
        indication: 'Febre e tosse.',
        reports: [
          ['Pulmões transparentes. Área cardíaca normal.', 'Radiografia de tórax normal.'],
          ['Consolidação no lobo inferior esquerdo. Pequeno derrame pleural à esquerda.', 'Pneumonia à esquerda.'],
        ],
      },
    },
  },
  {
    modality: 'MR',
    procedure: 'MR-KNEE-R',
    room: 'MR 1',
    series: [5, 8],
    images: [140, 320],
    age: [15, 74],
    words: {
      'en-US': {
        description: 'MRI right knee',
        indication: 'Pain after a sprain.',
        reports: [
          ['Menisci and ligaments are intact. No joint effusion.', 'Normal MRI of the right knee.'],
          ['Horizontal tear of the posterior horn of the medial meniscus. Small joint effusion.', 'Meniscal tear.'],
        ],
      },
      'pt-BR': {
        description: 'RM de joelho direito',
        indication: 'Dor após entorse.',
        reports: [
          ['Meniscos e ligamentos íntegros. Ausência de derrame articular.', 'RM de joelho direito normal.'],
          ['Rotura horizontal do corno posterior do menisco medial. Pequeno derrame articular.', 'Rotura meniscal.'],
        ],
      },
    },
  },
  {
    modality: 'US',
    procedure: 'US-ABDOMEN',
    room: 'Ultrasound 2',
    series: [1, 1],
    images: [18, 46],
    age: [6, 88],
    words: {
      'en-US': {
        description: 'Ultrasound of the abdomen',
        indication: 'Pain in the right upper quadrant.',
        reports: [
          ['Liver of normal size and echotexture. Gallbladder without stones.', 'Normal abdominal ultrasound.'],
          ['Two gallstones of up to 9 mm. Gallbladder wall is not thickened.', 'Cholelithiasis.'],
        ],
      },
      'pt-BR': {
        description: 'Ultrassonografia de abdome total',
        indication: 'Dor no hipocôndrio direito.',
        reports: [
          ['Fígado de dimensões e ecotextura normais. Vesícula biliar sem cálculos.', 'Ultrassonografia normal.'],
          ['Dois cálculos de até 9 mm na vesícula biliar, sem espessamento parietal.', 'Colelitíase.'],
        ],
      },
    },
  },
  {
    modality: 'MG',
    procedure: 'MG-BILATERAL',
    room: 'Mammography',
    series: [4, 4],
    images: [4, 6],
    sex: 'F',
    age: [40, 79],
    words: {
      'en-US': {
        description: 'Bilateral digital mammography',
        indication: 'Screening.',
        reports: [
          ['Scattered areas of fibroglandular density. No suspicious mass or calcifications.', 'BI-RADS 1.'],
          ['Coarse benign calcifications in the left breast.', 'BI-RADS 2.'],
        ],
      },
      'pt-BR': {
        description: 'Mamografia digital bilateral',
        indication: 'Rastreamento.',
        reports: [
          ['Densidades fibroglandulares esparsas. Ausência de nódulos ou calcificações suspeitas.', 'BI-RADS 1.'],
          ['Calcificações grosseiras benignas na mama esquerda.', 'BI-RADS 2.'],
        ],
      },
    },
  },
];
