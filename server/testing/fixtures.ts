/** Exams and reports for tests: invented, plausible, and the same in every run with the same seed. */
import { createHash } from 'node:crypto';
import type { Client } from '../../src/client/client.ts';
import { refuseUnknown } from '../../src/client/library/options.ts';
import type { MedicalRecord } from '../../src/contract/document.ts';
import { AppError } from '../../src/contract/errors.ts';
import type { WorklistItem, WorklistItemInput } from '../../src/contract/worklist.ts';
import { elementAt } from '../../src/domain/elements.ts';
import { nearestWord } from '../../src/domain/nearest-word.ts';
import { itemFieldNames } from '../../src/domain/normalise.ts';
import { testPatientNames } from '../../src/domain/test-data.ts';
import { unknownWord } from '../../src/domain/unknown-word.ts';
import { fixtureLanguages, fixtureStudies } from './fixture-studies.ts';
import type { FixtureLanguage, FixtureStudy } from './fixture-studies.ts';

/** An exam that a RIS can send: the fields that a new exam needs, and those that most have. */
export type ExamFixture = WorklistItemInput &
  Readonly<
    Required<
      Pick<
        WorklistItemInput,
        'accession_number' | 'patient_id' | 'patient_name' | 'modality' | 'exam_datetime' | 'exam_description'
      >
    >
  >;

export interface ReportFixtureOptions {
  /** A stored exam, or fields of a new one. Default: a new exam. */
  readonly exam?: WorklistItem | Partial<WorklistItemInput>;
  /** Default: `final`, the report is signed and its exam completed. */
  readonly status?: 'draft' | 'final';
  /** The text of the report, with the name of a test patient. Default: a report that suits the exam. */
  readonly text?: string;
}

export interface FixtureOptions {
  /** Default: the same fixtures in every run. */
  readonly seed?: string;
  /** Language of descriptions and reports. Default: `en-US`. */
  readonly language?: FixtureLanguage;
}

/** Without another seed, fixtures are the same in every run. */
export const defaultFixtureSeed = 'laudio';

/** Each call makes another exam, of another patient; after `reset` and `restore` the same ones come again. Fields that are given replace the invented ones. */
export interface Fixtures {
  /** An exam that is not sent, for programs under test that send it. */
  examInput(fields?: Partial<WorklistItemInput>): ExamFixture;
  /** Sends an exam, and resolves to it as the server stores it. */
  exam(fields?: Partial<WorklistItemInput>): Promise<WorklistItem>;
  /** Reports on an exam. */
  report(options?: ReportFixtureOptions): Promise<MedicalRecord>;
}

/** Hospital, accession numbers' prefix, and departments. */
const hospitals = [
  { name: 'Hospital São Lucas', prefix: 'SL', locations: ['Emergency', 'Intensive care', 'Ward 3'] },
  { name: 'Clínica Boa Vista', prefix: 'BV', locations: ['Outpatients', 'Day clinic'] },
] as const;
const referrers = ['PRADO^HELENA^^DRA', 'MOURA^RENATO^^DR', 'FARIA^LUCIANA^^DRA', 'NUNES^BRUNO^^DR'] as const;
const priorities = ['ROUTINE', 'ROUTINE', 'ROUTINE', 'HIGH', 'STAT'] as const;

/** The root of DICOM UIDs that are made from samples and tests. */
const uidRoot = '1.2.826.0.1.3680043.8.498';
const minuteMs = 60_000;
/** Exams took place within this time before the present. */
const recentMinutes = 8 * 60;

interface FixtureDeps {
  readonly client: Pick<Client, 'worklists' | 'records'>;
  /** The server's present time, in ms since 1970. */
  readonly now: () => number;
  readonly drawn?: DrawnNumbers;
}

/** How many numbers were drawn from the seed. Whoever sets it back gets the same fixtures again. */
export interface DrawnNumbers {
  count: number;
}

/** USAGE for an unknown option or language. */
export function createFixtures(
  { client, now, drawn = { count: 0 } }: FixtureDeps,
  options: FixtureOptions = {},
): Fixtures {
  refuseUnknown('fixtures', options, ['seed', 'language']);
  const { seed = defaultFixtureSeed, language = 'en-US' } = options;
  if (!fixtureLanguages.includes(language)) {
    throw new AppError('USAGE', {
      message: `There are no fixtures in ${String(language)}.`,
      hint: `Languages are ${fixtureLanguages.join(', ')}.`,
    });
  }
  const draw = createDraw(seed, drawn);

  const examInput = (fields: Partial<WorklistItemInput> = {}): ExamFixture => {
    refuseMistyped(fields);
    const modality = fields.modality;
    const suitable = fixtureStudies.filter((study) => modality === undefined || study.modality === modality);
    const study = draw.from(suitable.length === 0 ? fixtureStudies : suitable);
    return { ...inventExam(study, { draw, language, now: now() }), ...fields } as ExamFixture;
  };

  const exam = async (fields: Partial<WorklistItemInput> = {}): Promise<WorklistItem> => {
    const { data } = await client.worklists.ingest({ body: examInput(fields) });
    const { id } = elementAt(data.items, 0);
    if (id === undefined) throw new AppError('BAD_ANSWER', { message: 'The server stored the exam without an id.' });
    return (await client.worklists.get({ params: { id } })).data;
  };

  return {
    examInput,
    exam,
    async report(wish = {}) {
      refuseUnknown('given.report', wish, ['exam', 'status', 'text']);
      const { status = 'final' } = wish;
      const item = isStored(wish.exam) ? wish.exam : await exam(wish.exam);
      const text = wish.text ?? inventReport(item, draw, language);
      const body = { text, verbatim: true, language, worklist_item_id: item.id } as const;
      const answer = await client.records.generate({ body });
      if (answer.status !== 201) throw new AppError('BAD_ANSWER');
      if (status === 'draft') return answer.data;
      return (await client.records.update({ params: { id: answer.data.id }, body: { status } })).data;
    },
  };
}

/** An exam may have any other field, but one that resembles a field of the contract is mistyped. */
function refuseMistyped(fields: object): void {
  if (typeof fields !== 'object') {
    throw new AppError('USAGE', {
      message: 'An exam is an object, not its id.',
      hint: 'Give what given.exam() resolves to, or fields of a new exam.',
    });
  }
  const others = Object.keys(fields).filter((name) => !itemFieldNames.includes(name));
  const typed = others.find((name) => nearestWord(name, itemFieldNames) !== undefined);
  if (typed !== undefined) throw unknownWord(`${typed} is not a field of an exam.`, typed, itemFieldNames);
}

const isStored = (exam: ReportFixtureOptions['exam']): exam is WorklistItem =>
  typeof exam === 'object' && 'id' in exam && 'created_at' in exam;

interface Draw {
  /** A whole number from `min` to `max`. */
  between(min: number, max: number): number;
  from<T>(values: readonly T[]): T;
}

function createDraw(seed: string, drawn: DrawnNumbers): Draw {
  const number = (): number =>
    createHash('sha256')
      .update(`${seed}\n${++drawn.count}`)
      .digest()
      .readUIntBE(0, 6) /
    2 ** 48;
  const between = (min: number, max: number): number => min + Math.floor(number() * (max - min + 1));
  return { between, from: (values) => elementAt(values, between(0, values.length - 1)) };
}

interface Invention {
  readonly draw: Draw;
  readonly language: FixtureLanguage;
  readonly now: number;
}

function inventExam(study: FixtureStudy, { draw, language, now }: Invention): WorklistItemInput {
  const { description, indication } = study.words[language];
  const hospital = draw.from(hospitals);
  const at = new Date(now - draw.between(1, recentMinutes) * minuteMs);
  at.setUTCSeconds(0, 0);
  const born = new Date(at);
  born.setUTCFullYear(at.getUTCFullYear() - draw.between(...study.age));
  born.setUTCDate(born.getUTCDate() - draw.between(1, 300));
  const number = draw.between(100_000, 999_999);
  return {
    accession_number: `${hospital.prefix}-${at.getUTCFullYear()}-${number}`,
    study_uid: `${uidRoot}.${draw.between(1, 2 ** 31)}.${number}`,
    patient_id: String(draw.between(1_000_000, 9_999_999)),
    patient_name: draw.from(testPatientNames),
    patient_sex: study.sex ?? draw.from(['F', 'M'] as const),
    patient_birth_date: born.toISOString().slice(0, 10),
    modality: study.modality,
    exam_datetime: at.toISOString(),
    exam_description: description,
    exam_room: study.room,
    referring_physician: draw.from(referrers),
    hospital_name: hospital.name,
    location: draw.from(hospital.locations),
    procedure_id: study.procedure,
    series_count: draw.between(...study.series),
    images_count: draw.between(...study.images),
    metadata: { priority: draw.from(priorities), clinical_info: indication },
  };
}

/** Titles of the sections in dictated reports. */
const titles: Readonly<Record<FixtureLanguage, readonly [findings: string, impression: string]>> = {
  'en-US': ['Findings', 'Impression'],
  'pt-BR': ['Achados', 'Impressão'],
};

/** A report on the exam; on an exam of a modality without fixtures, one that suits any. */
function inventReport(item: WorklistItem, draw: Draw, language: FixtureLanguage): string {
  const study =
    fixtureStudies.find(({ procedure }) => procedure === item.procedure_id) ??
    fixtureStudies.find(({ modality }) => modality === item.modality) ??
    draw.from(fixtureStudies);
  const [findings, impression] = draw.from(study.words[language].reports);
  const [ofFindings, ofImpression] = titles[language];
  return `${testPatientNames[0]}.\n${ofFindings}: ${findings}\n${ofImpression}: ${impression}`;
}
