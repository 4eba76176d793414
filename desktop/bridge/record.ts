/** Records: read, written, edited, corrected and signed. */
import { Signer } from '../../src/contract/admin.ts';
import { MedicalRecord, reviewNote, Section } from '../../src/contract/document.ts';
import { RecordDestination } from '../../src/contract/distribution.ts';
import { FindingId } from '../../src/contract/finding.ts';
import { ImpressionProposals } from '../../src/contract/impression.ts';
import { BroughtText } from '../../src/contract/inserted-text.ts';
import { Pin } from '../../src/contract/signature.ts';
import { Provenance } from '../../src/contract/provenance.ts';
import { SectionChange } from '../../src/contract/record.ts';
import { RecordVersion } from '../../src/contract/record-version.ts';
import {
  array,
  extended,
  integer,
  named,
  nullable,
  object,
  oneOf,
  string,
  timestamp,
  without,
} from '../../src/contract/schema.ts';
import type { TypeOf } from '../../src/contract/schema.ts';
import { Id, languages } from '../../src/contract/shared.ts';
import { TemplateSection } from '../../src/contract/template.ts';
import { call } from './call.ts';
import { byId, byStroke, nothing } from './shapes.ts';

/** The result of a correction; `message` explains why it changed nothing, or asks about an ambiguity. */
const Correction = object(
  { record: MedicalRecord, changes: array(SectionChange), instruction: string() },
  { message: string() },
);

const DocumentEdit = object(
  { id: Id, version: integer({ minimum: 1, description: 'The version that the person edited.' }) },
  {
    title: string({ minLength: 1, maxLength: 200 }),
    sections: array(Section, { minItems: 1, maxItems: 100 }),
    brought: array(BroughtText, {
      maxItems: 100,
      description: 'What of the sections came from priors, forms and proposals.',
    }),
    /** The text in which the person typed, to distinguish their changes from other people's. */
    base: object({ title: string(), sections: array(Section) }),
    ...byStroke,
  },
);

export const Signature = named(
  'Signature',
  extended(Signer, {
    who: nullable(string({ description: 'Display name.' })),
    at: timestamp('When the document was signed.'),
  }),
);
export type Signature = TypeOf<typeof Signature>;

/**
 * Changes of two people in different sections are merged: `record` then contains both. If both change the same section,
 * the second gets a `conflict` with both versions.
 */
const SavedDocument = object(
  { outcome: oneOf(['saved', 'queued', 'conflict']), record: MedicalRecord },
  { theirs: MedicalRecord },
);

export const recordCalls = {
  'record.get': call({ summary: 'A document', input: byId, output: MedicalRecord }),
  'record.for_item': call({
    summary: 'The documents of an exam, newest first',
    input: byId,
    output: object({
      items: array(MedicalRecord),
      waiting: array(Id, { description: 'Documents with changes that wait to be sent.' }),
      written: nullable(string({ description: 'A text that waits to be sent and becomes a document then.' })),
    }),
  }),
  'record.write': call({
    summary: 'Make the report of an exam from the sections that somebody typed',
    input: object(
      {
        item_id: Id,
        sections: array(Section, { minItems: 1, maxItems: 100 }),
        language: oneOf(languages),
        template_id: nullable(string({ maxLength: 64 })),
      },
      byStroke,
    ),
    output: object({ outcome: oneOf(['saved', 'queued']) }),
  }),
  'record.save': call({ summary: 'Save an edited document', input: DocumentEdit, output: SavedDocument }),
  'record.sign': call({
    summary: 'Sign a document',
    input: object(
      { id: Id, version: integer({ minimum: 1 }) },
      {
        acknowledged: array(FindingId, { description: 'Warnings that the signer has read and signs over.' }),
        pin: Pin,
      },
    ),
    output: SavedDocument,
  }),
  'record.take_back': call({
    summary: 'Take back a signature that is not final yet',
    input: byId,
    output: object({ outcome: oneOf(['saved', 'queued']), record: MedicalRecord }),
  }),
  'record.send_back': call({
    summary: 'Send a preliminary document back to its resident',
    input: object({ id: Id, version: integer({ minimum: 1 }) }, { note: reviewNote }),
    output: SavedDocument,
  }),
  'record.reopen': call({
    summary: 'Make the preliminary document that one has signed a draft again',
    input: object({ id: Id, version: integer({ minimum: 1 }) }),
    output: SavedDocument,
  }),
  'record.decide': call({
    summary: 'Dismiss a finding of a draft, or open it again',
    input: object({ id: Id, finding: FindingId, status: oneOf(['dismissed', 'open']) }),
    output: MedicalRecord,
  }),
  'record.undo': call({
    summary: 'Take one conversion of a draft back',
    input: object({
      id: Id,
      version: integer({ minimum: 1 }),
      operation: string({ minLength: 1, maxLength: 200, description: 'Id of the conversion.' }),
    }),
    output: MedicalRecord,
  }),
  'record.background': call({
    summary: 'What a draft is checked against while somebody types',
    input: object({ id: Id, version: integer({ minimum: 1 }) }),
    output: object({
      /** `null`: the service no longer has it. */
      template: nullable(array(TemplateSection)),
      /** `null`: unknown for this version. */
      provenance: nullable(without(Provenance, 'id', 'version')),
    }),
  }),
  'record.addendum': call({
    summary: 'Add an addendum to a signed document',
    input: object(
      {
        id: Id,
        text: string({ minLength: 1, maxLength: 100_000 }),
        title: string({ minLength: 1, maxLength: 200 }),
      },
      byStroke,
    ),
    output: SavedDocument,
  }),
  'record.correct': call({
    summary: 'Correct a document by a written instruction',
    input: object(
      {
        id: Id,
        version: integer({ minimum: 1 }),
        instruction: string({ minLength: 1, maxLength: 10_000 }),
      },
      byStroke,
    ),
    output: Correction,
  }),
  'record.correct_spoken': call({
    summary: 'Correct a document by a spoken instruction (a WAV file)',
    input: object({ id: Id, version: integer({ minimum: 1 }) }),
    output: Correction,
    bytes: true,
  }),
  'record.propose_impression': call({
    summary: 'Have the findings of a draft condensed into sentences for its impression; the draft stays as it is',
    input: object({ id: Id, version: integer({ minimum: 1 }) }),
    output: without(ImpressionProposals, 'id', 'version'),
  }),
  'record.versions': call({
    summary: 'The versions of a document, newest first',
    input: byId,
    output: object({ items: array(RecordVersion) }),
  }),
  'record.signature': call({
    summary: 'Who signed the document finally, and as a resident, `null` where nobody did; and its addenda',
    input: byId,
    output: object({
      signature: nullable(Signature),
      preliminary: nullable(Signature),
      addenda: array(Signature, { description: 'Who added each addendum, in the order of the document.' }),
    }),
  }),
  'record.distribution': call({
    summary: 'To which systems the document goes, and whether it has arrived',
    input: byId,
    output: object({ items: array(RecordDestination) }),
  }),
  'record.version': call({
    summary: 'A former version of a document',
    input: object({ id: Id, n: integer({ minimum: 1 }) }),
    output: MedicalRecord,
  }),
  'record.delete': call({ summary: 'Delete a draft', input: byId, output: nothing }),
} as const;
