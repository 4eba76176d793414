/** Priors: earlier reports of the patient. */
import { Prior, PriorSummary } from '../../src/contract/prior.ts';
import { array, boolean, integer, object } from '../../src/contract/schema.ts';
import { call } from './call.ts';
import { byId } from './shapes.ts';

export const priorCalls = {
  'prior.list': call({
    summary: 'The priors of an exam: those of the same part of the body first, then of the same modality, then by date',
    input: byId,
    output: object({
      items: array(PriorSummary),
      related: integer({ description: 'How many of the first are of the same part of the body.' }),
      kept: boolean({ description: 'The service cannot be reached: it is what the app read last.' }),
    }),
  }),
  'prior.get': call({ summary: 'A prior with its words', input: byId, output: Prior }),
} as const;
