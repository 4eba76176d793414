/**
 * Labels for sentences before any section name: identity of the exam, technique and indication. From the first sentence
 * about a finding on, all belong to the findings. The labels have the form of a model's; a report can be written
 * without them.
 */
import { isTestPatientName } from '../../domain/test-data.ts';
import { wordList, wordSet } from '../../domain/fold.ts';
import { phraseWords } from '../words/phrases.ts';

/** Nouns for exams; every sentence that only identifies the exam has one. */
const examNouns = wordList(`
  tc tomografia rm rnm ressonancia rx radiografia ultrassom ultrassonografia usg ecografia doppler mamografia
  densitometria cintilografia ecocardiograma ecocardiografia ecg eletrocardiograma angiotomografia angiorressonancia
  dermatoscopia
  ct tomography mri radiograph radiography xray ray ultrasound sonography mammogram mammography densitometry
  scintigraphy echocardiogram echocardiography electrocardiogram ekg angiography dermoscopy
  tac resonancia gammagrafia electrocardiograma
`);
const namesExam: ReadonlySet<string> = new Set(examNouns);

/** All words of such a sentence: "TC de tórax sem contraste", "Chest CT without contrast". */
const examWords: ReadonlySet<string> = new Set([
  ...examNouns,
  // the rest of its name
  ...wordList(`
    tomografica computadorizada magnetica raio raios x us pet exame estudo avaliacao consulta dermatologica
    transtoracico transtoracica transesofagico transesofagica obstetrico obstetrica
    computed scan mr magnetic resonance imaging exam examination study consultation dermatology transthoracic
    transesophageal obstetric computarizada estudio
  `),
  // of what
  ...wordList(`
    torax abdome abdomen total superior inferior pelve pelvis cranio encefalo cerebro coluna cervical toracica lombar
    lombossacra joelho ombro quadril punho tornozelo pe mao mama mamas pescoco face seios tireoide direito direita
    esquerdo esquerda bilateral bilaterais
    chest head brain spine thoracic lumbar knee shoulder hip wrist ankle foot hand breast neck sinuses sinus thyroid
    right left upper lower
    craneo columna lumbar rodilla hombro cadera muneca tobillo pie mano cuello tiroides derecho derecha izquierdo
    izquierda
  `),
  // how
  ...wordList(`
    contraste venoso endovenoso intravenoso oral com sem pre pos fase arterial multifasica pa ap perfil frente
    incidencias incidencia simples digital
    contrast intravenous iv with without view views lateral frontal post two
    con sin simple proyecciones
  `),
  ...wordList('de da do das dos e em a o of the and del la el y'),
]);

/** Beginnings of a sentence that says that the rest was not recognised from speech. */
const notices = ['transcricao simulada', 'simulated transcript', 'transcripcion simulada'];

/** Phrases for the indication of an exam (folded): at the beginning of a sentence, */
const reasonsAtStart = [
  'investigacao de|investigar|suspeita de|controle de|rastreamento|seguimento de|para avaliacao',
  'evaluate for|rule out|follow up of|suspected|screening',
  'sospecha de|descartar|control de|para evaluacion',
].join('|');
/** and anywhere in it. */
const reasonsAnywhere = [
  'refere|com queixa|queixa de|historia de|\\d+ anos de idade',
  'complain(?:s|ing) of|history of|present(?:s|ing) with|years? old (?:man|woman|male|female|boy|girl|patient)',
  'refiere|consulta por|antecedentes? de|\\d+ anos de edad',
].join('|');
const reasons = new RegExp(`^(?:${reasonsAtStart})(?: |$)|(?:^| )(?:${reasonsAnywhere})(?: |$)`);

/** An age or a duration: of the patient or of a complaint it is a reason, of a finding or a device it is none. */
const times = new RegExp(
  `(?:^| )(?:${[
    '\\d+ (?:anos|meses|dias)|ha (?:\\w+ ){1,2}(?:dias?|semanas?|meses|mes|anos?|horas?)|desde (?:ontem|hoje)',
    '\\d+ (?:years?|months?|weeks?|days?) old|for (?:the (?:past|last) )?(?:\\w+ ){1,2}(?:days?|weeks?|months?|years?|hours?)',
    'desde hace|\\d+ anos|desde ayer',
  ].join('|')})(?: |$)`,
);
/** The patient, and complaints. */
const complaints = wordSet(`
  paciente pacientes homem mulher menino menina crianca lactente gestante idoso idosa sexo masculino feminino
  dor dores cefaleia tosse febre dispneia trauma queda nausea nauseas vomito vomitos tontura vertigem hematuria
  disuria sangramento emagrecimento parestesia parestesias fraqueza rouquidao disfagia convulsao
  convulsoes epigastralgia lombalgia cervicalgia dorsalgia tabagista etilista entorse
  patient man woman male female boy girl infant child pain headache cough fever dyspnea shortness fall nausea
  vomiting dizziness vertigo bleeding weakness numbness seizure seizures hoarseness dysphagia smoker
  varon mujer nino nina embarazada dolor dolores cefalea tos fiebre disnea traumatismo caida nauseas mareo mareos
  sangrado debilidad disfonia disfagia fumador fumadora
`);

/** Key of the section to which a sentence belongs; `undefined` for findings. */
function findSectionKey(sentence: string): string | undefined {
  const words = phraseWords(sentence);
  const spoken = words.join(' ');
  if (notices.some((notice) => spoken.startsWith(notice))) return 'notice';
  if (sentence.length <= 100 && isTestPatientName(sentence.replace(/(?<![\s.,;:!?])[\s.,;:!?]+$/, '')))
    return 'patient';
  if (words.length <= 16 && words.some((word) => namesExam.has(word)) && words.every((word) => examWords.has(word))) {
    return 'technique';
  }
  const isReason = reasons.test(spoken) || (times.test(spoken) && words.some((word) => complaints.has(word)));
  return isReason ? 'indication' : undefined;
}

/** Labels of the unnamed sentences of a report, by their number (`WriteInput.label`). */
export function labelOpening(unnamed: readonly string[]): ReadonlyMap<number, string> {
  const labels = new Map<number, string>();
  for (const [number, sentence] of unnamed.entries()) {
    const key = findSectionKey(sentence);
    if (key === undefined) break;
    labels.set(number, key);
  }
  return labels;
}
