/** Formats deliveries of events. */
import type { Delivery } from '../../src/contract/webhook.ts';
import { jsonText } from '../shell/io.ts';
import { localTime } from '../shell/time.ts';
import { detailView } from '../shell/view.ts';
import type { Column, Tone, View } from '../shell/view.ts';

const tones: Readonly<Record<Delivery['status'], Tone>> = { pending: 'busy', delivered: 'good', failed: 'bad' };

/** The receiver's last answer. */
const lastAnswer = ({ attempts }: Delivery): string | undefined => {
  const last = attempts.at(-1);
  return last && (last.http_status === null ? (last.error ?? 'no answer') : String(last.http_status));
};

export const deliveryColumns: readonly Column<Delivery>[] = [
  { title: 'ID', value: (delivery) => delivery.id, tone: () => 'faint' },
  { title: 'When', value: (delivery) => localTime(delivery.created_at) },
  { title: 'Event', value: (delivery) => delivery.type, cut: true },
  { title: 'Status', value: (delivery) => delivery.status, tone: (delivery) => tones[delivery.status] },
  { title: 'Attempts', value: (delivery) => delivery.attempts.length, align: 'right', spare: 2 },
  { title: 'Answer', value: lastAnswer },
  { title: 'Next', value: (delivery) => delivery.next_attempt_at && localTime(delivery.next_attempt_at), spare: 1 },
];

export const deliveryDetail = (delivery: Delivery): View =>
  detailView({
    data: delivery,
    fields: [
      ['Id', delivery.id],
      ['Event', delivery.type],
      ['Status', delivery.status, tones[delivery.status]],
      ['Attempts', delivery.attempts.length],
      ['Answer', lastAnswer(delivery)],
    ],
    ...(delivery.event && { sections: [{ title: 'Payload', text: jsonText(delivery.event, 2) }] }),
  });
