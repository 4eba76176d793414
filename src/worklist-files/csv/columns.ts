/** Maps the columns of a table to fields, by their headings. */
import { AppError } from '../../contract/errors.ts';
import type { WorklistMapping } from '../../contract/worklist-mapping.ts';
import { modalityCodes } from '../../domain/modalities.ts';
import { modalityOf, plainWords } from '../coded-words.ts';
import { dicomPlaceOf } from '../dicom/places.ts';
import { isFhirPath } from '../fhir/paths.ts';
import { hl7PlaceOf } from '../hl7/places.ts';
import type { KindName } from '../kinds.ts';
import type { Guess } from '../reading.ts';
import { statusOfWord } from '../status-words.ts';

interface Column {
  /** A field of the contract, `metadata.` and a name, a part of exam_datetime or patient_name, or `status`. */
  readonly to: string;
  readonly kind: KindName;
  /** Headings besides the field's own name, as `headingWords` gives them. */
  readonly headings: string;
}

/** In English, Portuguese, Spanish, German and French; of columns with the same meaning the better name counts, then the first. */
export const csvColumns: readonly Column[] = [
  {
    to: 'accession_number',
    kind: 'text',
    headings:
      'acesso, acceso, acc, accession id, codigo acesso, codigo acceso, id acesso, id acceso, pedido, codigo pedido, orden, order, order id, requisicao, protocolo, anforderungsnummer, auftragsnummer, zugangsnummer, untersuchungsnummer, demande',
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
      'id paciente, paciente id, codigo paciente, registro paciente, prontuario, prontuario paciente, mrn, medical record, historia clinica, hc, nhc, expediente, matricula, id patient, historia, cip, sip, id pac, patientennummer, patienten id, patientenid, patientid, ipp, nip, dossier, dossier patient, patient mrn, pid, patient pid',
  },
  {
    to: 'patient_name',
    kind: 'text',
    headings:
      'patient, name, nome, nome paciente, paciente, nombre, nombre paciente, nombre apellidos, apellidos nombre, nombre completo, nombre apellido, apellido nombre, nome completo, full name, nome social, patientenname, nom, nom patient, nom prenom, patient full name, fullname',
  },
  {
    to: 'modality',
    kind: 'modality',
    headings:
      'modalidade, modalidad, mod, tipo exame, tipo examen, tipo estudo, tipo estudio, exam type, modalitat, modalite, modalities, modalities in study, modality type, modality code, exam modality',
  },
  {
    to: 'exam_datetime',
    kind: 'instant',
    headings:
      'exam date time, date time, datetime, scheduled, scheduled at, scheduled date time, study date time, data hora, data hora exame, data hora agendamento, agendamento, fecha hora, fecha hora examen, fecha hora estudio, fecha hora cita, termin, untersuchungszeitpunkt, date heure, date heure examen, rendez vous, rdv, study datetime, scheduled datetime, appointment datetime',
  },
  {
    to: 'exam_date',
    kind: 'text',
    headings:
      'date, study date, scheduled date, appointment date, scheduled procedure step start date, data, data exame, data estudo, data agendamento, dt exame, fecha, fecha examen, fecha estudio, fecha cita, datum, untersuchungsdatum, termindatum, date examen, date rdv, fecha prueba, fecha realizacion, data realizacao, start date, exam start date',
  },
  {
    to: 'exam_time',
    kind: 'text',
    headings:
      'time, study time, scheduled time, appointment time, scheduled procedure step start time, hora, hora exame, hora estudo, hora agendamento, horario, hora examen, hora estudio, hora cita, zeit, uhrzeit, heure, heure examen, heure rdv, hora prueba, start time',
  },
  {
    to: 'exam_description',
    kind: 'text',
    headings:
      'description, exam, exam name, study, study description, procedure, procedure description, descricao, descricao exame, descricao procedimento, exame, nome exame, estudo, procedimento, descripcion, descripcion examen, descripcion estudio, examen, estudio, procedimiento, prestacion, prueba, pruebas, prueba solicitada, exploracion, procedimientos, exames, servicio solicitado, untersuchung, untersuchungsart, beschreibung, bezeichnung, leistung, acte, libelle, libelle examen, designation, description examen, examination, procedure name, requested procedure, requested procedure description, scheduled procedure step description, service name, study name',
  },
  {
    to: 'patient_family_name',
    kind: 'text',
    headings:
      'apellidos, apellido, sobrenome, last name, surname, family name, nachname, familienname, nom famille, primer apellido, apellido 1, apellido1, 1er apellido, apellido paterno, patient last name, patient last, patient surname, lastname, nom naissance, nom usuel',
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
      'exam status, status exame, situacao, situacao exame, estado, estado cita, estado examen, estado estudio, estado prueba, status agendamento, zustand, statut, etat, order status, order state, exam state, appointment status, appt status, procedure status, study status, scheduling status, booking status, visit status, status description, status code, status name, situacao agendamento, situacao pedido, status pedido, status exame descricao, estado orden, estado solicitud, estado agenda, statut rdv, statut examen, statut demande, etat examen, terminstatus, auftragsstatus, untersuchungsstatus, cancelled, canceled, cancelado, cancelada, anulado, anulada, annule, storniert',
  },
  {
    to: 'patient_sex',
    kind: 'sex',
    headings: 'sex, sexo, sexo paciente, gender, patient gender, genero, geschlecht, sexe',
  },
  {
    to: 'patient_birth_date',
    kind: 'date',
    headings:
      'birth date, birthdate, date birth, birth, dob, data nascimento, data nasc, dt nascimento, dt nasc, nascimento, fecha nacimiento, fecha nac, f nacimiento, nacimiento, geburtsdatum, geb datum, geboren, date naissance, ddn, fec nac, nacido, patient dob',
  },
  { to: 'patient_age', kind: 'age', headings: 'age, idade, idade paciente, edad, edad paciente, alter' },
  {
    to: 'exam_room',
    kind: 'text',
    headings:
      'room, sala, sala exame, sala examen, equipamento, aparelho, equipo, station, raum, gerat, salle, appareil, station name, scheduled station name, scheduled station ae title, scheduled ae title, ae title',
  },
  {
    to: 'referring_physician',
    kind: 'text',
    headings:
      'referring, physician, doctor, requesting physician, medico, medico solicitante, solicitante, medico referente, medico remitente, medico tratante, medico derivante, medico peticionario, peticionario, facultativo, uberweiser, zuweiser, arzt, anforderer, medecin, prescripteur, medecin prescripteur, medecin demandeur, referring physician name, referring doctor, requested physician, requesting doctor, ordering physician, ordering provider, doctor name',
  },
  {
    to: 'hospital_name',
    kind: 'text',
    headings:
      'hospital, facility, institution, institution name, clinic, nome hospital, unidade, clinica, instituicao, estabelecimento, nombre hospital, institucion, centro, establecimiento, klinik, krankenhaus, einrichtung, hopital, clinique, etablissement',
  },
  {
    to: 'location',
    kind: 'text',
    headings:
      'department, ward, unit, setor, departamento, local, localizacao, origem, enfermaria, servico, servicio, sector, ubicacion, service, abteilung, unidad, planta',
  },
  {
    to: 'procedure_id',
    kind: 'text',
    headings:
      'procedure code, exam code, codigo procedimento, cod procedimento, codigo exame, tuss, codigo procedimiento, codigo examen, codigo estudio, codigo prueba, leistungscode, code acte, ccam',
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
      'prioridade, prioridad, urgencia, urgency, prioritat, dringlichkeit, priorite, urgence, exam priority, study priority',
  },
  {
    to: 'metadata.clinical_info',
    kind: 'text',
    headings:
      'clinical information, clinical history, clinical indication, indication, indicacao, indicacao clinica, informacoes clinicas, dados clinicos, quadro clinico, indicacion, indicacion clinica, datos clinicos, informacion clinica, fragestellung, indikation, klinische angaben, renseignements cliniques, motif, motivo consulta, diagnostico, hipotese diagnostica, reason exam, reason study, clinical notes',
  },
  {
    to: 'metadata.notes',
    kind: 'text',
    headings:
      'comments, observacao, observacoes, obs, notas, observaciones, comentarios, bemerkung, bemerkungen, kommentar, commentaire, commentaires, remarques',
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
};

/** Words that say nothing about what a column holds, and those that stand for "number". */
const fillers = new Set(
  'a al d da das de del der des die das do dos du e el en l la las le les los na no num numero number nr nro n o of s the y'.split(
    ' ',
  ),
);

/** A heading in plain words: `Nº de Acesso` and `accession_number` become `acesso` and `accession`. */
export function headingWords(heading: string): string {
  // Words written together begin with capitals, those with underscores are parted like any others.
  const words = plainWords(heading.replace(/([a-z\d])([A-Z])/g, '$1 $2')).split(' ');
  const telling = words.filter((word) => !fillers.has(word));
  if (telling.length > 1) return telling.map((word) => (Object.hasOwn(whole, word) ? whole[word]! : word)).join(' ');
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
const leastLetters = 8;
const shortened = (words: string): string =>
  Object.entries(whole).reduce((text, [short, long]) => text.replaceAll(long, short), words);
/** The same, of names that are written together: `accessionno`, `studydate`, `procdesc`. */
const fieldOfLetters: ReadonlyMap<string, string> = new Map(
  [...fieldOfWords]
    .flatMap(([words, to]) => [words, shortened(words)].map((text) => [lettersOf(text), to] as const))
    .filter(([letters]) => letters.length >= leastLetters),
);

/** `accessionno` is written together with the word for number; that of a hospital or a patient is not its name. */
function fieldOfJoined(letters: string): string | undefined {
  const known = fieldOfLetters.get(letters);
  const counted = known === undefined ? fieldOfLetters.get(letters.replace(/(?:number|no|nr|num)$/, '')) : undefined;
  return known ?? (counted === 'accession_number' ? counted : undefined);
}

/** `Nº do exame`: the number of an exam, not its name. */
const numberWords = /^(?:n|no|nr|nro|num|numero|number)\b/;
const numbered = new Set(
  'exame, examen, estudo, estudio, exam, study, prueba, untersuchung, solicitacao, solicitud'.split(', '),
);

/** The field that a heading names; `undefined`: none that is known. */
export function fieldOfHeading(heading: string): string | undefined {
  const words = headingWords(heading);
  if (numberWords.test(plainWords(heading)) && numbered.has(words)) return 'accession_number';
  return fieldOfWords.get(words) ?? fieldOfJoined(lettersOf(words));
}

/** Headings that name a modality in some tables and a procedure in others; what stands below them decides. */
const ambiguous = new Set('tecnica, technique, technik, tipo, type, typ, art'.split(', '));

/** Fields of the table by the number of their column, from 0, and the headings of all columns. */
export interface Header {
  readonly headings: readonly string[];
  readonly columnOf: ReadonlyMap<string, number>;
  /** The column of the status holds no word of an exam in the beginning: it may be that of something else, or a state of a federation. */
  readonly isStatusDoubtful: boolean;
  /** The map names columns by number only: the table has no headings, and its first line is a row. */
  readonly isMissing: boolean;
}

/** The values of a column, as far as the beginning of the file shows them. */
type ValuesOf = (index: number) => readonly string[];

const unseen: ValuesOf = () => [];

/** USAGE where the mapping names a missing column. */
export function readHeader(
  headings: readonly string[],
  fields: WorklistMapping['fields'] = {},
  valuesOf: ValuesOf = unseen,
): Header {
  const { columnOf, isNamed: isMapped, missing } = mappedColumns(headings, fields);
  if (missing !== undefined) throw missingColumn(missing, headings.length);
  let isNamed = isMapped;
  const taken = new Set(columnOf.values());
  const known = headings.flatMap((heading, index) => {
    const field = taken.has(index) ? undefined : fieldOfHeading(heading);
    return field === undefined ? [] : [{ index, field, rank: rankOf(heading, field) }];
  });
  for (const { index, field } of known.toSorted((a, b) => a.rank - b.rank)) {
    if (!columnOf.has(field)) columnOf.set(field, index);
  }
  const time = known.find(
    ({ index, field }) =>
      field === 'exam_time' && goesWith(headings[index]!, headings[columnOf.get('exam_date') ?? -1]),
  );
  if (time && !taken.has(columnOf.get('exam_time')!)) columnOf.set('exam_time', time.index);
  isNamed ||= known.length > 0;
  settleParts(columnOf, fields);
  for (const [index, heading] of headings.entries()) {
    if (taken.has(index) || !ambiguous.has(headingWords(heading))) continue;
    const field = areModalities(valuesOf(index)) ? 'modality' : 'exam_description';
    if (!columnOf.has(field)) columnOf.set(field, index);
  }
  const status = columnOf.get('status');
  const isStatusDoubtful =
    status !== undefined && !taken.has(status) && !valuesOf(status).some((value) => statusOfWord(value) !== undefined);
  const isMissing = columnOf.size > 0 && !isNamed;
  return {
    headings: isMissing ? headings.map((_, index) => `column ${index + 1}`) : headings,
    columnOf,
    isStatusDoubtful,
    isMissing,
  };
}

const timeWords = /\b(?:date|data|dt|fecha|datum|time|hora|horario|uhrzeit|zeit|heure)\b/g;
const stemOf = (heading: string): string => headingWords(heading).replace(timeWords, '').trim();
/** `Study Time` is of `Study Date`, whatever other dates there are. */
const goesWith = (time: string, date: string | undefined): boolean =>
  date !== undefined && stemOf(time) === stemOf(date);

/** Headings that stand for whatever a table is about. */
const vague = new Set(
  'date, data, fecha, datum, time, hora, zeit, uhrzeit, heure, name, nome, nombre, nom, description, descricao, descripcion, beschreibung, doctor, medico, physician, arzt, medecin, uid'.split(
    ', ',
  ),
);

/** Of several columns for a field that of its own name goes before others, and those before one that says little. */
function rankOf(heading: string, field: string): number {
  const words = headingWords(heading);
  const isOwn = words === headingWords(field) || (field === 'accession_number' && /ac+es(?:s|o)/.test(words));
  return isOwn ? 0 : vague.has(words) ? 2 : 1;
}

/** The columns that a field needs where it has none of its own. */
const partsOf = [
  ['exam_datetime', ['exam_date']],
  ['patient_name', ['patient_family_name', 'patient_given_name']],
] as const;

const areModalities = (values: readonly string[]): boolean => {
  const said = values.filter((value) => value !== '');
  return said.length > 0 && said.every((value) => modalityCodes.includes(modalityOf(value).toUpperCase()));
};

/**
 * A column of names beside one of the other part of the name holds the missing part; what a person says of the parts of a
 * field goes before a column that is known for the whole.
 */
function settleParts(columnOf: Map<string, number>, mapped: object): void {
  for (const [whole, parts] of partsOf) {
    const isSaid = parts.some((part) => Object.hasOwn(mapped, part)) && !Object.hasOwn(mapped, whole);
    if (isSaid && parts.every((part) => columnOf.has(part))) columnOf.delete(whole);
  }
  const [whole, family, given] = ['patient_name', 'patient_family_name', 'patient_given_name'].map((name) =>
    columnOf.get(name),
  );
  if (whole === undefined || (family === undefined) === (given === undefined)) return;
  columnOf.set(family === undefined ? 'patient_family_name' : 'patient_given_name', whole);
  columnOf.delete('patient_name');
}

/** Where a text is written like a place of another format, the mapping is one for several, and it names no column. */
export const isOfOtherFormat = (place: string): boolean =>
  hl7PlaceOf(place, '') !== undefined || dicomPlaceOf(place) !== undefined || isFhirPath(place);

/** `isNamed`: a column is mapped by its heading, not its number; `missing`: a field whose column is not there. */
export function mappedColumns(headings: readonly string[], fields: NonNullable<WorklistMapping['fields']>) {
  const columnOf = new Map<string, number>();
  let isNamed = false;
  let missing: string | undefined;
  for (const [field, places] of Object.entries(fields)) {
    const columns = typeof places === 'string' ? [places] : places;
    const found = columns.map((column) => columnNamed(headings, column)).find((each) => each !== undefined);
    if (found) {
      columnOf.set(field, found.index);
      isNamed ||= found.isHeading;
    } else if (!columns.every(isOfOtherFormat)) {
      missing ??= field;
    }
  }
  return { columnOf, isNamed, missing };
}

export const missingColumn = (field: string, count: number): AppError =>
  new AppError('USAGE', {
    message: `The column that is mapped to ${field} is not in the header.`,
    hint: `Write its heading as it stands in the file, or its number, 1 to ${count}.`,
  });

export function columnNamed(
  headings: readonly string[],
  column: string,
): { index: number; isHeading: boolean } | undefined {
  const named = headings.findIndex(
    (heading) => heading.trim() === column.trim() || plainWords(heading) === plainWords(column),
  );
  if (named !== -1) return { index: named, isHeading: true };
  const number = /^\d{1,4}$/.test(column) ? Number(column) : 0;
  return number >= 1 && number <= headings.length ? { index: number - 1, isHeading: false } : undefined;
}

/** The mapping of the columns, for the person. */
export function columnsGuess({ headings, columnOf }: Header): Guess {
  const pairs = [...columnOf].map(([field, index]) => `${field} = ${headings[index]!.trim() || `column ${index + 1}`}`);
  return {
    what: 'columns',
    value: pairs.join(', ') || 'none',
    why: 'By their headings; all other columns are kept as they are.',
  };
}
