/** Formats the calls that reached a server. */
import { shownPath } from '../../src/client/call-exports.ts';
import type { InspectedCall, InspectedMessages } from '../../src/contract/inspector.ts';
import { clockTime } from '../shell/time.ts';
import { detailView } from '../shell/view.ts';
import type { Column, Tone, View } from '../shell/view.ts';

const statusTone = ({ status }: InspectedCall): Tone => {
  if (status === null || status >= 500) return 'bad';
  return status >= 400 ? 'warn' : 'good';
};

const answerText = ({ status }: InspectedCall): string => (status === null ? 'none' : String(status));

export const callColumns: readonly Column<InspectedCall>[] = [
  { title: 'No.', value: ({ number }) => number, align: 'right', tone: () => 'faint' },
  { title: 'Time', value: ({ at }) => clockTime(at), spare: 1 },
  { title: 'Method', value: ({ method }) => method },
  { title: 'Path', value: shownPath, cut: true },
  { title: 'Status', value: answerText, tone: statusTone },
  { title: 'ms', value: ({ duration_ms }) => duration_ms, align: 'right', spare: 2 },
  { title: 'Decision', value: ({ decision }) => decision, cut: true },
  { title: 'Client', value: ({ client_id: id }) => id, cut: true, spare: 3 },
  { title: 'Scope', value: ({ scope }) => scope, spare: 4 },
  { title: 'Request id', value: ({ request_id: id }) => id, tone: () => 'faint', spare: 5 },
  { title: 'Fault', value: ({ fault }) => fault, cut: true, tone: () => 'warn', spare: 3 },
];

/** A call as one line, for a continuous listing. */
export function callLine(call: InspectedCall, paint: (text: string, tone: Tone) => string): string {
  const { at, method, duration_ms: ms, decision, client_id: client, scope, request_id: id } = call;
  const answer = paint(answerText(call).padStart(4), statusTone(call));
  const struck = call.fault === null ? '' : `  ${paint(`fault: ${call.fault}`, 'warn')}`;
  const why = `${decision === 'allowed' ? '' : `  ${paint(decision, statusTone(call))}`}${struck}`;
  const who = [client, scope, id].filter((part) => part !== null).join('  ');
  return `${paint(clockTime(at), 'faint')}  ${method.padEnd(6)} ${answer} ${`${ms} ms`.padStart(8)}  ${shownPath(call)}${why}  ${paint(who, 'faint')}`;
}

export const callDetail = (call: InspectedMessages, curl: string): View =>
  detailView({
    data: { ...call, curl },
    fields: [
      ['Call', `${call.method} ${shownPath(call)}`, 'strong'],
      ['At', call.at],
      ['Answer', answerText(call), statusTone(call)],
      ['Decision', call.decision, call.decision === 'allowed' ? 'good' : 'warn'],
      ['Fault', call.fault ?? undefined, 'warn'],
      ['Client', call.client_id ?? 'none'],
      ['Scope', call.scope ?? 'none'],
      ['Took', `${call.duration_ms} ms`],
      ['Request id', call.request_id],
      ['Replay', call.replayable ? `laudio server requests ${call.number} --replay` : 'not possible'],
    ],
    sections: [
      ...messageSections('Request', call.request),
      ...messageSections('Answer', call.answer),
      { title: 'As curl', text: curl },
    ],
  });

function messageSections(title: string, message: InspectedMessages['request']) {
  if (!message) return [];
  const headers = Object.entries(message.headers).map(([name, value]) => `${name}: ${value}`);
  const body = message.body === null ? [] : ['', JSON.stringify(message.body, null, 2)];
  return [{ title, text: [...headers, ...body].join('\n') }];
}
