/** Settings of channels that ask a PACS about exams. */
import { array, integer, string } from '../../../../../src/contract/schema.ts';
import { readingSettings } from '../../receiving/reading-settings.ts';

const names = (which: string, examples: string[]) =>
  array(string({ minLength: 1, maxLength: 256, description: 'One of them.', examples }), {
    minItems: 1,
    maxItems: 200,
    description: `Asks only about exams ${which}; case, accents and spaces at the ends don't matter. Default: about all.`,
  });

export const pacsSettings = {
  interval_seconds: integer({
    minimum: 10,
    maximum: 86_400,
    default: 300,
    description: 'Interval between questions. A new exam is asked about at once.',
  }),
  days_back: integer({
    minimum: 0,
    maximum: 366,
    default: 7,
    description: 'How many days before today the exams may be that are asked about.',
  }),
  days_ahead: integer({
    minimum: 0,
    maximum: 366,
    default: 2,
    description: 'How many days after today the exams may be that are asked about.',
  }),
  years_back: integer({
    minimum: 0,
    maximum: 100,
    default: 10,
    description: 'How old a former study may be whose reports are read; 0: no reports are read.',
  }),
  max_studies: integer({
    minimum: 1,
    maximum: 200,
    default: 20,
    description: 'Maximum of former studies per patient whose reports are read: the newest.',
  }),
  hospitals: names('of these hospitals (`hospital_name`)', ['Hospital São Lucas']),
  issuers: names('whose accession number one of these gave (`accession_issuer`)', ['RIS-SAO-LUCAS']),
  time_zone: readingSettings.time_zone,
} as const;

export interface PacsSettings {
  readonly interval_seconds?: number;
  readonly days_back?: number;
  readonly days_ahead?: number;
  readonly years_back?: number;
  readonly max_studies?: number;
  readonly hospitals?: readonly string[];
  readonly issuers?: readonly string[];
  readonly time_zone?: string;
}
