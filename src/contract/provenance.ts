/** The origins of the words of a report, and the fates of the heard words (extension). */
import { Measurement } from './measurement.ts';
import { owners } from './wordbook.ts';
import { SectionSpan, sectionSpanFields, Span, spanFields } from './finding.ts';
import { array, integer, meanings, named, nullable, number, object, oneOf, string } from './schema.ts';
import type { TypeOf } from './schema.ts';
import { Id, RecordId, soundSeconds } from './shared.ts';

const origins = {
  said: 'they stand as they were said',
  converted: 'they were said in another form, “six millimeters” for “6 mm”',
  macro: 'an autotext that was named brought them',
  score: 'a form brought them, of a score or a measurement',
  viewer: 'a person measured them in a viewer of images',
  exam: 'the exam told them',
  template: 'the template brought them',
  prior: 'a person took them over from a report of a former exam',
  proposed: 'a language model proposed them for the impression, and a person took them',
  edited: 'a person, or an instruction, wrote them',
} as const;
export type Origin = keyof typeof origins;

const fates = {
  written: 'they stand in the document as they were said',
  converted: 'they stand in the document in another form',
  command: 'they were a command, and were carried out',
  taken_back: 'the speaker, or an edit, took them back',
  left_out: 'the speaker hesitated',
} as const;
export type Fate = keyof typeof fates;

const steps = {
  commands: 'spoken punctuation and commands',
  vocabulary: 'words that the vocabulary writes in another way',
  macros: 'autotexts',
  spelling: 'spelt words',
  numbers: 'numbers and terms',
  corrections: 'self-corrections',
  sections: 'names of sections, and where a language model put a sentence that was said under none (`label`)',
  wording: 'wording that a language model proposed',
  edits: 'edits and instructions',
} as const;
export type StepName = keyof typeof steps;

const operation = string({ description: 'Id of the operation that did it. Absent: none did.' });

const MacroCalled = object(
  { name: string({ description: 'Name of the macro.', examples: ['normal chest'] }) },
  {
    owner: oneOf([...owners, 'template'], {
      description: meanings('Whose macro it is.', {
        person: 'the user who dictated',
        space: 'everybody in the space',
        template: 'it came with the template',
      }),
    }),
  },
  {
    description:
      'The macro that was called, in a dictation (`macros`) or by an instruction (`edits`). Absent: none was.',
  },
);

const PriorTaken = object(
  {
    id: Id,
    exam_datetime: string({ description: 'When that exam took place.', examples: ['2024-01-13T09:10:00-03:00'] }),
  },
  {},
  { description: 'The prior from which the words were taken over (`edits`, rule `prior`). Absent: none was.' },
);

export const HeardWord = named(
  'HeardWord',
  object(spanFields, {
    from: soundSeconds('When somebody began to say it', 3.2),
    to: soundSeconds('When it ended', 3.72),
    confidence: number({ minimum: 0, maximum: 1, description: 'How sure the recogniser is, from 0 to 1.' }),
  }),
  'A word of the transcript, and what the recogniser told of it; what it did not tell is absent.',
);

export const Provenance = named(
  'Provenance',
  object(
    {
      id: RecordId,
      version: integer({ minimum: 1, description: 'Number of the version that it is about.' }),
      words: array(
        object(
          {
            ...sectionSpanFields,
            origin: oneOf(Object.keys(origins) as Origin[], {
              description: meanings('Where the words come from.', origins),
            }),
            heard: nullable({
              ...Span,
              description: 'Where they were said, in the transcript. `null`: nobody said them.',
            }),
          },
          {
            operation,
            by: string({ description: 'Display name of the user who wrote them (`edited`).' }),
          },
          { description: 'Words of a section that have one origin.' },
        ),
        { description: 'The words of the document, in its order.' },
      ),
      heard: array(
        object(
          {
            ...spanFields,
            fate: oneOf(Object.keys(fates) as Fate[], {
              description: meanings('What became of the words.', fates),
            }),
          },
          { operation },
          { description: 'Words of the transcript that have one fate.' },
        ),
        { description: 'Every word of the transcript once, in its order. Empty where nothing was dictated.' },
      ),
      operations: array(
        object(
          {
            id: string({
              description: 'Id of the operation, from its step, its rule and its place.',
              examples: ['numbers.unit@18-34'],
            }),
            step: oneOf(Object.keys(steps) as StepName[], {
              description: meanings('What the step deals with.', steps),
            }),
            rule: string({ description: 'Name of the rule within the step.', examples: ['unit'] }),
            source: { ...Span, description: 'What was changed, in the transcript.' },
            target: nullable({
              ...SectionSpan,
              description: 'What stands for it in the document. `null`: nothing.',
            }),
            before: string({ description: 'The words before.', examples: ['six millimeters'] }),
            after: string({ description: 'The words after.', examples: ['6 mm'] }),
          },
          {
            macro: MacroCalled,
            prior: PriorTaken,
            viewer: {
              ...Measurement,
              description:
                'The measurement of a viewer that brought the words (`edits`, rule `viewer`). Absent: none did.',
            },
          },
        ),
        { description: 'What was converted, carried out and taken back, step by step.' },
      ),
    },
    {
      heard_words: array(HeardWord, {
        description:
          'The words of the transcript of which the recogniser told more than their letters, in its order. Absent: there are none.',
      }),
    },
  ),
  'Where the words of a document come from.',
);
export type Provenance = TypeOf<typeof Provenance>;
