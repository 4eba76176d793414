/** Fills in the technique section if it was not dictated: only facts of the order, never how the exam was performed. */
import type { Language } from '../../../src/contract/shared.ts';
import type { ExamContext } from '../exam-context.ts';

/** Exam types by DICOM modality (PS3.3 C.7.3.1.1.1): Portuguese, English, Spanish. */
const modalityNames: Readonly<Record<string, readonly [pt: string, en: string, es: string]>> = {
  BMD: ['densitometria óssea', 'bone densitometry', 'densitometría ósea'],
  CR: ['radiografia computadorizada', 'computed radiography', 'radiografía computarizada'],
  CT: ['tomografia computadorizada', 'computed tomography', 'tomografía computarizada'],
  DX: ['radiografia digital', 'digital radiography', 'radiografía digital'],
  ECG: ['eletrocardiograma', 'electrocardiography', 'electrocardiograma'],
  ES: ['endoscopia', 'endoscopy', 'endoscopia'],
  IO: ['radiografia intraoral', 'intraoral radiography', 'radiografía intraoral'],
  IVUS: ['ultrassonografia intravascular', 'intravascular ultrasound', 'ecografía intravascular'],
  MG: ['mamografia', 'mammography', 'mamografía'],
  MR: ['ressonância magnética', 'magnetic resonance imaging', 'resonancia magnética'],
  NM: ['medicina nuclear', 'nuclear medicine', 'medicina nuclear'],
  OCT: ['tomografia de coerência óptica', 'optical coherence tomography', 'tomografía de coherencia óptica'],
  OP: ['fotografia oftálmica', 'ophthalmic photography', 'fotografía oftálmica'],
  OPT: ['tomografia oftálmica', 'ophthalmic tomography', 'tomografía oftálmica'],
  PT: ['tomografia por emissão de pósitrons', 'positron emission tomography', 'tomografía por emisión de positrones'],
  PX: ['radiografia panorâmica', 'panoramic radiography', 'radiografía panorámica'],
  RF: ['fluoroscopia', 'fluoroscopy', 'fluoroscopia'],
  US: ['ultrassonografia', 'ultrasound', 'ecografía'],
  XA: ['angiografia', 'X-ray angiography', 'angiografía'],
  XC: ['fotografia clínica', 'clinical photography', 'fotografía clínica'],
};

const columns: Readonly<Record<Language, 0 | 1 | 2>> = { 'pt-BR': 0, 'en-US': 1, 'es-ES': 2 };

const sentences: Readonly<Record<Language, (kind: string, description: string) => string>> = {
  'pt-BR': (kind, description) => `Exame de ${kind}: ${description}.`,
  'en-US': (kind, description) => `Examination by ${kind}. Procedure: ${description}.`,
  'es-ES': (kind, description) => `Estudio de ${kind}: ${description}.`,
};

const otherKind: Readonly<Record<Language, (modality: string) => string>> = {
  'pt-BR': (modality) => `modalidade ${modality}`,
  'en-US': (modality) => `modality ${modality}`,
  'es-ES': (modality) => `modalidad ${modality}`,
};

/** The kind of exam in words: "computed tomography". */
export const describeModality = ({ modality }: Pick<ExamContext, 'modality'>, language: Language): string =>
  modalityNames[modality]?.[columns[language]] ?? otherKind[language](modality);

/** The description without a final stop. */
export const describeProcedure = ({ exam_description: description }: Pick<ExamContext, 'exam_description'>): string =>
  description.replace(/\s+/g, ' ').trim().replace(/\.$/, '');

/** A sentence with the ordered modality and procedure. */
export const describeTechnique = (exam: ExamContext, language: Language): string =>
  sentences[language](describeModality(exam, language), describeProcedure(exam));
