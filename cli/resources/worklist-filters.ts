/** The filters of a worklist: those of the API, and short options for people. */
import { worklistStatuses } from '../../src/contract/worklist.ts';
import { AppError } from '../../src/contract/errors.ts';
import type { CommandInput } from '../command.ts';
import { choice, flag, text } from '../command.ts';
import type { Context } from '../context.ts';
import { statusWords } from './worklist.ts';

export const filterOptions = {
  status: choice(worklistStatuses, 'Only exams of this status'),
  modality: text('Only this modality', { placeholder: 'CT' }),
  q: text('Only exams with these words in patient, accession number or description', {
    short: 'q',
    placeholder: 'WORDS',
  }),
  today: flag('Only exams of today, by this computer’s time'),
  from: text('Not before this date or time', { placeholder: 'DATE' }),
  to: text('Not after this date or time', { placeholder: 'DATE' }),
  mine: flag('Only exams that you took'),
  assignedTo: text('Only exams that this person took', { placeholder: 'NAME' }),
  sourceSystem: text('Only what this RIS/PACS sent', { placeholder: 'NAME' }),
};

type FilterOptions = CommandInput<Record<never, never>, typeof filterOptions>;

/** The filters in the form of the API. USAGE where two options contradict each other. */
export async function filtersOf(context: Context, options: FilterOptions) {
  const { status, modality, q, today, from, to, mine, assignedTo, sourceSystem } = options;
  if (today && (from !== undefined || to !== undefined)) {
    throw new AppError('USAGE', { message: '--today is a period of its own: leave out --from and --to.' });
  }
  if (mine && assignedTo !== undefined) {
    throw new AppError('USAGE', { message: '--mine says who: leave out --assigned-to.' });
  }
  const period = today ? dayOf(context.clock.now()) : { from, to };
  const filters = {
    status,
    modality,
    q,
    ...period,
    assigned_to: mine ? await ownName(context) : assignedTo,
    source_system: sourceSystem,
  };
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined)) as Partial<{
    [K in keyof typeof filters]: NonNullable<(typeof filters)[K]>;
  }>;
}

/** The filters as the person typed them: `new  CT  today`. */
export const filterWords = ({
  status,
  modality,
  q,
  today,
  from,
  to,
  mine,
  assignedTo,
  sourceSystem,
}: FilterOptions): string =>
  [
    status && statusWords[status],
    modality,
    q === undefined ? undefined : `“${q}”`,
    today ? 'today' : undefined,
    from === undefined ? undefined : `from ${from}`,
    to === undefined ? undefined : `to ${to}`,
    mine ? 'mine' : assignedTo,
    sourceSystem,
  ]
    .filter((word) => word !== undefined)
    .join('  ');

/** The day in this computer's time zone: the API reads a bare date as UTC. */
function dayOf(now: number): { from: string; to: string } {
  const start = new Date(now);
  start.setHours(0, 0, 0, 0);
  const end = new Date(start);
  end.setDate(end.getDate() + 1);
  return { from: start.toISOString(), to: new Date(end.getTime() - 1).toISOString() };
}

/** The name under which the current login takes exams. */
async function ownName({ client, signal }: Context): Promise<string> {
  const { data } = await (await client()).oauth.validate({}, { signal });
  if (data.user) return data.user.display_name;
  throw new AppError('USAGE', { message: '--mine needs a person: an application takes no exams.' });
}
