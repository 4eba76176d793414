/** Sentences that the writer proposes for the impression of a medical record (extension). */
import { endpoint, group } from './endpoint.ts';
import { SectionSpan } from './finding.ts';
import { array, integer, named, object, string } from './schema.ts';
import type { TypeOf } from './schema.ts';
import { RecordId } from './shared.ts';

/** The largest number of sentences in an answer. */
export const maxProposedSentences = 30;

export const ProposedSentence = named(
  'ProposedSentence',
  object({
    text: string({
      description: 'One sentence in the language of the record, as it can come into the impression.',
      examples: ['Solid nodule of 6 mm in the right upper lobe.'],
    }),
    basis: array(SectionSpan, {
      description: 'The sentences of the findings that say the same, at their places in this version: at least one.',
    }),
  }),
  'A sentence for the impression, and what it rests on.',
);
export type ProposedSentence = TypeOf<typeof ProposedSentence>;

export const ImpressionProposals = named(
  'ImpressionProposals',
  object({
    id: RecordId,
    version: integer({ minimum: 1, description: 'Number of the version whose findings were read.' }),
    sentences: array(ProposedSentence, {
      description: 'The sentences, the most important first. Empty: there is nothing to propose.',
    }),
    refused: integer({
      minimum: 0,
      description:
        'How many other sentences were left out, because they said more than the findings, or something else.',
    }),
  }),
  'What the impression could say.',
);
export type ImpressionProposals = TypeOf<typeof ImpressionProposals>;

export const impressions = group({
  title: 'Impression',
  description: 'Sentences for the impression that rest on the findings.',
  endpoints: {
    propose: endpoint({
      method: 'POST',
      path: '/api/v1/medical-records/{id}/impression-proposals',
      summary: 'Propose sentences for the impression',
      description:
        'Has the writer condense the findings of a draft. The record stays as it is, and nothing is stored: a client that takes a sentence sends it in the `sections` of an update, with `brought` and `proposed: true`. Every sentence rests on sentences of the findings that it names; one with a number, side, level, category, date, negation, degree of certainty or finding that they don’t have, or have elsewhere, is left out and counted in `refused`. The writer gets only the sentences of the findings: neither the patient nor other sections. 503 ENGINE_UNAVAILABLE where the writer cannot propose (`details.reason` is `no_proposals`; `GET /api/v1/engines` tells before) and where its model does not answer; 409 VERSION_CONFLICT where the record was changed meanwhile, and 409 INVALID_TRANSITION where it is signed.',
      access: 'bearer',
      scope: 'medical_records:write',
      params: object({ id: RecordId }),
      answer: 'envelope',
      responses: { 200: ImpressionProposals },
      headers: { 200: ['ETag'] },
      errors: ['NOT_FOUND', 'FORBIDDEN', 'VERSION_CONFLICT', 'INVALID_TRANSITION', 'SERVER_BUSY', 'ENGINE_UNAVAILABLE'],
      extension: true,
      versioned: true,
    }),
  },
});
