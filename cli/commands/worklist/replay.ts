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
  resume: flag('Resume an earlier replay of the same files'),
  rate: text('Maximum items per second, such as 50/s or 3000/min', { placeholder: 'R' }),
  speed: text('Keep the intervals between exams, this many times faster: 10x', { placeholder: 'X' }),
  shift: text('Move the exams by days: now (the first one is today), or a number such as -1', {
    placeholder: 'now|DAYS',
  }),
  ...sendingOptions,
};

export const command = defineCommand({
  description:
    'Like ingest, with a journal next to the file, so that --resume continues without duplicates, and with options for pace and dates. Lists only refused entries; --report has every line. Waits for a rate limit or busy server. A batch at which the server fails repeatedly is set aside, with later ones of the same exams, and sent by --resume. Exit code 9 if something was refused.',
  arguments: filesArgument,
  options,
  examples: [
    ['laudio worklist replay yesterday.ndjson --shift now', 'yesterday’s exams, moved to today'],
    ['laudio worklist replay yesterday.ndjson --resume', 'resume, or start if there is nothing to resume'],
    ['laudio worklist replay day.csv --speed 60x', 'one hour of exams per minute'],
    ['laudio worklist replay day.csv --dry-run --report junit.xml', 'what each line would do, for a test run'],
  ],
  async run(context, input) {
    const { file: files, rate, speed, shift } = input;
    if (input.resume && files.some(isStdin)) {
      throw new AppError('USAGE', { message: 'Standard input can’t be resumed: it can be read only once.' });
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
      goOn: files.some(isStdin)
        ? 'Send it again: accepted entries are recognised.'
        : `Resume with: ${resumeLine(input)}`,
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
