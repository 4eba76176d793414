/** Formats critical results, and selects one of a record. */
import type { CriticalResult } from '../../src/contract/critical.ts';
import type { MedicalRecord } from '../../src/contract/document.ts';
import { AppError } from '../../src/contract/errors.ts';
import { openResults } from '../../src/reporting/critical.ts';
import { localTime } from '../shell/time.ts';
import { listView } from '../shell/view.ts';
import type { Column, View } from '../shell/view.ts';

interface Row extends CriticalResult {
  readonly record: MedicalRecord;
}

const tones = { open: 'bad', told: 'good', dismissed: 'faint' } as const;

/** `told Dr. Nunes by phone at 14:02, read back`. */
function outcome({ status, communication, dismissal }: CriticalResult): string {
  if (dismissal) return `${status}: ${dismissal.reason}`;
  if (!communication) return status;
  const { to, role, way, at, read_back: isReadBack } = communication;
  const person = role === undefined ? to : `${to} (${role})`;
  return `${status} ${person}, ${way.replace('_', ' ')}, ${localTime(at)}${isReadBack ? ', read back' : ''}`;
}

const columns: readonly Column<Row>[] = [
  { title: 'Document', value: ({ record }) => record.id, tone: () => 'faint' },
  { title: 'Result', value: ({ id }) => id },
  { title: 'Since', value: ({ since }) => localTime(since), spare: 1 },
  { title: 'Words', value: ({ words }) => words, tone: () => 'strong', cut: true },
  { title: 'State', value: outcome, tone: ({ status }) => tones[status], fold: true },
  { title: 'Document is', value: ({ record }) => record.status, spare: 2 },
  { title: 'Marked by', value: ({ marked_by: by }) => by ?? 'the check', spare: 3 },
];

const rowsOf = (record: MedicalRecord): Row[] =>
  (record.critical_results ?? []).map((result) => ({ ...result, record }));

/** The list of the open results of records. */
export const openResultList = {
  columns,
  empty: 'No critical result is open.',
  rowsOf: (record: MedicalRecord): Row[] => rowsOf(record).filter(({ status }) => status === 'open'),
  dataOf: ({ record, ...result }: Row): object => ({
    record_id: record.id,
    worklist_item_id: record.worklist_item_id,
    title: record.title,
    ...result,
  }),
};

/** All results of one record. */
export const resultsOf = (record: MedicalRecord): View =>
  listView({ data: record, rows: rowsOf(record), columns, empty: 'The record has no critical result.' });

/** The named result, otherwise the only open one. */
export function chosenResult(record: MedicalRecord, named: string | undefined): string {
  if (named !== undefined) return named;
  const open = openResults(record);
  const [only, ...others] = open;
  if (only && others.length === 0) return only.id;
  throw new AppError('USAGE', {
    message:
      open.length === 0
        ? 'The record has no open critical result.'
        : `The document has ${open.length} open critical results: name one.`,
    hint: `laudio critical show ${record.id} lists them.`,
  });
}
