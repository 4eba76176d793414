/**
 * Texts to be spoken for `npm run bench:hearing`, as JSON: `node test/bench/hearing-texts.ts > texts.json`. Most are made of
 * sentences of a field with drawn numbers and sides, others are whole; all are the same each time.
 */
import { fileURLToPath } from 'node:url';
import type { Language } from '../../src/contract/shared.ts';
import { elementAt } from '../../src/domain/elements.ts';
import { wholeTexts } from './hearing-whole-texts.ts';

export interface SpokenText {
  readonly id: string;
  readonly lang: Language;
  readonly voice: string;
  readonly noise?: true;
  readonly said: string;
}

interface Speech {
  readonly voices: readonly string[];
  readonly stop: string;
  readonly headings: readonly [findings: string, impression: string];
  /** Number words, and words for sides by gender. */
  readonly numbers: readonly string[];
  readonly sides: readonly (readonly [male: string, female: string])[];
  /** `{n}`: a number; `{m}`, `{f}`: a side. Each row is a field: its last sentence is an impression. */
  readonly fields: readonly (readonly string[])[];
}

const speeches: Readonly<Record<Language, Speech>> = {
  'pt-BR': {
    voices: ['leticia', 'br4'],
    stop: 'ponto',
    headings: ['Achados, dois pontos,', 'Impressão, dois pontos,'],
    numbers:
      'três,quatro,sete,nove,doze,quinze,dezoito,vinte e dois,trinta e um,quatro vírgula sete,um vírgula oito'.split(
        ',',
      ),
    sides: [
      ['direito', 'direita'],
      ['esquerdo', 'esquerda'],
    ],
    fields: [
      [
        'Nódulo sólido de {n} milímetros no lobo superior {m}',
        'Não há derrame pleural',
        'Sem linfonodos mediastinais aumentados',
        'Nódulo pulmonar no lobo superior {m}',
      ],
      [
        'Fígado de dimensões normais, medindo {n} centímetros',
        'Cisto simples no rim {m}, de {n} milímetros',
        'Vesícula biliar sem cálculos',
        'Cisto renal simples à {f}',
      ],
      [
        'Hipodensidade no tálamo {m}, medindo {n} milímetros',
        'Não se observa hemorragia intracraniana',
        'Sistema ventricular de dimensões normais',
        'Infarto lacunar no tálamo {m}',
      ],
      [
        'Ruptura do menisco medial do joelho {m}',
        'Ligamento cruzado anterior sem alterações',
        'Derrame articular com espessura de {n} milímetros',
        'Lesão meniscal no joelho {m}',
      ],
      [
        'Nódulo hipoecoico na mama {f}, medindo {n} milímetros',
        'Ausência de microcalcificações suspeitas',
        'Linfonodos axilares sem alterações',
        'Nódulo na mama {f}, categoria quatro',
      ],
      [
        'Lobo {m} da tireoide com nódulo de {n} milímetros',
        'Não há linfonodos cervicais suspeitos',
        'Istmo com espessura de três milímetros',
        'Nódulo tireoidiano no lobo {m}',
      ],
    ],
  },
  'en-US': {
    voices: ['hibari', 'joe'],
    stop: 'period',
    headings: ['Findings, colon,', 'Impression, colon,'],
    numbers:
      'three,four,seven,nine,twelve,fifteen,eighteen,twenty two,thirty one,four point seven,one point eight'.split(','),
    sides: [
      ['right', 'right'],
      ['left', 'left'],
    ],
    fields: [
      [
        'There is a {n} millimeter solid nodule in the {m} upper lobe',
        'No pleural effusion',
        'No enlarged mediastinal lymph nodes',
        'Pulmonary nodule in the {m} upper lobe',
      ],
      [
        'The liver measures {n} centimeters',
        'Simple cyst of {n} millimeters in the {m} kidney',
        'The gallbladder has no stones',
        'Simple renal cyst on the {m}',
      ],
      [
        'Hypodensity of {n} millimeters in the {m} thalamus',
        'No intracranial hemorrhage',
        'The ventricles are normal in size',
        'Lacunar infarct in the {m} thalamus',
      ],
      [
        'Tear of the medial meniscus of the {m} knee',
        'The anterior cruciate ligament is intact',
        'Joint effusion with a depth of {n} millimeters',
        'Meniscal tear in the {m} knee',
      ],
      [
        'Hypoechoic mass in the {m} breast, measuring {n} millimeters',
        'No suspicious microcalcifications',
        'The axillary lymph nodes are normal',
        'Mass in the {m} breast, category four',
      ],
      [
        'The {m} lobe of the thyroid has a nodule of {n} millimeters',
        'No suspicious cervical lymph nodes',
        'The isthmus measures three millimeters',
        'Thyroid nodule in the {m} lobe',
      ],
    ],
  },
  'es-ES': {
    voices: ['pico', 'ellpc'],
    stop: 'punto',
    headings: ['Hallazgos, dos puntos,', 'Conclusión, dos puntos,'],
    numbers:
      'tres,cuatro,siete,nueve,doce,quince,dieciocho,veintidós,treinta y uno,cuatro coma siete,uno coma ocho'.split(
        ',',
      ),
    sides: [
      ['derecho', 'derecha'],
      ['izquierdo', 'izquierda'],
    ],
    fields: [
      [
        'Nódulo sólido de {n} milímetros en el lóbulo superior {m}',
        'No hay derrame pleural',
        'Sin adenopatías mediastínicas',
        'Nódulo pulmonar en el lóbulo superior {m}',
      ],
      [
        'Hígado de tamaño normal, mide {n} centímetros',
        'Quiste simple en el riñón {m} de {n} milímetros',
        'Vesícula biliar sin cálculos',
        'Quiste renal {m} simple',
      ],
      [
        'Hipodensidad en el tálamo {m} de {n} milímetros',
        'No se observa hemorragia intracraneal',
        'Ventrículos de tamaño normal',
        'Infarto lacunar en el tálamo {m}',
      ],
      [
        'Rotura del menisco medial de la rodilla {f}',
        'Ligamento cruzado anterior sin alteraciones',
        'Derrame articular de {n} milímetros de espesor',
        'Lesión meniscal en la rodilla {f}',
      ],
      [
        'Nódulo hipoecoico en la mama {f} de {n} milímetros',
        'Sin microcalcificaciones sospechosas',
        'Ganglios axilares sin alteraciones',
        'Nódulo en la mama {f}, categoría cuatro',
      ],
      [
        'Lóbulo {m} del tiroides con un nódulo de {n} milímetros',
        'No hay adenopatías cervicales',
        'Istmo de tres milímetros de espesor',
        'Nódulo tiroideo en el lóbulo {m}',
      ],
    ],
  },
};

/** Texts of a field. */
const perField = 9;

/** Of the texts of a field or a language, every fifth is noisy. */
const isNoisy = (at: number): boolean => at % 5 === 4;

const readWholeTexts = (): SpokenText[] =>
  Object.entries(wholeTexts).flatMap(([lang, texts]) =>
    texts.map((said, at): SpokenText => {
      const { voices } = speeches[lang as Language];
      const noise = isNoisy(at) && { noise: true as const };
      return {
        id: `${lang.slice(0, 2)}-whole-${at}`,
        lang: lang as Language,
        voice: elementAt(voices, at % voices.length),
        ...noise,
        said,
      };
    }),
  );

/** The texts of all languages, fields and voices. */
export function hearingTexts(): SpokenText[] {
  let state = 1;
  // Numerical Recipes' generator: the same texts on every machine.
  const draw = <T>(choices: readonly T[]): T => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return elementAt(choices, Math.floor((state / 2 ** 32) * choices.length));
  };
  const drawn = Object.entries(speeches).flatMap(([lang, { voices, stop, headings, numbers, sides, fields }]) =>
    fields.flatMap((sentences, field) =>
      Array.from({ length: perField }, (_, at): SpokenText => {
        const [male, female] = draw(sides);
        const said = sentences.map((sentence) =>
          `${sentence}, ${stop}.`
            .replaceAll('{n}', () => draw(numbers))
            .replaceAll('{m}', male)
            .replaceAll('{f}', female),
        );
        const id = `${lang.slice(0, 2)}-${field}-${at}`;
        const text = [headings[0], ...said.slice(0, -1), headings[1], ...said.slice(-1)].join(' ');
        return {
          id,
          lang: lang as Language,
          voice: elementAt(voices, at % voices.length),
          ...(isNoisy(at) && { noise: true as const }),
          said: text,
        };
      }),
    ),
  );
  return [...drawn, ...readWholeTexts()];
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  process.stdout.write(`${JSON.stringify(hearingTexts(), null, 1)}\n`);
