/** Formats entries of the audit trail. */
import type { NamedEntry } from './audit-names.ts';
import { localTime } from '../shell/time.ts';
import type { Column, Tone } from '../shell/view.ts';
import { elementAt } from '../../src/domain/elements.ts';

const who = ({ by, user_id, user, client_id, client }: NamedEntry): string => {
  const named = user ?? user_id ?? client ?? client_id;
  return by === 'service' ? (named === null ? 'the server' : `the server for ${named}`) : (named ?? by);
};

/** The first id, and how many more. */
const what = ({ kind, ids }: NamedEntry): string =>
  ids.length === 0 ? kind : ids.length === 1 ? elementAt(ids, 0) : `${ids[0]} +${ids.length - 1}`;

/** `refused`, or `refused 12×` of an entry for several. */
const outcome = ({ outcome: word, count }: NamedEntry): string => (count === undefined ? word : `${word} ${count}×`);

/** An entry as one line, for a continuous listing. */
export function entryLine(entry: NamedEntry, paint: (text: string, tone: Tone) => string): string {
  const { number, at, action, address } = entry;
  const refused = entry.outcome === 'refused' ? `  ${paint(outcome(entry), 'warn')}` : '';
  const from = address === null ? '' : `  ${paint(address, 'faint')}`;
  return `${paint(`${number}  ${localTime(at)}`, 'faint')}  ${who(entry)}  ${action}  ${what(entry)}${refused}${from}`;
}

export const auditColumns: readonly Column<NamedEntry>[] = [
  { title: 'No.', value: ({ number }) => number, align: 'right', tone: () => 'faint' },
  { title: 'Time', value: ({ at }) => localTime(at) },
  { title: 'Who', value: who },
  { title: 'Did', value: ({ action }) => action },
  { title: 'To', value: what },
  {
    title: 'Outcome',
    value: outcome,
    tone: ({ outcome: word }) => (word === 'refused' ? 'warn' : 'plain'),
    spare: 1,
  },
  { title: 'From', value: ({ address }) => address, spare: 2 },
  { title: 'Request id', value: ({ request_id: id }) => id, tone: () => 'faint', spare: 3 },
];
