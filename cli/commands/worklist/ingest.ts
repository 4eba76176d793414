import { randomUUID } from 'node:crypto';
import { defineCommand, flag, text } from '../../command.ts';
import { filesArgument, parseReadOptions, sendingOptions } from '../../sending/options.ts';
import { sendFiles } from '../../sending/send-files.ts';

export const command = defineCommand({
  description:
    'Laudio recognises the format by content, gzip included. Exams that match a stored one by accession number or study UID update it; bad ones are refused, the rest is taken (exit code 9). Ingest sends what a file holds, once and at once, and lists every item. For large exports, a given pace, other dates, or going on after a break there is "laudio worklist replay".',
  arguments: filesArgument,
  options: {
    ...sendingOptions,
    idempotencyKey: text('Sending the same files again under this key does nothing new', { placeholder: 'UUID' }),
    quiet: flag('Only what was refused', { short: 'q' }),
  },
  examples: [
    ['laudio worklist ingest samples/worklist.json', 'send the sample day'],
    ['laudio worklist ingest orders/*.hl7 --source-system RIS1', 'send files of any format'],
    ['laudio worklist ingest day.csv --dry-run', 'see what each line would do, without a server'],
    ['laudio worklist ingest orders.hl7 --map accession_number=OBR-2 --dry-run', 'fields that stand elsewhere'],
    ['laudio worklist ingest - --source-system RIS1 < today.json', 'send what another program gives'],
  ],
  run: async (context, input) =>
    sendFiles(context, {
      ...input,
      files: input.file,
      batches: { ...input, read: await parseReadOptions(context.io, input), speed: undefined, shift: undefined },
      rate: undefined,
      journal: undefined,
      key: input.idempotencyKey ?? randomUUID(),
      listsTaken: true,
      goOn: 'Send it again: what was taken is recognised.',
    }),
});
