/**
 * Asks a PACS about the exams that need a report, or have one and no study: for the study of an exam by its accession number, and for the
 * reports in former studies of its patient. The progress is in memory: after a restart it asks again, and fetches again what has no prior of its name.
 */
import { machineClockOf } from '../../../../../src/domain/clock.ts';
import { removeOldest } from '../../../../../src/domain/oldest.ts';
import { isOver } from '../../../../../src/domain/worklist-state.ts';
import type { DataSet } from '../../../../../src/files/worklist/dicom/attributes.ts';
import { sopClasses } from '../../../../../src/protocols/dimse/classes.ts';
import { issuerIn } from '../../../../worklists/patients/adt-patients.ts';
import { comparePatients } from '../../../../worklists/priors/same-patient.ts';
import type { Person } from '../../../../worklists/priors/same-patient.ts';
import type { ChannelConfig, Exam, InboundDeps } from '../../channel.ts';
import { isAboutExam } from '../../sending/routing.ts';
import { addDays, createCalendar } from '../dicom/days.ts';
import { isUid, readValue, studyTags } from './pacs.ts';
import type { ObjectName, Pacs, PacsConversation } from './pacs.ts';
import type { PacsSettings } from './settings.ts';

/** The state of the questions about an exam. */
interface QuestionState {
  /** The numbers and the patient that were asked about. */
  readonly names: string;
  /** How far the exam was: its images come when it is made. */
  readonly progress: string;
  /** Elapsed time of the next question for the study, or after a failure, in ms; `Infinity`: none. */
  readonly next: number;
  /** How often its study was asked for. */
  readonly times: number;
  /** How often in a row the PACS failed to answer. */
  readonly failures: number;
}

/** An exam about which the PACS is to be asked. */
interface DueExam {
  readonly exam: Exam;
  readonly failures: number;
  /** Elapsed time since which it waits, in ms. */
  readonly since: number;
}

/** Exams per poll; the rest follows a second later. */
const maxExams = 200;
/** Answers of the PACS to a question that are looked at: patient id 0 has very many studies. */
const maxAnswers = 5000;
/** The study of an exam is asked for more and more rarely, in ms. */
const maxPause = 6 * 3600_000;
/** A PACS that was away is asked soon after it came back: the pause after failures is doubled this often at most. */
const maxFailureDoublings = 2;
/** Objects whose outcome is remembered. */
const maxOutcomes = 10_000;
const dayMs = 24 * 3600_000;

type Outcome = Awaited<ReturnType<InboundDeps['intake']['takeReport']>> | 'missing';

export class PacsQuestions {
  readonly #channel: ChannelConfig<PacsSettings>;
  readonly #pacs: Pacs;
  readonly #deps: InboundDeps;
  readonly #questions = new Map<string, QuestionState>();
  /** Exams to look at before the next scan, and the elapsed time since which they wait, in ms. */
  readonly #waiting = new Map<string, number>();
  /** The outcomes of objects. A correction has the name of the report that it replaces, so that no prior has its own. */
  readonly #outcomes = new Map<string, Outcome>();
  /** Elapsed time from which all exams are looked at again, in ms. */
  #nextScan = -Infinity;

  constructor(channel: ChannelConfig<PacsSettings>, pacs: Pacs, deps: InboundDeps) {
    this.#channel = channel;
    this.#pacs = pacs;
    this.#deps = deps;
  }

  /** These exams are looked at by the next poll, without looking at all others. */
  noteChanged(ids: readonly string[]): void {
    const elapsed = machineClockOf(this.#deps.clock).elapsed();
    for (const id of ids) if (!this.#waiting.has(id)) this.#waiting.set(id, elapsed);
  }

  /** Asks about the exams that are due. Resolves to whether others are due. */
  async poll(signal: AbortSignal): Promise<boolean> {
    const due = await this.#findDue();
    if (due.length === 0) return false;
    const unasked = new Map(due.map(({ exam, since }) => [exam.id, since]));
    // Those that failed come last, so that no exam holds up the others for long.
    const page = due.slice(0, maxExams).toSorted((a, b) => a.failures - b.failures);
    const conversation = this.#pacs.converse(signal);
    /** Patients whose reports were fetched in this poll. */
    const patients = new Set<string>();
    try {
      for (const { exam } of page) {
        unasked.delete(exam.id);
        await this.#ask(exam, conversation, patients);
      }
    } finally {
      for (const [id, since] of unasked) this.#waiting.set(id, since);
      await conversation.close();
    }
    return unasked.size > 0;
  }

  /** The longest waiting first, so that each gets its turn whatever the others need; of those that wait equally long the nearest in time. */
  async #findDue(): Promise<DueExam[]> {
    const now = this.#deps.clock.now();
    const elapsed = machineClockOf(this.#deps.clock).elapsed();
    const due: (DueExam & { distance: number })[] = [];
    const waiting = new Map(this.#waiting);
    for (const exam of await this.#readExams(now, elapsed)) {
      const before = this.#questions.get(exam.id);
      const failures = before?.failures ?? 0;
      const isOpen = exam.study_uid === null || failures > 0;
      const hasMoved = before?.progress !== progressOf(exam);
      const isDue = before?.names !== namesOf(exam) || (isOpen && (hasMoved || before.next <= elapsed));
      if (!isDue) continue;
      const since = waiting.get(exam.id) ?? Math.min(before?.next ?? elapsed, elapsed);
      due.push({ exam, failures, since, distance: Math.abs(Date.parse(exam.exam_datetime) - now) });
    }
    return due.toSorted((a, b) => a.since - b.since || a.distance - b.distance);
  }

  /** All exams once per interval, in between only those that changed or still wait. */
  async #readExams(now: number, elapsed: number): Promise<Exam[]> {
    const { days_back = 7, days_ahead = 2, interval_seconds = 300 } = this.#channel.settings;
    const { intake } = this.#deps;
    const period = { from: now - days_back * dayMs, to: now + days_ahead * dayMs };
    const waiting = [...this.#waiting.keys()];
    this.#waiting.clear();
    const isAsked = (exam: Exam): boolean => isAboutExam(this.#channel.settings, exam);
    if (elapsed < this.#nextScan) {
      const isNear = ({ exam_datetime: at }: Exam): boolean =>
        period.from <= Date.parse(at) && Date.parse(at) <= period.to;
      return (await intake.readExams(waiting)).filter((exam) => isNear(exam) && isAsked(exam));
    }
    const exams: Exam[] = [];
    for await (const some of intake.examsForPacs(period)) exams.push(...some.filter(isAsked));
    const present = new Set(exams.map(({ id }) => id));
    for (const id of this.#questions.keys()) if (!present.has(id)) this.#questions.delete(id);
    this.#nextScan = elapsed + interval_seconds * 1000;
    return exams;
  }

  async #ask(exam: Exam, conversation: PacsConversation, patients: Set<string>): Promise<void> {
    const [names, progress] = [namesOf(exam), progressOf(exam)];
    const before = this.#questions.get(exam.id);
    // Images may come minutes after their modality said that it is done.
    const times = before?.names === names && before.progress === progress ? before.times : 0;
    try {
      const isFound = exam.study_uid !== null || (await this.#findStudy(exam, conversation));
      const isNew = before?.names !== names || before.failures > 0;
      const patient = JSON.stringify(personOf(exam));
      if (isNew && !isOver(exam.status) && !patients.has(patient)) {
        await this.#readReports(exam, conversation);
        patients.add(patient);
      }
      this.#questions.set(exam.id, {
        names,
        progress,
        times: times + 1,
        failures: 0,
        next: isFound ? Infinity : this.#after(times),
      });
    } catch (error) {
      const failures = (before?.failures ?? 0) + 1;
      const next = this.#after(Math.min(failures - 1, maxFailureDoublings));
      this.#questions.set(exam.id, { names, progress, times, failures, next });
      throw error;
    }
  }

  #after(times: number): number {
    const first = (this.#channel.settings.interval_seconds ?? 300) * 1000;
    return machineClockOf(this.#deps.clock).elapsed() + Math.min(first * 2 ** Math.min(times, 20), maxPause);
  }

  /** Resolves to whether the exam has its study, or can't get one. */
  async #findStudy(exam: Exam, conversation: PacsConversation): Promise<boolean> {
    const { accession_number: accession } = exam;
    if (accession === null || hasWildcard(accession)) return true;
    const found = new Map<string, DataSet>();
    let answers = 0;
    for await (const study of conversation.findStudies({ accession })) {
      const isMeant = readValue(study, studyTags.accession) === accession && isSamePatient(exam, study);
      const uid = readValue(study, studyTags.study);
      if (isMeant && isUid(uid)) found.set(uid, study);
      if (++answers >= maxAnswers) break;
    }
    const ofModality = [...found].filter(([, study]) => study.values(studyTags.modalities)?.includes(exam.modality));
    const candidates = found.size > 1 && ofModality.length > 0 ? ofModality : [...found];
    const [first] = candidates;
    if (!first) return false;
    const { accession_issuer: issuer } = exam;
    const item = { accession_number: accession, ...(issuer && { accession_issuer: issuer }), study_uid: first[0] };
    const isOne = candidates.length === 1;
    await this.#deps.intake.take({
      raw: Buffer.from(JSON.stringify({ items: [isOne ? item : { ...item, study_uid: undefined }] })),
      key: `study of ${exam.id}`,
      format: 'json',
      isPolled: true,
      read: {
        format: 'json',
        exams: isOne ? [{ item, order: undefined }] : [],
        patients: [],
        problems: isOne ? [] : [severalStudies],
        unread: [{ item: { patient_id: exam.patient_id, accession_number: accession }, at: 0 }],
        warnings: [],
        isAddition: true,
      },
    });
    return isOne;
  }

  async #readReports(exam: Exam, conversation: PacsConversation): Promise<void> {
    const { years_back = 10, max_studies = 20, time_zone } = this.#channel.settings;
    const { clock, intake, log } = this.#deps;
    if (years_back === 0 || hasWildcard(exam.patient_id)) return;
    const to = createCalendar(time_zone).toLocal(clock.now()).day;
    const from = addDays(to, -Math.round(years_back * 365.25));
    const studies = new Map<string, DataSet>();
    let answers = 0;
    for await (const study of conversation.findStudies({ patient: exam.patient_id, from, to })) {
      const uid = readValue(study, studyTags.study);
      const isFormer = uid !== exam.study_uid && readValue(study, studyTags.accession) !== exam.accession_number;
      if (isUid(uid) && isFormer && mayHaveReports(study) && isSamePatient(exam, study)) studies.set(uid, study);
      if (++answers >= maxAnswers) break;
    }
    if (answers >= maxAnswers) log({ level: 'warn', event: 'pacs_answers_cut', channel: this.#channel.name, answers });
    const newest = [...studies].toSorted(([, a], [, b]) => (timeOf(a) < timeOf(b) ? 1 : -1)).slice(0, max_studies);
    for (const [uid, study] of newest) {
      if (await intake.isReportedHere({ study_uid: uid, accession_number: readValue(study, studyTags.accession) }))
        continue;
      await this.#readStudy(uid, study, conversation);
    }
  }

  /** Structured reports count more than PDFs, which mostly have the same words. */
  async #readStudy(uid: string, study: DataSet, conversation: PacsConversation): Promise<void> {
    const { intake, log } = this.#deps;
    const isPdf = ({ sopClass }: { sopClass: string }): boolean => sopClass === sopClasses.encapsulatedPdf;
    const objects = await conversation.findReports(uid);
    let hasWords = false;
    for (const name of objects.toSorted((a, b) => Number(isPdf(a)) - Number(isPdf(b)))) {
      if (isPdf(name) && hasWords) break;
      if (await intake.hasReport(name.instance)) {
        hasWords = true;
        continue;
      }
      const before = this.#outcomes.get(name.instance);
      const outcome =
        before === undefined || before === 'missing' ? await this.#readReport(name, study, conversation) : before;
      hasWords ||= outcome === 'taken';
      const event = events[outcome];
      if (event && outcome !== before) log({ ...event, channel: this.#channel.name });
      this.#outcomes.set(name.instance, outcome);
      if (this.#outcomes.size > maxOutcomes) removeOldest(this.#outcomes);
    }
  }

  async #readReport(name: ObjectName, study: DataSet, conversation: PacsConversation): Promise<Outcome> {
    const file = await conversation.read(name);
    if (!file) return 'missing';
    return this.#deps.intake.takeReport(name.instance, file, {
      modality: modalityOf(study),
      exam_description: readValue(study, studyTags.description),
    });
  }
}

/** Lines in the operator's log about reports that nobody gets to read. */
const events: { readonly [O in Outcome]?: { readonly level: 'info' | 'warn'; readonly event: string } } = {
  wordless: { level: 'info', event: 'report_without_words' },
  missing: { level: 'warn', event: 'report_not_given' },
};

const severalStudies = {
  code: 'SEVERAL_STUDIES',
  message: 'The PACS has several studies with this accession number and patient.',
  hint: 'Merge them in the PACS, or let the order name the study UID; until then the images do not open from the exam.',
} as const;

/** Two hospitals may give one id to two people. */
const personOf = ({ patient_id, patient_name, patient_birth_date = null, metadata }: Exam): Person => ({
  patient_id,
  patient_name,
  patient_birth_date,
  issuer: issuerIn(metadata),
});

const namesOf = (exam: Exam): string => JSON.stringify([personOf(exam), exam.accession_number, exam.accession_issuer]);

const progressOf = ({ status, exam_status: progress }: Exam): string => `${status} ${progress ?? ''}`;

/** Characters by which a query means other numbers too (PS3.4 C.2.2.2.4), or several. */
const hasWildcard = (name: string): boolean => /[*?\\]/.test(name);

/** The same number may be that of another patient in another hospital. */
function isSamePatient(exam: Exam, study: DataSet): boolean {
  const birth = /^(\d{4})\.?(\d\d)\.?(\d\d)$/.exec(readValue(study, studyTags.birthDate));
  const person = {
    patient_id: readValue(study, studyTags.patientId),
    patient_name: readValue(study, studyTags.patientName),
    patient_birth_date: birth ? birth.slice(1).join('-') : null,
    issuer: readValue(study, studyTags.patientIdIssuer) || null,
  };
  return comparePatients(personOf(exam), person) !== undefined;
}

/** Modalities that come with images, and are none. */
const companions = new Set(['SR', 'DOC', 'OT', 'PR', 'KO', 'SEG', 'REG']);
const modalityOf = (study: DataSet): string | undefined =>
  study.values(studyTags.modalities)?.find((each) => each !== '' && !companions.has(each));

/** A PACS that doesn't name the modalities of studies may have reports in any. */
function mayHaveReports(study: DataSet): boolean {
  const modalities = study.values(studyTags.modalities)?.filter((each) => each !== '') ?? [];
  return modalities.length === 0 || modalities.some((each) => each === 'SR' || each === 'DOC' || each === 'OT');
}

const timeOf = (study: DataSet): string => readValue(study, studyTags.date) + readValue(study, studyTags.time);
