import { messageStates } from '../../../src/contract/channel-message.ts';
import type { MessageQuery } from '../../../src/contract/channel-message.ts';
import { choice, choices, defineCommand, text } from '../../command.ts';
import { foundColumns } from '../../resources/channel.ts';
import { pagedList, pagingOptions } from '../../shell/paging.ts';
import { readPrivateLine } from '../../shell/secret.ts';
import { parseInstant } from '../../shell/time.ts';

const fields = { patient: 'patient_id', accession: 'accession_number', control: 'control_id' } as const;
type Field = keyof typeof fields;
const fieldNames = Object.keys(fields) as Field[];

export const command = defineCommand({
  description:
    'Newest first, of all channels. With --by, the value is asked for, or read from the first line of standard input: patient data never belongs in a command line, which others can list. The audit trail notes which messages were shown.',
  options: {
    channel: text('Only messages of this channel', { placeholder: 'NAME' }),
    state: choices(messageStates, 'Only these'),
    by: choice(fieldNames, 'Search by patient id, accession number or control id (MSH-10)'),
    since: text('Only messages that changed since then: 2026-03-02T08:00Z, or 24h ago', { placeholder: 'TIME' }),
    until: text('Only messages that changed before then', { placeholder: 'TIME' }),
    ...pagingOptions,
  },
  examples: [
    ['laudio channel messages --state refused --since 24h', 'refusals of the last day'],
    ['laudio channel messages --by accession', 'asks for the accession number'],
  ],
  async run(context, { channel, state, by, since, until, limit, all }) {
    const query: MessageQuery = {
      ...(channel !== undefined && { channel }),
      ...(state.length > 0 && { state: [...state] }),
      ...(since !== undefined && { since: parseInstant(context, '--since', since) }),
      ...(until !== undefined && { until: parseInstant(context, '--until', until) }),
      ...(by && { [fields[by]]: await readPrivateLine(context, questions[by], 'the value') }),
    };
    const { channels } = await context.operator();
    return pagedList({ limit, all }, (paging) => channels.search({ body: { ...query, ...paging } }), {
      columns: foundColumns,
      empty: Object.keys(query).length > 0 ? 'There are no such messages.' : 'No message was received or sent yet.',
    });
  },
});

const questions: Readonly<Record<Field, string>> = {
  patient: 'Patient’s id',
  accession: 'Accession number',
  control: 'Control id',
};
