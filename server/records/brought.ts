/** Words of a report that came neither from a dictation nor by hand, as a request names them. */
import type { BroughtText } from '../../src/contract/inserted-text.ts';
import { normalForm } from '../../src/domain/normal-form.ts';
import type { Brought } from '../../src/reporting/versions/edits.ts';
import type { Reader } from '../storage/store.ts';
import { findPriors } from '../worklists/priors/find-priors.ts';
import { findExam } from './exam.ts';
import type { StoredRecord } from './stored-record.ts';

/** The words with their sources. A prior must belong to the record's patient. */
export async function findBrought(
  reader: Reader,
  { space, worklist_item_id: itemId }: Pick<StoredRecord, 'space' | 'worklist_item_id'>,
  brought: readonly BroughtText[] = [],
): Promise<Brought[]> {
  const namesPrior = brought.some(({ prior }) => prior !== undefined);
  const item = namesPrior && itemId !== null ? await findExam(reader, space, itemId) : null;
  const found = item ? await findPriors(reader, { ...item, space }) : [];
  const known = new Map(found.map(({ prior }) => [prior.id, prior.exam_datetime]));
  return brought.flatMap(({ section, text, prior: id, score, viewer, proposed }): Brought[] => {
    const at = id === undefined ? undefined : known.get(id);
    const words = { section, text: normalForm(text) };
    if (score !== undefined) return [{ ...words, score }];
    if (viewer) return [{ ...words, viewer }];
    if (proposed) return [{ ...words, proposed }];
    return id === undefined || at === undefined ? [] : [{ ...words, prior: { id, exam_datetime: at } }];
  });
}
