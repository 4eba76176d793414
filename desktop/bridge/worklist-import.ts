/** A worklist file that is dropped on the page. */
import { detailCodes } from '../../src/contract/errors.ts';
import { anyOf, array, integer, named, nullable, object, oneOf, string } from '../../src/contract/schema.ts';
import type { TypeOf } from '../../src/contract/schema.ts';
import { ingestWarnings } from '../../src/contract/worklist.ts';
import { sentence } from './shapes.ts';
import { formatNames } from '../../src/domain/worklist-formats.ts';

/** Maximum size of a worklist file, in bytes. */
export const maxWorklistBytes = 64 * 1024 * 1024;

/** Properties that a file may leave unspecified, so that the reader guesses them. */
const guessed = [
  'format',
  'compression',
  'encoding',
  'delimiter',
  'decimal',
  'dates',
  'times',
  'columns',
  'rows',
  'sheet',
  'mapping',
  'modality',
] as const;

/** A remark about one exam of a file. */
export const ImportRemark = object(
  {
    place: object(
      {},
      { line: integer(), message: integer(), item: integer(), offset: integer() },
      { description: 'Counted from 1; `offset` in bytes from 0.' },
    ),
    accession_number: nullable(string()),
    message: sentence,
  },
  { hint: sentence, code: anyOf([oneOf(detailCodes), oneOf(ingestWarnings)]) },
);
export type ImportRemark = TypeOf<typeof ImportRemark>;

const remarks = (description: string) =>
  object(
    { count: integer(), first: array(ImportRemark, { description: 'The first remarks, as many as a person reads.' }) },
    {},
    { description },
  );

export const ImportResult = named(
  'ImportResult',
  object({
    format: oneOf(formatNames),
    guesses: array(object({ what: oneOf(guessed), value: string() })),
    inserted: integer(),
    updated: integer(),
    deduped: integer(),
    cancelled: integer({ description: 'How many of the accepted exams the file cancels.' }),
    reinstated: integer({ description: 'How many cancelled exams the file orders again.' }),
    refused: remarks('Entries that could not be read, or that the service refused.'),
    noted: remarks('Entries that the service accepted in part.'),
    stopped: nullable(
      object(
        { message: sentence, code: string() },
        {},
        { description: 'Why the import stopped before the end of the file.' },
      ),
    ),
  }),
);
export type ImportResult = TypeOf<typeof ImportResult>;
