/** A report while it is being put together from what a foreign format says. */
import { onOneLine } from '../../domain/characters.ts';
import { fill, newDraft } from '../worklist/draft.ts';
import type { Draft, Lookup, Mapping } from '../worklist/draft.ts';
import type { Times } from '../worklist/kinds.ts';
import { problem } from '../worklist/reading.ts';
import type { Position, Reading } from '../worklist/reading.ts';
import type { PriorInput } from '../../contract/prior.ts';

/** Fields that a report needs: without a patient and a time it is never shown. */
const needed = new Set(['report_id', 'accession_number', 'patient_id', 'patient_name', 'exam_datetime']);

export type Sections = NonNullable<PriorInput['sections']>;

/** A draft with the facts of the report, by a table. */
export function draftFacts(mappings: readonly Mapping[], lookup: Lookup, times: Times): Draft {
  const draft = newDraft(needed);
  // A value to delete counts as unknown here: a report is imported whole.
  fill(draft, mappings, (source, to) => lookup(source, to) ?? undefined, times);
  return draft;
}

/** `words`: the whole report, or its sections; neither for a report that was withdrawn. */
export function finishedReport(
  { fields, fault, warnings }: Draft,
  position: Position,
  status: NonNullable<PriorInput['status']>,
  words: { readonly text: string } | { readonly sections: Sections } | undefined,
): Reading {
  if (fault) return problem(position, fault.message, fault.hint);
  const lines = Object.entries(fields).map(([name, value]) => [
    name,
    typeof value === 'string' ? onOneLine(value) : value,
  ]);
  return {
    kind: 'item',
    item: { ...Object.fromEntries(lines), status, ...words },
    position,
    ...(warnings.length > 0 && { warnings }),
  };
}
