/** Inspects each version before it is stored; long versions in a thread, so that other requests don't wait. */
import { inspection, maxCheckedLength, measureLength } from '../../src/reporting/versions/inspection.ts';
import type { InspectedVersion, Inspection } from '../../src/reporting/versions/inspection.ts';
import { threadTask } from '../runtime/workers/thread-task.ts';
import type { RecordDeps } from './deps.ts';

/** Inspects a long version in a thread. */
export const inspectDocument = threadTask(import.meta.url, 'inspectDocument', async (document: InspectedVersion) =>
  inspection(document),
);

/** Up to this length, inspection is faster here than in a thread. */
const short = 5000;

/** Inspects the version. SERVER_BUSY if too many wait for a thread. */
export async function inspect(
  { workers }: Pick<RecordDeps, 'workers'>,
  document: InspectedVersion,
  { account, signal }: { readonly account: string; readonly signal: AbortSignal },
): Promise<Inspection> {
  const length = measureLength(document);
  // Only edits take time in a text that is too long to check.
  if (length <= short || (length > maxCheckedLength && !document.edited)) return inspection(document);
  return workers.run(inspectDocument, document, { client: account, signal });
}
