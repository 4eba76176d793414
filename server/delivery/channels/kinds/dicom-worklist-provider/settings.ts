/** The settings of dicom-worklist-provider. */
import { array, integer, meanings, object, oneOf, string } from '../../../../../src/contract/schema.ts';
import type { TypeOf } from '../../../../../src/contract/schema.ts';
import { modalityPort, modalitySettings } from '../dicom/modality-port.ts';

export const dicomWorklistProviderSettings = object(
  { port: modalityPort },
  {
    ...modalitySettings,
    days_back: integer({
      minimum: 0,
      maximum: 366,
      default: 1,
      description: 'How many days before today the exams may be, if a modality asks for no days.',
    }),
    days_ahead: integer({
      minimum: 0,
      maximum: 366,
      default: 7,
      description: 'How many days after today the exams may be, if a modality asks for no days.',
    }),
    max_answers: integer({
      minimum: 1,
      maximum: 10_000,
      default: 500,
      description: 'Maximum of exams in an answer: old modalities hold few.',
    }),
    stations: array(
      string({
        pattern: '^[\\x20-\\x3c\\x3e-\\x5b\\x5d-\\x7e]{1,16}=.{1,256}$',
        'x-error-message': 'a station is written TITLE=ROOM, for example CT1=Sala 2',
        description: 'A title and the room (`exam_room`) whose exams it makes.',
        examples: ['CT1=Sala 2'],
      }),
      {
        maxItems: 500,
        description:
          'Stations, each `TITLE=ROOM`. A modality that asks by its title gets the exams of its room, and those of rooms without a station. Default: rooms have no stations.',
      },
    ),
    charset: oneOf(['query', 'utf-8', 'latin-1'], {
      default: 'query',
      description: meanings('The character set of answers.', {
        query: 'that of the query, of the two below; Latin-1 if it names none',
        'utf-8': 'UTF-8 (ISO_IR 192)',
        'latin-1': 'Latin-1 (ISO_IR 100); other letters are replaced by similar ones',
      }),
    }),
    time_zone: string({
      minLength: 1,
      maxLength: 60,
      description: 'Zone of the times in answers, such as `America/Sao_Paulo`. Default: that of the server.',
    }),
  },
);
export type DicomWorklistProviderSettings = TypeOf<typeof dicomWorklistProviderSettings>;
