/** The versions of a medical record (extension): the author and the origin of each. */
import { Signer } from './admin.ts';
import { RecordStatus, reviewNote } from './document.ts';
import { OpenFinding } from './finding.ts';
import { array, integer, meanings, named, nullable, object, oneOf, string, timestamp } from './schema.ts';
import type { TypeOf } from './schema.ts';

export const recordChanges = [
  'generated',
  'edited',
  'corrected',
  'preliminary',
  'reopened',
  'sent_back',
  'signed',
  'addendum',
  'communicated',
] as const;
export const recordChangeMeanings = {
  generated: 'the service generated the record',
  edited: 'somebody edited the draft, or an attending the preliminary record',
  corrected: 'somebody corrected the draft by an instruction, or an attending the preliminary record',
  preliminary: 'a resident signed the record; an attending co-signs it',
  reopened: 'the resident who signed the preliminary record made it a draft again, to change it',
  sent_back: 'an attending made the preliminary record a draft again, for its resident to change',
  signed: 'a physician signed the record, or an attending co-signed it',
  addendum: 'the signed record gained an addendum',
  communicated: 'somebody said who was told of a critical result, or took that back',
};

export const RecordVersion = named(
  'RecordVersion',
  object(
    {
      version: integer({ description: 'Number of the version, from 1.', examples: [2] }),
      at: timestamp('When this version was made.'),
      who: nullable(
        string({
          description: 'Display name of the user who made the version, or the client id where no user was involved.',
          examples: ['Dra. Helena Prado'],
        }),
      ),
      change: oneOf(recordChanges, { description: meanings('What made the version.', recordChangeMeanings) }),
      status: RecordStatus,
      title: string({ description: 'Title of the document in this version.' }),
    },
    {
      signer: Signer,
      open_findings: array(OpenFinding, {
        description: 'The warnings that were open when this version was signed. Absent: the version is no signature.',
      }),
      note: { ...reviewNote, description: 'What the attending wrote when sending it back. Absent: nothing.' },
    },
  ),
  'One version of a medical record, without its text.',
);
export type RecordVersion = TypeOf<typeof RecordVersion>;
