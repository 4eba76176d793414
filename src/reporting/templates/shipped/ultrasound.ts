/** Ultrasound. */
import { inLanguages } from '../template.ts';
import type { TemplateData } from '../template.ts';

const fetalBiometry = inLanguages(
  'DBP [__ mm]. CC [__ mm]. CA [__ mm]. Fêmur [__ mm]. Peso estimado [__ g]. Batimentos cardíacos fetais [__ bpm].',
  'BPD [__ mm]. HC [__ mm]. AC [__ mm]. FL [__ mm]. Estimated fetal weight [__ g]. Fetal heart rate [__ bpm].',
  'DBP [__ mm]. PC [__ mm]. PA [__ mm]. Fémur [__ mm]. Peso estimado [__ g]. Frecuencia cardíaca fetal [__ lpm].',
);

export const ultrasoundTemplates: Readonly<Record<string, TemplateData>> = {
  abdomen_us: {
    name: inLanguages('Ultrassonografia de abdome', 'Abdominal ultrasound', 'Ecografía de abdomen'),
    specialty: inLanguages('Radiologia', 'Radiology', 'Radiología'),
    title: inLanguages('Ultrassonografia de abdome', 'Ultrasound of the abdomen', 'Ecografía abdominal'),
    sections: [['indication'], ['technique'], ['comparison'], ['findings'], ['impression']],
    required: ['findings', 'impression'],
    exams: { modalities: ['US'], regions: ['abdomen'] },
    macros: [
      {
        name: inLanguages('ultrassom de abdome normal', 'normal abdominal ultrasound', 'ecografía de abdomen normal'),
        section: 'findings',
        text: inLanguages(
          'Fígado de dimensões e ecotextura normais. Vesícula biliar de paredes finas, sem cálculos. Vias biliares sem dilatação. Pâncreas e baço normais. Rim direito com [__ cm] e rim esquerdo com [__ cm], sem hidronefrose. Não há líquido livre.',
          'The liver is normal in size and echotexture. The gallbladder is thin-walled, without stones. The bile ducts are not dilated. The pancreas and spleen are normal. The right kidney measures [__ cm] and the left kidney [__ cm], without hydronephrosis. There is no free fluid.',
          'Hígado de tamaño y ecotextura normales. Vesícula biliar de paredes finas, sin cálculos. Vía biliar no dilatada. Páncreas y bazo normales. Riñón derecho de [__ cm] y riñón izquierdo de [__ cm], sin hidronefrosis. No hay líquido libre.',
        ),
      },
    ],
  },
  obstetric_us: {
    name: inLanguages(
      'Ultrassonografia obstétrica (2º trimestre)',
      'Obstetric ultrasound (2nd trimester)',
      'Ecografía obstétrica (2.º trimestre)',
    ),
    specialty: inLanguages('Obstetrícia', 'Obstetrics', 'Obstetricia'),
    title: inLanguages(
      'Ultrassonografia obstétrica morfológica',
      'Second trimester obstetric ultrasound',
      'Ecografía obstétrica del segundo trimestre',
    ),
    sections: [['indication'], ['technique'], ['comparison'], ['measurements'], ['findings'], ['impression']],
    required: ['measurements', 'findings', 'impression'],
    defaults: { measurements: fetalBiometry },
    exams: { modalities: ['US'], words: ['obst*', 'fetal', 'morfol*', 'gesta*', 'embaraz*', 'pregnan*', 'trimest*'] },
    macros: [
      {
        name: inLanguages('biometria fetal', 'fetal biometry', 'biometría fetal'),
        section: 'measurements',
        text: fetalBiometry,
      },
    ],
  },
  thyroid_us: {
    name: inLanguages(
      'Ultrassonografia de tireoide (TI-RADS)',
      'Thyroid ultrasound (TI-RADS)',
      'Ecografía de tiroides (TI-RADS)',
    ),
    specialty: inLanguages('Radiologia', 'Radiology', 'Radiología'),
    title: inLanguages('Ultrassonografia da tireoide', 'Ultrasound of the thyroid', 'Ecografía de tiroides'),
    sections: [['indication'], ['technique'], ['comparison'], ['measurements'], ['findings'], ['impression']],
    required: ['findings', 'impression'],
    exams: { modalities: ['US'], regions: ['thyroid'] },
    macros: [
      {
        name: inLanguages('medidas da tireoide', 'thyroid measurements', 'medidas de tiroides'),
        section: 'measurements',
        text: inLanguages(
          'Lobo direito [__ cm]. Lobo esquerdo [__ cm]. Istmo [__ mm].',
          'Right lobe [__ cm]. Left lobe [__ cm]. Isthmus [__ mm].',
          'Lóbulo derecho [__ cm]. Lóbulo izquierdo [__ cm]. Istmo [__ mm].',
        ),
      },
      {
        name: inLanguages('nódulo de tireoide', 'thyroid nodule', 'nódulo de tiroides'),
        section: 'findings',
        text: inLanguages(
          'Nódulo [composição: sólido|misto|cístico|espongiforme] no [lado: lobo direito|lobo esquerdo|istmo], medindo [__ mm], TI-RADS [categoria: 1|2|3|4|5].',
          '[composition: Solid|Mixed|Cystic|Spongiform] nodule in the [side: right lobe|left lobe|isthmus], measuring [__ mm], TI-RADS [category: 1|2|3|4|5].',
          'Nódulo [composición: sólido|mixto|quístico|espongiforme] en [lado: lóbulo derecho|lóbulo izquierdo|istmo], de [__ mm], TI-RADS [categoría: 1|2|3|4|5].',
        ),
      },
    ],
  },
  carotid_doppler: {
    name: inLanguages('Doppler de carótidas', 'Carotid Doppler', 'Doppler carotídeo'),
    specialty: inLanguages('Radiologia', 'Radiology', 'Radiología'),
    title: inLanguages(
      'Ultrassonografia com Doppler de carótidas e vertebrais',
      'Doppler ultrasound of the carotid and vertebral arteries',
      'Ecografía Doppler de troncos supraaórticos',
    ),
    sections: [['indication'], ['technique'], ['comparison'], ['measurements'], ['findings'], ['impression']],
    required: ['findings', 'impression'],
    exams: { modalities: ['US'], regions: ['carotid'] },
    macros: [
      {
        name: inLanguages('velocidades das carótidas', 'carotid velocities', 'velocidades carotídeas'),
        section: 'measurements',
        text: inLanguages(
          'Carótida interna direita: pico sistólico [__ cm/s]. Carótida interna esquerda: pico sistólico [__ cm/s].',
          'Right internal carotid artery: peak systolic velocity [__ cm/s]. Left internal carotid artery: peak systolic velocity [__ cm/s].',
          'Carótida interna derecha: pico sistólico [__ cm/s]. Carótida interna izquierda: pico sistólico [__ cm/s].',
        ),
      },
    ],
  },
};
