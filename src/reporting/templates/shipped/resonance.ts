/** Magnetic resonance. */
import { inLanguages } from '../template.ts';
import type { TemplateData } from '../template.ts';

/** Its two names differ in the Spanish word for the apex. */
const prostate = (apex: string): Omit<TemplateData, 'previous'> => ({
  name: inLanguages('Ressonância de próstata (PI-RADS)', 'Prostate MR (PI-RADS)', 'Resonancia de próstata (PI-RADS)'),
  specialty: inLanguages('Radiologia', 'Radiology', 'Radiología'),
  title: inLanguages(
    'Ressonância magnética multiparamétrica da próstata',
    'Multiparametric MRI of the prostate',
    'Resonancia magnética multiparamétrica de próstata',
  ),
  sections: [['indication'], ['technique'], ['comparison'], ['measurements'], ['findings'], ['impression']],
  required: ['findings', 'impression'],
  exams: { modalities: ['MR'], regions: ['prostate'] },
  macros: [
    {
      name: inLanguages('lesão da próstata', 'prostate lesion', 'lesión de próstata'),
      section: 'findings',
      text: inLanguages(
        'Lesão na [zona: zona periférica|zona de transição] [lado: direita|esquerda], no [terço: base|terço médio|ápice], com [__ mm], PI-RADS [categoria: 1|2|3|4|5].',
        'Lesion in the [side: right|left] [zone: peripheral zone|transition zone] at the [third: base|mid gland|apex], measuring [__ mm], PI-RADS [category: 1|2|3|4|5].',
        `Lesión en la [zona: zona periférica|zona de transición] [lado: derecha|izquierda], en [tercio: la base|el tercio medio|el ${apex}], de [__ mm], PI-RADS [categoría: 1|2|3|4|5].`,
      ),
    },
    {
      name: inLanguages('volume da próstata', 'prostate volume', 'volumen de próstata'),
      section: 'measurements',
      text: inLanguages(
        'Volume prostático [__ cm³]. Densidade do PSA [__ ng/mL²].',
        'Prostate volume [__ cm³]. PSA density [__ ng/mL²].',
        'Volumen prostático [__ cm³]. Densidad de PSA [__ ng/mL²].',
      ),
    },
  ],
});

export const resonanceTemplates: Readonly<Record<string, TemplateData>> = {
  brain_mr: {
    name: inLanguages('Ressonância de encéfalo', 'MR brain', 'Resonancia de encéfalo'),
    specialty: inLanguages('Radiologia', 'Radiology', 'Radiología'),
    title: inLanguages('Ressonância magnética do encéfalo', 'MRI of the brain', 'Resonancia magnética de encéfalo'),
    sections: [['indication'], ['technique'], ['comparison'], ['findings'], ['impression']],
    required: ['findings', 'impression'],
    exams: { modalities: ['MR'], regions: ['head'] },
    macros: [
      {
        name: inLanguages('encéfalo normal', 'normal brain MR', 'encéfalo normal'),
        section: 'findings',
        text: inLanguages(
          'Parênquima encefálico com sinal normal. Não há restrição à difusão, hemorragia ou efeito de massa. Sistema ventricular e espaços liquóricos de dimensões normais. Fluxo preservado nas grandes artérias.',
          'Brain parenchymal signal is normal. There is no restricted diffusion, hemorrhage or mass effect. The ventricles and extra-axial spaces are normal in size. Flow voids are preserved in the large arteries.',
          'Parénquima encefálico de señal normal. No hay restricción en difusión, hemorragia ni efecto de masa. Sistema ventricular y espacios de LCR de tamaño normal. Flujo conservado en las grandes arterias.',
        ),
      },
    ],
  },
  lumbar_spine_mr: {
    name: inLanguages('Ressonância de coluna lombar', 'MR lumbar spine', 'Resonancia de columna lumbar'),
    specialty: inLanguages('Radiologia', 'Radiology', 'Radiología'),
    title: inLanguages(
      'Ressonância magnética da coluna lombar',
      'MRI of the lumbar spine',
      'Resonancia magnética de columna lumbar',
    ),
    sections: [['indication'], ['technique'], ['comparison'], ['findings'], ['impression']],
    required: ['findings', 'impression'],
    exams: { modalities: ['MR'], regions: ['lumbar'] },
    macros: [
      {
        name: inLanguages('coluna lombar normal', 'normal lumbar spine', 'columna lumbar normal'),
        section: 'findings',
        text: inLanguages(
          'Alinhamento e altura dos corpos vertebrais preservados. Discos com altura e sinal normais. Não há herniações ou estenoses. Cone medular em [nível: T12|L1|L2].',
          'Vertebral alignment and heights are preserved. Disc heights and signal are normal. There is no herniation or stenosis. The conus terminates at [level: T12|L1|L2].',
          'Alineación y altura de los cuerpos vertebrales conservadas. Discos de altura y señal normales. No hay hernias ni estenosis. Cono medular en [nivel: T12|L1|L2].',
        ),
      },
    ],
  },
  knee_mr: {
    name: inLanguages('Ressonância de joelho', 'MR knee', 'Resonancia de rodilla'),
    specialty: inLanguages('Radiologia', 'Radiology', 'Radiología'),
    title: inLanguages('Ressonância magnética do joelho', 'MRI of the knee', 'Resonancia magnética de rodilla'),
    sections: [['indication'], ['technique'], ['comparison'], ['findings'], ['impression']],
    required: ['findings', 'impression'],
    exams: { modalities: ['MR'], regions: ['knee'] },
    macros: [
      {
        name: inLanguages('joelho normal', 'normal knee', 'rodilla normal'),
        section: 'findings',
        text: inLanguages(
          'Meniscos íntegros. Ligamentos cruzados e colaterais íntegros. Cartilagem preservada. Mecanismo extensor normal. Não há derrame articular.',
          'The menisci are intact. The cruciate and collateral ligaments are intact. The cartilage is preserved. The extensor mechanism is normal. There is no joint effusion.',
          'Meniscos íntegros. Ligamentos cruzados y colaterales íntegros. Cartílago conservado. Mecanismo extensor normal. No hay derrame articular.',
        ),
      },
    ],
  },
  shoulder_mr: {
    name: inLanguages('Ressonância de ombro', 'MR shoulder', 'Resonancia de hombro'),
    specialty: inLanguages('Radiologia', 'Radiology', 'Radiología'),
    title: inLanguages('Ressonância magnética do ombro', 'MRI of the shoulder', 'Resonancia magnética de hombro'),
    sections: [['indication'], ['technique'], ['comparison'], ['findings'], ['impression']],
    required: ['findings', 'impression'],
    exams: { modalities: ['MR'], regions: ['shoulder'] },
    macros: [
      {
        name: inLanguages('ombro normal', 'normal shoulder', 'hombro normal'),
        section: 'findings',
        text: inLanguages(
          'Tendões do manguito rotador íntegros. Cabo longo do bíceps tópico. Lábio glenoidal sem lesões. Articulação acromioclavicular normal. Não há derrame articular.',
          'The rotator cuff tendons are intact. The long head of the biceps is in place. The glenoid labrum is intact. The acromioclavicular joint is normal. There is no joint effusion.',
          'Tendones del manguito rotador íntegros. Porción larga del bíceps en su corredera. Labrum glenoideo sin lesiones. Articulación acromioclavicular normal. No hay derrame articular.',
        ),
      },
    ],
  },
  prostate_mr: { ...prostate('ápice'), previous: [prostate('ápex')] },
};
