/** Finds the instruction that can be undone. */
import type { LastInstruction } from '../../src/reporting/instructions/instruct.ts';
import type { Reader } from '../storage/store.ts';
import { versionId } from './stored-record.ts';
import type { StoredRecord } from './stored-record.ts';

/** Limits the characters of earlier versions that are read. */
const maxRead = 1_000_000;

/** The newest instruction that changed the record and is not undone; `null` if there is none within the limit. */
export async function findLastInstruction(
  reader: Reader,
  { id, version }: Pick<StoredRecord, 'id' | 'version'>,
): Promise<LastInstruction | null> {
  let after = await reader.get('versions', versionId(id, version));
  /** Each undo hides one earlier instruction. */
  let undone = 0;
  for (let [n, read] = [version - 1, 0]; after && n > 0 && read < maxRead; n -= 1) {
    const before = await reader.get('versions', versionId(id, n));
    if (!before) return null;
    read += before.record.text.length;
    const { instruction = after.change === 'corrected' ? 'carried_out' : undefined } = after;
    if (instruction === 'taken_back') undone += 1;
    else if (instruction === 'carried_out' && undone > 0) undone -= 1;
    else if (instruction === 'carried_out') return { before: before.record.sections, after: after.record.sections };
    after = before;
  }
  return null;
}
