/** A day of exams of test patients for trying out Laudio: its times are relative to now. */
import type { Language } from '../contract/shared.ts';
import type { WorklistItemInput } from '../contract/worklist.ts';
import type { PriorityTerm } from '../contract/priority.ts';

type Patient = readonly [id: string, name: string, sex: 'F' | 'M', born: string];
const patients = {
  ana: ['0045871', 'TESTE^PACIENTE', 'F', '1971-06-14'],
  rui: ['0045902', 'PATIENT^DEMO', 'M', '1958-11-02'],
  eva: ['0046013', 'PATIENT^SAMPLE', 'F', '1990-01-27'],
  leo: ['0046120', 'PATIENT^TEST', 'M', '2016-08-09'],
  ida: ['0046244', 'ANÔNIMO^PACIENTE', 'F', '1944-03-30'],
  max: ['0046350', 'PATIENT^ANONYMOUS', 'M', '1982-12-05'],
} as const satisfies Readonly<Record<string, Patient>>;

type Words = Readonly<Record<Language, string>>;

interface Sample {
  readonly minutesAgo: number;
  readonly priority: PriorityTerm;
  readonly of: keyof typeof patients;
  readonly at: Words;
  readonly modality: string;
  readonly where?: Words;
  readonly description: Words;
  readonly indication: Words;
}
const words = (pt: string, en: string, es: string): Words => ({ 'pt-BR': pt, 'en-US': en, 'es-ES': es });
const saoLucas = words('Hospital São Lucas', 'Hospital São Lucas', 'Hospital San Lucas');
const boaVista = words('Clínica Boa Vista', 'Clínica Boa Vista', 'Clínica Buena Vista');
const emergency = words('Pronto-socorro', 'Emergency', 'Urgencias');

/** Urgent ones near and past their target, a patient with an earlier exam, several modalities and two hospitals. */
const samples: readonly Sample[] = [
  {
    minutesAgo: 18,
    priority: 'STAT',
    of: 'ana',
    at: saoLucas,
    modality: 'CT',
    where: emergency,
    description: words('TC de crânio sem contraste', 'CT head without contrast', 'TC de cráneo sin contraste'),
    indication: words(
      'Queda, rebaixamento do nível de consciência',
      'Fall, reduced consciousness',
      'Caída, deterioro de la conciencia',
    ),
  },
  {
    minutesAgo: 52,
    priority: 'STAT',
    of: 'rui',
    at: saoLucas,
    modality: 'CT',
    where: emergency,
    description: words('Angiotomografia de tórax', 'CT pulmonary angiography', 'Angiotomografía de tórax'),
    indication: words(
      'Dispneia súbita, suspeita de embolia',
      'Sudden dyspnea, suspected embolism',
      'Disnea súbita, sospecha de embolia',
    ),
  },
  {
    minutesAgo: 95,
    priority: 'HIGH',
    of: 'ida',
    at: saoLucas,
    modality: 'CR',
    where: words('UTI adulto', 'Adult ICU', 'UCI adultos'),
    description: words(
      'Radiografia de tórax no leito AP',
      'Portable chest radiograph AP',
      'Radiografía de tórax portátil AP',
    ),
    indication: words('Controle de cateter', 'Line position', 'Control de catéter'),
  },
  {
    minutesAgo: 215,
    priority: 'HIGH',
    of: 'leo',
    at: boaVista,
    modality: 'US',
    description: words('US de abdome total', 'Ultrasound abdomen complete', 'Ecografía abdominal total'),
    indication: words('Dor abdominal', 'Abdominal pain', 'Dolor abdominal'),
  },
  {
    minutesAgo: 30,
    priority: 'ROUTINE',
    of: 'eva',
    at: boaVista,
    modality: 'MG',
    description: words('Mamografia digital bilateral', 'Bilateral digital mammography', 'Mamografía digital bilateral'),
    indication: words('Rastreamento', 'Screening', 'Cribado'),
  },
  {
    minutesAgo: 75,
    priority: 'ROUTINE',
    of: 'max',
    at: boaVista,
    modality: 'MR',
    description: words(
      'RM de joelho direito sem contraste',
      'MRI right knee without contrast',
      'RM de rodilla derecha sin contraste',
    ),
    indication: words('Trauma há duas semanas', 'Trauma two weeks ago', 'Traumatismo hace dos semanas'),
  },
  {
    minutesAgo: 140,
    priority: 'ROUTINE',
    of: 'rui',
    at: saoLucas,
    modality: 'DX',
    description: words(
      'Radiografia de tórax PA e perfil',
      'Chest radiograph PA and lateral',
      'Radiografía de tórax PA y lateral',
    ),
    indication: words('Tosse', 'Cough', 'Tos'),
  },
  {
    minutesAgo: 160,
    priority: 'ROUTINE',
    of: 'ana',
    at: saoLucas,
    modality: 'MR',
    description: words(
      'RM de coluna lombar sem contraste',
      'MRI lumbar spine without contrast',
      'RM de columna lumbar sin contraste',
    ),
    indication: words('Lombociatalgia', 'Low back pain', 'Lumbociática'),
  },
  {
    minutesAgo: 190,
    priority: 'ROUTINE',
    of: 'eva',
    at: boaVista,
    modality: 'US',
    description: words(
      'US de tireoide com Doppler',
      'Thyroid ultrasound with Doppler',
      'Ecografía de tiroides con Doppler',
    ),
    indication: words('Nódulo palpável', 'Palpable nodule', 'Nódulo palpable'),
  },
  {
    minutesAgo: 240,
    priority: 'ROUTINE',
    of: 'ida',
    at: saoLucas,
    modality: 'CT',
    description: words(
      'TC de abdome e pelve com contraste',
      'CT abdomen and pelvis with contrast',
      'TC de abdomen y pelvis con contraste',
    ),
    indication: words('Estadiamento', 'Staging', 'Estadificación'),
  },
  {
    minutesAgo: 260,
    priority: 'LOW',
    of: 'leo',
    at: boaVista,
    modality: 'DX',
    description: words('Radiografia de punho esquerdo', 'Left wrist radiograph', 'Radiografía de muñeca izquierda'),
    indication: words('Idade óssea', 'Bone age', 'Edad ósea'),
  },
  {
    minutesAgo: 1400,
    priority: 'ROUTINE',
    of: 'max',
    at: boaVista,
    modality: 'MR',
    description: words('RM de crânio com contraste', 'MRI brain with contrast', 'RM de cráneo con contraste'),
    indication: words('Cefaleia', 'Headache', 'Cefalea'),
  },
];

/** The sample day as a RIS would send it at `now` (ms since 1970). Sending it again on the same day changes nothing. */
export function sampleDay(now: number, language: Language): WorklistItemInput[] {
  const day = new Date(now).toISOString().slice(0, 10).replaceAll('-', '');
  return samples.map(({ minutesAgo, priority, of, at, modality, where, description, indication }, index) => {
    const [patient_id, patient_name, patient_sex, patient_birth_date] = patients[of];
    return {
      accession_number: `EX-${day}-${String(index + 1).padStart(2, '0')}`,
      patient_id,
      patient_name,
      patient_sex,
      patient_birth_date,
      modality,
      exam_datetime: new Date(now - minutesAgo * 60_000).toISOString(),
      exam_description: description[language],
      hospital_name: at[language],
      ...(where !== undefined && { location: where[language] }),
      metadata: { priority, indication: indication[language] },
    };
  });
}
