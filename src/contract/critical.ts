/** Critical results: findings that must be communicated at once, and the communication of each (extension). */
import { FindingId } from './finding.ts';
import { boolean, line, meanings, named, nullable, object, oneOf, string, timestamp } from './schema.ts';
import type { TypeOf } from './schema.ts';
import { sectionKey } from './shared.ts';

export const criticalStatuses = ['open', 'told', 'dismissed'] as const;
const criticalStatus = oneOf(criticalStatuses, {
  description: meanings('What became of the critical result.', {
    open: 'nobody was told yet',
    told: 'somebody was told; `communication` says who, when and how',
    dismissed: 'nobody has to be told; `dismissal` says why',
  }),
});

export const communicationWays = ['phone', 'in_person', 'message'] as const;

const communicationFields = {
  to: line({
    minLength: 1,
    maxLength: 200,
    description: 'Name of the person who was told.',
    examples: ['Dr. Paulo Nunes'],
  }),
  way: oneOf(communicationWays, {
    description: meanings('How the person was told.', {
      phone: 'by telephone',
      in_person: 'face to face',
      message: 'by a written message that the person answered',
    }),
  }),
  read_back: boolean({ description: 'Whether the person repeated the result, and was confirmed.' }),
};
const role = {
  role: line({
    minLength: 1,
    maxLength: 100,
    description: 'What the person is in the care of the patient. Absent: not said.',
    examples: ['emergency physician'],
  }),
};

const Communication = named(
  'Communication',
  object(
    {
      ...communicationFields,
      at: timestamp('When the person was told.'),
      by: string({
        description: 'Display name of the user who said so.',
        examples: ['Dra. Helena Prado'],
      }),
      noted_at: timestamp('When the user said so.'),
    },
    role,
  ),
  'Who was told of a critical result, when and how.',
);
export type Communication = TypeOf<typeof Communication>;

const words = line({
  minLength: 1,
  maxLength: 200,
  description: 'The words of the document that name the result.',
  examples: ['Tension pneumothorax'],
});

export const CriticalResult = named(
  'CriticalResult',
  object({
    id: {
      ...FindingId,
      description: 'Id of the result: that of its finding `critical_not_communicated`.',
    },
    section: sectionKey('Key of the section in which the words stand.'),
    words,
    marked_by: nullable(
      string({
        description: 'Display name of the user who marked the words. `null`: the service found them.',
        examples: ['Dra. Helena Prado'],
      }),
    ),
    since: timestamp('When the words were found or marked.'),
    status: criticalStatus,
    communication: nullable({ ...Communication, description: 'Who was told. `null` unless the result is `told`.' }),
    dismissal: nullable(
      object(
        {
          reason: string({ description: 'Why nobody has to be told.', examples: ['Known since March, unchanged.'] }),
          by: string({ description: 'Display name of the user who decided.', examples: ['Dra. Helena Prado'] }),
          at: timestamp('When the user decided.'),
        },
        {},
        { description: 'Why nobody has to be told. `null` unless the result is `dismissed`.' },
      ),
    ),
  }),
  'A finding of which somebody has to be told at once.',
);
export type CriticalResult = TypeOf<typeof CriticalResult>;

export const CriticalMark = named(
  'CriticalMark',
  object({ section: sectionKey('Key of the section in which the words stand.'), words }),
  'Words of a document that are a critical result.',
);
export type CriticalMark = TypeOf<typeof CriticalMark>;

export const CriticalDecision = named(
  'CriticalDecision',
  object(
    { status: criticalStatus },
    {
      communication: object(
        communicationFields,
        { ...role, at: timestamp('When the person was told, not in the future. Default: now.') },
        { description: 'Who was told, when and how: with the status `told`.' },
      ),
      reason: line({
        minLength: 1,
        maxLength: 500,
        description: 'Why nobody has to be told: with the status `dismissed`.',
        examples: ['Known since March, unchanged.'],
      }),
    },
  ),
  'What became of a critical result.',
);
export type CriticalDecision = TypeOf<typeof CriticalDecision>;
