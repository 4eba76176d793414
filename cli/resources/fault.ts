/** Formats faults and their strikes. */
import type { Fault, FaultStrike } from '../../src/contract/fault.ts';
import { clockTime } from '../shell/time.ts';
import type { Column } from '../shell/view.ts';

const percent = (chance: number): string => `${Math.round(1000 * chance) / 10} %`;

/** The calls that a fault affects: `POST /api/v1/jobs of test_tc_local`. */
function whatText(fault: Fault): string {
  const { method, path, client_id: client, event, url, all_clients: all, job, webhook } = fault;
  const kind = webhook !== undefined ? 'deliveries' : job !== undefined ? 'jobs' : 'calls';
  const of = [method, path, event, url].filter((part) => part !== undefined).join(' ');
  const whose = all === true ? ' of all clients' : '';
  return `${of === '' ? kind : of}${client === undefined ? whose : ` of ${client}`}`;
}

/** When a fault strikes, in words. */
function whenText({ nth, every, probability, times }: Fault): string {
  const words = [
    nth === undefined ? '' : `no. ${nth}`,
    every === undefined ? '' : `each ${every}.`,
    probability === undefined ? '' : percent(probability),
    times === undefined ? '' : `${times} times`,
  ].filter(Boolean);
  return words.length === 0 ? 'each' : words.join(', ');
}

export const faultColumns: readonly Column<Fault>[] = [
  { title: 'Name', value: ({ name }) => name },
  { title: 'Strikes', value: whatText, cut: true, tone: ({ all_clients: all }) => (all === true ? 'bad' : 'plain') },
  { title: 'When', value: whenText, spare: 1 },
  { title: 'Effects', value: ({ effects }) => effects.join(', '), cut: true },
  { title: 'Seen', value: ({ seen }) => seen, align: 'right', spare: 2 },
  { title: 'Struck', value: ({ struck }) => struck, align: 'right' },
];

const struckText = ({ of, method, path, event }: FaultStrike): string =>
  of === 'delivery' ? `delivery of ${event}` : `${of === 'job' ? 'job of ' : ''}${method} ${path}`;

export const strikeColumns: readonly Column<FaultStrike>[] = [
  { title: 'No.', value: ({ number }) => number, align: 'right', tone: () => 'faint' },
  { title: 'Time', value: ({ at }) => clockTime(at), spare: 1 },
  { title: 'Fault', value: ({ fault }) => fault },
  { title: 'Struck', value: struckText, cut: true },
  { title: 'Effects', value: ({ effects }) => effects.join(', '), cut: true },
  { title: 'Client', value: ({ client_id: id }) => id, cut: true, spare: 2 },
  { title: 'Request id', value: ({ request_id: id }) => id, tone: () => 'faint', spare: 3 },
];
