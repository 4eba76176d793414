/**
 * The review of a record before its signature: decisions about its findings, and the origins of its words (extension).
 */
import { MedicalRecord } from './document.ts';
import { endpoint, group } from './endpoint.ts';
import { FindingId } from './finding.ts';
import { Provenance } from './provenance.ts';
import { integer, meanings, named, object, oneOf, string } from './schema.ts';
import type { TypeOf } from './schema.ts';
import { RecordId } from './shared.ts';

/** A decision about an open finding. */
const FindingDecision = named(
  'FindingDecision',
  object({
    status: oneOf(['dismissed', 'open'], {
      description: meanings('What becomes of the finding.', {
        dismissed: 'you looked at it, and the text stands',
        open: 'takes a dismissal back',
      }),
    }),
  }),
  'A decision about a finding.',
);

export type FindingDecision = TypeOf<typeof FindingDecision>;

export const UndoRequest = named(
  'UndoRequest',
  object({
    operation: string({
      minLength: 1,
      maxLength: 200,
      pattern: '^[!-~]+$',
      description: 'Id of the conversion, as `operations` of the provenance lists it.',
      examples: ['numbers.unit@18-34'],
    }),
  }),
  'The conversion to take back.',
);

export const reviews = group({
  title: 'Review',
  description: 'What to look at before a medical record is signed.',
  endpoints: {
    decide: endpoint({
      method: 'PUT',
      path: '/api/v1/medical-records/{id}/findings/{finding}',
      summary: 'Decide about a finding',
      description:
        'Dismisses a finding of `findings_to_review`, with your name and the time, or opens it again. The document stays as it is, and so does its version. A dismissal lasts in later versions, for as long as the finding is the same. 409 where the record is signed, or a later version resolved the finding; 409 OPEN_FINDINGS for an open field (`field_open`), which somebody has to fill in.',
      access: 'bearer',
      scope: 'medical_records:write',
      params: object({ id: RecordId, finding: FindingId }),
      body: FindingDecision,
      answer: 'envelope',
      responses: { 200: MedicalRecord },
      headers: { 200: ['ETag'] },
      errors: ['NOT_FOUND', 'FORBIDDEN', 'INVALID_TRANSITION', 'OPEN_FINDINGS'],
      extension: true,
      examples: { body: { dismiss: { status: 'dismissed' } } },
    }),
    undo: endpoint({
      method: 'POST',
      path: '/api/v1/medical-records/{id}/undo',
      summary: 'Take back a conversion',
      description:
        'Puts back the words as they were before a conversion (a number, an abbreviation, an autotext, also one that an instruction brought, a self-correction, the wording or the place that a language model chose), and makes a new version. Everything else stays, edits included. 404 for an id that the present version does not list; 409 INVALID_TRANSITION where the record is signed, and where the words of the conversion do not stand as it wrote them (`details.reason`): `changed` somebody edited them since, or a later conversion did; `wordless` it was a command, or took words back.',
      access: 'bearer',
      scope: 'medical_records:write',
      params: object({ id: RecordId }),
      body: UndoRequest,
      answer: 'envelope',
      responses: { 200: MedicalRecord },
      headers: { 200: ['ETag'] },
      errors: ['NOT_FOUND', 'FORBIDDEN', 'VERSION_CONFLICT', 'INVALID_TRANSITION', 'SERVER_BUSY'],
      extension: true,
      versioned: true,
      examples: { body: { number: { operation: 'numbers.unit@18-34' } } },
    }),
    provenance: endpoint({
      method: 'GET',
      path: '/api/v1/medical-records/{id}/provenance',
      summary: 'Get where the words of a medical record come from',
      description:
        'For each word of the document who or what brought it, and for each word of the transcript what became of it, and when it was said where the recogniser told. 404 for a version that is older than this account.',
      access: 'bearer',
      scope: 'medical_records:read',
      params: object({ id: RecordId }),
      query: object(
        {},
        {
          version: integer({
            minimum: 1,
            description: 'Number of the version. Default: the present one.',
            examples: [1],
          }),
        },
      ),
      answer: 'envelope',
      responses: { 200: Provenance },
      errors: ['NOT_FOUND'],
      extension: true,
    }),
  },
});
