/** Computed tomography. */
import { inLanguages } from '../template.ts';
import type { TemplateData } from '../template.ts';

export const tomographyTemplates: Readonly<Record<string, TemplateData>> = {
  chest_ct: {
    name: inLanguages('Tomografia de tórax', 'Chest CT', 'Tomografía de tórax'),
    specialty: inLanguages('Radiologia', 'Radiology', 'Radiología'),
    title: inLanguages('Tomografia computadorizada de tórax', 'CT of the chest', 'Tomografía computarizada de tórax'),
    sections: [['indication'], ['technique'], ['comparison'], ['findings'], ['impression']],
    required: ['findings', 'impression'],
    exams: { modalities: ['CT'], regions: ['chest'] },
    macros: [
      {
        name: inLanguages('tomografia de tórax normal', 'normal chest CT', 'tomografía de tórax normal'),
        section: 'findings',
        text: inLanguages(
          'Parênquima pulmonar sem nódulos, massas ou consolidações. Não há derrame pleural ou pericárdico. Linfonodos mediastinais e hilares de dimensões normais. Grandes vasos de calibre normal.',
          'The lungs are clear, without nodules, masses or consolidation. There is no pleural or pericardial effusion. Mediastinal and hilar lymph nodes are not enlarged. The great vessels are normal in caliber.',
          'Parénquima pulmonar sin nódulos, masas ni consolidaciones. No hay derrame pleural ni pericárdico. Ganglios mediastínicos e hiliares de tamaño normal. Grandes vasos de calibre normal.',
        ),
      },
      {
        name: inLanguages('técnica tórax', 'chest CT technique', 'técnica tórax'),
        section: 'technique',
        text: inLanguages(
          'Tomografia de tórax em aparelho multidetectores, [contraste: sem|com] contraste venoso.',
          'Multidetector CT of the chest [contrast: without|with] intravenous contrast.',
          'Tomografía multidetector de tórax [contraste: sin|con] contraste intravenoso.',
        ),
      },
    ],
  },
  abdomen_pelvis_ct: {
    name: inLanguages('Tomografia de abdome e pelve', 'CT abdomen and pelvis', 'Tomografía de abdomen y pelvis'),
    specialty: inLanguages('Radiologia', 'Radiology', 'Radiología'),
    title: inLanguages(
      'Tomografia computadorizada de abdome e pelve',
      'CT of the abdomen and pelvis',
      'Tomografía computarizada de abdomen y pelvis',
    ),
    sections: [['indication'], ['technique'], ['comparison'], ['findings'], ['impression']],
    required: ['findings', 'impression'],
    exams: { modalities: ['CT'], regions: ['abdomen', 'pelvis'] },
    macros: [
      {
        name: inLanguages('tomografia de abdome normal', 'normal abdominal CT', 'tomografía de abdomen normal'),
        section: 'findings',
        text: inLanguages(
          'Fígado, vesícula biliar, baço, pâncreas e adrenais sem alterações. Rins de dimensões normais, sem hidronefrose ou cálculos. Alças intestinais sem distensão. Não há líquido livre ou linfonodomegalias. Bexiga de paredes finas.',
          'The liver, gallbladder, spleen, pancreas and adrenal glands are normal. The kidneys are normal in size, without hydronephrosis or calculi. The bowel is not dilated. There is no free fluid or lymphadenopathy. The bladder wall is thin.',
          'Hígado, vesícula biliar, bazo, páncreas y suprarrenales sin alteraciones. Riñones de tamaño normal, sin hidronefrosis ni cálculos. Asas intestinales sin distensión. No hay líquido libre ni adenopatías. Vejiga de paredes finas.',
        ),
      },
    ],
  },
  head_ct: {
    name: inLanguages('Tomografia de crânio', 'Head CT', 'Tomografía de cráneo'),
    specialty: inLanguages('Radiologia', 'Radiology', 'Radiología'),
    title: inLanguages('Tomografia computadorizada de crânio', 'CT of the head', 'Tomografía computarizada de cráneo'),
    sections: [['indication'], ['technique'], ['comparison'], ['findings'], ['impression']],
    required: ['findings', 'impression'],
    exams: { modalities: ['CT'], regions: ['head'] },
    macros: [
      {
        name: inLanguages('tomografia de crânio normal', 'normal head CT', 'tomografía de cráneo normal'),
        section: 'findings',
        text: inLanguages(
          'Parênquima encefálico com atenuação preservada. Sistema ventricular de dimensões normais. Não há hemorragia, efeito de massa ou desvio da linha média. Calota craniana íntegra.',
          'Brain attenuation is normal. The ventricles are normal in size. There is no hemorrhage, mass effect or midline shift. The calvarium is intact.',
          'Parénquima encefálico de atenuación conservada. Sistema ventricular de tamaño normal. No hay hemorragia, efecto de masa ni desviación de la línea media. Calota íntegra.',
        ),
      },
    ],
  },
  pulmonary_cta: {
    name: inLanguages('Angiotomografia pulmonar', 'CT angiography for pulmonary embolism', 'Angiotomografía pulmonar'),
    specialty: inLanguages('Radiologia', 'Radiology', 'Radiología'),
    title: inLanguages(
      'Angiotomografia das artérias pulmonares',
      'CT angiography of the pulmonary arteries',
      'Angiotomografía de arterias pulmonares',
    ),
    sections: [['indication'], ['technique'], ['comparison'], ['findings'], ['impression']],
    required: ['findings', 'impression'],
    exams: {
      modalities: ['CT'],
      words: [
        'embol*',
        'tromboembol*',
        'thromboembol*',
        'tep',
        'pe',
        'ctpa',
        'angio* pulm*',
        'angio* tora*',
        'angio* chest',
        'cta pulm*',
        'cta tora*',
        'cta chest',
      ],
    },
    macros: [
      {
        name: inLanguages('sem embolia pulmonar', 'no pulmonary embolism', 'sin embolia pulmonar'),
        section: 'findings',
        text: inLanguages(
          'Artérias pulmonares opacificadas até os ramos [nível: segmentares|subsegmentares], sem falhas de enchimento. Tronco da artéria pulmonar com [__ mm]. Relação VD/VE normal.',
          'The pulmonary arteries are opacified to the [level: segmental|subsegmental] branches, without filling defects. The main pulmonary artery measures [__ mm]. The RV/LV ratio is normal.',
          'Arterias pulmonares opacificadas hasta las ramas [nivel: segmentarias|subsegmentarias], sin defectos de llenado. Tronco de la arteria pulmonar de [__ mm]. Relación VD/VI normal.',
        ),
      },
    ],
  },
};
