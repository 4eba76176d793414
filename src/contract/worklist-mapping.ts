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

const orSeveral = <S extends Schema>(one: S) => anyOf([one, array(one, { minItems: 1, maxItems: 20 })]);
const places = orSeveral(place);
const pattern = string({
  minLength: 1,
  maxLength: 64,
  description:
    'How a date is written: `YYYY` `YY` `MM` `M` `MMM` (the name) `DD` `D` `HH` `H` `hh` `h` `A` (AM or PM) `mm` `m` `ss` `s` `Z` (the offset). All else stands as it is; letters in brackets.',
  examples: ['DD/MM/YYYY HH:mm'],
});
/** Limits of the rules of a mapping. */
export const maxPart = 20;
export const maxSeparator = 16;
const part = object(
  {
    separator: string({ minLength: 1, maxLength: maxSeparator, description: 'What stands between the parts.' }),
    take: integer({
      minimum: -maxPart,
      maximum: maxPart,
      description: 'The part to take: 1 is the first, -1 the last; not 0.',
    }),
  },
  {},
  { description: 'A part of the value.' },
);
const rule = object(
  {},
  {
    event: orSeveral(
      string({
        minLength: 1,
        maxLength: 64,
        description: 'HL7: `ORM^O01`, or `ORM` for all its events. FHIR: the type of the resource.',
        examples: ['ADT^A08'],
      }),
    ),
    where: {
      ...dictionary(orSeveral(string({ maxLength: 512 }))),
      description: 'Places, and the values that one of them must have, in any case; an empty text: no value.',
      examples: [{ 'ORC-1': ['SC'] }],
    },
  },
  { description: 'All that it names must hold.' },
);
const rules = (description: string) => array(rule, { maxItems: 100, description });
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
      parts: ofFields(part, 'Fields whose value is a part of what is at their place, cut before anything else.'),
      dates: ofFields(
        orSeveral(pattern),
        'How dates are written, by field; no other way counts then. A year of two digits is one of this century, and none of a birth.',
      ),
      copies: ofFields(
        string({ minLength: 1, maxLength: 80, description: 'The field to copy.', examples: ['location'] }),
        'Fields that take the value of another field, as it is then stored, if their places have none.',
      ),
      defaults: ofFields(value, 'Values of fields for which the file has none.'),
      keep: rules('Only what fits one of these rules is taken; all else is passed over. Without rules everything is.'),
      drop: rules('What fits one of these rules is passed over: a channel acknowledges it, and nothing changes.'),
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
