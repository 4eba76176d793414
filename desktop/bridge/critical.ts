/** Critical results: those that are open, and the decisions on them. */
import { CriticalDecision, CriticalMark } from '../../src/contract/critical.ts';
import { MedicalRecord } from '../../src/contract/document.ts';
import { FindingId } from '../../src/contract/finding.ts';
import { array, object } from '../../src/contract/schema.ts';
import { Id } from '../../src/contract/shared.ts';
import { call } from './call.ts';
import { nothing } from './shapes.ts';

export const criticalCalls = {
  'critical.open': call({
    summary: 'The documents with critical results of which nobody was told yet, newest first',
    input: nothing,
    output: object({ items: array(MedicalRecord) }),
  }),
  'critical.mark': call({
    summary: 'Mark words of a document as a critical result',
    input: object({ id: Id, mark: CriticalMark }),
    output: MedicalRecord,
  }),
  'critical.decide': call({
    summary: 'Say who was told of a critical result, or why nobody has to be',
    input: object({ id: Id, result: FindingId, decision: CriticalDecision }),
    output: MedicalRecord,
  }),
} as const;
