/** The flows of a check, in order. Calls and expected answers come from the contract. */
import type { Flow } from './flow.ts';
import { limits, lists, metadata, missingResources, refusedLogins, tokens } from './reading-flows.ts';
import { critical, examAndPriors, signature } from './reporting-flows.ts';
import { asynchronous, badBodies, document, ingest, wordbooks, simulations, sound } from './writing-flows.ts';

export const flows: readonly Flow[] = [
  { name: 'authorization server metadata', writes: false, run: metadata },
  { name: 'refused logins', writes: false, run: refusedLogins },
  { name: 'calls without a valid token', writes: false, run: tokens },
  { name: 'lists, page by page', writes: false, run: lists },
  { name: 'resources that do not exist', writes: false, run: missingResources },
  { name: 'invalid bodies', writes: true, run: badBodies },
  { name: 'ingest and status of exams', writes: true, run: ingest },
  { name: 'a document, from dictation to export', writes: true, run: document },
  { name: 'assigning an exam, and its priors', writes: true, run: examAndPriors },
  { name: 'a signature that is taken back', writes: true, run: signature },
  { name: 'a critical result, from open to told', writes: true, run: critical },
  { name: 'a document from audio', writes: true, run: sound },
  { name: 'an asynchronous document', writes: true, run: asynchronous },
  { name: 'simulated faults', writes: true, run: simulations },
  { name: 'macros and vocabulary', writes: true, run: wordbooks },
  { name: 'rate limit headers', writes: false, run: limits },
];
