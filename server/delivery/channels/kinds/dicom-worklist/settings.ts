/** The settings of dicom-worklist. */
import { array, boolean, integer, object, oneOf, string } from '../../../../../src/contract/schema.ts';
import type { TypeOf } from '../../../../../src/contract/schema.ts';
import { dicomPeerSettings } from '../dicom/settings.ts';
import { readingSettings } from '../../receiving/reading-settings.ts';

export const dicomWorklistSettings = object(dicomPeerSettings.required, {
  ...dicomPeerSettings.optional,
  ...readingSettings,
  interval_seconds: integer({
    minimum: 5,
    maximum: 86_400,
    default: 60,
    description: 'Interval between polls.',
  }),
  days_back: integer({
    minimum: 0,
    maximum: 366,
    default: 1,
    description: 'How many days before today the exams may be scheduled.',
  }),
  days_ahead: integer({
    minimum: 0,
    maximum: 366,
    default: 2,
    description: 'How many days after today the exams may be scheduled.',
  }),
  modalities: array(string({ pattern: '^[A-Z0-9 _]{1,16}$', description: 'A modality.', examples: ['CT'] }), {
    maxItems: 50,
    description: 'Only these modalities; the provider is polled for each. Default: all.',
  }),
  station_title: string({
    pattern: '^[\\x20-\\x7e]{1,16}$',
    description: 'Only exams that are scheduled at the station of this title. Default: all.',
  }),
  query_charset: oneOf(['utf-8', 'latin-1', 'none'], {
    default: 'utf-8',
    description: 'The character set that a query declares; `none`: no declaration.',
  }),
  cancel_missing: boolean({
    default: false,
    description:
      'Whether to cancel an exam that nobody has taken once the provider no longer lists it. Most providers also omit exams in progress.',
  }),
});
export type DicomWorklistSettings = TypeOf<typeof dicomWorklistSettings>;
