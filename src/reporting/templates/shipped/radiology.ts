/** General imaging, radiography and mammography. */
import { inLanguages } from '../template.ts';
import type { TemplateData } from '../template.ts';

export const radiologyTemplates: Readonly<Record<string, TemplateData>> = {
  general: {
    name: inLanguages('Laudo de imagem', 'Imaging report', 'Informe de imagen'),
    specialty: inLanguages('Radiologia', 'Radiology', 'Radiología'),
    title: inLanguages('Laudo de exame de imagem', 'Imaging report', 'Informe de estudio por imagen'),
    sections: [['indication'], ['technique'], ['comparison'], ['findings'], ['impression']],
    required: ['findings', 'impression'],
    exams: {},
    macros: [],
  },
  chest_xray: {
    name: inLanguages('Radiografia de tórax', 'Chest X-ray', 'Radiografía de tórax'),
    specialty: inLanguages('Radiologia', 'Radiology', 'Radiología'),
    title: inLanguages('Radiografia de tórax', 'Chest radiograph', 'Radiografía de tórax'),
    sections: [['indication'], ['technique'], ['comparison'], ['findings'], ['impression']],
    required: ['findings', 'impression'],
    exams: { modalities: ['CR', 'DX', 'RF'], regions: ['chest'] },
    macros: [
      {
        name: inLanguages('radiografia de tórax normal', 'normal chest X-ray', 'radiografía de tórax normal'),
        section: 'findings',
        text: inLanguages(
          'Pulmões com transparência preservada. Seios costofrênicos livres. Área cardíaca de dimensões normais. Arcabouço ósseo íntegro.',
          'The lungs are clear. The costophrenic angles are sharp. The cardiac silhouette is normal in size. The bones are intact.',
          'Pulmones con transparencia conservada. Senos costofrénicos libres. Silueta cardíaca de tamaño normal. Estructuras óseas íntegras.',
        ),
      },
    ],
  },
  extremity_xray: {
    name: inLanguages('Radiografia de punho ou tornozelo', 'Wrist or ankle X-ray', 'Radiografía de muñeca o tobillo'),
    specialty: inLanguages('Radiologia', 'Radiology', 'Radiología'),
    title: inLanguages('Radiografia de extremidade', 'Radiograph of an extremity', 'Radiografía de extremidad'),
    sections: [['indication'], ['technique'], ['comparison'], ['findings'], ['impression']],
    required: ['findings', 'impression'],
    exams: { modalities: ['CR', 'DX'], regions: ['wrist', 'ankle', 'hand', 'foot', 'forearm', 'elbow', 'leg'] },
    macros: [
      {
        name: inLanguages('extremidade normal', 'normal extremity', 'extremidad normal'),
        section: 'findings',
        text: inLanguages(
          'Não há fraturas ou luxações. Espaços articulares preservados. Partes moles sem alterações.',
          'There is no fracture or dislocation. The joint spaces are preserved. The soft tissues are normal.',
          'No hay fracturas ni luxaciones. Espacios articulares conservados. Partes blandas sin alteraciones.',
        ),
      },
    ],
  },
  mammography: {
    name: inLanguages('Mamografia (BI-RADS)', 'Mammography (BI-RADS)', 'Mamografía (BI-RADS)'),
    specialty: inLanguages('Radiologia', 'Radiology', 'Radiología'),
    title: inLanguages('Mamografia', 'Mammography', 'Mamografía'),
    sections: [['indication'], ['technique'], ['comparison'], ['findings'], ['impression']],
    required: ['findings', 'impression'],
    exams: { modalities: ['MG'] },
    macros: [
      {
        name: inLanguages('mamografia normal', 'normal mammogram', 'mamografía normal'),
        section: 'findings',
        text: inLanguages(
          'Mamas de composição [composição: a|b|c|d]. Não há nódulos, distorções ou calcificações suspeitas. Axilas sem alterações.',
          'Breast composition [composition: a|b|c|d]. There are no masses, distortions or suspicious calcifications. The axillae are normal.',
          'Mamas de composición [composición: a|b|c|d]. No hay nódulos, distorsiones ni calcificaciones sospechosas. Axilas sin alteraciones.',
        ),
      },
      {
        name: inLanguages('categoria mamografia', 'mammography category', 'categoría mamografía'),
        section: 'impression',
        text: inLanguages(
          'BI-RADS [categoria: 0|1|2|3|4A|4B|4C|5|6].',
          'BI-RADS [category: 0|1|2|3|4A|4B|4C|5|6].',
          'BI-RADS [categoría: 0|1|2|3|4A|4B|4C|5|6].',
        ),
      },
    ],
  },
};
