import { randomUUID } from 'node:crypto';
import { defineCommand, flag, text } from '../../command.ts';
import { filesArgument, parseReadOptions, sendingOptions } from '../../sending/options.ts';
import { sendFiles } from '../../sending/send-files.ts';

export const command = defineCommand({
  description:
    'Laudio recognises the format by content, gzip included. Exams that match a stored one by accession number or study UID update it; invalid ones are refused, the rest is imported (exit code 9). Ingest sends a file once, at full speed, and lists every item. For large exports, pacing, shifted dates or resuming, use "laudio worklist replay".',
  arguments: filesArgument,
  options: {
    ...sendingOptions,
    idempotencyKey: text('Sending the same files again with this key has no effect', { placeholder: 'UUID' }),
    quiet: flag('List only refused entries', { short: 'q' }),
  },
  examples: [
    ['laudio worklist ingest samples/worklist.json', 'send the sample day'],
    ['laudio worklist ingest orders/*.hl7 --source-system RIS1', 'send files of any format'],
    ['laudio worklist ingest day.csv --dry-run', 'see what each line would do, without a server'],
    ['laudio worklist ingest orders.hl7 --map accession_number=OBR-2 --dry-run', 'fields in other places'],
    ['laudio worklist ingest - --source-system RIS1 < today.json', 'send the output of another program'],
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
      goOn: 'Send it again: accepted entries are recognised.',
    }),
});
