import { defineCommand, required, text } from '../../command.ts';
import { parseInstant } from '../../shell/time.ts';
import { messageView } from '../../shell/view.ts';

export const command = defineCommand({
  description:
    'Has a channel fhir-in read all orders of its server by a Bulk Data export. It goes on in the background, and after a restart of the server.',
  arguments: { channel: required('Name of the channel', { shown: 'channel' }) },
  options: {
    since: text('Orders that changed since then: 2026-03-02T08:00Z, or 24h ago; default: all', { placeholder: 'TIME' }),
  },
  examples: [['laudio channel import ehr --since 30d', 'the orders of a month, once']],
  async run(context, { channel, since }) {
    const body = since === undefined ? {} : { since: parseInstant(context, '--since', since) };
    const { data } = await (await context.operator()).channels.import({ params: { channel }, body });
    return messageView('The import was requested; laudio channel show says if something is wrong.', data);
  },
});
