/** Maps the columns of a table to fields, by their headings. */
import { AppError } from '../../contract/errors.ts';
import type { Beginning } from '../beginning.ts';
import type { KindName } from '../kinds.ts';
import type { Guess, ReadOptions } from '../reading.ts';
import { splitRecord } from './records.ts';
import { plainWords } from '../coded-words.ts';

interface Column {
  /** A field of the contract, `metadata.` and a name, or one of the two parts of exam_datetime. */
  readonly to: string;
  readonly kind: KindName;
  /** Headings besides the field's own name, as `headingWords` gives them. */
  readonly headings: string;
}

/** In English, Portuguese and Spanish; of two columns with the same meaning the first counts. */
export const csvColumns: readonly Column[] = [
  {
    to: 'accession_number',
    kind: 'text',
    headings: 'acesso, acceso, acc, accession id, codigo acesso, codigo acceso, id acesso, id acceso',
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
      'id paciente, paciente id, codigo paciente, registro paciente, prontuario, prontuario paciente, mrn, medical record, historia clinica, hc, nhc, expediente, matricula, id patient',
  },
  {
    to: 'patient_name',
    kind: 'text',
    headings:
      'patient, name, nome, nome paciente, paciente, nombre, nombre paciente, nombre apellidos, apellidos nombre',
  },
  {
    to: 'modality',
    kind: 'modality',
    headings: 'modalidade, modalidad, mod, tipo exame, tipo examen, tipo estudo, tipo estudio, exam type',
  },
  {
    to: 'exam_datetime',
    kind: 'instant',
    headings:
      'exam date time, date time, datetime, scheduled, scheduled at, scheduled date time, study date time, data hora, data hora exame, data hora agendamento, agendamento, fecha hora, fecha hora examen, fecha hora estudio, fecha hora cita',
  },
  {
    to: 'exam_date',
    kind: 'text',
    headings:
      'date, study date, scheduled date, appointment date, scheduled procedure step start date, data, data exame, data estudo, data agendamento, dt exame, fecha, fecha examen, fecha estudio, fecha cita',
  },
  {
    to: 'exam_time',
    kind: 'text',
    headings:
      'time, study time, scheduled time, appointment time, scheduled procedure step start time, hora, hora exame, hora estudo, hora agendamento, horario, hora examen, hora estudio, hora cita',
  },
  {
    to: 'exam_description',
    kind: 'text',
    headings:
      'description, exam, exam name, study, study description, procedure, procedure description, descricao, descricao exame, descricao procedimento, exame, nome exame, estudo, procedimento, descripcion, descripcion examen, descripcion estudio, examen, estudio, procedimiento, prestacion',
  },
  { to: 'patient_sex', kind: 'sex', headings: 'sex, sexo, sexo paciente, gender, patient gender, genero' },
  {
    to: 'patient_birth_date',
    kind: 'date',
    headings:
      'birth date, birthdate, date birth, birth, dob, data nascimento, data nasc, dt nascimento, dt nasc, nascimento, fecha nacimiento, fecha nac, f nacimiento, nacimiento',
  },
  { to: 'patient_age', kind: 'age', headings: 'age, idade, idade paciente, edad, edad paciente' },
  {
    to: 'exam_room',
    kind: 'text',
    headings: 'room, sala, sala exame, sala examen, equipamento, aparelho, equipo, station',
  },
  {
    to: 'referring_physician',
    kind: 'text',
    headings:
      'referring, physician, doctor, requesting physician, medico, medico solicitante, solicitante, medico referente, medico remitente, medico tratante, medico derivante',
  },
  {
    to: 'hospital_name',
    kind: 'text',
    headings:
      'hospital, facility, institution, institution name, clinic, nome hospital, unidade, clinica, instituicao, estabelecimento, nombre hospital, institucion, centro, establecimiento',
  },
  {
    to: 'location',
    kind: 'text',
    headings:
      'department, ward, unit, setor, departamento, local, localizacao, origem, enfermaria, servico, servicio, sector, ubicacion',
  },
  {
    to: 'procedure_id',
    kind: 'text',
    headings:
      'procedure code, exam code, codigo procedimento, cod procedimento, codigo exame, tuss, codigo procedimiento, codigo examen, codigo estudio',
  },
  { to: 'series_count', kind: 'count', headings: 'series, qtd series, quantidade series, cantidad series' },
  {
    to: 'images_count',
    kind: 'count',
    headings: 'images, imagens, qtd imagens, quantidade imagens, imagenes, cantidad imagenes',
  },
  { to: 'metadata.priority', kind: 'priority', headings: 'prioridade, prioridad, urgencia, urgency' },
  {
    to: 'metadata.clinical_info',
    kind: 'text',
    headings:
      'clinical information, clinical history, clinical indication, indication, indicacao, indicacao clinica, informacoes clinicas, dados clinicos, quadro clinico, indicacion, indicacion clinica, datos clinicos, informacion clinica',
  },
  {
    to: 'metadata.notes',
    kind: 'text',
    headings: 'comments, observacao, observacoes, obs, notas, observaciones, comentarios',
  },
];

/** Words that say nothing about what a column holds, and those that stand for "number". */
const fillers = new Set(
  'a al da das de del do dos e el en la las los na no num numero number nr nro n o of the y'.split(' '),
);

/** A heading in plain words: `Nº de Acesso` and `accession_number` become `acesso` and `accession`. */
export function headingWords(heading: string): string {
  // Words written together begin with capitals, those with underscores are parted like any others.
  const words = plainWords(heading.replace(/([a-z\d])([A-Z])/g, '$1 $2')).split(' ');
  const telling = words.filter((word) => !fillers.has(word));
  return (telling.length > 0 ? telling : words).join(' ');
}

/** Heading in plain words → field. */
const fieldOfWords: ReadonlyMap<string, string> = new Map(
  csvColumns.flatMap(({ to, headings }) =>
    [headingWords(to.replace(/^metadata\./, '')), ...headings.split(', ')].map((words) => [words, to] as const),
  ),
);

/** Fields of the table by the number of their column, from 0, and the headings of all columns. */
export interface Header {
  readonly headings: readonly string[];
  readonly columnOf: ReadonlyMap<string, number>;
  /** The map names columns by number only: the table has no headings, and its first line is a row. */
  readonly isMissing: boolean;
}

/** USAGE where `map` names an unknown field or a missing column. */
export function readHeader(headings: readonly string[], map: ReadOptions['map'] = {}): Header {
  const columnOf = new Map<string, number>();
  let isNamed = false;
  for (const [field, column] of Object.entries(map)) {
    if (!csvColumns.some(({ to }) => to === field)) {
      throw new AppError('USAGE', {
        message: `${field} is not a field that a column can be mapped to.`,
        hint: `Fields are ${csvColumns.map(({ to }) => to).join(', ')}.`,
      });
    }
    const named = headings.findIndex(
      (heading) => heading.trim() === column.trim() || plainWords(heading) === plainWords(column),
    );
    const index = named === -1 && /^\d+$/.test(column) ? Number(column) - 1 : named;
    if (index < 0 || index >= headings.length) {
      throw new AppError('USAGE', {
        message: `The column that is mapped to ${field} is not in the header.`,
        hint: `Write its heading as it stands in the file, or its number, 1 to ${headings.length}.`,
      });
    }
    columnOf.set(field, index);
    isNamed ||= named !== -1;
  }
  const taken = new Set(columnOf.values());
  for (const [index, heading] of headings.entries()) {
    const field = taken.has(index) ? undefined : fieldOfWords.get(headingWords(heading));
    if (field !== undefined && !columnOf.has(field)) columnOf.set(field, index);
    isNamed ||= field !== undefined;
  }
  const isMissing = columnOf.size > 0 && !isNamed;
  return { headings: isMissing ? headings.map((_, index) => `column ${index + 1}`) : headings, columnOf, isMissing };
}

export const delimiters = [',', ';', '\t', '|'] as const;

/** The delimiter by which most headings are understood, then that which stands most often in the first line. */
export function guessDelimiter(line: string): string {
  const score = (delimiter: string): number => {
    const { values } = splitRecord(line, delimiter);
    return readHeader(values).columnOf.size * 1000 + values.length;
  };
  return delimiters.toSorted((a, b) => score(b) - score(a))[0]!;
}

/** Excel's own first line, which names the delimiter. */
export const delimiterLine = (line: string): string | undefined => /^"?sep=(.)"?$/i.exec(line.trim())?.[1];

/** The first line with something in it, as far as the beginning goes. */
const firstLines = ({ text }: Beginning): string[] => text.split(/\r\n|\r|\n/, 50).filter((line) => line.trim() !== '');

/** Text whose first line has at least two headings that are known, or that somebody has mapped. */
export function looksLikeCsv(beginning: Beginning, { map, delimiter }: ReadOptions): boolean {
  const [first = '', second = ''] = firstLines(beginning);
  if (/[\0-\b\x0e-\x19\x1b-\x1f]/.test(beginning.text)) return false;
  const named = delimiterLine(first);
  const line = named === undefined ? first : second;
  if (map !== undefined || delimiter !== undefined || named !== undefined) return line !== '';
  return readHeader(splitRecord(line, guessDelimiter(line)).values).columnOf.size >= 2;
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
