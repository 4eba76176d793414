/** Turns typed edits to the words of a dictation into an edit of its record. */
import type { MedicalRecord } from '../../../src/contract/document.ts';
import { applyHandEdits } from '../../../src/reporting/live/apply-hand-edits.ts';
import type { LiveReport } from '../../../src/reporting/live/words.ts';
import type { Records } from '../records/records.ts';
import type { TypedWords } from '../records/typed-words.ts';
import { elementAt } from '../../../src/domain/elements.ts';

export interface TypedEditsDeps {
  readonly typed: Pick<TypedWords, 'find' | 'forget'>;
  readonly records: Pick<Records, 'edit'>;
}

/** `words`: the words of the dictation as sent; `undefined`: as of the last typed edit. */
export async function applyTypedEdits(
  { typed, records }: TypedEditsDeps,
  { id }: { readonly id: string },
  record: MedicalRecord,
  words: LiveReport | undefined,
): Promise<void> {
  const changed = typed.find({ kind: 'dictation', subject: id })?.by_hand;
  if (!changed) return;
  const live = words && words.sections.length > 0 ? words : changed;
  const sections = applyHandEdits(record.sections, live, changed.edits, changed.into);
  const isSame =
    sections.length === record.sections.length &&
    sections.every(({ text }, at) => text === elementAt(record.sections, at).text);
  if (!isSame) await records.edit(record, sections);
  await typed.forget(id);
}
