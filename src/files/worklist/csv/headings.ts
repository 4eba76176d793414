/** The headings of tables: which field each names. */
import { plainWords } from '../coded-words.ts';
import type { KindName } from '../kinds.ts';
import { findEntry } from '../../../domain/find-entry.ts';

interface Column {
  /** A field of the contract, `metadata.` and a name, a part of exam_datetime or patient_name, or `status`. */
  readonly to: string;
  readonly kind: KindName;
  /** Headings in addition to the field's name, as `headingWords` gives them. */
  readonly headings: string;
}

/** In English, Portuguese, Spanish, German, French and Italian; of columns with the same meaning the better name counts, then the first. */
export const csvColumns: readonly Column[] = [
  {
    to: 'accession_number',
    kind: 'text',
    headings:
      'acesso, acceso, acc, accession id, codigo acesso, codigo acceso, id acesso, id acceso, pedido, codigo pedido, orden, order, order id, requisicao, protocolo, anforderungsnummer, auftragsnummer, zugangsnummer, untersuchungsnummer, demande, acesso dicom, auftragsnr, anforderungsnr, zugangsnr, untersuchungsnr, peticion, codigo peticion, id peticion, request id, requisition, filler order, id pedido, id solicitacao, codigo solicitacao, id orden, auftrag, id demande, codigo itped, codigo ped, acces, id acces, code acces, accesso, id accesso, codice accesso, richiesta, id richiesta, codice richiesta',
  },
  {
    to: 'study_uid',
    kind: 'uid',
    headings: 'study instance uid, study iuid, uid estudo, uid estudio, estudo uid, estudio uid, uid',
  },
  {
    to: 'patient_id',
    kind: 'text',
    headings:
      'id paciente, paciente id, codigo paciente, registro paciente, prontuario, prontuario paciente, mrn, medical record, historia clinica, hc, nhc, expediente, matricula, id patient, historia, cip, sip, id pac, patientennummer, patienten id, patientenid, patientid, ipp, nip, dossier, dossier patient, patient mrn, pid, patient pid, codigo pessoa fisica, patientennr, uhid, reg paciente, id paziente, codice paziente, cartella clinica',
  },
  {
    to: 'patient_name',
    kind: 'text',
    headings:
      'patient, name, nome, nome paciente, paciente, nombre, nombre paciente, nombre apellidos, apellidos nombre, nombre completo, nombre apellido, apellido nombre, nome completo, full name, nome social, patientenname, nom, nom patient, nom prenom, patient full name, fullname, nome pessoa fisica, nome sobrenome, name vorname, nachname vorname, paziente, nominativo, cognome nome, nome cognome, nome paziente, nominativo paziente',
  },
  {
    to: 'modality',
    kind: 'modality',
    headings:
      'modalidade, modalidad, mod, tipo exame, tipo examen, tipo estudo, tipo estudio, exam type, modalitat, modalite, modalities, modalities in study, modality type, modality code, exam modality, codigo modalidade, nome modalidade, descricao modalidade, sigla modalidade, modal, modalita',
  },
  {
    to: 'exam_datetime',
    kind: 'instant',
    headings:
      'exam date time, date time, datetime, scheduled, scheduled at, scheduled date time, study date time, data hora, data hora exame, data hora agendamento, agendamento, fecha hora, fecha hora examen, fecha hora estudio, fecha hora cita, termin, untersuchungszeitpunkt, date heure, date heure examen, rendez vous, rdv, study datetime, scheduled datetime, appointment datetime, datum uhrzeit, appointment date time, exam begin date time, begin exam date time, data ora, data ora esame, data ora appuntamento, appuntamento',
  },
  {
    to: 'exam_date',
    kind: 'text',
    headings:
      'date, study date, scheduled date, appointment date, scheduled procedure step start date, data, data exame, data estudo, data agendamento, fecha, fecha examen, fecha estudio, fecha cita, datum, untersuchungsdatum, termindatum, date examen, date rdv, fecha prueba, fecha realizacion, data realizacao, start date, exam start date, date exam, date study, date service, service date, dos, begin exam date, exam begin date, data prevista, data prevista execucao, data prev execucao, data execucao, data pedido, data solicitacao, data requisicao, fecha pedido, fecha solicitud, fecha orden, order date, request date, requested date, auftragsdatum, anforderungsdatum, date demande, date prescription, data agenda, fecha agenda, f cita, fec cita, data esame, data appuntamento, data agendada, data marcada, data prenotazione, data agendamento exame',
  },
  {
    to: 'exam_time',
    kind: 'text',
    headings:
      'time, study time, scheduled time, appointment time, scheduled procedure step start time, hora, hora exame, hora estudo, hora agendamento, horario, hora examen, hora estudio, hora cita, zeit, uhrzeit, heure, heure examen, heure rdv, hora prueba, start time, begin exam time, exam begin time, exam start time, hora prevista, hora execucao, terminzeit, hora pedido, hora solicitacao, hora requisicao, hora solicitud, hora orden, order time, request time, requested time, auftragszeit, heure demande, hora agenda, h cita, ora, ora esame, ora appuntamento, orario, hora agendada, hora marcada, heure rendez vous',
  },
  {
    to: 'exam_description',
    kind: 'text',
    headings:
      'description, exam, exam name, study, study description, procedure, procedure description, descricao, descricao exame, descricao procedimento, exame, nome exame, estudo, procedimento, descripcion, descripcion examen, descripcion estudio, examen, estudio, procedimiento, prestacion, prueba, pruebas, prueba solicitada, exploracion, procedimientos, exames, servicio solicitado, untersuchung, untersuchungsart, beschreibung, bezeichnung, leistung, acte, libelle, libelle examen, designation, description examen, examination, procedure name, requested procedure, requested procedure description, scheduled procedure step description, service name, study name, nome procedimento, descricao procedure exame, libelle acte, acte demande, examen demande, test name, investigation, body part, bodypart, body part examined, parte corpo, regiao, regiao anatomica, region anatomica, exame solicitado, exames solicitados, procedimento solicitado, examen solicitado, estudio solicitado, angeforderte untersuchung, esame, descrizione, descrizione esame, prestazione, esame richiesto, nome esame',
  },
  {
    to: 'patient_family_name',
    kind: 'text',
    headings:
      'apellidos, apellido, sobrenome, last name, surname, family name, nachname, familienname, nom famille, primer apellido, apellido 1, apellido1, 1er apellido, apellido paterno, patient last name, patient last, patient surname, lastname, nom naissance, nom usuel, cognome, cognome paziente',
  },
  {
    to: 'patient_second_family_name',
    kind: 'text',
    headings:
      'second surname, segundo sobrenome, segundo apellido, apellido 2, apellido2, 2o apellido, apellido materno',
  },
  {
    to: 'patient_given_name',
    kind: 'text',
    headings:
      'first name, given name, forename, vorname, prenom, primeiro nome, nombres, primer nombre, patient first name, patient first, firstname',
  },
  {
    to: 'status',
    kind: 'text',
    headings:
      'exam status, status exame, situacao, situacao exame, estado, estado cita, estado examen, estado estudio, estado prueba, status agendamento, zustand, statut, etat, order status, order state, state, exam state, appointment status, procedure status, study status, scheduling status, booking status, visit status, status description, status code, status name, situacao agendamento, situacao pedido, status pedido, status exame descricao, estado orden, estado solicitud, estado agenda, statut rdv, statut examen, statut demande, etat examen, terminstatus, auftragsstatus, untersuchungsstatus, cancelled, canceled, cancelado, cancelada, anulado, anulada, annule, storniert, status execucao',
  },
  {
    to: 'patient_sex',
    kind: 'sex',
    headings:
      'sex, sexo, sexo paciente, gender, patient gender, genero, geschlecht, sexe, tipo sexo, geschl, sx, m w, geschlecht m w, sesso, sesso paziente',
  },
  {
    to: 'patient_birth_date',
    kind: 'date',
    headings:
      'birth date, birthdate, date birth, birth, dob, data nascimento, data nasc, nascimento, fecha nacimiento, fecha nac, f nacimiento, nacimiento, geburtsdatum, geb datum, geboren, date naissance, ddn, fec nac, nacido, patient dob, geb dat, gebdat, geburtstag, f nacim, fecha nacim, date naiss, f nac, nasc, geb, ne, nee, data di nascita, data nascita, nascita, nato, nata',
  },
  { to: 'patient_age', kind: 'age', headings: 'age, idade, idade paciente, edad, edad paciente, alter' },
  {
    to: 'exam_room',
    kind: 'text',
    headings:
      'room, sala, sala exame, sala examen, equipamento, aparelho, equipo, station, raum, gerat, salle, appareil, station name, scheduled station name, scheduled station ae title, scheduled ae title, ae title, arbeitsplatz, untersuchungsraum, apparecchio, sala esame',
  },
  {
    to: 'referring_physician',
    kind: 'text',
    headings:
      'referring, physician, doctor, requesting physician, medico, medico solicitante, solicitante, medico referente, medico remitente, medico tratante, medico derivante, medico peticionario, peticionario, facultativo, uberweiser, zuweiser, arzt, anforderer, medecin, prescripteur, medecin prescripteur, medecin demandeur, referring physician name, referring doctor, requested physician, requesting doctor, ordering physician, ordering provider, doctor name, ordering md, referring md, ordering doctor, nome medico, nome medico solicitante, nome prestador, medico richiedente, richiedente, medico prescrittore, prescrittore',
  },
  {
    to: 'hospital_name',
    kind: 'text',
    headings:
      'hospital, facility, institution, institution name, clinic, nome hospital, unidade, clinica, instituicao, estabelecimento, nombre hospital, institucion, centro, establecimiento, klinik, krankenhaus, einrichtung, hopital, clinique, etablissement, ospedale, struttura, presidio',
  },
  {
    to: 'location',
    kind: 'text',
    headings:
      'department, ward, unit, setor, departamento, local, localizacao, origem, enfermaria, servico, servicio, sector, ubicacion, service, abteilung, unidad, planta, nome setor, descricao setor, servicio peticionario, service demandeur, reparto, reparto richiedente, provenienza',
  },
  {
    to: 'procedure_id',
    kind: 'text',
    headings:
      'procedure code, exam code, codigo procedimento, codigo exame, tuss, codigo procedimiento, codigo examen, codigo estudio, codigo prueba, leistungscode, code acte, ccam, code ccam, codigo procedure exame',
  },
  {
    to: 'series_count',
    kind: 'count',
    headings: 'series, qtd series, quantidade series, cantidad series, study related series',
  },
  {
    to: 'images_count',
    kind: 'count',
    headings:
      'images, imagens, qtd imagens, quantidade imagens, imagenes, cantidad imagenes, imgs, instances, image count, instance count, instances count, study related instances',
  },
  {
    to: 'metadata.priority',
    kind: 'priority',
    headings:
      'prioridade, prioridad, urgencia, urgency, prioritat, dringlichkeit, priorite, urgence, exam priority, study priority, priorita',
  },
  {
    to: 'metadata.clinical_info',
    kind: 'text',
    headings:
      'clinical information, clinical history, clinical indication, indication, indicacao, indicacao clinica, informacoes clinicas, dados clinicos, quadro clinico, indicacion, indicacion clinica, datos clinicos, informacion clinica, fragestellung, indikation, klinische angaben, renseignements cliniques, motif, motivo consulta, diagnostico, hipotese diagnostica, reason exam, reason study, clinical notes, quesito, quesito clinico, quesito diagnostico, indicazione clinica, notizie cliniche, sospetto diagnostico',
  },
  {
    to: 'metadata.notes',
    kind: 'text',
    headings:
      'comments, observacao, observacoes, obs, notas, observaciones, comentarios, bemerkung, bemerkungen, kommentar, commentaire, commentaires, remarques, osservazioni, annotazioni',
  },
];

/** Shortened words of headings, as databases and reports have them. */
const whole: Readonly<Record<string, string>> = {
  pat: 'patient',
  pt: 'patient',
  patients: 'patient',
  proc: 'procedure',
  desc: 'description',
  descr: 'description',
  ref: 'referring',
  req: 'requested',
  phys: 'physician',
  sch: 'scheduled',
  sched: 'scheduled',
  examination: 'exam',
  acc: 'accession',
  appt: 'appointment',
  exa: 'exame',
  // Portuguese databases put these before the names of columns.
  cd: 'codigo',
  cod: 'codigo',
  nm: 'nome',
  ds: 'descricao',
  dt: 'data',
  hr: 'hora',
  tp: 'tipo',
};

/** Words that say nothing about what a column holds, and those that stand for "number". */
const fillers = new Set(
  'a al and d da das de del der des die das do dos du e el en et ie l la las le les los na no num numero number nr nro n o of s sn the und y'.split(
    ' ',
  ),
);

/** Words written together begin with capitals; those with underscores are parted like any others. */
const partedWords = (heading: string): string => heading.replace(/([a-z\d])([A-Z])/g, '$1 $2');

/** A heading in plain words: `Nº de Acesso` and `accession_number` become `acesso` and `accession`. */
export function headingWords(heading: string): string {
  const words = plainWords(partedWords(heading)).split(' ');
  const telling = words.filter((word) => !fillers.has(word));
  if (telling.length > 1) return telling.map((word) => findEntry(whole, word) ?? word).join(' ');
  return (telling.length > 0 ? telling : words).join(' ');
}

/** Heading in plain words → field. */
const fieldOfWords: ReadonlyMap<string, string> = new Map(
  csvColumns.flatMap(({ to, headings }) =>
    [headingWords(to.replace(/^metadata\./, '')), ...headings.split(', ')].map((words) => [words, to] as const),
  ),
);

const lettersOf = (words: string): string => words.replaceAll(' ', '');
/** Shorter ones may be the beginning of another word. */
const minLetters = 8;
const shortened = (words: string): string =>
  Object.entries(whole).reduce((text, [short, long]) => text.replaceAll(long, short), words);
/** The same, of names that are written together: `accessionno`, `studydate`, `procdesc`. */
const fieldOfLetters: ReadonlyMap<string, string> = new Map(
  [...fieldOfWords]
    .flatMap(([words, to]) => [words, shortened(words)].map((text) => [lettersOf(text), to] as const))
    .filter(([letters]) => letters.length >= minLetters),
);

/** `accessionno` is written together with the word for number; that of a hospital or a patient is not its name. */
function fieldOfJoined(letters: string): string | undefined {
  const known = fieldOfLetters.get(letters);
  const counted = known === undefined ? fieldOfLetters.get(letters.replace(/(?:number|no|nr|num)$/, '')) : undefined;
  return known ?? (counted === 'accession_number' ? counted : undefined);
}

/** `Nº do exame`, `Patient No`, `MRN #`: the heading says that a number is below. */
const numberWords = /^(?:n|no|nr|nro|num|numero|number)\b|\b(?:n|no|nr|nro|num|numero|number)$/;
const saysNumber = (heading: string): boolean =>
  heading.includes('#') || numberWords.test(plainWords(partedWords(heading)));
/** Numbered things, by the words of their heading without the word for "number". */
const numbered: ReadonlyMap<string, string> = new Map(
  Object.entries({
    accession_number:
      'exame, examen, estudo, estudio, exam, study, prueba, untersuchung, solicitacao, solicitud, request, peticion',
    // A hospital number in English is the patient's number in that hospital.
    patient_id: 'patient, pat, paciente, pac, hospital',
    procedure_id: 'procedure, procedimento, procedimiento, acte, prestacion, leistung',
  }).flatMap(([field, words]) => words.split(', ').map((word) => [word, field] as const)),
);
/** Fields of words, which no number is: not that of a doctor, a unit or a hospital. */
const wordy = new Set(
  'patient_name, patient_family_name, patient_given_name, exam_description, referring_physician, hospital_name, location'.split(
    ', ',
  ),
);

/** Behind the name of a column, the kind of exam that the table is about: `DS_EXA_RX`. */
const kindOfExam = / (?:rx|tc|rm|us|usg|mg|cr|dx|ct|mr|mri)$/;

/** The field that a heading names; `undefined`: none that is known. */
export function fieldOfHeading(heading: string): string | undefined {
  const words = headingWords(heading);
  const named =
    fieldOfWords.get(words) ?? fieldOfJoined(lettersOf(words)) ?? fieldOfWords.get(words.replace(kindOfExam, ''));
  if (!saysNumber(heading)) return named;
  const own = numbered.get(words);
  // `N. paciente` may be short for their name, too.
  if (own === 'patient_id' && /^n\b/.test(plainWords(heading)) && !/[º°]/.test(heading)) return named;
  return own ?? (named !== undefined && wordy.has(named) ? undefined : named);
}

/** Words of languages that write the day before the month, as headings have them. */
const dayFirstWords = new Set(
  'anforderung apellido apellidos cognome esame nascita ora paziente sesso auftrag cita data datum demande examen exame fecha geb geboren geburtsdatum geschlecht heure hora horario medecin medico nachname naissance nacimiento nascimento nom nombre nome paciente prenom prontuario rdv sexe sexo termin uhrzeit untersuchung vorname zeit'.split(
    ' ',
  ),
);

export const isDayFirst = (heading: string): boolean =>
  headingWords(heading)
    .split(' ')
    .some((word) => dayFirstWords.has(word));

/** Words of Britain, which does so too, but with decimal points. */
const britishWords = new Set('nhs forename forenames chi'.split(' '));

export const isBritish = (heading: string): boolean =>
  headingWords(heading)
    .split(' ')
    .some((word) => britishWords.has(word));
