/** Formats entries of the audit trail. */
import type { AuditEntry } from '../../src/contract/audit.ts';
import { localTime } from '../shell/time.ts';
import type { Column, Tone } from '../shell/view.ts';
import { elementAt } from '../../src/domain/elements.ts';

const who = ({ by, user_id: user, client_id: client }: AuditEntry): string => {
  const named = user ?? client;
  return by === 'service' ? (named === null ? 'the server' : `the server for ${named}`) : (named ?? by);
};

/** The first id, and how many more. */
const what = ({ kind, ids }: AuditEntry): string =>
  ids.length === 0 ? kind : ids.length === 1 ? elementAt(ids, 0) : `${ids[0]} +${ids.length - 1}`;

/** An entry as one line, for a continuous listing. */
export function entryLine(entry: AuditEntry, paint: (text: string, tone: Tone) => string): string {
  const { number, at, action, outcome, address } = entry;
  const refused = outcome === 'refused' ? `  ${paint(outcome, 'warn')}` : '';
  const from = address === null ? '' : `  ${paint(address, 'faint')}`;
  return `${paint(`${number}  ${localTime(at)}`, 'faint')}  ${who(entry)}  ${action}  ${what(entry)}${refused}${from}`;
}

export const auditColumns: readonly Column<AuditEntry>[] = [
  { title: 'No.', value: ({ number }) => number, align: 'right', tone: () => 'faint' },
  { title: 'Time', value: ({ at }) => localTime(at) },
  { title: 'Who', value: who },
  { title: 'Did', value: ({ action }) => action },
  { title: 'To', value: what },
  {
    title: 'Outcome',
    value: ({ outcome }) => outcome,
    tone: ({ outcome }) => (outcome === 'refused' ? 'warn' : 'plain'),
    spare: 1,
  },
  { title: 'From', value: ({ address }) => address, spare: 2 },
  { title: 'Request id', value: ({ request_id: id }) => id, tone: () => 'faint', spare: 3 },
];
