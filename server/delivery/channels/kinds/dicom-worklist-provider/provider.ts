/**
 * Gives modalities the exams that are not begun, as they ask for them. An exam without a study UID gets one with its first answer, since
 * the modality needs one for its images.
 */
import { machineClockOf } from '../../../../../src/domain/clock.ts';
import { foldText } from '../../../../../src/domain/search-text.ts';
import type { AgreedContext, Message } from '../../../../../src/protocols/dimse/association.ts';
import { sopClasses } from '../../../../../src/protocols/dimse/classes.ts';
import { commands } from '../../../../../src/protocols/dimse/command.ts';
import { writeDataSet } from '../../../../../src/protocols/dimse/data-set.ts';
import type { Syntax } from '../../../../../src/protocols/dimse/data-set.ts';
import type { Answer } from '../../../../../src/protocols/dimse/provide.ts';
import { statuses } from '../../../../../src/protocols/dimse/statuses.ts';
import { studyUidFor } from '../../../formats/dicom/uids.ts';
import type { Period } from '../../../../storage/store.ts';
import type { ChannelConfig, Exam, InboundDeps, OpenChannel } from '../../channel.ts';
import { addDays, createCalendar } from '../dicom/days.ts';
import type { DayRange, ZoneCalendar } from '../dicom/days.ts';
import { separateProblems } from '../../separate-problems.ts';
import { openModalityPort } from '../dicom/modality-port.ts';
import { createStepAnswer } from '../dicom-mpps/provider.ts';
import { canBeListed, charsets, isNameLost, writeExam } from './answer.ts';
import type { Charset, ListedExam } from './answer.ts';
import { readQuery } from './query.ts';
import type { ModalityQuery } from './query.ts';
import type { DicomWorklistProviderSettings } from './settings.ts';

type ProviderChannel = ChannelConfig<DicomWorklistProviderSettings>;

export async function openWorklistProvider(channel: ProviderChannel, deps: InboundDeps): Promise<OpenChannel> {
  const partDeps = separateProblems(deps);
  const answerStep = await createStepAnswer(channel, partDeps());
  const worklist = new ProvidedWorklist(channel, partDeps());
  return openModalityPort(channel, partDeps(), {
    services: [sopClasses.worklist, sopClasses.performedStep],
    answer: (message, agreed) =>
      agreed.abstractSyntax === sopClasses.worklist ? worklist.answer(message, agreed) : answerStep(message, agreed),
  });
}

/** Whether a modality has still to make it: an exam that somebody reports on has images, unless its sender says otherwise. */
const isScheduled = ({ status, exam_status: progress }: Exam): boolean =>
  progress ? progress === 'scheduled' || progress === 'arrived' : status === 'new';

class ProvidedWorklist {
  readonly #channel: ProviderChannel;
  readonly #deps: InboundDeps;
  readonly #calendar: ZoneCalendar;
  /** Titles of stations by their rooms. */
  readonly #stations: ReadonlyMap<string, string>;
  /** Elapsed time from which the exams that cannot be listed are counted again, in ms. */
  #nextCount = -Infinity;
  /** The narrowest set in which a modality was answered. */
  #narrowest: Charset = charsets['utf-8'];

  constructor(channel: ProviderChannel, deps: InboundDeps) {
    this.#channel = channel;
    this.#deps = deps;
    this.#calendar = createCalendar(channel.settings.time_zone);
    this.#stations = new Map(
      (channel.settings.stations ?? []).map((each) => {
        const at = each.indexOf('=');
        return [foldText(each.slice(at + 1)), each.slice(0, at).trim()];
      }),
    );
  }

  async answer({ command, data }: Message, { transferSyntax }: AgreedContext): Promise<Answer> {
    if (command.field !== commands.findRequest) return { status: statuses.unknownOperation };
    if (!data) return { status: statuses.missingAttribute };
    if (data.length > maxQuery) return { status: statuses.invalidValue };
    const syntax = transferSyntax as Syntax;
    const { openDataSet } = await import('../../../../../src/files/worklist/dicom/dicom-file.ts');
    const query = readQuery(openDataSet(data, syntax).dataSet);
    const period = this.#period(query);
    if (!period) return { status: statuses.invalidValue };
    const charset = this.#charsetFor(query.charset);
    if (charset !== charsets['utf-8']) this.#narrowest = charset;
    await this.#countUnlisted();
    const exams = this.#find(query, period, charset);
    const found = async function* (): AsyncGenerator<Buffer> {
      for await (const exam of exams) yield writeDataSet(writeExam(exam, query, charset), syntax, charset.encoding);
    };
    return { status: statuses.success, found: found() };
  }

  async *#find(query: ModalityQuery, period: Period, charset: Charset): AsyncGenerator<ListedExam> {
    const { max_answers = 500 } = this.#channel.settings;
    let count = 0;
    for await (const exams of this.#deps.intake.openExams(period)) {
      const wanted = exams.flatMap((exam) => this.#list(exam, query) ?? []);
      const listed = wanted.filter(({ exam }) => canBeListed(exam, charset));
      await this.#storeStudies(listed);
      for (const exam of listed) {
        if (++count > max_answers) return;
        yield exam;
      }
    }
  }

  /** Reports the exams of the default days that cannot be listed as they are, whatever a query asks for. */
  async #countUnlisted(): Promise<void> {
    const { intake, clock, reportProblem } = this.#deps;
    const elapsed = machineClockOf(clock).elapsed();
    if (elapsed < this.#nextCount) return;
    this.#nextCount = elapsed + countPause;
    const charset = this.#narrowest;
    let [unlisted, unnamed] = [0, 0];
    for await (const exams of intake.openExams(this.#calendar.toPeriod(this.#defaultDays()))) {
      for (const exam of exams.filter(isScheduled)) {
        if (!canBeListed(exam, charset)) unlisted++;
        else if (isNameLost(exam, charset)) unnamed++;
      }
    }
    const problems = [
      unlisted > 0 &&
        `${unlisted} exams are missing in worklists: modalities take accession numbers of at most 16 characters and patient ids of at most 64, both in ${charset.label} letters. Have the RIS send others.`,
      unnamed > 0 &&
        `${unnamed} exams have question marks in the patient’s name: ${charset.label} lacks its letters. Set charset=utf-8 if the modalities can read it.`,
    ];
    reportProblem(problems.filter((each) => each !== false).join(' ') || null);
  }

  /** The days of a query that names none. */
  #defaultDays(): DayRange {
    const { days_back = 1, days_ahead = 7 } = this.#channel.settings;
    return { from: this.#dayAfter(-days_back), to: this.#dayAfter(days_ahead) };
  }

  /** `days`: after today. */
  #dayAfter(days: number): string {
    return addDays(this.#calendar.toLocal(this.#deps.clock.now()).day, days);
  }

  /** The character set of the answer to a query in that one. */
  #charsetFor(name: string): Charset {
    const { charset = 'query' } = this.#channel.settings;
    if (charset !== 'query') return charsets[charset];
    return name === charsets['utf-8'].name ? charsets['utf-8'] : charsets['latin-1'];
  }

  /** `undefined`: the query names days that do not exist. */
  #period({ days }: ModalityQuery): Period | undefined {
    const isOpen = days.from === '' && days.to === '';
    const { from, to } = isOpen
      ? this.#defaultDays()
      : { from: days.from || this.#dayAfter(-maxDays), to: days.to || this.#dayAfter(maxDays) };
    return [from, to].every(isDay) ? this.#calendar.toPeriod({ from, to }) : undefined;
  }

  /** `undefined`: the query doesn't want it. */
  #list(exam: Exam, query: ModalityQuery): ListedExam | undefined {
    if (!isScheduled(exam)) return undefined;
    const own = this.#stations.get(foldText(exam.exam_room ?? '')) ?? '';
    if (own !== '' && !query.isStation(own)) return undefined;
    const study = exam.study_uid ?? studyUidFor(exam.id);
    const isWanted = query.matches({
      accession: exam.accession_number ?? '',
      patientName: exam.patient_name,
      patientId: exam.patient_id,
      study,
      procedure: exam.procedure_id ?? exam.accession_number ?? '',
      modality: exam.modality,
    });
    if (!isWanted) return undefined;
    const at = this.#calendar.toLocal(Date.parse(exam.exam_datetime));
    if (!query.includes(at.day, at.time)) return undefined;
    return { exam, study, station: own || query.station, at };
  }

  /** Stores the studies that are given out for the first time, before the modality has them. */
  async #storeStudies(listed: readonly ListedExam[]): Promise<void> {
    const items = listed.flatMap(({ exam, study }) => {
      const { accession_number, accession_issuer } = exam;
      if (exam.study_uid !== null || accession_number === null) return [];
      return [{ accession_number, ...(accession_issuer && { accession_issuer }), study_uid: study }];
    });
    if (items.length === 0) return;
    await this.#deps.intake.take({
      raw: Buffer.from(JSON.stringify({ items })),
      key: 'studies of the worklist',
      format: 'json',
      isPolled: true,
      read: {
        format: 'json',
        exams: items.map((item) => ({ item, order: undefined })),
        patients: [],
        problems: [],
        warnings: [],
        isAddition: true,
      },
    });
  }
}

/** In bytes; queries have some hundred, and are parsed on the event loop. */
const maxQuery = 16 * 1024;
/** Between two counts of the exams that cannot be listed, in ms. */
const countPause = 60_000;
/** An open end of a range. */
const maxDays = 366;
const isDay = (text: string): boolean =>
  /^\d{8}$/.test(text) && !Number.isNaN(Date.parse(`${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`));
