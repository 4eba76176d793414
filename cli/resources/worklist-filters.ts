/** The worklist filters: those of the API, and short options for people. */
import { reportStates, subspecialties, worklistStatuses } from '../../src/contract/worklist.ts';
import { priorityTerms } from '../../src/contract/priority.ts';
import { AppError } from '../../src/contract/errors.ts';
import type { CommandInput } from '../command.ts';
import { choices, flag, list, text } from '../command.ts';
import type { Context } from '../context.ts';

export const filterOptions = {
  status: choices(worklistStatuses, `Only exams with this status: ${worklistStatuses.join(', ')}`),
  modality: list('Only this modality', { placeholder: 'CT,MR,…' }),
  hospital: list('Only exams of this hospital', { placeholder: 'NAME' }),
  subspecialty: choices(subspecialties, `Only this subspecialty: ${subspecialties.join(', ')}`),
  priority: choices(priorityTerms, `Only this priority: ${priorityTerms.join(', ')}`),
  report: choices(reportStates, `Only exams whose report is ${reportStates.join(', ')}`),
  q: text('Only exams with these words in patient, accession number or description', {
    short: 'q',
    placeholder: 'WORDS',
  }),
  today: flag('Only exams of today, by this computer’s time'),
  from: text('Not before this date or time', { placeholder: 'DATE' }),
  to: text('Not after this date or time', { placeholder: 'DATE' }),
  updatedSince: text('Only exams changed since, in the server’s order of changes', { placeholder: 'DATE' }),
  mine: flag('Only exams that you took'),
  assignedTo: list('Only exams that this person took', { placeholder: 'NAME' }),
  sourceSystem: list('Only exams from this RIS/PACS', { placeholder: 'NAME' }),
  accession: text('Only the exam with this accession number', { placeholder: 'NUMBER' }),
  studyUid: text('Only the exam with this study UID', { placeholder: 'UID' }),
  patient: text('Only exams of the patient with this id', { placeholder: 'ID' }),
};

type FilterOptions = CommandInput<Record<never, never>, typeof filterOptions>;

/** The filters in the form of the API. USAGE if two options contradict each other. */
export async function buildFilters(context: Context, options: FilterOptions) {
  const { q, today, from, to, mine, assignedTo, sourceSystem } = options;
  if (today && (from !== undefined || to !== undefined)) {
    throw new AppError('USAGE', { message: '--today sets the period: leave out --from and --to.' });
  }
  if (mine && assignedTo.length > 0) {
    throw new AppError('USAGE', { message: '--mine sets the person: leave out --assigned-to.' });
  }
  const period = today ? getDayRange(context.clock.now()) : { from, to };
  const filters = {
    status: given(options.status),
    modality: given(options.modality.flatMap((each) => each.split(','))),
    hospital: given(options.hospital),
    subspecialty: given(options.subspecialty),
    priority: given(options.priority),
    report: given(options.report),
    q,
    ...period,
    assigned_to: mine ? [await ownName(context)] : given(assignedTo),
    source_system: given(sourceSystem),
    accession_number: options.accession,
    study_uid: options.studyUid,
    patient_id: options.patient,
    updated_since: options.updatedSince,
  };
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined)) as Partial<{
    [K in keyof typeof filters]: NonNullable<(typeof filters)[K]>;
  }>;
}

/** A list for the API; `undefined` if the option is missing. */
const given = <T>(values: readonly T[]): T[] | undefined => (values.length > 0 ? [...values] : undefined);

/** The filters as typed: `new  CT,MR  today`. */
export const filterWords = ({
  status,
  modality,
  hospital,
  subspecialty,
  priority,
  report,
  q,
  today,
  from,
  to,
  mine,
  assignedTo,
  sourceSystem,
  accession,
  studyUid,
  patient,
  updatedSince,
}: FilterOptions): string =>
  [
    ...[status, modality, hospital, subspecialty, priority, report].map((values) => values.join(',') || undefined),
    q === undefined ? undefined : `“${q}”`,
    today ? 'today' : undefined,
    from === undefined ? undefined : `from ${from}`,
    to === undefined ? undefined : `to ${to}`,
    mine ? 'mine' : assignedTo.join(',') || undefined,
    sourceSystem.join(',') || undefined,
    accession,
    studyUid,
    updatedSince === undefined ? undefined : `changed since ${updatedSince}`,
    patient === undefined ? undefined : `patient ${patient}`,
  ]
    .filter((word) => word !== undefined)
    .join('  ');

/** The day in this computer's time zone: the API reads a bare date as UTC. */
function getDayRange(now: number): { from: string; to: string } {
  const start = new Date(now);
  start.setHours(0, 0, 0, 0);
  const end = new Date(start);
  end.setDate(end.getDate() + 1);
  return { from: start.toISOString(), to: new Date(end.getTime() - 1).toISOString() };
}

/** The name with which the current login takes exams. */
async function ownName({ client, signal }: Context): Promise<string> {
  const { data } = await (await client()).oauth.validate({}, { signal });
  if (data.user) return data.user.display_name;
  throw new AppError('USAGE', { message: '--mine needs a person: applications don’t take exams.' });
}
