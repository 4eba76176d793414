/** Takes reports of another system as priors, and finds the exams that they are for. */
import type { MessageError } from '../../../../src/contract/channel-message.ts';
import { AppError } from '../../../../src/contract/errors.ts';
import { textOf } from '../../../../src/contract/messages/message.ts';
import { PriorInput } from '../../../../src/contract/prior.ts';
import { isTestClient } from '../../../../src/contract/oauth.ts';
import { isoNow } from '../../../../src/domain/clock.ts';
import { isOver } from '../../../../src/domain/worklist-state.ts';
import type { Problem, Reading } from '../../../../src/files/worklist/reading.ts';
import { serviceActor } from '../../../storage/actor.ts';
import { reportKey } from '../../../storage/collections.ts';
import { scanPieces } from '../../../storage/scan.ts';
import { importPriors, readPriors } from '../../../worklists/priors/import.ts';
import type { ChannelConfig, Exam, InboundMessage, Intake, StudyFacts } from '../channel.ts';
import { refusedIn } from './apply-message.ts';
import type { ApplierDeps } from './apply-message.ts';
import type { ChannelReaders } from './channel-readers.ts';
import type { ReadingSettings } from './read-message.ts';

export type ReportIntake = Pick<
  Intake,
  'openExams' | 'examsForPacs' | 'readExams' | 'watchExams' | 'hasReport' | 'isReportedHere' | 'takeReport'
>;

const openStatuses = ['new', 'in_progress'] as const;

/** A report that was written before its study was found waits for it, and goes to the images then. */
const concernsPacs = ({ status, study_uid }: Pick<Exam, 'status' | 'study_uid'>): boolean =>
  !isOver(status) || (status === 'completed' && study_uid === null);
const actor = () => serviceActor('channels.take');

/** `refuse` stores a report that can't be taken, for a person to look at. */
export function createReportIntake(
  { store, clock, ids, compile, readers }: ApplierDeps & { readonly readers: Pick<ChannelReaders, 'report'> },
  { id, name, space, settings }: ChannelConfig,
  refuse: (message: InboundMessage) => Promise<unknown>,
): ReportIntake {
  const rules = { validate: compile(PriorInput), testMode: isTestClient(space) };
  const { time_zone: timeZone } = settings as ReadingSettings;

  async function importReport(reading: Extract<Reading, { kind: 'item' }>, facts: StudyFacts): Promise<void> {
    const { modality, exam_description } = facts;
    const item = { exam_description, ...reading.item, ...(modality !== undefined && { modality }) };
    const reports = await readPriors([item], rules);
    const arrival = { space, source_system: name, who: name, at: isoNow(clock) };
    await store.transact((tx) => importPriors(tx, ids, reports, arrival), actor);
  }

  return {
    openExams: (exam) => scanPieces(store, 'items', { is: { space, status: openStatuses }, during: { exam } }),
    async *examsForPacs(exam) {
      const status = [...openStatuses, 'completed'] as const;
      for await (const exams of scanPieces(store, 'items', { is: { space, status }, during: { exam } }))
        yield exams.filter(concernsPacs);
    },
    async readExams(named) {
      const exams = await Promise.all(Array.from(named, (each) => store.get('items', each)));
      return exams.filter((exam) => exam?.space === space && concernsPacs(exam)) as Exam[];
    },
    watchExams: (listener) => store.watch('items', listener),
    async hasReport(report) {
      return (await store.findEach('priors', 'report', space, [reportKey(report, name)]))[0] !== undefined;
    },
    async isReportedHere({ study_uid: study, accession_number: accession }) {
      const [found] = [
        ...(study ? await store.findEach('items', 'study', space, [study]) : []),
        ...(accession ? await store.findEach('items', 'accession', space, [accession]) : []),
      ].filter((exam) => exam !== undefined);
      return found !== undefined && found.record_id !== null;
    },
    async takeReport(instance, raw, facts) {
      const [reading] = await readReport(readers, raw, timeZone, id);
      if (reading?.kind === 'problem') return reading.isForeign ? 'wordless' : refuseReport(instance, reading);
      if (reading?.kind !== 'item') return 'wordless';
      const { item } = reading;
      try {
        await importReport(reading, facts);
        return 'taken';
      } catch (error) {
        const [first] = refusedIn(error) ?? [];
        if (!first) throw error;
        return refuseReport(instance, { message: first.message, place: first.field, subject: item });
      }
    },
  };

  async function refuseReport(
    key: string,
    { message, place, hint, subject }: Pick<Problem, 'message' | 'place' | 'hint' | 'subject'>,
  ): Promise<'refused'> {
    const problem: MessageError = {
      code: 'REPORT_REFUSED',
      message: textOf(message),
      ...(place && { place }),
      hint: hint === undefined ? 'Correct the report in the PACS.' : textOf(hint),
    };
    await refuse({
      raw: new Uint8Array(),
      key,
      isPolled: true,
      isForgotten: true,
      read: {
        format: undefined,
        exams: [],
        patients: [],
        problems: [problem],
        unread: [{ item: subject ?? {}, at: 0 }],
        warnings: [],
      },
    });
    return 'refused';
  }
}

/** A file that can't be read is a problem like any other. */
async function readReport(
  readers: Pick<ChannelReaders, 'report'>,
  raw: Uint8Array,
  timeZone: string | undefined,
  channel: string,
): Promise<readonly Reading[]> {
  try {
    return await readers.report(raw, timeZone, channel);
  } catch (error) {
    // If the queue is full, the next poll fetches the report again.
    if (!(error instanceof AppError) || error.code === 'SERVER_BUSY') throw error;
    const { message, hint } = error;
    return [{ kind: 'problem', position: {}, message, ...(hint !== undefined && { hint }) }];
  }
}
