import { randomUUID } from 'node:crypto';
import { AppError } from '../../../src/contract/errors.ts';
import { defineCommand, flag, text } from '../../command.ts';
import type { CommandInput } from '../../command.ts';
import { isStdin } from '../../shell/input-file.ts';
import { readRate, readSpeed } from '../../sending/pace.ts';
import { filesArgument, parseReadOptions, sendingOptions } from '../../sending/options.ts';
import { sendFiles } from '../../sending/send-files.ts';
import { readShift } from '../../sending/shift.ts';
import { shellLine } from '../../../src/domain/shell-line.ts';

const options = {
  resume: flag('Go on where an earlier replay of the same files stopped'),
  rate: text('Items a second at most, such as 50/s or 3000/min', { placeholder: 'R' }),
  speed: text('Keep the gaps between the exam times, so many times faster: 10x', { placeholder: 'X' }),
  shift: text('Move the exams by days: now (the first one is today), or a number such as -1', {
    placeholder: 'now|DAYS',
  }),
  ...sendingOptions,
};

export const command = defineCommand({
  description:
    'Like ingest, and besides: it keeps a journal beside the file, so that --resume goes on after a break without a duplicate, can keep a pace, and can move the dates. It lists what was refused alone; --report has every line. A rate limit or a busy server is waited out; a batch at which the server fails each time is set aside, with those of its exams, and sent by --resume. Exit code 9 where something was refused.',
  arguments: filesArgument,
  options,
  examples: [
    ['laudio worklist replay yesterday.ndjson --shift now', 'yesterday’s exams, as of today'],
    ['laudio worklist replay yesterday.ndjson --resume', 'after a break; from the beginning where there was none'],
    ['laudio worklist replay day.csv --speed 60x', 'an hour of the day each minute'],
    ['laudio worklist replay day.csv --dry-run --report junit.xml', 'what each line would do, for a test run'],
  ],
  async run(context, input) {
    const { file: files, rate, speed, shift } = input;
    if (input.resume && files.some(isStdin)) {
      throw new AppError('USAGE', { message: 'Standard input cannot be resumed: it is gone once it was read.' });
    }
    await sendFiles(context, {
      ...input,
      files,
      batches: {
        ...input,
        read: await parseReadOptions(context.io, input),
        speed: speed === undefined ? undefined : readSpeed(speed),
        shift: shift === undefined ? undefined : readShift(shift),
      },
      rate: rate === undefined ? undefined : readRate(rate),
      journal: files.some(isStdin) ? undefined : { resume: input.resume },
      key: randomUUID(),
      listsTaken: input.dryRun,
      quiet: false,
      goOn: files.some(isStdin) ? 'Send it again: what was taken is recognised.' : `Go on with: ${resumeLine(input)}`,
    });
  },
});

/** The command that resumes the replay. The journal contains the options for reading and shifting. */
function resumeLine({ file, rate, failFast, report }: CommandInput<typeof filesArgument, typeof options>): string {
  const words = [
    ...file,
    '--resume',
    ...(rate === undefined ? [] : ['--rate', rate]),
    ...(failFast ? ['--fail-fast'] : []),
    ...(report === undefined ? [] : ['--report', report]),
  ];
  return `laudio worklist replay ${shellLine(words)}`;
}
