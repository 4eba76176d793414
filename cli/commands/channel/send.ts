import { AppError } from '../../../src/contract/errors.ts';
import { defineCommand, required, text } from '../../command.ts';
import type { Context } from '../../context.ts';
import { parseInstant } from '../../shell/time.ts';
import { messageView } from '../../shell/view.ts';

export const command = defineCommand({
  description:
    'Sends records that the channel missed, for example because it was added later: all signed ones that changed since a time and match its settings, or a certain one.',
  arguments: { channel: required('Name of the channel', { shown: 'channel' }) },
  options: {
    since: text('Records that changed since then: 2026-03-02T08:00Z, or 24h ago', { placeholder: 'TIME' }),
    record: text('This record, even if it was sent before', { placeholder: 'ID' }),
  },
  examples: [['laudio channel send ris-results --since 7d', 'after a channel was added']],
  async run(context, { channel, since, record }) {
    const body = selectRecords(context, since, record);
    const { data } = await (await context.operator()).channels.send({ params: { channel }, body });
    return messageView(data.written === 1 ? 'Sending 1 record.' : `Sending ${data.written} records.`, data);
  },
});

function selectRecords(context: Context, since: string | undefined, record: string | undefined) {
  if (since !== undefined && record === undefined) return { since: parseInstant(context, '--since', since) };
  if (record !== undefined && since === undefined) return { record_id: record };
  throw new AppError('USAGE', { message: 'Give either --since or --record.' });
}
