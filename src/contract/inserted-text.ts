/** Words of a document that came neither from a dictation nor by hand (extension). */
import { Measurement } from './measurement.ts';
import { PriorId } from './prior.ts';
import { line, literal, named, object, prose } from './schema.ts';
import type { TypeOf } from './schema.ts';
import { sectionKey } from './shared.ts';

/** Number of such texts that a request may name. */
export const maxBrought = 100;

export const BroughtText = named(
  'BroughtText',
  object(
    {
      section: sectionKey('Key of the section in which the words stand now.'),
      text: prose({
        minLength: 1,
        maxLength: 10_000,
        description: 'The words as they stand there.',
        examples: ['antes 4 mm'],
      }),
    },
    {
      prior: PriorId,
      score: line({
        minLength: 1,
        maxLength: 100,
        description: 'Name of the form of a score or a measurement that brought the words.',
        examples: ['ACR TI-RADS'],
      }),
      viewer: { ...Measurement, description: 'The measurement of a viewer that brought the words.' },
      proposed: literal(true, {
        description: 'A language model proposed the words (`POST …/impression-proposals`), and the caller took them.',
      }),
    },
    { minProperties: 3, maxProperties: 3 },
  ),
  'Words that came from a prior, from a form, from a viewer or from a language model: exactly one of `prior`, `score`, `viewer` and `proposed`.',
);
export type BroughtText = TypeOf<typeof BroughtText>;
