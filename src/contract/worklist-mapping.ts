/** A mapping: what a person or a channel says about files whose fields have other places or forms (ReadOptions). */
import { clearableFieldNames, coreFieldNames, identifiers } from './exam.ts';
import { anyOf, array, dictionary, integer, meanings, named, object, string } from './schema.ts';
import type { Schema, TypeOf } from './schema.ts';

/** The status words of a sender: the exam's own, and the cancellation of its order. */
export const mappedStatuses = ['scheduled', 'arrived', 'in_progress', 'completed', 'cancelled'] as const;

const place = string({
  minLength: 1,
  maxLength: 512,
  description:
    'A place, in the words of its format: `OBR-18`, `PID-3[2].1` (HL7), `(0040,0100)/(0008,0060)` (DICOM), a FHIRPath such as `ServiceRequest.identifier`, or the heading or number of a column.',
  examples: ['OBR-18'],
});

/** Fields that a mapping fills, in addition to `metadata.NAME`. */
export const mappedFields: readonly string[] = [
  ...new Set([
    ...Object.keys(identifiers),
    'accession_issuer',
    ...coreFieldNames,
    ...clearableFieldNames.filter((name) => name !== 'metadata'),
    'exam_date',
    'exam_time',
  ]),
];

/** Columns of a table that together make one field; they have places, but no values or defaults. */
export const mappedNameParts = ['patient_family_name', 'patient_second_family_name', 'patient_given_name'] as const;
export const mappedParts: readonly string[] = ['exam_date', 'exam_time', ...mappedNameParts];

const places = anyOf([place, array(place, { minItems: 1, maxItems: 20 })]);
const word = string({ maxLength: 512 });
const value = anyOf([word, integer()]);

/** Names of a mapping's fields; `values` of a field that no reader knows would have no effect. */
const ofFields = <S extends Schema>(values: S, description: string) => ({ ...dictionary(values), description });

export const WorklistMapping = named(
  'WorklistMapping',
  object(
    {},
    {
      fields: ofFields(
        places,
        'Where fields stand, instead of where the format has them: the first place with a valid value counts. Fields are those of an item, `metadata.NAME`, and of tables `exam_date`, `exam_time`, `patient_family_name`, `patient_second_family_name` and `patient_given_name`. Places of other formats are passed over.',
      ),
      values: ofFields(
        dictionary(word),
        'What values mean, by field: the value as it is read, in any case, and what is stored.',
      ),
      defaults: ofFields(value, 'Values of fields for which the file has none.'),
      time_zone: string({
        maxLength: 64,
        description: 'IANA name of the zone of times without an offset.',
        examples: ['America/Sao_Paulo'],
      }),
      accession_issuer: string({
        minLength: 1,
        maxLength: 64,
        description: 'Who gave the accession numbers, where the file does not say.',
        examples: ['HSL'],
      }),
      skip_rows: integer({
        minimum: 0,
        maximum: 1000,
        description: 'Rows of a table above the one that names the columns.',
      }),
      status: {
        ...dictionary(string({ maxLength: 512 })),
        description:
          'A status of the exam: `column` is its place, every other name a word that stands there, with what it means: ' +
          meanings('', {
            scheduled: 'it is planned',
            arrived: 'the patient is there',
            in_progress: 'it is being made',
            completed: 'the images are there, and the report can begin',
            cancelled: 'it does not take place',
          }).trim(),
        examples: [{ column: 'Status', Cancelado: 'cancelled' }],
      },
    },
    {
      examples: [
        {
          fields: { accession_number: ['OBR-18', 'OBR-3.1', 'ORC-3.1'], exam_datetime: ['ORC-7.4', 'OBR-7', 'OBR-6'] },
          values: { modality: { XR: 'CR', CTSCAN: 'CT' } },
          defaults: { modality: 'CR', hospital_name: 'HSL' },
          time_zone: 'America/Sao_Paulo',
        },
      ],
    },
  ),
  'How the fields of a worklist file or of a channel become those of an item. One mapping serves all formats.',
);
export type WorklistMapping = TypeOf<typeof WorklistMapping>;
export type MappedStatus = (typeof mappedStatuses)[number];
