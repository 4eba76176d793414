import { priorFormats } from '../../../src/files/priors/prior-file.ts';
import { choice, defineCommand, flag, text } from '../../command.ts';
import { filesArgument, parseTimeZone } from '../../sending/options.ts';
import { sendPriors } from '../../sending/send-priors.ts';

export const command = defineCommand({
  description:
    'Laudio recognises the format by content, gzip included: HL7 results (ORU^R01), DICOM reports (SR, encapsulated PDF), FHIR DiagnosticReports, JSON and NDJSON with the fields of the API, or plain text with a .json file of the same name that identifies the patient and exam. A known report changes nothing; a corrected one replaces it, and the earlier version is kept. Invalid ones are refused, the rest is imported (exit code 9). An exam shows only the reports of its patient.',
  arguments: filesArgument,
  options: {
    sourceSystem: text('Identifier of the system that the reports are from', { placeholder: 'NAME' }),
    format: choice(priorFormats, `The format, instead of detecting it by content: ${priorFormats.join(', ')}`, {
      placeholder: 'NAME',
    }),
    encoding: text('The encoding, such as utf-8 or windows-1252', { placeholder: 'NAME' }),
    timeZone: text('Time zone of times without an offset; default: this computer’s', { placeholder: 'ZONE' }),
    quiet: flag('List only refused entries', { short: 'q' }),
  },
  examples: [
    ['laudio prior import archive/*.hl7 --source-system RIS1', 'results of the previous RIS'],
    ['laudio prior import samples/priors/reports.ndjson', 'sample reports, one per line'],
    ['laudio prior import report.txt', 'a text, with report.json in the same folder'],
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
