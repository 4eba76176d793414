import { priorFormats } from '../../../src/files/priors/prior-file.ts';
import { choice, defineCommand, flag, text } from '../../command.ts';
import { filesArgument, parseTimeZone } from '../../sending/options.ts';
import { sendPriors } from '../../sending/send-priors.ts';

export const command = defineCommand({
  description:
    'Laudio recognises the format by content, gzip included: HL7 results (ORU^R01), FHIR DiagnosticReports, JSON and NDJSON with the fields of the API, or plain text with a file of the same name that ends in .json beside it, which says whose report it is. A report that is there already changes nothing; a corrected one takes its place, and the former version is kept. Bad ones are refused, the rest is taken (exit code 9). An exam shows the reports of its own patient alone.',
  arguments: filesArgument,
  options: {
    sourceSystem: text('Identifier of the system that the reports are from', { placeholder: 'NAME' }),
    format: choice(priorFormats, `The format, instead of telling it by content: ${priorFormats.join(', ')}`, {
      placeholder: 'NAME',
    }),
    encoding: text('The encoding, such as utf-8 or windows-1252', { placeholder: 'NAME' }),
    timeZone: text('Where times without an offset are from; default: this computer’s zone', { placeholder: 'ZONE' }),
    quiet: flag('Only what was refused', { short: 'q' }),
  },
  examples: [
    ['laudio prior import archive/*.hl7 --source-system RIS1', 'results of the former RIS'],
    ['laudio prior import samples/priors/reports.ndjson', 'sample reports, one a line'],
    ['laudio prior import report.txt', 'a text, with report.json beside it'],
  ],
  run: (context, { file, sourceSystem, format, encoding, timeZone, quiet }) =>
    sendPriors(context, {
      files: file,
      read: {
        ...(format && { format }),
        ...(encoding !== undefined && { encoding }),
        ...(timeZone !== undefined && { timeZone: parseTimeZone(timeZone) }),
      },
      sourceSystem,
      quiet,
    }),
});
