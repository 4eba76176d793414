/** Cardiology and dermatology. */
import { inLanguages } from '../template.ts';
import type { TemplateData } from '../template.ts';

/** Measurements of an echocardiogram, by the Spanish word for the septum. */
const echocardiogramMeasurements = (septum: string) =>
  inLanguages(
    'Átrio esquerdo [__ mm]. Septo [__ mm]. Parede posterior [__ mm]. Diâmetro diastólico do VE [__ mm]. Fração de ejeção [__ %].',
    'Left atrium [__ mm]. Septum [__ mm]. Posterior wall [__ mm]. LV end-diastolic diameter [__ mm]. Ejection fraction [__ %].',
    `Aurícula izquierda [__ mm]. ${septum} [__ mm]. Pared posterior [__ mm]. Diámetro diastólico del VI [__ mm]. Fracción de eyección [__ %].`,
  );

const echocardiogram = (measurements: TemplateData['name']): Omit<TemplateData, 'previous'> => ({
  name: inLanguages('Ecocardiograma', 'Echocardiogram', 'Ecocardiograma'),
  specialty: inLanguages('Cardiologia', 'Cardiology', 'Cardiología'),
  title: inLanguages('Ecocardiograma transtorácico', 'Transthoracic echocardiogram', 'Ecocardiograma transtorácico'),
  sections: [['indication'], ['technique'], ['measurements'], ['findings'], ['impression']],
  required: ['measurements', 'findings', 'impression'],
  defaults: { measurements },
  exams: {
    modalities: ['US'],
    regions: ['heart'],
    words: ['ecocard*', 'echocard*', 'ecodopplercard*', 'transthoracic', 'transtorac*'],
  },
  macros: [
    {
      name: inLanguages('medidas do ecocardiograma', 'echo measurements', 'medidas del ecocardiograma'),
      section: 'measurements',
      text: measurements,
    },
  ],
});

export const otherTemplates: Readonly<Record<string, TemplateData>> = {
  echocardiogram: {
    ...echocardiogram(echocardiogramMeasurements('Septo')),
    previous: [echocardiogram(echocardiogramMeasurements('Septum'))],
  },
  ecg: {
    name: inLanguages('Eletrocardiograma', 'Electrocardiogram', 'Electrocardiograma'),
    specialty: inLanguages('Cardiologia', 'Cardiology', 'Cardiología'),
    title: inLanguages('Eletrocardiograma de repouso', 'Resting electrocardiogram', 'Electrocardiograma de reposo'),
    sections: [['indication'], ['measurements'], ['findings'], ['impression']],
    required: ['findings', 'impression'],
    exams: { modalities: ['ECG'], words: ['eletrocard*', 'electrocard*', 'ecg', 'ekg'] },
    macros: [
      {
        name: inLanguages('eletrocardiograma normal', 'normal ECG', 'electrocardiograma normal'),
        section: 'findings',
        text: inLanguages(
          'Ritmo sinusal com frequência de [__ bpm]. Eixo e intervalos normais. Repolarização ventricular sem alterações.',
          'Sinus rhythm at a rate of [__ bpm]. Axis and intervals are normal. Ventricular repolarization is normal.',
          'Ritmo sinusal con frecuencia de [__ lpm]. Eje e intervalos normales. Repolarización ventricular sin alteraciones.',
        ),
      },
    ],
  },
  dermatology: {
    name: inLanguages('Consulta dermatológica', 'Dermatology note', 'Consulta dermatológica'),
    specialty: inLanguages('Dermatologia', 'Dermatology', 'Dermatología'),
    title: inLanguages(
      'Relatório de consulta dermatológica',
      'Dermatology consultation',
      'Informe de consulta dermatológica',
    ),
    sections: [['history'], ['examination'], ['diagnosis'], ['plan']],
    required: ['examination', 'diagnosis'],
    exams: { modalities: ['XC', 'ES'], words: ['dermat*'] },
    macros: [
      {
        name: inLanguages('pele normal', 'normal skin', 'piel normal'),
        section: 'examination',
        text: inLanguages(
          'Pele, mucosas e anexos sem lesões.',
          'Skin, mucous membranes and appendages without lesions.',
          'Piel, mucosas y anejos sin lesiones.',
        ),
      },
    ],
  },
};
